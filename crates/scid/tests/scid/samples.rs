//! The samples of Scid, counted as their sheet counts them.

use std::fs;

use plybook_chess::chess::Annotation;
use plybook_pgn::{Encoding, Game, ReadOptions};
use plybook_scid::{Format, GameReader, Names, encode};

use crate::{needs::corpus, read_files, write_files};

/// Games, set-ups, plies of the mainlines, moves in all, variations, depth, comments, glyphs, extra tags.
type Counts = [usize; 9];

fn count(game: &Game, counts: &mut Counts) {
    let [games, set_ups, plies, moves, variations, deepest, comments, glyphs, extra] = counts;
    *games += 1;
    *set_ups += usize::from(game.set_up);
    *plies += game.moves.len();
    *moves += game.moves.len();
    let mut depth = 0;
    for (_, annotation) in game.annotations.iter() {
        match annotation {
            Annotation::Open => depth += 1,
            Annotation::Close => depth -= 1,
            Annotation::Move(_) => *moves += 1,
            Annotation::Comment(_) => *comments += 1,
            Annotation::Nag(_) => *glyphs += 1,
            _ => {}
        }
        *variations += usize::from(annotation == Annotation::Open);
        *deepest = depth.max(*deepest);
    }
    const OF_INDEX: [&str; 12] = [
        "Event",
        "Site",
        "Date",
        "Round",
        "White",
        "Black",
        "Result",
        "WhiteElo",
        "BlackElo",
        "ECO",
        "FEN",
        "ScidFlags",
    ];
    *extra += game.tags.iter().filter(|(name, _)| !OF_INDEX.contains(name)).count();
}

#[test]
fn samples_have_the_games_that_their_sheet_counts() {
    let samples: [(&str, Format, Counts); 5] = [
        ("games", Format::Scid4, [2500, 0, 191_120, 191_120, 0, 0, 66_301, 1277, 7001]),
        ("games", Format::Scid5, [2500, 0, 191_120, 191_120, 0, 0, 66_301, 1277, 7001]),
        ("annotated", Format::Scid4, [403, 398, 2504, 4200, 552, 3, 1643, 623, 2597]),
        ("annotated", Format::Scid5, [405, 400, 2509, 4206, 554, 3, 1649, 623, 2610]),
        // Of its extra tags, 353 are the dates of events, which the index has.
        ("res_database", Format::Scid4, [1339, 0, 108_604, 108_805, 30, 2, 62, 5, 3142 + 353]),
    ];
    for (name, format, expected) in samples {
        let file = |extension: &str| corpus(&format!("scid/{name}.{extension}"));
        let [Some(index), Some(names), Some(games)] = format.extensions().map(file) else { return };
        let files = [index, names, games].map(|path| fs::read(path).unwrap());
        let mut counts = Counts::default();
        let mut empty = 0;
        for read in read_files(format, &files) {
            let game = read.unwrap().game;
            count(&game, &mut counts);
            let warnings = game.warnings.iter();
            empty += warnings.filter(|(warning, _)| warning.key().starts_with("empty_")).count();
        }
        // Variations without moves are counted there, and left out here.
        counts[4] += empty;
        assert_eq!(counts, expected, "{name} {format:?}");
    }
}

/// Some of the bytes of a game are changed: it is read or rejected, and never more than that.
#[test]
fn games_of_samples_with_changed_bytes_never_panic() {
    let cases = if std::env::var("PLYBOOK_TRIALS").is_ok_and(|form| form == "long") { 10_000 } else { 1_000 };
    for (name, format) in
        [("games", Format::Scid4), ("annotated", Format::Scid5), ("res_database", Format::Scid4)]
    {
        let file = |extension: &str| corpus(&format!("scid/{name}.{extension}"));
        let [Some(index), Some(names), Some(games)] = format.extensions().map(file) else { return };
        let [index, names, games] = [index, names, games].map(|path| fs::read(path).unwrap());
        let names = Names::read(format, &names, Encoding::USUAL).unwrap();
        let mut reader = GameReader::new(ReadOptions::default());
        let mut random = Random(7);
        let mut rejected = 0;
        for _ in 0..cases {
            let game = random.below((index.len() - format.header_size()) / format.record_size());
            let at = format.header_size() + game * format.record_size();
            let record = format.record(&index[at..at + format.record_size()]);
            let start = usize::try_from(record.offset).unwrap();
            let mut data = games[start..start + record.length].to_vec();
            for _ in 0..=random.below(4) {
                let at = random.below(data.len());
                data[at] = u8::try_from(random.below(256)).unwrap();
            }
            if let Err(reject) = reader.read(&record, names.of(&record).unwrap(), &data, &mut ()) {
                assert!(reject.at <= data.len());
                rejected += 1;
            }
        }
        assert!(rejected > cases / 20, "{name}: {rejected}");
    }
}

/// A tiny generator of pseudo-random numbers (xorshift64).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % n as u64).unwrap()
    }
}

/// The data of every game of a sample is written as it was stored, and so are the numbers of the index about its moves.
#[test]
fn samples_are_written_as_they_were_stored() {
    for (name, format, others) in
        [("games", Format::Scid5, 0), ("annotated", Format::Scid5, 3), ("res_database", Format::Scid4, 0)]
    {
        let file = |extension: &str| corpus(&format!("scid/{name}.{extension}"));
        let [Some(index), Some(names), Some(games)] = format.extensions().map(file) else { return };
        let files = [index, names, games].map(|path| fs::read(path).unwrap());
        let records = files[0][format.header_size()..].chunks_exact(format.record_size());
        let mut different = 0;
        for (number, (read, bytes)) in read_files(format, &files).into_iter().zip(records).enumerate() {
            let (game, record) = (read.unwrap().game, format.record(bytes));
            let start = usize::try_from(record.offset).unwrap();
            let data = &files[2][start..start + record.length];
            let in_index = 7
                + record.ratings.iter().filter(|rating| **rating > 0).count()
                + usize::from(record.eco > 0)
                + usize::from(record.event_date > 0)
                + usize::from(!record.flags.letters().is_empty());
            let own = game.tags.iter().skip(in_index).filter(|(name, _)| *name != "FEN");
            let fen = game.set_up.then(|| game.tags.get("FEN")).flatten();
            let encoded = encode(own, fen, &game.start(), &game.moves, &game.annotations).unwrap();
            if encoded.data != data {
                different += 1;
                let at = encoded.data.iter().zip(data).position(|(a, b)| a != b);
                eprintln!("{name} {}: byte {at:?} of {} and {}", number + 1, encoded.data.len(), data.len());
            }
            if format == Format::Scid5 {
                let word = |n: usize| u32::from_le_bytes(bytes[4 * n..4 * n + 4].try_into().unwrap());
                let home = word(11) >> 24;
                let mut packed = encoded.home_pawns.clone();
                packed.resize(16, 0);
                let packed: Vec<u8> = packed.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect();
                assert_eq!(
                    (home as usize, &bytes[48..]),
                    (encoded.home_pawns.len(), &*packed),
                    "{name} {}",
                    number + 1
                );
                assert_eq!(word(10) & 0xff_ffff, encoded.material, "{name} {}", number + 1);
                assert_eq!(word(7) >> 22, encoded.plies as u32 % 1024);
                assert_eq!(word(7) & 7, u32::from(encoded.flags));
            }
        }
        assert_eq!(different, others, "{name}");
    }
}

/// A sample is written again, and read as the same games. A database that Scid has made from PGN in one go is the same in
/// every byte, but for the stored lines of openings, which are 0. (`res_database` has a history, and `annotated` empty
/// variations.)
#[test]
fn samples_are_written_as_databases() {
    for (name, format) in [
        ("games", Format::Scid4),
        ("games", Format::Scid5),
        ("annotated", Format::Scid5),
        ("res_database", Format::Scid4),
    ] {
        let file = |extension: &str| corpus(&format!("scid/{name}.{extension}"));
        let [Some(index), Some(names), Some(games)] = format.extensions().map(file) else { return };
        let files = [index, names, games].map(|path| fs::read(path).unwrap());
        let read = read_files(format, &files);
        let games = read.iter().map(|read| &read.as_ref().unwrap().game);
        let written = write_files(format, games.clone());
        let again = read_files(format, &written);
        assert_eq!(again.len(), read.len());
        for (game, again) in games.zip(&again) {
            let again = &again.as_ref().unwrap().game;
            assert_eq!(
                (&game.tags, &game.moves, &game.annotations),
                (&again.tags, &again.moves, &again.annotations)
            );
        }
        if name == "games" {
            let stored_line = if format == Format::Scid4 { 33 } else { 43 };
            let [ours, theirs] = [&written[0], &files[0]];
            let different = (0..theirs.len()).filter(|&at| ours[at] != theirs[at]);
            let in_records = different.map(|at| (at - format.header_size()) % format.record_size());
            assert!(in_records.into_iter().all(|at| at == stored_line), "{format:?}");
            assert!(written[1..] == files[1..], "{format:?}");
        }
    }
}
