//! `GET /api/v1/names`: names that begin as somebody types.

use std::sync::Arc;

use axum::{
    extract::State,
    http::{HeaderMap, Uri},
    response::Response,
};

use crate::{
    archive::NameKind,
    limits::MAX_COMPLETIONS,
    web::{Answer, AppState, Failure, parameters::Parameters},
};

pub(in crate::web) async fn names(
    State(app): State<Arc<AppState>>,
    address: Uri,
    headers: HeaderMap,
) -> Response {
    let query = address.query().map(str::to_owned);
    app.respond(&address, &headers, move |_, asked| {
        let parameters = Parameters::new(query.as_deref());
        let of = match parameters.text("kind") {
            Some("player") => NameKind::Player,
            Some("event") => NameKind::Event,
            Some("site") => NameKind::Site,
            _ => return Err(Failure::BadRequest("kind: it is player, event or site".to_owned())),
        };
        let begin = parameters.text("q").unwrap_or_default().trim();
        Answer::json(&asked.archive.completions(of, begin, MAX_COMPLETIONS)?)
    })
    .await
}
