//! The pages: complete HTML that works without JavaScript, in which every link can be bookmarked. The script fetches
//! the same URLs and takes parts of these pages, so nothing is drawn in two places.
//!
//! Templates escape all text from games, and make invisible characters visible.

mod about;
mod address;
mod bar;
mod board;
mod clocks;
mod curve;
mod duplicates;
mod editing;
mod editor;
mod embedded_game;
mod eval_graph;
mod explorer;
mod explorer_moves;
mod explorer_years;
mod filters;
mod from_list;
mod game;
mod game_head;
mod games;
mod german;
mod known_ground;
mod language;
mod layout;
mod line;
mod list;
mod messages;
mod movetext;
mod names;
mod people;
mod plates;
mod search;
mod sorting;

// What nearly every page needs.
use self::{
    address::Address, bar::Bar, board::Board, language::Language, layout::answer, messages::Messages,
};
use super::{Answer, Failure, RequestContext, Result};

pub(super) use about::about;
pub(super) use duplicates::duplicates;
pub(super) use editing::{
    Done, Imported, PASTED, TAG, Visit, edit_game, edit_import, edit_log, edit_remove, edit_undo_some,
};
pub(super) use editor::editor;
pub(super) use embedded_game::embedded_game;
pub(super) use explorer::{explorer, start};
pub(super) use game::game;
pub(super) use games::games;
pub(super) use layout::{Page, no_page, respond_uncached, respond_with};
pub(super) use people::{compare, event, events, opening, openings, player, players, prepare, report};
pub(super) use search::{search, suggest};
