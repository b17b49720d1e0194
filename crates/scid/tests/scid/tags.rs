use plybook_pgn::{Encoding, Warning};
use plybook_scid::{Format, Irregularity, NameKind, Names};

use crate::{
    read,
    scid_support::{BuiltGame, data, date, game, scid4, scid5},
};

/// The tags of a game, joined.
fn tags(game: &BuiltGame) -> String {
    let game = read(game).unwrap().game;
    Vec::from_iter(game.tags.iter().map(|(name, value)| format!("{name}={value}"))).join(" ")
}

const ROSTER: &str =
    "Event=London Site=London Date=1851.06.21 Round=1 White=Anderssen Black=Kieseritzky Result=1-0";

#[test]
fn tags_are_in_the_order_of_scids_export() {
    assert_eq!(tags(&game(&[15])), ROSTER);
    let fen = "7k/8/8/8/8/8/8/K7 w - - 0 1";
    let all = BuiltGame {
        event_dates: [4 << 9 | 5 << 5 | 26, date(1851, 5, 26)],
        eco: 1 + 131 * 133,
        ratings: [2600, 2500],
        rating_types: [0, 4],
        flags: 1 << 3 | 1 << 13 | 1 << 16 | 1 << 21 | 7,
        data: data(
            &[(b"Annotator", b"A"), (&[241], b"GER"), (&[250], b"1"), (b"Board", b"")],
            Some(fen),
            &[15],
            &[],
        ),
        ..game(&[])
    };
    let more = "WhiteElo=2600 BlackUSCF=2500 ECO=B33 EventDate=1851.05.26 ScidFlags=D!16";
    let own = "Annotator=A WhiteCountry=GER SetUp=1 Board=";
    assert_eq!(tags(&all), format!("{ROSTER} {more} {own} FEN={fen}"));
}

#[test]
fn values_of_the_index_have_the_texts_of_pgn() {
    let with = |change: &dyn Fn(&mut BuiltGame)| {
        let mut game = game(&[15]);
        change(&mut game);
        tags(&game)
    };
    for (stored, text) in [
        (0, "????.??.??"),
        (date(2047, 0, 0), "2047.??.??"),
        (date(0, 5, 0), "????.05.??"),
        (date(987, 0, 31), "0987.??.31"),
        (date(2001, 2, 30), "2001.02.30"),
    ] {
        assert!(with(&|game| game.date = stored).contains(&format!(" Date={text} ")), "{text}");
    }
    for (code, text) in
        [(1, "A00"), (1 + 131 * 190 + 116, "B90x"), (1 + 4 + 1, "A00a4"), (1 + 131 * 499 + 130, "E99z4")]
    {
        let found = with(&|game| game.eco = code);
        assert!(found.ends_with(&format!(" ECO={text}")), "{text}: {found}");
    }
    for (result, text) in ["*", "1-0", "0-1", "1/2-1/2"].into_iter().enumerate() {
        assert!(with(&|game| game.result = result as u32).ends_with(&format!(" Result={text}")));
    }
    for (kind, text) in
        ["Elo", "Rating", "Rapid", "ICCF", "USCF", "DWZ", "ECF", "Elo"].into_iter().enumerate()
    {
        let found = with(&|game| (game.ratings, game.rating_types) = ([0, 4000], [0, kind as u32]));
        assert!(found.ends_with(&format!("Result=1-0 Black{text}=4000")), "{found}");
    }
    let letters = "DWBMENPTKQ!?U123456";
    assert!(with(&|game| game.flags = (1 << 22) - 1).ends_with(&format!("ScidFlags={letters}")));
}

#[test]
fn event_dates_of_scid_4_are_relative_to_the_date_of_the_game() {
    let stored = |year: u32, code: u32| BuiltGame {
        date: date(year, 1, 1),
        event_dates: [code << 9 | 2 << 5 | 3, date(year, 1, 1)],
        ..game(&[15])
    };
    let of = |game: BuiltGame| {
        let read = crate::read_files(Format::Scid4, &scid4(&[game])).remove(0).unwrap();
        read.game.tags.get("EventDate").map(str::to_owned)
    };
    for (year, code, expected) in [
        (2000, 0, None),
        (2000, 1, Some("1997.02.03")),
        (2000, 4, Some("2000.02.03")),
        (2000, 7, Some("2003.02.03")),
        (0, 1, Some("????.02.03")),
        (0, 7, Some("0003.02.03")),
    ] {
        assert_eq!(of(stored(year, code)).as_deref(), expected, "{year} {code}");
    }
}

#[test]
fn empty_names_stay_empty_and_names_without_an_entry_are_unknown() {
    let empty = BuiltGame { names: Default::default(), ..game(&[15]) };
    assert!(tags(&empty).starts_with("Event= Site= Date=1851.06.21 Round= White= Black= Result=1-0"));
    let [_, mut names, _] = scid4(&[game(&[15])]);
    // One more player is counted than there is.
    names[14] += 1;
    names.extend([0; 8]);
    let read = Names::read(Format::Scid4, &names, Encoding::USUAL);
    assert!(read.is_err(), "the next name is taken for a player");
}

#[test]
fn each_sequence_of_bytes_is_decoded_by_itself() {
    let mixed = b"\xc5\xbdivkovi\xc4\x87 \xed \x80 \xc3";
    let names = [&mixed[..], b"b", b"c", b"d", b"e"].map(<[u8]>::to_vec);
    let data = data(&[(b"Source", mixed)], None, &[0xcf, 12, 15], &[mixed]);
    let built = BuiltGame { names, data, ..game(&[]) };
    let game = read(&built).unwrap().game;
    let text = "Živković í € Ã";
    assert_eq!((game.tags.get("White"), game.tags.get("Source")), (Some(text), Some(text)));
    assert_eq!((game.annotations.text(), game.warnings.count(Warning::NotUtf8)), (text, 1));
}

#[test]
fn odd_tags_are_kept_as_far_as_pgn_can_express_them() {
    let mut game = game(&[15]);
    game.data = data(&[(b"A B", b"x\ny"), (b"Odd", b"1"), (b"Odd", b"2")], None, &[15], &[]);
    assert_eq!(tags(&game), format!("{ROSTER} A_B=x y Odd=1 Odd=2"));
    let warnings = read(&game).unwrap().game.warnings;
    assert_eq!((warnings.count(Warning::OddTag), warnings.count(Warning::RepeatedTags)), (1, 1));
    game.data = [&[251, 1, b'x', 255, 1, 2, 3][..], &data(&[], None, &[15], &[])].concat();
    assert_eq!(read(&game).unwrap().irregularities, [Irregularity::UnknownTags]);
    let many = [b"A".as_slice(); 513].map(|name| (name, b"".as_slice()));
    game.data = data(&many, None, &[15], &[]);
    assert_eq!(read(&game).unwrap_err().reason.key(), "too_many_tags");
}

#[test]
fn chess960_is_told_from_wrong_castling_rights() {
    let read_game = |variant: &[u8], fen| {
        let tags = [(b"Variant".as_slice(), variant)];
        let data = data(if variant.is_empty() { &[] } else { &tags }, Some(fen), &[15], &[]);
        let read = read(&BuiltGame { is_chess960: true, data, ..game(&[]) }).unwrap();
        let variant = read.game.tags.get("Variant").map(str::to_owned);
        (read.game.variant.name(), variant, read.irregularities.len())
    };
    let chess960 = "bqnrnkrb/pppppppp/8/8/8/8/PPPPPPPP/BQNRNKRB w KQkq - 0 1";
    assert_eq!(read_game(b"", chess960), ("Chess960", None, 0));
    assert_eq!(read_game(b"fischerandom", chess960), ("Chess960", Some("fischerandom".into()), 0));
    assert_eq!(read_game(b"Standard", chess960), ("Standard", Some("Standard".into()), 1));
    let usual = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(read_game(b"", usual), ("Chess960", Some("Chess960".into()), 0));
    // The FEN alone would be taken for standard chess with a forgotten right.
    let forgotten = "4k3/8/8/8/8/8/8/4K1R1 w K - 0 1";
    assert_eq!(read_game(b"", forgotten), ("Chess960", Some("Chess960".into()), 0));
    for wrong in ["4k3/8/8/8/8/8/8/4K1R1 w KQ - 0 1", "6k1/8/8/8/8/8/8/2K5 w Kq - 0 1"] {
        assert_eq!(read_game(b"", wrong), ("Standard", None, 1), "{wrong}");
    }
}

#[test]
fn names_are_found_by_their_ids() {
    let mut games = vec![game(&[15]); 300];
    for (number, game) in games.iter_mut().enumerate() {
        game.names =
            ["Player", "Opponent", "Event", "Site", "Round"].map(|name| format!("{name} {number}").into());
    }
    for (format, files) in [(Format::Scid4, scid4(&games)), (Format::Scid5, scid5(&games))] {
        let names = Names::read(format, &files[1], Encoding::USUAL).unwrap();
        assert_eq!(NameKind::ALL.map(|kind| names.count(kind)), [600, 300, 300, 300]);
        assert_eq!(names.get(NameKind::Player, 600), None);
        for (game, read) in games.iter().zip(crate::read_files(format, &files)) {
            let tags = read.unwrap().game.tags;
            let found = ["White", "Black", "Event", "Site", "Round"]
                .map(|name| tags.get(name).unwrap().as_bytes().to_vec());
            assert_eq!(found, game.names);
        }
    }
}
