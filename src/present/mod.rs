//! Answers as data and text, for every front end: the command line, a server, SQL, another language.
//!
//! [`request`](crate::request) and [`conditions`](crate::conditions) read what is asked for, in words. An answer is a type
//! that serializes to JSON and, where people read it too, a function that writes it as text. Lists have [formats](list) of
//! their own. What an answer says is found out by `query`, `report` and `stats`; here it is laid out. Nothing here knows a
//! command line, a terminal or a network; no answer names a command or an option.
//!
//! Whatever is public is for every program that uses the library. What only the command line and the server need is not.

mod annotate;
mod annotated_game;
mod answer;
pub(crate) mod archive_info;
pub(crate) mod archive_overview;
mod blocks;
pub(crate) mod board_picture;
pub(crate) mod book;
mod branch;
mod chart;
pub mod codecs;
pub(crate) mod encoded_game;
pub(crate) mod encoded_position;
pub(crate) mod explore;
pub(crate) mod find;
pub mod game;
pub mod games;
pub mod list;
pub(crate) mod list_rows;
mod markdown;
pub(crate) mod matched_names;
pub(crate) mod movetext;
pub(crate) mod named_games;
pub(crate) mod names;
pub(crate) mod novelty;
mod numbered;
pub(crate) mod prepare;
pub mod proof_game;
pub(crate) mod repertoire;
pub(crate) mod report;
pub(crate) mod sql;
mod stacked;
pub(crate) mod stats;
pub(crate) mod unknown_name;

pub use annotate::{Annotate, AnnotateOptions, GameToAnnotate};
pub(crate) use answer::{Answer, ListStyle};
pub use explore::explored_position;
pub(crate) use matched_names::MatchedNames;
pub use stats::{codec_lengths, game_lengths};

pub use crate::{
    conditions::FilterText,
    request::{PositionText, PresentError, RequestError},
};
