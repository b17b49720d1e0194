//! `GET /editor`: set up a position or a pattern to search for. Without the script it is pasted as FEN, or typed.

use askama::Template;

use super::{
    Answer, Board, Page, RequestContext, Result, answer,
    filters::{Field, of_board},
};
use crate::{
    chess::{Fen, Setup, fen_or_epd},
    printable,
    request::fen_of,
};

#[derive(Template)]
#[template(path = "editor.html")]
struct EditorPage {
    page: Page,
    board: Board,
    /// The text that is not a valid FEN; empty if it is valid.
    wrong: String,
    /// The pattern.
    fields: Vec<Field>,
}

pub(in crate::web) fn editor(_: &RequestContext<'_>, page: &Page) -> Result<Answer> {
    let given = page.address.get("fen");
    let read = given.and_then(|text| fen_or_epd(text).ok());
    let wrong =
        given.filter(|_| read.is_none()).map(|text| printable::line(text).into_owned()).unwrap_or_default();
    let setup = read.map_or_else(Setup::initial, Fen::into_setup);
    let text = fen_of(setup.clone())?;
    answer(&EditorPage {
        page: page.titled(page.words.editor),
        board: Board::of_setup(page.words, &setup, text),
        wrong,
        fields: of_board().map(|condition| Field::new(condition, &page.address, page.language)).collect(),
    })
}
