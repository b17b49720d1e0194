//! The page of a game of another family than chess: its diagram and moves in its own notation.

use askama::Template;

use super::{
    address::Address,
    from_list::Neighbours,
    game::Steps,
    game_head::GameHead,
    layout::{Page, answer},
};
use crate::{
    chess::BoardStyle,
    present::game::replay,
    record::{Ply, StoredGame},
    web::{Answer, Failure, RequestContext, Result},
};

/// A game of another family than chess.
#[derive(Template)]
#[template(path = "record.html")]
struct RecordPage<'a> {
    page: Page,
    game: &'a StoredGame,
    head: GameHead,
    neighbours: Option<Neighbours>,
    /// The players, the board and the last move.
    shown: String,
    /// The moves in the notation of the game, with their links.
    moves: Vec<(String, Address)>,
    /// The shown ply.
    ply: usize,
    steps: Steps,
}

/// The page of a game of another family than chess: the text that the command line prints, at a ply.
pub(super) fn write(
    context: &RequestContext<'_>,
    page: &Page,
    game: &StoredGame,
    (ply, neighbours): (usize, Option<Neighbours>),
) -> Result<Answer> {
    let ply = ply.min(game.plies);
    let at = replay(context.archive, game.id, Some(Ply::After(ply)))?;
    let mut shown = Vec::new();
    at.write_text(&mut shown, BoardStyle::default()).map_err(Failure::internal)?;
    let whole = replay(context.archive, game.id, None)?;
    let bare = page.link(page.address.path());
    let to = |ply: usize| bare.with("ply", ply);
    let moves = whole.moves().iter().zip(1..).map(|(text, ply)| (text.clone(), to(ply)));
    let head = GameHead::new(page, game, None);
    answer(&RecordPage {
        page: page.titled(&head.title_with_result()),
        game,
        neighbours,
        shown: String::from_utf8_lossy(&shown).into_owned(),
        moves: moves.collect(),
        ply,
        steps: Steps::between(ply, game.plies, to),
        head,
    })
}
