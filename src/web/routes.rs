//! The routes. Each has its handler in its own file.

use std::sync::Arc;

use axum::{
    Router,
    extract::{DefaultBodyLimit, Path},
    http::{Method, StatusCode, Uri, header::ACCEPT},
    response::Response,
    routing::{MethodRouter, get},
};

use super::{
    Answer, AppState, Question, RequestContext, Result, api, assets,
    cross_origin::methods,
    explorer,
    guard::no_such_method,
    pages::{self, Page},
    parameters::Parameters,
    reply::{Missing, TEXT, refusal},
};
use crate::{
    archive::{Filter, Summary},
    limits::MAX_COMPARED_BYTES,
};

/// All routes.
pub(super) fn router(state: Arc<AppState>) -> Router {
    let compared = DefaultBodyLimit::max(MAX_COMPARED_BYTES);
    let mut lists = Router::new();
    for ending in ["", ".json", ".csv"] {
        lists = lists
            .route(&format!("/players{ending}"), page(pages::players))
            .route(&format!("/events{ending}"), page(pages::events))
            .route(&format!("/openings{ending}"), page(pages::openings));
    }
    lists
        .route("/masters", data(explorer::masters))
        .route("/master", data(explorer::masters))
        .route("/masters/pgn/{id}", get(explorer::pgn))
        .route("/master/pgn/{id}", get(explorer::pgn))
        .route("/lichess", data(explorer::lichess))
        .route("/lichess/history", data(explorer::history))
        .route("/player", get(explorer::player))
        .route("/personal", get(explorer::player))
        .route("/", page(pages::start))
        .route("/explorer", page(pages::explorer))
        .route("/games", page(pages::games))
        .route("/game/{n}", named(pages::game))
        .route("/embed/game/{n}", named(pages::embedded_game))
        .route("/report", page(pages::report))
        .route("/player/{*name}", named(pages::player))
        .route("/event/{*name}", named(pages::event))
        .route("/opening/{*name}", named(pages::opening))
        .route("/prepare", get(pages::prepare).post(pages::compare).layer(compared))
        .route("/prepare.json", get(pages::prepare).post(pages::compare).layer(compared))
        .route("/editor", page(pages::editor))
        .route("/about", page(pages::about))
        .route("/search", page(pages::search))
        .route("/duplicates", get(pages::duplicates))
        .route("/assets/{name}", get(assets::asset))
        .route("/health", get(health))
        .route("/api/v1/info", get(api::info))
        .route("/api/v1/games", data(api::games))
        .route("/api/v1/games/{n}", get(api::game))
        .route("/api/v1/export", get(api::export))
        .route("/api/v1/report", data(api::report))
        .route("/api/v1/names", data(api::names))
        .route("/api/v1/suggest", page(pages::suggest))
        .method_not_allowed_fallback(|uri: Uri| async move { no_such_method(methods(uri.path())) })
        .fallback(nothing)
        .with_state(state)
}

/// A route that returns a page, or its data.
fn page(write: fn(&RequestContext<'_>, &Page) -> Result<Answer>) -> MethodRouter<Arc<AppState>> {
    get(move |question: Question| pages::respond_with(question, write))
}

/// The same for the name at the end of the path.
fn named(write: fn(&RequestContext<'_>, &Page, &str) -> Result<Answer>) -> MethodRouter<Arc<AppState>> {
    get(move |Path(name): Path<String>, question: Question| {
        pages::respond_with(question, move |context, page| write(context, page, &name))
    })
}

/// A route that returns data.
fn data(find: fn(&RequestContext<'_>, &Parameters) -> Result<Answer>) -> MethodRouter<Arc<AppState>> {
    get(move |question: Question| question.answer(find))
}

/// `GET /health`: whether the server responds and can read its archive, for monitoring.
async fn health(question: Question) -> Response {
    let app = question.app;
    let read = app.respond_uncached(&app.quick, "health".to_owned(), |context| {
        let first = Filter { limit: Some(1), ..Filter::default() };
        context.archive.list::<Summary>(&first).try_for_each(|game| game.map(drop))?;
        Ok(Answer::new(TEXT, b"ok: the archive can be read\n".to_vec()))
    });
    read.await
}

/// Whether a path is a page: links from other sites may lead to it.
pub(super) fn is_page(path: &str) -> bool {
    match path {
        "/" | "/explorer" | "/games" | "/report" | "/editor" | "/about" | "/search" => true,
        "/players" | "/events" | "/openings" | "/prepare" | "/duplicates" => true,
        // From a terminal in a browser.
        "/edit" => true,
        _ => ["/game/", "/player/", "/event/", "/opening/", "/embed/game/"]
            .iter()
            .any(|folder| path.starts_with(folder)),
    }
}

/// Whether a path belongs to the API, even if no such route exists: its errors are JSON.
pub(super) fn is_api(path: &str) -> bool {
    path.strip_prefix("/api/v1").is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

async fn nothing(method: Method, question: Question) -> Response {
    // Programs get a line of text, and browsers a page with the way back.
    let accepted = question.headers.get(ACCEPT).and_then(|accepted| accepted.to_str().ok());
    let is_browser = accepted.is_some_and(|accepted| accepted.contains("text/html"));
    match method {
        Method::GET | Method::HEAD if is_browser && !is_api(question.address.path()) => {
            pages::no_page(&question)
        }
        Method::GET | Method::HEAD => refusal(StatusCode::NOT_FOUND, &Missing::Url.to_string()),
        _ => no_such_method(methods(question.address.path())),
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, time::Duration};

    use axum::{
        body::{Body, to_bytes},
        http::{
            Request,
            header::{CONTENT_TYPE, RETRY_AFTER},
        },
    };
    use hyper::service::Service;
    use hyper_util::service::TowerToHyperService;
    use tokio::runtime::Runtime;

    use super::*;
    use crate::{
        import::{Options, import_paths},
        web::query_pool::QueryPool,
    };

    #[test]
    fn a_search_that_takes_too_long_ends_with_an_error_that_explains_it() {
        let folder = tempfile::tempdir().unwrap();
        let (pgn, path) = (folder.path().join("games.pgn"), folder.path().join("games.db"));
        let famous = fs::read_to_string("data/famous.pgn").unwrap();
        let copy = |number: usize| famous.replace("[Event \"", &format!("[Event \"{number} "));
        fs::write(&pgn, (0..50).map(copy).collect::<String>()).unwrap();
        import_paths(&path, &[pgn], &Options::default()).unwrap();
        // All games are scanned, since none is indexed.
        let search = "ends_in=stalemate&not_pattern=8/8/8/8/8/8/8/8";
        let mut state = AppState::open(&path, 1, |_| (), |_| ()).unwrap();
        state.long = Arc::new(QueryPool::new(1, Duration::from_millis(2)));
        let router = TowerToHyperService::new(router(Arc::new(state)));
        let runtime = Runtime::new().unwrap();
        let form = "application/x-www-form-urlencoded";
        for path in ["/api/v1/games", "/games", "/explorer", "/report", "/api/v1/report", "/prepare"] {
            let request = match path {
                "/prepare" => {
                    Request::post(path).header(CONTENT_TYPE, form).body("opponent=*&pgn=1.+e4+*".into())
                }
                path => Request::get(format!("{path}?{search}")).body(Body::empty()),
            };
            let request = request.unwrap();
            let response = runtime.block_on(router.call(request)).unwrap();
            assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE, "{path}");
            assert!(response.headers().contains_key(RETRY_AFTER), "{path}");
            let body = runtime.block_on(to_bytes(response.into_body(), usize::MAX)).unwrap();
            let text = String::from_utf8(body.to_vec()).unwrap();
            assert!(
                text.contains("the search took longer than 10 seconds; search fewer games"),
                "{path}: {text}"
            );
        }
    }
}
