//! `GET /api/v1/games/{n}.svg?ply=24`, and `.png`: the board of a game at a ply, for pages that show it.

use super::game::Form;
use crate::{
    limits::MAX_SERVED_PICTURE_SIDE,
    present::game::replay,
    record::GameId,
    web::{
        Answer, Asked, Failure,
        parameters::Parameters,
        reply::{PNG, SVG},
    },
};

/// The picture, as the parameters say: `ply`, `flip`, `size` and `theme`.
pub(super) fn picture(
    asked: &Asked<'_>,
    parameters: &Parameters,
    id: GameId,
    form: Form,
) -> Result<Answer, Failure> {
    let game = replay(asked.archive, id, parameters.parsed("ply")?)?;
    let Some(chess) = game.chess() else {
        let family = game.kind();
        return Err(Failure::BadRequest(format!("game {id} is a game of {family}: it has no picture")));
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
