//! The conditions on games, each in a file of its own: its name, its help, its labels, and what it asks of a game's row, of
//! the index and of a replay.
//!
//! Every front end is made from the table here: the options of the command line, the parameters of addresses, the fields of
//! forms, the keywords of Python, the table of docs/finding.md. A condition goes one way: a front end reads its text, the
//! condition adds what it asks to a draft, and the draft becomes a [`Filter`](crate::archive::Filter), for which the index and
//! the archive are asked.
//!
//! A new condition is a file and its name in the table.

mod condition;
mod draft;
mod filter_json;
mod filter_text;
mod names;
mod placement;
mod positions;

/// Declares the file of each condition, and the table of them all.
macro_rules! conditions {
    ($($name:ident)*) => {
        $(mod $name;)*

        /// Every condition, in the order of forms and of the help.
        pub const CONDITIONS: &[&Condition] = &[$(&$name::CONDITION),*];
    };
}

conditions! {
    player
    colour
    opponent
    white
    black
    event
    site
    date
    elo
    white_elo
    black_elo
    result
    eco
    opening
    speed
    casual
    plies
    variant
    source
    id
    tag
    comment
    position
    board_only
    material
    pattern
    to_move
    mirror
    any_file
    min_plies
    then
    within
    not_pattern
    white_castles
    black_castles
    en_passant
    promotes
    checks
    ends_in
}

pub use self::{
    condition::{Choice, Condition, Given, Heading, Kind, LANGUAGES, Label, Place},
    draft::Draft,
    filter_text::{FilterText, SORTS, number, yes_or_no},
    material::material,
    pattern::pattern,
};
