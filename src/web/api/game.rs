//! `GET /api/v1/games/{n}`: a game with all its variations and comments; `/api/v1/games/{n}.pgn`: the same as a file.

use axum::{
    extract::Path,
    http::{HeaderValue, header::CONTENT_DISPOSITION},
    response::Response,
};

use crate::{
    present::{self, game_pgn, game_tree},
    record::GameId,
    web::{Answer, Failure, Question, reply::PGN},
};

pub(in crate::web) async fn game(Path(name): Path<String>, question: Question) -> Response {
    let (id, is_pgn) = match name.strip_suffix(".pgn") {
        Some(id) => (id.parse::<GameId>().ok(), true),
        None => (name.parse().ok(), false),
    };
    let answer = question.answer(move |_, asked, _| {
        let id = id.ok_or_else(|| Failure::BadRequest(format!("{name:?} is no number of a game")))?;
        if is_pgn {
            return Ok(Answer::new(PGN, game_pgn(asked.archive, id)?.into_bytes()));
        }
        if !asked.archive.game(id)?.kind.family().has_pgn() {
            return Answer::json(&present::game(asked.archive, id, None)?);
        }
        Answer::json(&game_tree(asked.archive, id)?)
    });
    let mut response = answer.await;
    if let Some(id) = id.filter(|_| is_pgn && response.status().is_success())
        && let Ok(file) = HeaderValue::from_str(&format!("attachment; filename=\"game-{id}.pgn\""))
    {
        response.headers_mut().insert(CONTENT_DISPOSITION, file);
    }
    response
}
