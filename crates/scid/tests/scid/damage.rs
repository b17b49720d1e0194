//! Damaged and invented files give errors, never a panic, and no more than their size of memory.

use plybook_pgn::{Encoding, ReadOptions};
use plybook_scid::{Format, GameReader, Header, HeaderError, Names};
use proptest::prelude::*;

use crate::scid_support::{BuiltGame, Files, data, game, scid4, scid5};

/// A base with everything that a base can have.
fn base() -> Vec<BuiltGame> {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let annotated = [12, 0x0a, 11, 3, 13, 0x09, 12, 13, 0x1a, 14, 14, 0x09, 15];
    let tags = [(b"Annotator".as_slice(), b"A".as_slice()), (&[246], b"Italian")];
    let set_up = BuiltGame { data: data(&tags, Some(fen), &annotated, &[b"a", b"b"]), ..game(&[]) };
    vec![game(&[0xcf, 0xcf, 0x67, 0x22, 0x5a, 15]), set_up, game(&[0xcf, 0, 0xbf, 15])]
}

/// Reads whatever the files allow; returns the number of games.
fn read_anything(format: Format, [index, names, games]: &Files) -> usize {
    let Ok(names) = Names::read(format, names, Encoding::USUAL) else { return 0 };
    let mut reader = GameReader::new(ReadOptions::default());
    let records = index.get(format.header_size()..).unwrap_or_default().chunks(format.record_size());
    let read = |bytes: &[u8]| {
        let record = format.record(bytes);
        let start = usize::try_from(record.offset).ok()?;
        let data = games.get(start..start.checked_add(record.length)?)?;
        reader.read(&record, names.of(&record).ok()?, data, &mut ()).ok()
    };
    records.filter_map(read).count()
}

fn bases() -> [(Format, Files); 2] {
    [(Format::Scid4, scid4(&base())), (Format::Scid5, scid5(&base()))]
}

#[test]
fn files_that_end_early_lose_games_and_nothing_else() {
    for (format, files) in bases() {
        assert_eq!(read_anything(format, &files), 3);
        for (file, length) in
            files.iter().enumerate().flat_map(|(file, bytes)| (0..bytes.len()).map(move |l| (file, l)))
        {
            let mut cut = files.clone();
            cut[file].truncate(length);
            assert!(read_anything(format, &cut) <= 3, "file {file}, {length} bytes");
        }
        // Names are complete or not read at all.
        for length in 0..files[1].len() {
            let names = Names::read(format, &files[1][..length], Encoding::USUAL);
            assert!(names.is_err() || format == Format::Scid5, "{length} bytes");
        }
    }
}

#[test]
fn a_game_that_ends_early_is_rejected_with_a_byte_in_it() {
    let names = ["a", "b", "c", "d", "e"];
    let mut reader = GameReader::new(ReadOptions::default());
    let record = Format::Scid4.record(&[0; 47]);
    for game in base() {
        assert!(reader.read(&record, names, &game.data, &mut ()).is_ok());
        for length in 0..game.data.len() {
            let reject = reader.read(&record, names, &game.data[..length], &mut ()).unwrap_err();
            assert!(reject.at <= length, "{length}: {reject:?}");
        }
    }
}

#[test]
fn other_files_are_refused_by_name() {
    let [index, names, _] = scid4(&base());
    assert_eq!(Header::read(&index), Ok(Header { games: 3 }));
    let mut old = index.clone();
    old[8..10].copy_from_slice(&300_u16.to_be_bytes());
    assert_eq!(Header::read(&old), Err(HeaderError::Scid3));
    old[8..10].copy_from_slice(&500_u16.to_be_bytes());
    assert_eq!(Header::read(&old), Err(HeaderError::Unknown(500)));
    assert_eq!(Header::read(&names), Err(HeaderError::NotScid));
    (8..17).for_each(|length| assert_eq!(Header::read(&index[..length]), Err(HeaderError::CutShort)));
}

#[test]
fn names_that_are_impossible_are_refused_with_their_byte() {
    let [_, names, _] = scid4(&base());
    let read =
        |names: &[u8]| Names::read(Format::Scid4, names, Encoding::USUAL).map_err(|error| error.to_string());
    let with = |at: usize, bytes: &[u8]| {
        let mut names = names.clone();
        names.splice(at..at + bytes.len(), bytes.iter().copied());
        read(&names).unwrap_err()
    };
    // The two players come first: "Kieseritzky" with id 1, then "Anderssen" with id 0.
    assert_eq!(&names[36..40], [0, 1, 1, 11]);
    let second = 36 + 4 + 11;
    assert_eq!(&names[second..second + 5], [0, 0, 1, 9, 0]);
    assert!(with(second, &[0, 1]).contains("two names have the same id"));
    assert!(with(second, &[0, 2]).contains("not below the number of names"));
    assert!(with(second + 4, &[12]).contains("shares more bytes"));
    assert!(with(12, &[0xff; 3]).contains("too short for the number of its names"));
    assert!(with(0, b"x").contains("not a file of names"));
    // In Scid 5 a length may have 64 bits.
    for names in [&[0xff; 11][..], &[0xf8, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]] {
        assert!(Names::read(Format::Scid5, names, Encoding::USUAL).is_err());
    }
}

/// Long names that share nearly everything must not fill the memory.
#[test]
fn names_are_bounded_by_the_size_of_their_file() {
    let mut file = [b"Scid.sn\0".as_slice(), &[0; 4]].concat();
    [60_000_u32, 0, 0, 0, 1, 0, 0, 0].into_iter().for_each(|number| file.extend(&number.to_be_bytes()[1..]));
    for id in 0..60_000_u16 {
        file.extend(id.to_be_bytes());
        file.extend([1, 255]);
        file.extend(if id == 0 { &[b'a'; 255][..] } else { &[254, b'a'] });
    }
    let error = Names::read(Format::Scid4, &file, Encoding::USUAL).unwrap_err();
    assert!(error.problem.contains("too large for the size of their file"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn changed_bytes_never_panic(changes in prop::collection::vec((0usize..3, any::<prop::sample::Index>(), any::<u8>()), 1..8)) {
        for (format, mut files) in bases() {
            for (file, at, byte) in &changes {
                let at = at.index(files[*file].len());
                files[*file][at] = *byte;
            }
            prop_assert!(read_anything(format, &files) <= 3);
        }
    }

    #[test]
    fn invented_data_never_panics(data in prop::collection::vec(any::<u8>(), 0..300), ends in any::<bool>()) {
        let mut reader = GameReader::new(ReadOptions::default());
        let data = if ends { [&[0, 0], &data[..], &[15]].concat() } else { data };
        let record = Format::Scid5.record(&data);
        if let Err(reject) = reader.read(&record, [""; 5], &data, &mut ()) {
            prop_assert!(reject.at <= data.len());
        }
    }
}
