//! The openings of games: the last named position of each, compared with independent implementations and python-chess.

use std::{collections::HashMap, fmt::Write, fs, process::Command};

use crate::{
    common::{self, Bench, corpus, data, python, trials},
    pgn_support::each_game,
};
use plybook::{
    archive::{Archive, Filter},
    chess::{Position, Variant, move_list},
    openings::Openings,
    query::opening_of,
    record::{GameId, StoredMoves},
};
use shakmaty::{Chess, EnPassantMode, fen::Fen};

type Name = Option<(String, String)>;

fn name_of(game: &StoredMoves) -> Name {
    let opening = opening_of(game).unwrap().and_then(|id| Openings::standard().get(id));
    opening.map(|opening| (opening.eco.to_owned(), opening.name.to_owned()))
}

/// The games of an archive with the names of their openings, by id.
fn names(bench: &Bench) -> Vec<(StoredMoves, Name)> {
    let archive = Archive::open(bench.path("plybook.db")).unwrap();
    let games = archive.moves(&Filter::default()).map(Result::unwrap);
    games.map(|game| (game.clone(), name_of(&game))).collect()
}

/// The part of a position that all positions with the same name share.
fn epd<P: Position>(position: &P) -> String {
    let fen = Fen::try_from_setup(position.to_setup(EnPassantMode::Legal)).unwrap().to_string();
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

/// The names of the tables by their positions.
fn table() -> HashMap<String, (String, String)> {
    let texts = ["a", "b", "c", "d", "e"]
        .map(|letter| fs::read_to_string(data("openings").join(format!("{letter}.tsv"))).unwrap());
    let row = |row: &str| {
        let [eco, name, moves] = row.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let (mut position, moves): (Chess, _) = move_list(moves).unwrap();
        moves.into_iter().for_each(|m| position.play_unchecked(m));
        (epd(&position), (eco.to_owned(), name.to_owned()))
    };
    texts.iter().flat_map(|text| text.lines().skip(1)).map(row).collect()
}

#[test]
fn an_opening_is_the_last_position_of_the_game_that_has_a_name() {
    let bench = Bench::new();
    let mut files = vec![data("famous.pgn"), data("chess960.pgn"), data("setup.pgn"), data("annotated.pgn")];
    files.extend(corpus("variants.pgn"));
    files.extend(corpus("lichess.pgn.zst"));
    for file in files {
        bench.import(&[file.to_str().unwrap()]);
    }
    let (table, mut named, mut nameless) = (table(), 0, 0);
    for (game, name) in names(&bench) {
        let is_chess = matches!(game.variant, Variant::Standard | Variant::Chess960);
        let positions = game.positions().unwrap().map(Result::unwrap);
        let last = positions.filter_map(|position| table.get(&epd(&position))).last();
        assert_eq!(name.as_ref(), last.filter(|_| is_chess), "{}", game.id);
        *if name.is_some() { &mut named } else { &mut nameless } += 1;
    }
    assert!(named >= 62 && nameless >= 2, "{named} {nameless}");
}

#[test]
fn a_game_has_the_name_even_by_another_move_order() {
    let bench = Bench::new();
    let games = [
        "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. h4 b5",
        "1. Nf3 c5 2. e4 a6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 d6 6. h4 b5",
        "1. a3 a6 2. a4 a5",
    ];
    let pgn = games.map(|moves| format!("[Event \"{moves}\"]\n\n{moves} *\n\n")).concat();
    // From a set-up position, and in variants that begin like chess.
    let najdorf = "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6";
    let setup = format!("[Event \"s\"]\n[SetUp \"1\"]\n[FEN \"{najdorf}\"]\n\n6. h4 b5 *\n\n");
    let variant = |name: &str| format!("[Event \"v\"]\n[Variant \"{name}\"]\n\n1. e4 c5 *\n\n");
    let pgn = [pgn, setup, variant("Chess960"), variant("Three-check"), variant("Crazyhouse")].concat();
    fs::write(bench.path("games.pgn"), pgn).unwrap();
    bench.import(&["games.pgn"]);
    let found: Vec<String> =
        names(&bench).into_iter().map(|(_, name)| name.map_or(String::new(), |(_, name)| name)).collect();
    let najdorf = "Sicilian Defense: Najdorf Variation";
    assert_eq!(
        found,
        [najdorf, najdorf, "Ware Opening: Symmetric Variation", najdorf, "Sicilian Defense", "", ""]
    );
}

/// The openings of master games, by an independent program with the same table.
#[test]
fn python_chess_gives_master_games_the_same_names() {
    let (Some(otb), Some(python)) = (corpus("otb.pgn.zst"), python()) else { return };
    let (bench, mut pgn, mut count) = (Bench::new(), String::new(), 0);
    let (most, step) = trials((15_000, 50), (200_000, 20));
    each_game(&otb, most, |text, game| {
        count += 1;
        if game.is_ok() && count % step == 0 {
            writeln!(pgn, "{}\n", str::from_utf8(text).unwrap().trim()).unwrap();
        }
    });
    fs::write(bench.path("games.pgn"), pgn).unwrap();
    bench.import(&["games.pgn"]);
    fs::write(bench.path("written.pgn"), bench.ok(&["export"])).unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pgn_support/openings.py");
    let output = Command::new(python)
        .args([script.as_ref(), data("openings").as_path(), &bench.path("written.pgn")])
        .output();
    let output = output.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let theirs: Vec<Name> = serde_json::from_slice(&output.stdout).unwrap();
    let ours: Vec<(GameId, Name)> = names(&bench).into_iter().map(|(game, name)| (game.id, name)).collect();
    assert!(ours.len() >= 300);
    assert_eq!(ours, (1..).zip(theirs).collect::<Vec<_>>());
}

#[test]
fn openings_are_counted_with_their_results_in_every_format() {
    let bench = Bench::with_games();
    bench.import(&[data("setup.pgn").to_str().unwrap()]);
    // An independent count: the names one by one, and the results of the list.
    let mut expected: HashMap<Name, [u64; 4]> = HashMap::new();
    let listed = bench.json(&["games", "--format", "json"]);
    for (game, name) in names(&bench) {
        let result = &listed.as_array().unwrap().iter().find(|row| row["id"] == game.id).unwrap()["result"];
        let place = ["1-0", "1/2-1/2", "0-1", "*"].iter().position(|known| result == *known).unwrap();
        expected.entry(name).or_default()[place] += 1;
    }
    let rows = bench.json(&["stats", "--openings", "--format", "json"]);
    let rows = rows.as_array().unwrap();
    let text = |value: &serde_json::Value| value.as_str().map(str::to_owned);
    let number = |value: &serde_json::Value| value.as_u64().unwrap();
    let found: HashMap<Name, [u64; 4]> = rows
        .iter()
        .map(|row| {
            let name = text(&row["eco"]).zip(text(&row["opening"]));
            (name, ["white", "draws", "black", "other"].map(|result| number(&row[result])))
        })
        .collect();
    assert_eq!(found, expected);
    assert!(found.contains_key(&None));
    let games: Vec<u64> = rows.iter().map(|row| number(&row["games"])).collect();
    assert!(games.is_sorted_by(|one, other| one >= other));
    assert_eq!(games.iter().sum::<u64>(), 63);
    let percent: f64 = rows.iter().map(|row| row["percent"].as_f64().unwrap()).sum();
    assert!((percent - 100.0).abs() < 1e-9);

    let csv = bench.ok(&["stats", "--openings", "--format", "csv"]);
    assert!(csv.starts_with("eco,opening,games,percent,white,draws,black,other"), "{csv}");
    assert_eq!(csv.lines().count(), rows.len() + 1);
    assert_eq!(bench.ok(&["stats", "--openings", "--format", "jsonl"]).lines().count(), rows.len());
    assert!(bench.ok(&["stats", "--openings"]).contains("King's Gambit"));
    assert!(bench.ok(&["stats", "--openings", "--format", "markdown"]).starts_with("| eco | opening |"));
    assert!(bench.refused(&["stats", "--openings", "--format", "svg"]).contains("no image format"));
}

#[test]
fn openings_are_counted_over_the_games_that_match_a_filter() {
    let bench = Bench::with_games();
    let won = bench.json(&["stats", "--openings", "--result", "1-0", "--format", "json"]);
    let sum = |key: &str| won.as_array().unwrap().iter().map(|row| row[key].as_u64().unwrap()).sum::<u64>();
    let games = bench.ok(&["games", "--result", "1-0", "--format", "ids"]).lines().count() as u64;
    assert_eq!([sum("games"), sum("white"), sum("draws") + sum("black") + sum("other")], [games, games, 0]);
    let none = bench.run(&["stats", "--openings", "--player", "nobody", "--format", "json"]);
    assert_eq!((none.status.code(), none.stdout.trim_ascii()), (Some(1), &b"[]"[..]));
}

#[test]
fn a_list_has_the_openings_on_request() {
    let bench = Bench::with_games();
    bench.import(&[data("setup.pgn").to_str().unwrap(), data("xelto").to_str().unwrap()]);
    let names: HashMap<GameId, Name> =
        names(&bench).into_iter().map(|(game, name)| (game.id, name)).collect();
    let listed = bench.json(&["games", "--opening-names", "--format", "json"]);
    let plain = bench.json(&["games", "--format", "json"]);
    assert_eq!(listed.as_array().unwrap().len(), 65);
    for (row, plain) in listed.as_array().unwrap().iter().zip(plain.as_array().unwrap()) {
        let name = names.get(&row["id"].as_i64().unwrap()).cloned().flatten();
        let (eco, name) = name.unzip();
        assert_eq!(row["opening_eco"], serde_json::json!(eco));
        assert_eq!(row["opening"], serde_json::json!(name));
        // Everything else is the same.
        let mut rest = row.clone();
        let fields = rest.as_object_mut().unwrap();
        assert!(fields.remove("opening_eco").is_some() && fields.remove("opening").is_some());
        assert_eq!(rest, *plain);
    }
    let csv = |options: &[&str]| bench.ok(&[&["games", "--format", "csv", "--limit", "3"], options].concat());
    for (named, plain) in csv(&["--opening-names"]).lines().zip(csv(&[]).lines()) {
        assert!(named.starts_with(&format!("{plain},")), "{named}");
    }
    let named = csv(&["--opening-names"]);
    assert!(named.lines().next().unwrap().ends_with(",variant,opening_eco,opening"), "{named}");
    let table = bench.ok(&["games", "--opening-names", "--id", "1"]);
    assert!(table.lines().next().unwrap().ends_with("opening"), "{table}");
    assert!(table.contains("C33 King's Gambit Accepted"), "{table}");
}

#[test]
fn games_are_filtered_by_their_openings() {
    let bench = Bench::with_games();
    bench.import(&[data("setup.pgn").to_str().unwrap(), data("xelto").to_str().unwrap()]);
    let names = names(&bench);
    let ids = |options: &[&str]| -> Vec<String> {
        let output = bench.run(&[&["games", "--format", "ids"], options].concat());
        assert!(matches!(output.status.code(), Some(0 | 1)), "{output:?}");
        common::text(&output.stdout).lines().map(str::to_owned).collect()
    };
    let expected = |is_meant: &dyn Fn(&str, &str) -> bool| -> Vec<String> {
        let meant = |name: &Name| name.as_ref().is_some_and(|(eco, name)| is_meant(eco, name));
        names.iter().filter(|(_, name)| meant(name)).map(|(game, _)| game.id.to_string()).collect()
    };
    let indians = expected(&|_, name| name.contains("King's Indian"));
    assert!(indians.len() > 3);
    assert_eq!(ids(&["--opening", "king's indian"]), indians);
    assert_eq!(ids(&["--opening", "KINGS INDIAN"]), indians);
    for (range, letter, codes) in [("B9", 'B', 90..=99), ("B90..B99", 'B', 90..=99), ("C3", 'C', 30..=39)] {
        let is_in =
            |eco: &str, _: &str| eco.starts_with(letter) && codes.contains(&eco[1..].parse::<u32>().unwrap());
        assert_eq!(ids(&["--opening", range]), expected(&is_in), "{range}");
    }
    // With other conditions, in any order and number, and in other commands.
    let won = ids(&["--result", "1-0"]);
    let both: Vec<String> = indians.iter().filter(|id| won.contains(id)).cloned().collect();
    assert_eq!(ids(&["--opening", "king's indian", "--result", "1-0"]), both);
    let back: Vec<String> = indians.iter().rev().skip(1).take(2).cloned().collect();
    assert_eq!(ids(&["--opening", "king's indian", "--desc", "--offset", "1", "--limit", "2"]), back);
    let exported = bench.ok(&["export", "--opening", "king's indian"]);
    assert_eq!(exported.matches("[Event ").count(), indians.len());
    let stats = bench.json(&["stats", "--opening", "king's indian", "--format", "json"]);
    assert_eq!(stats["games"].as_u64().unwrap(), indians.len() as u64);
    let rows = bench.json(&["stats", "--openings", "--opening", "C3", "--format", "json"]);
    assert!(rows.as_array().unwrap().iter().all(|row| row["eco"].as_str().unwrap().starts_with("C3")));
    // No game has it.
    assert!(ids(&["--opening", "Grob Opening"]).is_empty());
    let line = bench.refused(&["games", "--opening", "no such thing"]);
    assert_eq!(line, "plybook: unknown opening \"no such thing\"");
    bench.refused(&["games", "--opening", ""]);
}
