//! The conditions on games. Each file defines one: its name, help and labels, and its effect on the search of rows, the
//! index and positions.
//!
//! Every front end is generated from the table below: the options of the command line, URL parameters, form fields,
//! keyword arguments of Python, and the table in docs/finding.md. A front end parses a value as text, the condition
//! adds its requirements to a draft, and the draft becomes a [`Filter`](crate::archive::Filter) for the index and the
//! archive.
//!
//! To add a condition, add a file, its module, and a line in the table.

mod any_file;
mod black;
mod black_castles;
mod black_elo;
mod board_only;
mod casual;
mod checks;
mod colour;
mod comment;
mod condition;
mod date;
mod draft;
mod eco;
mod elo;
mod en_passant;
mod ends_in;
mod event;
mod filter_json;
mod filter_text;
mod id;
mod material;
mod min_plies;
mod mirror;
mod names;
mod not_pattern;
mod opening;
mod opponent;
mod pattern;
mod placement;
mod player;
mod plies;
mod position;
mod positions;
mod promotes;
mod result;
mod site;
mod source;
mod speed;
mod tag;
mod then;
mod to_move;
mod variant;
mod white;
mod white_castles;
mod white_elo;
mod within;

pub use self::{
    condition::{Choice, Condition, FormSection, Given, Heading, LANGUAGES, Label, ValueType},
    draft::Draft,
    filter_text::{FilterText, SORTS, number, yes_or_no},
    material::material,
    pattern::pattern,
};

/// All conditions, in the order of forms and of the help.
pub const CONDITIONS: &[&Condition] = &[
    &player::CONDITION,
    &colour::CONDITION,
    &opponent::CONDITION,
    &white::CONDITION,
    &black::CONDITION,
    &event::CONDITION,
    &site::CONDITION,
    &date::CONDITION,
    &elo::CONDITION,
    &white_elo::CONDITION,
    &black_elo::CONDITION,
    &result::CONDITION,
    &eco::CONDITION,
    &opening::CONDITION,
    &speed::CONDITION,
    &casual::CONDITION,
    &plies::CONDITION,
    &variant::CONDITION,
    &source::CONDITION,
    &id::CONDITION,
    &tag::CONDITION,
    &comment::CONDITION,
    &position::CONDITION,
    &board_only::CONDITION,
    &material::CONDITION,
    &pattern::CONDITION,
    &to_move::CONDITION,
    &mirror::CONDITION,
    &any_file::CONDITION,
    &min_plies::CONDITION,
    &then::CONDITION,
    &within::CONDITION,
    &not_pattern::CONDITION,
    &white_castles::CONDITION,
    &black_castles::CONDITION,
    &en_passant::CONDITION,
    &promotes::CONDITION,
    &checks::CONDITION,
    &ends_in::CONDITION,
];
