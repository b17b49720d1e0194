//! A request, and how it is answered.

use std::{convert::Infallible, sync::Arc};

use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, Uri, request::Parts},
    response::Response,
};

use super::{Answer, AppState, RequestContext, Result, parameters::Parameters};

/// A request to the archive.
#[derive(Debug)]
pub(super) struct Question {
    pub app: Arc<AppState>,
    pub address: Uri,
    pub headers: HeaderMap,
}

impl FromRequestParts<Arc<AppState>> for Question {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<AppState>) -> Result<Question, Infallible> {
        let (address, headers) = (parts.uri.clone(), parts.headers.clone());
        Ok(Question { app: Arc::clone(app), address, headers })
    }
}

impl Question {
    /// The response: what `find` returns for the parameters of the URL, see [`AppState::respond`].
    pub async fn answer(
        self,
        find: impl Fn(&RequestContext<'_>, &Parameters) -> Result<Answer> + Send + 'static,
    ) -> Response {
        let query = self.address.query().map(str::to_owned);
        let answer = move |context: &RequestContext<'_>| find(context, &Parameters::new(query.as_deref()));
        self.app.respond(&self.app.long, self.text(), &self.headers, answer).await
    }

    /// The URL as text.
    pub fn text(&self) -> &str {
        self.address.path_and_query().map_or("", |path| path.as_str())
    }
}
