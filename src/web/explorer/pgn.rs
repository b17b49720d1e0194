//! `GET /masters/pgn/{id}`: a game as PGN, with everything that was stored of it.

use std::sync::Arc;

use axum::{
    extract::{Path, State},
    http::{HeaderMap, Uri},
    response::Response,
};

use crate::{
    present::{game_pgn, read_public_id},
    web::{Answer, AppState, Failure, reply::PGN},
};

pub(in crate::web) async fn pgn(
    State(app): State<Arc<AppState>>,
    Path(id): Path<String>,
    address: Uri,
    headers: HeaderMap,
) -> Response {
    app.respond(&address, &headers, move |_, asked| {
        let wrong = || Failure::BadRequest(format!("id: {id:?} is none; ids have 8 letters and digits"));
        let pgn = game_pgn(asked.archive, read_public_id(&id).ok_or_else(wrong)?)?;
        Ok(Answer::new(PGN, pgn.into_bytes()))
    })
    .await
}
