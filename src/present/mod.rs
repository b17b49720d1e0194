//! Results as data and text for every front end: the command line, the server, SQL, other languages.
//!
//! [`request`](crate::request) and [`conditions`](crate::conditions) parse the text of a request. A result is a type
//! that serializes to JSON and, if it has a text form, a function that writes it. Lists have [formats](list) of their
//! own. `query`, `report` and `stats` compute the results; this module only formats them. It does not depend on a
//! command line, a terminal or a network, and no result names a command or an option.
//!
//! Public items are for all programs that use the library. What only the command line and the server need is not
//! public.

mod annotate;
mod answer;
pub(crate) mod archive_info;
mod bar;
pub(crate) mod board_picture;
pub(crate) mod book;
pub(crate) mod cell_rows;
pub(crate) mod chart;
pub mod codecs;
pub(crate) mod duplicates;
pub(crate) mod encoded;
pub(crate) mod explore;
pub(crate) mod find;
pub mod game;
pub(crate) mod game_pages;
pub mod games;
pub(crate) mod html;
pub mod list;
mod markdown;
pub(crate) mod movetext;
pub(crate) mod names;
pub(crate) mod novelty;
pub(crate) mod numbered;
pub(crate) mod prepare;
pub mod proof_game;
pub(crate) mod rejects;
pub(crate) mod repertoire;
pub(crate) mod report;
pub(crate) mod stats;
pub(crate) mod typed;

pub use crate::{
    conditions::FilterText,
    request::{CodeError, PositionText, PresentError, RequestError},
};
pub use annotate::{Annotate, AnnotateOptions, GameToAnnotate};
pub(crate) use answer::Answer;
pub use explore::explored_position;
pub(crate) use names::MatchedNames;
pub use stats::{codec_lengths, game_lengths};

/// A result as data or text, or why there is none.
pub type Result<T, E = PresentError> = std::result::Result<T, E>;
