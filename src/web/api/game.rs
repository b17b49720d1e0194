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
        Answer, Failure, Question, RequestContext,
        parameters::Parameters,
        reply::{PGN, PNG, SVG},
    },
};

/// The format of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Json,
    Pgn,
    Svg,
    Png,
}

impl Form {
    /// The name without its extension, and the format that the extension requests.
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
    let answer = question.answer(move |_, context, parameters| {
        let wrong = || {
            Failure::BadRequest(format!(
                "{name:?} is not a valid game; use a number, as in /api/v1/games/7, 7.pgn, 7.svg or 7.png"
            ))
        };
        answer(context, parameters, id.ok_or_else(wrong)?, form)
    });
    let mut response = answer.await;
    if let Some(id) = id.filter(|_| form == Form::Pgn && response.status().is_success())
        && let Ok(file) = HeaderValue::from_str(&format!("attachment; filename=\"game-{id}.pgn\""))
    {
        response.headers_mut().insert(CONTENT_DISPOSITION, file);
    }
    response
}

fn answer(
    context: &RequestContext<'_>,
    parameters: &Parameters,
    id: GameId,
    form: Form,
) -> Result<Answer, Failure> {
    match form {
        Form::Svg | Form::Png => picture(context, parameters, id, form),
        Form::Pgn => Ok(Answer::new(PGN, game::pgn(context.archive, id)?.into_bytes())),
        Form::Json => Answer::json(&game::answer(context.archive, id, parameters.parsed("ply")?)?),
    }
}

/// The image, with the parameters `ply`, `flip`, `size` and `theme`.
fn picture(
    context: &RequestContext<'_>,
    parameters: &Parameters,
    id: GameId,
    form: Form,
) -> Result<Answer, Failure> {
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
    Ok(match form {
        Form::Png => Answer::new(PNG, picture.png()?),
        _ => Answer::new(SVG, picture.svg().into_bytes()),
    })
}
