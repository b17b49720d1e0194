//! Editing in the browser, for `plybook serve --edit`: forms that change games, undo changes and import files. Every
//! change is an entry of the archive's log, as on the command line.
//!
//! [`session`] and [`access`] decide who may edit; nothing here is reachable without them. Forms name the state of the
//! game that their page showed, and a change of any other state is refused.

mod access;
mod changes;
mod form;
mod game;
mod import;
mod session;
mod upload;

use std::{convert::Infallible, net::SocketAddr, path::PathBuf, sync::Arc};

use axum::{
    Router,
    extract::{DefaultBodyLimit, FromRequestParts, Path},
    http::request::Parts,
    middleware::from_fn_with_state,
    routing::{get, post},
};
use tokio::sync::Semaphore;
use tower_http::timeout::{RequestBodyDeadlineLayer, RequestBodyTimeoutLayer};

use self::session::Sessions;
use super::{
    AppState, Question,
    guard::no_such_method,
    pages::{Visit, edit_game, edit_import, edit_log, edit_remove, respond_uncached},
    server::{bounded, catch_panic},
};
use crate::limits::{MAX_FORM_BYTES, MAX_UPLOADS, STALLED_TIME, UPLOAD_TIME};

/// Editing the archive of a server.
#[derive(Debug)]
pub struct Editing {
    app: Arc<AppState>,
    path: PathBuf,
    address: SocketAddr,
    sessions: Sessions,
    /// One permit: changes are made one after another.
    changes: Arc<Semaphore>,
    /// Uploads take space on the disk.
    uploads: Arc<Semaphore>,
}

impl Editing {
    /// Editing the archive of a server that is bound to an address.
    pub(super) fn new(app: Arc<AppState>, path: PathBuf, address: SocketAddr) -> Editing {
        Editing {
            app,
            path,
            address,
            sessions: Sessions::new(address.port()),
            changes: Arc::new(Semaphore::new(1)),
            uploads: Arc::new(Semaphore::new(MAX_UPLOADS)),
        }
    }

    /// A URL that opens the pages in one browser, in which the archive can then be edited. It works once.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub fn url(&self) -> Result<String, getrandom::Error> {
        Ok(format!("http://{}/?{}={}", self.address, access::TOKEN, self.sessions.token()?))
    }
}

impl FromRequestParts<Arc<Editing>> for Visit {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, editing: &Arc<Editing>) -> Result<Visit, Infallible> {
        Ok(Visit::of(&editing.app, &parts.uri, &parts.headers))
    }
}

/// The routes of a server with those of editing.
pub(super) fn router(routes: Router, editing: &Arc<Editing>) -> Router {
    let shown = Router::new()
        .route(
            "/edit/game/{n}",
            get(|Path(id): Path<String>, question: Question| {
                respond_uncached(question, move |_, context, page| edit_game(context, page, &id))
            }),
        )
        .route("/edit/remove", get(|question: Question| respond_uncached(question, edit_remove)))
        .route("/log", get(|question: Question| respond_uncached(question, edit_log)))
        .route("/import", get(|question: Question| respond_uncached(question, edit_import)))
        .with_state(Arc::clone(&editing.app));
    let forms = Router::new()
        .route("/edit/game/{n}", post(game::game))
        .route("/edit/remove", post(game::remove))
        .route("/edit/undo", post(game::undo))
        .route("/edit/redo", post(game::redo))
        .layer(DefaultBodyLimit::max(MAX_FORM_BYTES))
        .with_state(Arc::clone(editing));
    let upload = Router::new()
        .route("/edit/import", post(import::import))
        // Counted when it is written.
        .layer(DefaultBodyLimit::disable())
        .layer(RequestBodyTimeoutLayer::new(STALLED_TIME))
        .layer(RequestBodyDeadlineLayer::new(UPLOAD_TIME))
        .layer(catch_panic())
        .with_state(Arc::clone(editing));
    let edits = bounded(shown.merge(forms))
        .merge(upload)
        .method_not_allowed_fallback(|| async { no_such_method() })
        .layer(from_fn_with_state(Arc::clone(editing), access::check));
    routes.merge(edits).layer(from_fn_with_state(Arc::clone(editing), access::exchange))
}
