//! `GET /masters/pgn/{id}`: a game as PGN, with everything that was stored of it.

use axum::{extract::Path, response::Response};

use crate::{
    present::{book::read_public_id, game},
    web::{Answer, Failure, Question, reply::PGN},
};

pub(in crate::web) async fn pgn(Path(id): Path<String>, question: Question) -> Response {
    question
        .answer(move |_, asked, _| {
            let wrong = || Failure::BadRequest(format!("id: {id:?} is none; ids have 8 letters and digits"));
            let pgn = game::pgn(asked.archive, read_public_id(&id).ok_or_else(wrong)?)?;
            Ok(Answer::new(PGN, pgn.into_bytes()))
        })
        .await
}
