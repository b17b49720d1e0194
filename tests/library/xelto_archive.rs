//! Xelto in the archive: games are imported, shown, counted, exported and verified together with chess games.

use std::fs;

use crate::{
    common::{Bench, data, text, totals},
    random::Random,
};
use plybook::{
    archive::{Archive, Filter},
    record::{GameError, GameKind},
    xelto::{
        Ending, Position, Reason, Side,
        notation::{Header, Record, Written},
    },
};

fn record(name: &str) -> String {
    fs::read_to_string(data("xelto").join(format!("{name}.xelto"))).unwrap()
}

/// Both records as plybook writes them, with headers.
fn dressed() -> String {
    let first =
        "arxe : seren arbazard\nsorn : tikno verkotan\ndate : 2003.04.05\nevent : una\nplace : arka\n";
    format!("{first}{}\n{}\n", canonical(&record("first")), canonical(&record("second")))
}

fn canonical(text: &str) -> String {
    text.parse::<Record>().unwrap().to_string()
}

fn bench_with(text: &str) -> Bench {
    let bench = Bench::new();
    fs::write(bench.path("games.xelto"), text).unwrap();
    bench.ok(&["import", "--quiet", "games.xelto"]);
    bench
}

#[test]
fn both_records_are_stored_and_an_invalid_one_between_does_no_harm() {
    let bench = Bench::new();
    let bad = "arxe : x\n1.b5vio\n2.s5vio\n3.b4fav\n";
    fs::write(bench.path("three.xelto"), [&record("first"), bad, &record("second")].join("\n")).unwrap();
    let report = bench.import(&["three.xelto", "--rejects", "bad.txt"]);
    assert_eq!(
        [&report["seen"], &report["stored"], &report["rejected"], &report["plies"]],
        [3, 2, 1, 114].map(serde_json::Value::from).each_ref()
    );
    let line = record("first").lines().count() + 4;
    let reject = &report["rejects"][0];
    assert_eq!((&reject["game"], &reject["line"]), (&2.into(), &line.into()), "{reject}");
    assert_eq!(reject["reason"], "ply 2: s5vio is not legal: vio belongs to the other side");
    assert!(fs::read_to_string(bench.path("bad.txt")).unwrap().ends_with(&format!("{}\n\n", bad.trim_end())));

    // A rejected record can be fixed and imported; existing ones are duplicates.
    let mended = fs::read_to_string(bench.path("bad.txt")).unwrap().replace("s5vio", "s5lin");
    fs::write(bench.path("bad.txt"), mended).unwrap();
    assert_eq!(bench.import(&["bad.txt"])["stored"], 1);
    let again = bench.import(&["three.xelto", "--again"]);
    assert_eq!((&again["duplicate"], &again["rejected"]), (&2.into(), &1.into()));
    assert!(bench.ok(&["verify"]).contains("3 games, 117 plies: all intact"));
    assert_eq!(totals(&bench.path("plybook.db")), [7, 3, 2, 2]);
}

#[test]
fn records_are_recognized_by_name_and_by_content() {
    let bench = Bench::new();
    let folder = bench.path("games");
    fs::create_dir(&folder).unwrap();
    let packed = zstd::encode_all(record("first").as_bytes(), 3).unwrap();
    fs::write(folder.join("a.xelto.zst"), packed).unwrap();
    fs::write(folder.join("b.txt"), record("second")).unwrap();
    assert_eq!(bench.import(&["games"])["stored"], 1);
    assert_eq!(bench.import(&["games/b.txt"])["stored"], 1);
    let output = bench.feed(&["import", "-", "--format", "json"], b"\n1.b5vio\n2.s5lin\n");
    assert_eq!(serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap()["stored"], 1);
    assert_eq!(bench.import(&[data("famous.pgn").to_str().unwrap()])["stored"], 62);
    // A file with this extension is never read as anything else.
    fs::write(bench.path("no.xelto"), "1. e4 e5 *\n").unwrap();
    let report = bench.import(&["no.xelto"]);
    assert!(report["rejects"][0]["reason"].as_str().unwrap().contains("ply 1"), "{report}");
    fs::write(bench.path("bare.xelto"), "arxe : x\n\narxe : y\nsorn vast vol teomsast.\n").unwrap();
    let report = bench.import(&["bare.xelto"]);
    assert_eq!((&report["stored"], &report["rejected"]), (&1.into(), &1.into()));
    fs::write(bench.path("junk.xelto"), format!("1.{}\n", "x".repeat(1 << 20))).unwrap();
    let report = bench.import(&["junk.xelto"]);
    assert!(report["rejects"][0]["reason"].as_str().unwrap().len() < 200);
    fs::write(bench.path("latin.xelto"), b"arxe : \xe9\n1.b5vio\n").unwrap();
    assert_eq!(bench.import(&["latin.xelto"])["rejects"][0]["reason"], "the record is not UTF-8");
}

#[test]
fn records_appended_to_a_file_are_read() {
    let bench = bench_with(&dressed());
    let grown = dressed() + "arxe : x\n1.b5vio\n";
    fs::write(bench.path("games.xelto"), grown).unwrap();
    let report = bench.import(&["games.xelto"]);
    assert_eq!((&report["met"][0]["how"], &report["seen"]), (&"grown".into(), &1.into()));
    // More moves make the last game a different one: everything is read again.
    fs::write(bench.path("games.xelto"), dressed() + "arxe : x\n1.b5vio\n2.s5lin\n").unwrap();
    let report = bench.import(&["games.xelto"]);
    assert_eq!((&report["met"][0]["how"], &report["duplicate"]), (&"changed".into(), &2.into()));
    assert_eq!(bench.import(&["games.xelto"])["met"][0]["how"], "done");
    assert!(bench.ok(&["verify"]).contains("4 games"));
}

#[test]
fn any_ply_is_shown() {
    let bench = bench_with(&dressed());
    let file = data("xelto/first.xelto");
    for ply in ["0", "1", "20", "67"] {
        let alone = bench.ok(&["xelto", "show", file.to_str().unwrap(), "--ply", ply]);
        let shown = bench.ok(&["show", "1", "--ply", ply]);
        assert!(shown.contains(&alone), "{shown}");
        assert!(shown.starts_with("seren arbazard – tikno verkotan  *\nXelto, una, 2003.04.05\n"), "{shown}");
    }
    assert_eq!(bench.ok(&["show", "1", "--ply", "-1"]), bench.ok(&["show", "1", "--format", "board"]));
    let moves = bench.ok(&["show", "1"]);
    assert!(moves.contains("\n1 b2mik&b3fav\n2 s5lin\n") && moves.ends_with("\n67 v3dyu\n"), "{moves}");
    assert_eq!(bench.ok(&["show", "2", "--ply", "2w"]), bench.ok(&["show", "2", "--ply", "3"]));
    assert_eq!(bench.ok(&["show", "2", "--ply", "3", "--format", "san"]), "b5vio s5lin b4fav\n");
    let json = bench.json(&["show", "1", "--format", "json"]);
    assert_eq!((&json["variant"], &json["tags"]["White"]), (&"Xelto".into(), &"seren arbazard".into()));
    assert_eq!(json["continuation"], "68.e7mir 69.v5dyu");
    assert_eq!(json["moves"].as_array().unwrap().len(), 67);
    for format in ["fen", "pgn", "uci"] {
        assert!(bench.refused(&["show", "1", "--format", format]).contains("game 1 is a Xelto game"));
    }
    assert!(bench.refused(&["show", "1", "--ply", "68"]).contains("has no ply 68"));
    assert!(bench.refused(&["game", "compare", "1"]).contains("not a chess game"));
    assert!(bench.refused(&["position", "compare", "1:3"]).contains("not a chess game"));
}

#[test]
fn exports_are_a_fixed_point() {
    let text = dressed();
    let bench = bench_with(&text);
    let export = bench.ok(&["export", "--variant", "xelto"]);
    assert_eq!(export, text);
    let other = bench_with(&export);
    assert_eq!(other.ok(&["export", "--format", "xelto"]), export);
    let games = bench.json(&["games", "--player", "seren", "--variant", "xelto", "--format", "json"]);
    assert_eq!((&games[0]["event"], &games[0]["variant"]), (&"una".into(), &"Xelto".into()));
    assert_eq!((&games[0]["date"], &games[0]["white"]), (&"2003.04.05".into(), &"seren arbazard".into()));
}

#[test]
fn every_header_comes_back() {
    let names =
        ["White", "Event", "event", "Date", "date", "Variant", "FEN", "Result", "Termination", "ECO", "x1"];
    let values =
        ["", "a : b", "2001.02.03", "B90", "12", "http://x/y", "y", "2001.02.03", "1-0", "B91", "12"];
    let mut record: Record = "1.b5vio\n2.s5lin\n".parse().unwrap();
    for rotation in 0..names.len() {
        record.headers = names
            .iter()
            .zip(values.iter().cycle().skip(rotation))
            .map(|(name, value)| Header::new(name, value).unwrap())
            .collect();
        record.headers.rotate_left(rotation);
        let text = format!("{record}\n");
        let bench = bench_with(&text);
        assert_eq!(bench.ok(&["export", "--variant", "xelto"]), text);
        bench.ok(&["verify"]);
    }
}

#[test]
fn a_flipped_bit_is_found_and_the_other_games_are_salvaged() {
    let bench = bench_with(&dressed());
    let db = rusqlite::Connection::open(bench.path("plybook.db")).unwrap();
    let moves: Vec<u8> = db.query_row("SELECT moves FROM game WHERE id = 1", [], |row| row.get(0)).unwrap();
    for bit in (0..moves.len() * 8).step_by(7) {
        let mut bad = moves.clone();
        bad[bit / 8] ^= 1 << (bit % 8);
        db.execute("UPDATE game SET moves = ?1 WHERE id = 1", [bad]).unwrap();
        let output = bench.run(&["verify"]);
        assert_eq!(output.status.code(), Some(1), "bit {bit}");
        assert!(text(&output.stdout).contains("game 1: "), "{}", text(&output.stdout));
    }
    let output = bench.run(&["salvage", "plybook.db", "-o", "new.db"]);
    assert!(text(&output.stdout).contains("saved        1 game\n"), "{}", text(&output.stdout));
    assert_eq!(
        bench.ok(&["export", "-a", "new.db", "--variant", "xelto"]),
        canonical(&record("second")) + "\n"
    );
    db.execute("UPDATE game SET moves = ?1 WHERE id = 1", [moves]).unwrap();
    bench.ok(&["verify"]);
}

#[test]
fn a_mixed_archive_drops_nothing_silently() {
    let bench = bench_with(&dressed());
    let only_xelto = bench.ok(&["stats"]);
    assert!(
        only_xelto.starts_with("2 games, 114 plies") && !only_xelto.contains("estimates"),
        "{only_xelto}"
    );
    bench.ok(&["import", "--quiet", data("famous.pgn").to_str().unwrap()]);
    let famous = fs::read_to_string(data("famous.pgn")).unwrap().trim_end().to_owned() + "\n\n";

    let stats = bench.ok(&["stats"]);
    assert!(stats.starts_with("64 games") && stats.contains("Xelto"), "{stats}");
    let kinds = bench.json(&["stats", "--format", "json"])["kinds"].clone();
    assert_eq!((&kinds[0]["kind"], &kinds[1]["kind"]), (&"Standard".into(), &"Xelto".into()));
    assert_eq!((&kinds[1]["games"], &kinds[1]["plies"]), (&2.into(), &114.into()));
    let all = bench.json(&["stats", "--variant", "xelto", "--codec", "all", "--format", "json"]);
    let per_ply = |place: usize| all[place]["bits_per_ply"].as_f64().unwrap();
    assert_eq!((per_ply(0), per_ply(1), per_ply(2)), (kinds[1]["bits_per_ply"].as_f64().unwrap(), 8.0, 14.0));
    assert!((7.0..7.1).contains(&per_ply(3)));
    assert_eq!(bench.json(&["stats", "--codec", "byte", "--format", "json"])["left_out"], 2);
    assert!(bench.refused(&["stats", "--positions", "--variant", "xelto"]).contains("support only chess"));
    let positions = bench.json(&["stats", "--positions", "--format", "json"]);
    assert_eq!(positions["games"], 62, "{positions}");

    let output = bench.run(&["export"]);
    assert!(output.status.code() == Some(1) && text(&output.stdout) == famous);
    assert!(text(&output.stderr).contains("2 games of Xelto"), "{}", text(&output.stderr));
    assert!(bench.ok(&["export", "--format", "pgn"]) == famous);
    assert_eq!(bench.ok(&["export", "--format", "xelto"]), dressed());
    assert!(bench.refused(&["export", "--format", "pgn", "--variant", "xelto"]).contains("no PGN"));
    assert!(bench.refused(&["export", "--format", "xelto", "--variant", "atomic"]).contains("Atomic"));

    assert!(bench.ok(&["verify"]).contains("64 games"));
    bench.ok(&["backup", "copy.db"]);
    bench.ok(&["salvage", "plybook.db", "-o", "saved.db"]);
    for archive in ["copy.db", "saved.db"] {
        assert_eq!(bench.ok(&["export", "-a", archive, "--format", "xelto"]), dressed());
        assert!(bench.ok(&["export", "-a", archive, "--format", "pgn"]) == famous);
    }
    assert_eq!(bench.ok(&["games", "--format", "ids", "--variant", "xelto"]), "1\n2\n");
    assert!(bench.refused(&["games", "--variant", "shogi"]).contains("Horde, Xelto"));
    let db = rusqlite::Connection::open(bench.path("plybook.db")).unwrap();
    let variant: String =
        db.query_row("SELECT variant FROM games WHERE id = 1", [], |row| row.get(0)).unwrap();
    assert_eq!(variant, "Xelto");
}

/// A record of random moves with everything that a record can have.
fn random_record(random: &mut Random, number: usize) -> Record {
    let mut moves = random.game(20 + number % 130);
    let tail = moves.split_off(moves.len() - moves.len().min(number % 4));
    let mut record = Record { moves, continuation: tail, ..Record::default() };
    for (name, value) in [("arxe", format!("a{}", number % 7)), ("sorn", format!("s {number}"))] {
        record.headers.push(Header::new(name, &value).unwrap());
    }
    let board = record.last_position().ending();
    let said = Ending { winner: Side::Sorn, reason: Reason::Repetition, points: None };
    record.result = match number % 3 {
        0 => None,
        1 => board.or(Some(said)),
        _ => board,
    };
    record
}

#[test]
fn random_games_are_stored_and_returned() {
    let mut random = Random(0x0123_4567_89ab_cdef);
    let records: Vec<Record> = (0..700).map(|number| random_record(&mut random, number)).collect();
    let all: String = records.iter().map(|record| format!("{record}\n")).collect();
    let bench = bench_with(&all);
    assert_eq!(totals(&bench.path("plybook.db")), [700, 700, 0, 0]);
    assert_eq!(bench.ok(&["export", "--variant", "xelto"]), all);
    assert!(bench.ok(&["verify"]).contains("all intact"));

    let archive = Archive::open(bench.path("plybook.db")).unwrap();
    let filter = Filter { kind: Some(GameKind::Xelto), ..Filter::default() };
    let mut stored = records.iter();
    for game in archive.games(&filter) {
        let game = game.unwrap();
        let record = stored.next().unwrap();
        assert_eq!(&game.xelto().unwrap(), record);
        assert_eq!(game.result, record.outcome());
        assert!(matches!(game.line(), Err(GameError::OtherFamily { wanted: "chess", .. })));
        assert!(matches!(game.positions(), Err(GameError::OtherFamily { wanted: "chess", .. })));
    }
    assert!(stored.next().is_none());
    let mut position = Position::start();
    let words: Vec<String> = records[5]
        .moves
        .iter()
        .map(|&m| {
            let word = Written::from_move(&position, m).to_string();
            position.play(m);
            word
        })
        .collect();
    assert_eq!(bench.ok(&["show", "6", "--format", "san"]), words.join(" ") + "\n");
}
