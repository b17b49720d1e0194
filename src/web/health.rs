//! `GET /health`: whether the server responds and can read its archive, for monitoring.

use std::sync::Arc;

use axum::{
    extract::State,
    http::HeaderMap,
    response::{IntoResponse, Response},
};

use super::{
    AppState,
    reply::{Answer, TEXT},
};
use crate::archive::{Filter, Summary};

pub(super) async fn health(State(app): State<Arc<AppState>>) -> Response {
    let read = app.ask_now("health", |_, context| {
        let first = Filter { limit: Some(1), ..Filter::default() };
        context.archive.list::<Summary>(&first).try_for_each(|game| game.map(drop))?;
        Ok(Answer::new(TEXT, b"ok: the archive can be read\n".to_vec()))
    });
    match read.await {
        // Without a tag, no client takes an older answer for it.
        Ok(answer) => answer.respond(&HeaderMap::new(), None),
        Err(failure) => failure.into_response(),
    }
}
