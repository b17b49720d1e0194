//! Which path leads where. Each has its handler in a file of its own.

use std::sync::Arc;

use axum::{Router, http::StatusCode, response::Response, routing::get};

use super::{AppState, api, assets, explorer, pages, reply::refusal};

/// All paths.
pub(super) fn router(state: Arc<AppState>) -> Router {
    Router::new()
        .route("/masters", get(explorer::masters))
        .route("/master", get(explorer::masters))
        .route("/masters/pgn/{id}", get(explorer::pgn))
        .route("/master/pgn/{id}", get(explorer::pgn))
        .route("/lichess", get(explorer::lichess))
        .route("/lichess/history", get(explorer::history))
        .route("/player", get(explorer::player))
        .route("/personal", get(explorer::player))
        .route("/", get(pages::start))
        .route("/explorer", get(pages::explorer))
        .route("/games", get(pages::games))
        .route("/game/{n}", get(pages::game))
        .route("/report", get(pages::report))
        .route("/editor", get(pages::editor))
        .route("/about", get(pages::about))
        .route("/assets/{name}", get(assets::asset))
        .route("/api/v1/info", get(api::info))
        .route("/api/v1/games", get(api::games))
        .route("/api/v1/games/{n}", get(api::game))
        .route("/api/v1/export", get(api::export))
        .route("/api/v1/report", get(api::report))
        .route("/api/v1/names", get(api::names))
        .fallback(nothing)
        .with_state(state)
}

/// Whether a path is a page's: people may come to it from other sites.
pub(super) fn is_page(path: &str) -> bool {
    matches!(path, "/" | "/explorer" | "/games" | "/report" | "/editor" | "/about")
        || path.starts_with("/game/")
}

async fn nothing() -> Response {
    refusal(StatusCode::NOT_FOUND, "there is nothing at this address")
}
