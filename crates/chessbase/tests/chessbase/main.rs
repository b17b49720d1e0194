//! Databases built byte by byte, read back.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

mod annotations;
mod base;
mod cbv;
mod encodings;
mod moves;
#[path = "../../../../tests/common/needs.rs"]
mod needs;
mod safety;
mod samples;
mod tags;

use std::{collections::BTreeMap, io::Cursor};

use plybook_chess::chess::{Annotation, Position};
use plybook_chessbase::{Damage, Data, Database, DecodeOptions, DecodedGame, OpenError};
use plybook_pgn::{Encoding, Game, movetext};

pub type Files = BTreeMap<String, Vec<u8>>;

pub fn open(files: &Files) -> Result<Database, OpenError> {
    Database::open(|extension| {
        let file = files.get(extension).cloned();
        Ok(file.map(|bytes| Box::new(Cursor::new(bytes)) as Box<dyn Data>))
    })
}

/// Every record of files, decoded.
pub fn read_in(files: &Files, encoding: Option<Encoding>) -> Vec<Result<DecodedGame, Damage>> {
    let mut database = open(files).unwrap();
    let options =
        DecodeOptions { encoding: database.encoding(encoding, || false).unwrap(), keeps_unknown: false };
    let records = 1..=database.records();
    records.map(|number| database.read(number).unwrap().decode(options, &mut ())).collect()
}

pub fn read(files: &Files) -> Vec<Result<DecodedGame, Damage>> {
    read_in(files, None)
}

/// The only game of a database.
pub fn game(base: &base::Base) -> DecodedGame {
    read(&base.files()).remove(0).unwrap()
}

/// The movetext of a game on one line.
pub fn text(game: &Game) -> String {
    let mut text = String::new();
    movetext(&mut text, &game.start(), &game.moves, &game.annotations, game.outcome);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub fn comments(game: &Game) -> Vec<(usize, String)> {
    let comments = game.annotations.iter().filter_map(|(ply, annotation)| match annotation {
        Annotation::Comment(text) => Some((ply, text.to_owned())),
        _ => None,
    });
    comments.collect()
}

/// Whether every move of the main line is the one at its index, which a codec stores.
pub fn assert_sound(game: &Game) {
    use plybook_chess::rules::{FinalPosition, LegalMoves, Rules};
    let mut position = game.start();
    for (m, step) in game.moves.iter().zip(&game.steps) {
        let legal = position.legal();
        assert_eq!((legal.nth(step.index), legal.count()), (Some(*m), step.count));
        position.play_unchecked(*m);
    }
    assert_eq!(game.steps.len(), game.moves.len());
    assert_eq!(game.last, FinalPosition::of(&position));
}
