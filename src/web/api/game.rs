//! `GET /api/v1/games/{n}`: a game with all its variations and comments; also as `{n}.pgn`, and a position of it as
//! `{n}.svg` and `{n}.png`.

use axum::{
    extract::Path,
    http::{HeaderValue, header::CONTENT_DISPOSITION},
    response::Response,
};

use crate::{
    limits::MAX_SERVED_PICTURE_SIDE,
    present::game::{self, replay},
    record::GameId,
    web::{
        Answer, Failure, Question, RequestContext, Result,
        parameters::Parameters,
        reply::{PGN, PNG, SVG},
    },
};

pub(in crate::web) async fn game(Path(name): Path<String>, question: Question) -> Response {
    let (id, ending) = match name.rsplit_once('.') {
        Some((id, ending @ ("pgn" | "svg" | "png"))) => (id, ending.to_owned()),
        _ => (name.as_str(), String::new()),
    };
    let (id, is_pgn) = (id.parse::<GameId>().ok(), ending == "pgn");
    let answer = question.answer(move |context, parameters| {
        let wrong = || {
            Failure::BadRequest(format!(
                "{name:?} is not a valid game; use a number, as in /api/v1/games/7, 7.pgn, 7.svg or 7.png"
            ))
        };
        let id = id.ok_or_else(wrong)?;
        match ending.as_str() {
            "pgn" => Ok(Answer::new(PGN, game::pgn(context.archive, id)?.into_bytes())),
            "" => {
                let with_bits = parameters.switch("move_bits")?;
                let answer = if with_bits { game::answer_with_bits } else { game::answer };
                Answer::json(&answer(context.archive, id, parameters.parsed("ply")?)?)
            }
            ending => picture(context, parameters, id, ending == "png"),
        }
    });
    let mut response = answer.await;
    if let Some(id) = id.filter(|_| is_pgn && response.status().is_success())
        && let Ok(file) = HeaderValue::from_str(&format!("attachment; filename=\"game-{id}.pgn\""))
    {
        response.headers_mut().insert(CONTENT_DISPOSITION, file);
    }
    response
}

/// The image, with the parameters `ply`, `flip`, `size` and `theme`.
fn picture(
    context: &RequestContext<'_>,
    parameters: &Parameters,
    id: GameId,
    is_png: bool,
) -> Result<Answer> {
    let game = replay(context.archive, id, parameters.parsed("ply")?)?;
    let Some(chess) = game.chess() else {
        let family = game.kind();
        return Err(Failure::BadRequest(format!(
            "game {id} is a {family} game; images are available only for chess"
        )));
    };
    let mut picture = chess.picture();
    picture.flip = parameters.switch("flip")?;
    picture.theme = parameters.parsed("theme")?.unwrap_or_default();
    let size = parameters.number("size")?.map(|size| size.min(MAX_SERVED_PICTURE_SIDE.into()) as u32);
    picture.width = size;
    Ok(match is_png {
        true => Answer::new(PNG, picture.png()?),
        false => Answer::new(SVG, picture.svg().into_bytes()),
    })
}
