//! The conditions on games: their names, help and labels, and their effect on the search of rows, the index and
//! positions.
//!
//! Every front end is generated from the table of conditions: the options of the command line, URL parameters, form
//! fields, keyword arguments of Python, and the table in docs/finding.md. A front end parses a value as text, the
//! condition adds its requirements to a draft, and the draft becomes a [`Filter`](crate::archive::Filter) for the index
//! and the archive.
//!
//! To add a condition, add it to the table.

mod at_import;
mod build;
mod condition;
mod course;
mod draft;
mod filter_json;
mod filter_text;
mod in_words;
mod material;
mod pattern;
mod players;
mod positions;
mod table;

pub use self::{
    condition::{Choice, Condition, FormSection, Given, Heading, LANGUAGES, Label, ValueType},
    draft::Draft,
    filter_text::{FilterText, SORTS, number, yes_or_no},
    table::CONDITIONS,
};
