//! `GET /api/v1/games/{n}`: a game with all its variations and comments; the same as `{n}.pgn`, a file, and its
//! position at a ply as `{n}.svg` and `{n}.png`.

use axum::{
    extract::Path,
    http::{HeaderValue, header::CONTENT_DISPOSITION},
    response::Response,
};

use super::picture::picture;
use crate::{
    present::game,
    record::GameId,
    web::{Answer, Asked, Failure, Question, parameters::Parameters, reply::PGN},
};

/// What a game is answered as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Json,
    Pgn,
    Svg,
    Png,
}

impl Form {
    /// The name without its extension, and what that asks for.
    fn of(name: &str) -> (&str, Form) {
        match name.rsplit_once('.') {
            Some((id, "pgn")) => (id, Form::Pgn),
            Some((id, "svg")) => (id, Form::Svg),
            Some((id, "png")) => (id, Form::Png),
            _ => (name, Form::Json),
        }
    }
}

pub(in crate::web) async fn game(Path(name): Path<String>, question: Question) -> Response {
    let (id, form) = Form::of(&name);
    let id = id.parse::<GameId>().ok();
    let answer = question.answer(move |_, asked, parameters| {
        let wrong = || {
            Failure::BadRequest(format!(
                "{name:?} is not the number of a game: /api/v1/games/7, 7.pgn, 7.svg, 7.png"
            ))
        };
        answer(asked, parameters, id.ok_or_else(wrong)?, form)
    });
    let mut response = answer.await;
    if let Some(id) = id.filter(|_| form == Form::Pgn && response.status().is_success())
        && let Ok(file) = HeaderValue::from_str(&format!("attachment; filename=\"game-{id}.pgn\""))
    {
        response.headers_mut().insert(CONTENT_DISPOSITION, file);
    }
    response
}

fn answer(asked: &Asked<'_>, parameters: &Parameters, id: GameId, form: Form) -> Result<Answer, Failure> {
    match form {
        Form::Svg | Form::Png => picture(asked, parameters, id, form),
        Form::Pgn => Ok(Answer::new(PGN, game::pgn(asked.archive, id)?.into_bytes())),
        Form::Json => Answer::json(&game::answer(asked.archive, id, parameters.parsed("ply")?)?),
    }
}
