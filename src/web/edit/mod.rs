//! Editing in the browser, for `plybook serve --edit`: forms that change games, undo changes and import files. Every
//! change is an entry of the archive's log, as on the command line.
//!
//! [`access`] decides who may edit; nothing here is reachable without them. Forms name the state of the
//! game that their page showed, and a change of any other state is refused.

mod access;
mod duplicates;
mod game;
mod import;
mod left_out;
mod upload;

use std::{convert::Infallible, fs, io, net::SocketAddr, ops::ControlFlow, path::PathBuf, sync::Arc};

use axum::{
    Router,
    extract::{DefaultBodyLimit, FromRequestParts, Path},
    http::{Uri, request::Parts},
    middleware::from_fn_with_state,
    routing::{get, post},
};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    task::spawn_blocking,
    time::timeout,
};
use tower_http::timeout::{RequestBodyDeadlineLayer, RequestBodyTimeoutLayer};

use self::{access::Sessions, left_out::LeftOut};
use super::{
    AppState, Failure, Question, Result,
    bounded::{bounded, catch_panic},
    guard::no_such_method,
    pages::{Done, Visit, edit_game, edit_import, edit_log, edit_remove, edit_undo_some, respond_uncached},
};
use crate::{
    archive::{ArchiveError, BusyTimeout, Editor},
    files::{FileId, file_id},
    limits::{MAX_FORM_BYTES, MAX_UPLOADS, REQUEST_TIME, STALLED_TIME, UPLOAD_TIME},
    query::renew_index,
};

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
    left_out: LeftOut,
}

impl Editing {
    /// Editing the archive of a server that is bound to an address.
    pub(super) fn new(app: Arc<AppState>, path: PathBuf, address: SocketAddr) -> Editing {
        upload::remove_abandoned();
        Editing {
            app,
            path,
            address,
            sessions: Sessions::new(address.port()),
            changes: Arc::new(Semaphore::new(1)),
            uploads: Arc::new(Semaphore::new(MAX_UPLOADS)),
            left_out: LeftOut::default(),
        }
    }

    /// A URL that opens the pages in one browser, in which the archive can then be edited. It works once.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub fn url(&self) -> Result<String, getrandom::Error> {
        Ok(format!("http://{}@{}/edit", self.sessions.key()?, self.address))
    }

    /// Makes a change, once it is its turn.
    async fn change(
        self: &Arc<Self>,
        make: impl FnOnce(&mut Editor) -> Result<Done> + Send + 'static,
    ) -> Result<Done> {
        let (editing, turn) = (Arc::clone(self), self.turn().await?);
        let changed = spawn_blocking(move || {
            // Held until the change has really ended.
            let _turn = turn;
            editing.made(make)
        });
        let outcome = changed.await.unwrap_or_else(|_| Err(Failure::internal("an editing thread panicked")));
        outcome.inspect_err(|failure| self.app.log_failure(failure))
    }

    /// The permit to change the archive.
    async fn turn(&self) -> Result<OwnedSemaphorePermit> {
        let permit = timeout(REQUEST_TIME, Arc::clone(&self.changes).acquire_owned()).await;
        permit.ok().and_then(Result::ok).ok_or(Failure::Busy)
    }

    fn made(&self, make: impl FnOnce(&mut Editor) -> Result<Done>) -> Result<Done> {
        // How long a change waits for other programs that use the archive.
        let _patience = BusyTimeout { longest: REQUEST_TIME, ..BusyTimeout::default() }.in_force();
        let file = self.checked_file()?;
        let mut editor = Editor::open(&self.path)?;
        let done = make(&mut editor)?;
        if self.file()? != file {
            let why = "the archive has been replaced by another one during the change";
            return Err(Failure::Conflict(why.to_owned()));
        }
        if done.summary.games > 1 {
            renew_index(editor.archive(), |_, _| ControlFlow::Continue(()))?;
        }
        Ok(done)
    }

    /// The archive's file, if it can be changed: an older archive that has replaced it would be upgraded by that.
    fn checked_file(&self) -> Result<Option<FileId>> {
        let file = self.file()?;
        let older = self.app.explorer.ask(|context| Ok(context.archive.older_version()))?;
        match older {
            None => Ok(file),
            Some(version) => Err(Failure::Conflict(format!(
                "the archive has been replaced by one of the older version {version}; to edit it, upgrade it first"
            ))),
        }
    }

    fn file(&self) -> Result<Option<FileId>> {
        let metadata = fs::metadata(&self.path)
            .map_err(|error: io::Error| Failure::from(ArchiveError::Io { path: self.path.clone(), error }))?;
        Ok(file_id(&self.path, &metadata))
    }
}

/// The methods that a path of the pages for editing supports.
fn methods(path: &str) -> &'static str {
    match path {
        "/edit/redo" | "/edit/import" | "/edit/duplicates" => "OPTIONS, POST",
        path if path.starts_with("/edit/left-out/") => "GET, HEAD, OPTIONS",
        path if path.starts_with("/edit/") => "GET, HEAD, OPTIONS, POST",
        _ => "GET, HEAD, OPTIONS",
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
                respond_uncached(question, move |context, page| edit_game(context, page, &id, None))
            }),
        )
        .route("/edit/remove", get(|question: Question| respond_uncached(question, edit_remove)))
        .route("/edit/undo", get(|question: Question| respond_uncached(question, edit_undo_some)))
        .route("/log", get(|question: Question| respond_uncached(question, edit_log)))
        .route("/import", get(|question: Question| respond_uncached(question, edit_import)))
        .with_state(Arc::clone(&editing.app));
    let forms = Router::new()
        .route("/edit/game/{n}", post(game::game))
        .route("/edit/remove", post(game::remove))
        .route("/edit/duplicates", post(duplicates::duplicates))
        .route("/edit/undo", post(game::undo))
        .route("/edit/redo", post(game::redo))
        .route("/edit/left-out/{n}", get(left_out::left_out))
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
        .method_not_allowed_fallback(|uri: Uri| async move { no_such_method(methods(uri.path())) })
        .layer(from_fn_with_state(Arc::clone(editing), access::check));
    let begin = Router::new().route("/edit", get(access::begin)).with_state(Arc::clone(editing));
    routes.merge(bounded(begin)).merge(edits)
}
