//! `GET /api/v1/info`: which archive this is.

use std::sync::Arc;

use axum::{
    extract::State,
    http::{HeaderMap, Uri},
    response::Response,
};

use crate::{
    present,
    web::{AppState, reply::Answer},
};

pub(in crate::web) async fn info(
    State(app): State<Arc<AppState>>,
    address: Uri,
    headers: HeaderMap,
) -> Response {
    app.respond_at_once(&address, &headers, |app, asked| {
        Answer::json(&present::archive_info(&app.name, asked.archive, asked.index)?)
    })
    .await
}
