//! Tests that run the commands as a user does.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../common/mod.rs"]
mod common;
#[path = "../pgn_support/mod.rs"]
mod pgn_support;

mod broken_games;
mod case_files;
mod columns;
mod corpus;
mod duplicates;
mod edit;
mod edit_limits;
mod edited_parts;
mod encodings;
mod engine_games;
mod export_forms;
mod filters;
mod find;
mod html_pages;
mod import;
mod import_conditions;
mod in_terminal;
mod merge;
mod modes;
mod names;
mod openings;
mod path_cli;
mod pictures;
mod prepare;
mod python_conditions;
mod python_reports;
mod readings;
mod rejects;
mod resolved_duplicates;
mod several_archives;
mod sql_prompt;
mod suggestions;
mod tag_values;
mod terminal;
mod updates;
mod whole_games;
mod xelto_cli;
