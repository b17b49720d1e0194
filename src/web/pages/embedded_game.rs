//! `GET /embed/game/{n}`: a game for a frame on another site. It has no script: each move is a link to its position.

use std::collections::BTreeMap;

use askama::Template;

use super::{
    Address, Answer, Failure, Page, RequestContext, Result, answer, game::numbered, list, movetext::link,
};
use crate::present::{
    board_picture::{BoardPicture, Theme},
    game::{GameHeading, heading},
    game_pages::{named, write_moves},
    html::{self, STYLE},
    movetext::{Movetext, PlyChoice},
};

#[derive(Template)]
#[template(path = "embedded_game.html")]
struct EmbeddedGame {
    page: Page,
    style: &'static str,
    heading: GameHeading,
    result: &'static str,
    /// The page of the game.
    game: Address,
    /// The board as SVG, and the moves as HTML.
    board: String,
    moves: String,
    /// The first, the previous, the next and the last position, each with its name.
    steps: [(&'static str, &'static str, Address); 4],
}

pub(in crate::web) fn embedded_game(context: &RequestContext<'_>, page: &Page, id: &str) -> Result<Answer> {
    let (game, words) = (context.archive.checked_game(numbered(id)?)?, page.words);
    let ply = page.address.parsed("ply", "a number")?.unwrap_or(0).min(game.plies);
    let text = Movetext::new(&game, PlyChoice::Ply(ply))?;
    let address = page.address.without(&["ply"]);
    let to = |ply: usize| address.with("ply", ply);
    let shown = text.moves().find(|m| Some(m.node) == text.shown.node);
    let mut board = BoardPicture::of_position(&text.shown.position, text.shown.last);
    board.shapes = shown.map_or(&text.start_notes.shapes, |m| &m.notes.shapes).clone();
    (board.flip, board.theme) = (page.address.get("flip").is_some(), Theme::Page);
    let mut moves = String::new();
    let written = write_moves(&mut moves, &text, &BTreeMap::new(), |m| {
        let current = if m.ply == ply { " aria-current=\"true\"" } else { "" };
        format!("<a href=\"{}\"{current}>{}</a>", html::line(&link(m, &address).to_string()), named(m))
    });
    written.map_err(Failure::internal)?;
    answer(&EmbeddedGame {
        page: page.titled(&game.title()),
        style: STYLE,
        heading: heading(&game),
        result: list::result(game.result),
        game: page.game_link(game.id).with("ply", ply),
        board: board.svg(),
        moves,
        steps: [
            ("«", words.first, to(0)),
            ("‹", words.back, to(ply.saturating_sub(1))),
            ("›", words.forward, to((ply + 1).min(game.plies))),
            ("»", words.last, to(game.plies)),
        ],
    })
}
