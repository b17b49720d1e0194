//! Every module of the library has its public path, whichever workspace member it comes from.
#![allow(unused_imports)] // what is promised is that they can be named

use plybook::{
    archive::Archive,
    bits::Bits,
    case_fold::folded,
    chess::Chess,
    codec::{CodecId, annotation, game::GAME_CODECS, position::POSITION_CODECS, xelto::XELTO_CODECS},
    columns::Column,
    counts::thousands,
    export::Export,
    files::Output,
    functions::FUNCTIONS,
    generate::Generator,
    import::Options,
    limits::MAX_PLIES,
    name_pattern::matches,
    openings::Openings,
    parts::Catalogue,
    pgn::Reader,
    player_name::same_player,
    position_index::MoveCode,
    proofgame::Target,
    query::Explorer,
    record::Record,
    report::Overview,
    rules::Rules,
    sources::Source,
    stats::Lengths,
    trail::DamagedTrail,
    xelto::{Position, notation},
};
#[cfg(feature = "web")]
use plybook::{cli, web};

#[test]
fn the_lists_of_encodings_are_complete_by_these_paths() {
    let names: Vec<&str> = GAME_CODECS.iter().map(|codec| codec.name).collect();
    assert!(names.contains(&"index") && names.contains(&"san"), "{names:?}");
    let names: Vec<&str> = POSITION_CODECS.iter().map(|codec| codec.name).collect();
    assert!(names.contains(&"ranked") && names.contains(&"huffman"), "{names:?}");
    let names: Vec<&str> = XELTO_CODECS.iter().map(|codec| codec.name).collect();
    assert!(names.contains(&"move14") && names.contains(&"url"), "{names:?}");
}
