//! `GET /game/{n}` of a game that is no chess: what the command line shows of it, at a ply.

use askama::Template;

use super::{
    address::Address,
    game::{GameHead, Steps},
    layout::{Page, rendered},
    report,
};
use crate::{
    chess::{BoardStyle, Tags},
    present::game::replay,
    record::{GameKind, Ply, StoredGame},
    web::{Asked, Failure},
};

#[derive(Template)]
#[template(path = "record.html")]
struct RecordPage {
    page: Page,
    kind: GameKind,
    head: GameHead,
    /// The players, with their reports.
    players: Vec<(String, Address)>,
    /// The players, the board and the last move.
    shown: String,
    moves: Vec<RecordMove>,
    steps: Steps,
    tags: Tags,
}

/// A move in the notation of the game.
struct RecordMove {
    text: String,
    link: Address,
    is_shown: bool,
}

/// The page of a game at a ply.
pub(super) fn write(
    asked: &Asked<'_>,
    page: &Page,
    game: &StoredGame,
    ply: usize,
) -> Result<String, Failure> {
    let ply = ply.min(game.plies);
    let at = replay(asked.archive, game.id, Some(Ply::After(ply)))?;
    let mut shown = Vec::new();
    at.write_text(&mut shown, BoardStyle::default()).map_err(|error| Failure::Internal(error.to_string()))?;
    let whole = replay(asked.archive, game.id, None)?;
    let bare = page.link(page.address.path());
    let to = |ply: usize| bare.with("ply", ply);
    let moves = whole.moves().iter().zip(1..).map(|(text, number)| RecordMove {
        text: text.clone(),
        link: to(number),
        is_shown: number == ply,
    });
    let head = GameHead::new(game);
    rendered(&RecordPage {
        page: page.titled(&format!("{}, {}", head.title, head.result)),
        kind: game.kind,
        players: report::of_players(page, game),
        shown: String::from_utf8_lossy(&shown).into_owned(),
        moves: moves.collect(),
        steps: Steps {
            first: to(0),
            back: ply.checked_sub(1).map(to),
            forward: (ply < game.plies).then(|| to(ply + 1)),
            last: (ply < game.plies).then(|| to(game.plies)),
        },
        tags: game.tags.clone(),
        head,
    })
}
