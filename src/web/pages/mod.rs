//! The pages: complete HTML, of use without JavaScript, in which every link is an address that can be kept. The script
//! fetches the same addresses and takes parts of these pages, so nothing is drawn twice.
//!
//! Text from games reaches a page through templates that escape it, with characters that nobody sees made visible.

mod about;
mod address;
mod bar;
mod board;
mod editor;
mod eval_graph;
mod explorer;
mod filters;
mod game;
mod games;
mod language;
mod layout;
mod line;
mod list;
mod movetext;
mod reasons;
mod report;
mod report_tables;
mod words;

pub(super) use about::about;
pub(super) use editor::editor;
pub(super) use explorer::{explorer, start};
pub(super) use game::game;
pub(super) use games::games;
pub(super) use report::report;
