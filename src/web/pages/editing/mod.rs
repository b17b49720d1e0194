//! The pages for editing, which only exist with `plybook serve --edit`, and the answers to their forms. They are shown
//! to one browser only, so none of them is cached.

mod edit_game;
mod import;
mod log;
mod remove;
mod undo_some;
mod visit;

use super::{Address, Answer, Board, Failure, Language, Page, RequestContext, Result, answer};

pub(super) use edit_game::fingerprint_text;
pub(in crate::web) use edit_game::{TAG, edit_game};
pub(in crate::web) use import::{Imported, PASTED, edit_import};
pub(in crate::web) use log::edit_log;
pub(super) use log::{DONE, Toast};
pub(in crate::web) use remove::edit_remove;
pub(in crate::web) use undo_some::edit_undo_some;
pub(in crate::web) use visit::{Done, Visit};
