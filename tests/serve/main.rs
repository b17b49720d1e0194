//! Tests of the server: its pages, its API, and its clients.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../common/mod.rs"]
mod common;
#[path = "../scid_support/mod.rs"]
mod scid_support;

mod editor;
mod explorer;
mod game_page;
mod last_moves;
mod serve_api;
mod serve_archive;
mod serve_browser;
mod serve_clients;
mod serve_compare;
mod serve_damaged_index;
mod serve_duplicates;
mod serve_edit;
mod serve_edit_hostile;
mod serve_embed;
mod serve_explorer;
mod serve_hostile_text;
mod serve_import;
mod serve_lists;
mod serve_odd_requests;
mod serve_pages;
mod serve_people;
mod serve_positions;
mod serve_replay;
mod serve_requests;
mod serve_search;
mod serve_suggestions;
mod serve_uploads;
mod serve_waits;
mod sorted_names;
mod telling_figures;
