//! The pages: complete HTML that works without JavaScript, in which every link can be bookmarked. The script fetches
//! the same URLs and takes parts of these pages, so nothing is drawn in two places.
//!
//! Templates escape all text from games, and make invisible characters visible.

mod about;
mod address;
mod bar;
mod board;
mod curve;
mod editing;
mod editor;
mod eval_graph;
mod explorer;
mod explorer_chips;
mod explorer_moves;
mod explorer_years;
mod filters;
mod game;
mod games;
mod icons;
mod language;
mod layout;
mod line;
mod list;
mod messages;
mod movetext;
mod names;
mod reasons;
mod report;
mod report_tables;

pub(super) use about::about;
pub(super) use editing::{Back, Done, Visit, edit_game, edit_import, edit_log, edit_remove, no_access};
pub(super) use editor::editor;
pub(super) use explorer::{explorer, start};
pub(super) use game::game;
pub(super) use games::games;
pub(super) use report::report;
