//! Databases that are built byte by byte are read as what they are, and Scid's own samples as what their sheet counts.
#![allow(clippy::unwrap_used)]

mod annotations;
mod damage;
mod moves;
#[path = "../../../../tests/common/needs.rs"]
mod needs;
mod samples;
#[path = "../../../../tests/scid_support/mod.rs"]
mod scid_support;
mod tags;

use plybook_pgn::{Encoding, Game, ReadOptions, Reject};
use plybook_scid::{BaseEnd, BaseWriter, Format, GameReader, GameToWrite, Names, ScidGame};
use scid_support::{BuiltGame, Files, data, game, scid4, scid5};

/// Reads all games of a base.
fn read_files(format: Format, [index, names, data]: &Files) -> Vec<Result<ScidGame, Reject>> {
    let names = Names::read(format, names, Encoding::USUAL).unwrap();
    let mut reader = GameReader::new(ReadOptions::default());
    let records = index[format.header_size()..].chunks_exact(format.record_size());
    let read = |record| {
        let record = format.record(record);
        let offset = usize::try_from(record.offset).unwrap();
        let data = &data[offset..offset + record.length];
        reader.read(&record, names.of(&record).unwrap(), data, &mut ())
    };
    records.map(read).collect()
}

/// Reads a game from both versions of a base, which must give the same.
fn read(game: &BuiltGame) -> Result<ScidGame, Reject> {
    let games = [game.clone()];
    let four = read_files(Format::Scid4, &scid4(&games)).remove(0);
    let five = read_files(Format::Scid5, &scid5(&games)).remove(0);
    if !game.is_chess960 {
        assert_eq!(format!("{four:?}"), format!("{five:?}"));
    }
    five
}

/// The moves and annotations of a game as PGN.
fn movetext(game: &Game) -> String {
    let mut text = String::new();
    plybook_pgn::movetext(&mut text, &game.start(), &game.moves, &game.annotations, game.outcome);
    text.trim().replace('\n', " ")
}

/// The same for a game that consists of these moves.
fn played(fen: Option<&str>, moves: &[u8]) -> String {
    let game = BuiltGame { result: 0, data: data(&[], fen, moves, &[]), ..game(&[]) };
    read(&game).map_or_else(|reject| reject.to_string(), |read| movetext(&read.game))
}

/// Writes games as a base.
fn write_files<'a>(format: Format, games: impl Iterator<Item = &'a Game>) -> Files {
    let (mut records, mut data) = (Vec::new(), Vec::new());
    let mut writer = BaseWriter::new(format, &mut records, &mut data);
    for game in games {
        let Game { tags, variant, moves, annotations, outcome, .. } = game;
        let (start, variant, outcome) = (&game.start(), *variant, *outcome);
        writer.add(&GameToWrite { tags, variant, start, moves, annotations, outcome }).unwrap();
    }
    let BaseEnd { header, names } = writer.finish().unwrap();
    [[header, records].concat(), names, data]
}
