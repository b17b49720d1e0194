//! Showing, listing and exporting games of an archive.

use std::fs;

use crate::common::{Bench, corpus, data, installed, simple_games, text};
use serde_json::Value;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position, fen::Fen, san::SanPlus};

/// The FENs of a game's positions, by an independent replay of its SAN.
fn fens(moves: &[String]) -> Vec<String> {
    let mut position = Chess::new();
    let show = |position: &Chess| Fen::from_position(position, EnPassantMode::Always).to_string();
    let mut fens = vec![show(&position)];
    for word in moves {
        let Ok(san) = word.parse::<SanPlus>() else { break };
        position = position.clone().play(san.san.to_move(&position).unwrap()).unwrap();
        fens.push(show(&position));
    }
    fens
}

#[test]
fn any_ply_of_any_game_is_returned() {
    let bench = Bench::with_games();
    let source = simple_games(&fs::read_to_string(data("famous.pgn")).unwrap());
    for (id, (_, moves)) in (1..).zip(&source).take(12) {
        let fens = fens(moves);
        for ply in (0..fens.len()).step_by(7) {
            let id = format!("{id}");
            let from_end = format!("-{}", fens.len() - ply);
            assert_eq!(
                bench.ok(&["show", &id, "--ply", &ply.to_string(), "--format", "fen"]).trim(),
                fens[ply]
            );
            assert_eq!(bench.ok(&["show", &id, "--ply", &from_end, "--format", "fen"]).trim(), fens[ply]);
            if ply > 0 {
                let number = format!("{}{}", ply.div_ceil(2), if ply % 2 == 1 { "w" } else { "b" });
                assert_eq!(bench.ok(&["show", &id, "--ply", &number, "--format", "fen"]).trim(), fens[ply]);
            }
        }
    }
}

#[test]
fn a_ply_or_id_that_does_not_exist_is_a_clear_error() {
    let bench = Bench::with_games();
    let plies = bench.json(&["show", "1", "--format", "json"])["plies"].as_u64().unwrap();
    let line = bench.refused(&["show", "1", "--ply", "9999"]);
    assert!(line.contains(&format!("it has {plies} plies")), "{line}");
    assert!(bench.refused(&["show", "63"]).contains("games 1 to 62"));
    assert!(bench.refused(&["show", "0"]).contains("games 1 to 62"));
}

#[test]
fn a_game_is_shown_in_every_format() {
    let bench = Bench::with_games();
    let (tags, moves) = simple_games(&fs::read_to_string(data("famous.pgn")).unwrap()).remove(0);
    let (result, moves) = moves.split_last().unwrap();
    assert_eq!(bench.ok(&["show", "1", "--format", "san"]).trim(), moves.join(" "));
    assert_eq!(bench.ok(&["show", "1", "--format", "uci"]).split_whitespace().count(), moves.len());
    let pgn = simple_games(&bench.ok(&["show", "1", "--format", "pgn"])).remove(0);
    assert_eq!(pgn.0, tags);
    let json = bench.json(&["show", "1", "--format", "json"]);
    assert_eq!(json["san"].as_array().unwrap().len(), moves.len());
    assert_eq!(json["result"], result.as_str());
    let board = bench.ok(&["show", "1", "--ply", "1", "--ascii"]);
    assert!(
        board.contains("4  .  .  .  . [P] .  .  .") && board.contains("2  P  P  P  P [.] P  P  P"),
        "{board}"
    );
    assert!(bench.ok(&["show", "1", "--ply", "0"]).contains('♚'));
    assert!(!board.contains('\x1b'));
}

#[test]
fn filters_find_the_right_games() {
    let bench = Bench::new();
    let pgn = "[Event \"Wien\"]\n[Site \"a\"]\n[Date \"1922.??.??\"]\n[Round \"1\"]\n[White \"Réti, Richard\"]\n[Black \"Grünfeld, Ernst\"]\n[Result \"1-0\"]\n[WhiteElo \"2500\"]\n[BlackElo \"2400\"]\n[ECO \"A09\"]\n\n1. Nf3 d5 1-0\n\n\
        [Event \"Prag\"]\n[Site \"b\"]\n[Date \"1923.05.12\"]\n[Round \"2\"]\n[White \"Grunfeld, Ernst\"]\n[Black \"Reti, Richard\"]\n[Result \"1/2-1/2\"]\n[ECO \"B90\"]\n\n1. e4 c5 2. Nf3 1/2-1/2\n\n\
        [Event \"Bad 100% _x_\"]\n[Site \"c\"]\n[Date \"????.??.??\"]\n[Round \"-\"]\n[White \"O'Kelly; DROP TABLE game\"]\n[Black \"x*y\"]\n[Result \"0-1\"]\n\n1. f3 0-1\n";
    fs::write(bench.path("g.pgn"), pgn).unwrap();
    bench.import(&["g.pgn"]);
    let ids = |arguments: &[&str]| {
        let output = bench.run(&[&["games", "--format", "ids"], arguments].concat());
        text(&output.stdout).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    for (arguments, expected) in [
        (&["--player", "RETI"][..], "1 2"),
        (&["--player", "réti", "--colour", "white"], "1"),
        (&["--player", "reti", "--color", "black"], "2"),
        (&["--white", "gr*feld*"], "2"),
        (&["--black", "grünfeld, ernst"], "1"),
        (&["--player", "reti", "--opponent", "grunfeld"], "1 2"),
        (&["--event", "wien"], "1"),
        (&["--event", "*100% _x_"], "3"),
        (&["--site", "b"], "2"),
        (&["--date", "1922..1923.04"], "1"),
        (&["--date", "1923"], "2"),
        (&["--elo", "2400.."], "1"),
        (&["--white-elo", "..2499"], ""),
        (&["--result", "draw"], "2"),
        (&["--result", "0-1"], "3"),
        (&["--eco", "B"], "2"),
        (&["--plies", "2..3"], "1 2"),
        (&["--source", "g.pgn"], "1 2 3"),
        (&["--source", "other"], ""),
        (&["--id", "2..", "--sort", "plies"], "3 2"),
        (&["--sort", "date"], "1 2 3"),
        (&["--sort", "date", "--desc"], "2 1 3"),
        (&["--limit", "1", "--offset", "1"], "2"),
        (&["--white", "o'kelly; drop table game"], "3"),
        (&["--variant", "Chess960"], ""),
    ] {
        assert_eq!(ids(arguments), expected, "{arguments:?}");
    }
    assert_eq!(bench.run(&["games", "--player", "nobody"]).status.code(), Some(1));
    for bad in
        [["--date", "x"], ["--eco", "Z"], ["--elo", "strong"], ["--result", "2-0"], ["--variant", "bughouse"]]
    {
        assert!(bench.refused(&["games", bad[0], bad[1]]).contains(bad[1]));
    }
}

#[test]
fn lists_are_right_in_every_format() {
    let bench = Bench::with_games();
    let json: Value = bench.json(&["games", "--format", "json"]);
    assert_eq!(json.as_array().unwrap().len(), 62);
    let lines = bench.ok(&["games", "--format", "jsonl"]);
    let by_line: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(Value::Array(by_line), json);
    let csv = bench.ok(&["games", "--format", "csv"]);
    assert!(csv.starts_with("id,white,black,result,date"));
    assert_eq!(csv.lines().count(), 63);
    assert!(csv.contains("\"Anderssen, Adolf\""));
    assert_eq!(bench.ok(&["games", "--format", "ids"]).lines().count(), 62);
    assert!(bench.ok(&["games"]).ends_with("62 games\n"));
}

#[test]
fn export_and_import_give_the_same_games() {
    let bench = Bench::new();
    bench.import(&[data("").to_str().unwrap()]);
    let exported = bench.ok(&["export", "--format", "pgn"]);
    bench.ok(&["export", "--format", "pgn", "-o", "out.pgn"]);
    assert_eq!(fs::read_to_string(bench.path("out.pgn")).unwrap(), exported);
    assert!(exported.lines().all(|line| line.starts_with('[') || line.chars().count() < 80));
    // Into the same archive: all are duplicates. Into a new one: the same export.
    let report = bench.import(&["out.pgn"]);
    assert_eq!(report["stored"], 0, "{report}");
    bench.import(&["out.pgn", "-a", "second.db"]);
    assert_eq!(bench.ok(&["export", "-a", "second.db"]), exported);
}

#[test]
fn every_tag_pair_comes_back_unchanged() {
    let bench = Bench::new();
    let tags = "[White \"w\"]\n[Event \"\"]\n[ECO \"B9\"]\n[WhiteElo \"02500\"]\n[BlackElo \"?\"]\n[Round \"007\"]\n\
        [Date \"1999.2.3\"]\n[ECO \"twice\"]\n[X \"a \\\"quoted\\\" \\\\ value\"]\n[Result \"1-0\"]\n[Comment \"Ω ♞ \u{202e}x\"]\n";
    fs::write(bench.path("t.pgn"), format!("{tags}\n1. e4 1-0\n")).unwrap();
    bench.import(&["t.pgn"]);
    let exported = bench.ok(&["export"]);
    for line in tags.lines() {
        assert!(exported.lines().any(|other| other == line), "{line} in {exported}");
    }
    let json = bench.json(&["show", "1", "--format", "json"]);
    let names: Vec<&String> = json["tags"].as_object().unwrap().keys().collect();
    assert_eq!(
        names,
        ["White", "Event", "ECO", "WhiteElo", "BlackElo", "Round", "Date", "X", "Result", "Comment"]
    );
    assert_eq!(json["tags"]["ECO"], serde_json::json!(["B9", "twice"]));
}

#[test]
fn stats_measure_the_archive() {
    let bench = Bench::with_games();
    let stats = bench.json(&["stats", "--format", "json"]);
    let parts = stats["archive"]["parts"].as_array().unwrap();
    let sum: u64 = parts.iter().map(|part| part["bytes"].as_u64().unwrap()).sum();
    assert_eq!(sum, fs::metadata(bench.path("plybook.db")).unwrap().len());
    let m = stats["plies"].as_f64().unwrap() / 62.0;
    let estimate = stats["estimates"]["with_end"].as_f64().unwrap();
    assert!((estimate - (m + 1.0) * 21f64.log2()).abs() < 1e-9);
    let bare = bench.json(&["stats", "--codec", "index-bare", "--format", "json"]);
    assert!(bare["bits_per_game"].as_f64() < stats["bits_per_game"].as_f64());
    let byte = bench.json(&["stats", "--codec", "byte", "--format", "json"]);
    assert!(byte["bits_per_ply"].as_f64().unwrap() >= 8.0);
    let all = bench.json(&["stats", "--codec", "all", "--format", "json"]);
    assert_eq!(all[0]["bits_per_game"], stats["bits_per_game"]);
    assert!(bench.ok(&["stats", "--format", "svg"]).starts_with("<svg"));
    assert!(bench.ok(&["stats", "--format", "csv"]).starts_with("bits_from,games"));
    assert!(bench.ok(&["stats"]).contains("bits per ply"));
    assert!(bench.refused(&["stats", "--codec", "nonsense"]).contains("nonsense"));
}

#[test]
fn single_games_are_encoded_and_decoded() {
    let bench = Bench::new();
    let encode = |arguments: &[&str], pgn: &str| {
        text(&bench.feed(&[&["game", "encode"], arguments].concat(), pgn.as_bytes()).stdout)
    };
    assert_eq!(encode(&[], "1. e4 e5 2. Nf3 f6 *"), "8712609247\n");
    assert_eq!(
        encode(&["--codec", "index"], "1. e4 e5 2. Nf3 f6 0-1\n\n1. e4 e5 2. Nf3 f6 1-0\n"),
        "10973647\n243956826847\n"
    );
    let pgn = fs::read_to_string(data("famous.pgn")).unwrap();
    for form in ["int", "hex", "base64url"] {
        let codes = encode(&["--format", form], &pgn);
        assert_eq!(codes.lines().count(), 62);
        let decoded = text(&bench.feed(&["game", "decode", "--format", form], codes.as_bytes()).stdout);
        let moves = |text: &str| simple_games(text).into_iter().map(|(_, moves)| moves).collect::<Vec<_>>();
        assert_eq!(moves(&decoded), moves(&pgn));
    }
    let bad = bench.feed(&["game", "decode"], b"8712609247\n12345678901234567890\nx\n");
    assert_eq!(bad.status.code(), Some(1));
    assert_eq!(text(&bad.stderr).lines().count(), 2, "{}", text(&bad.stderr));
    assert!(text(&bad.stdout).contains("1. e4 e5 2. Nf3 f6 *"));
}

#[test]
fn variants_and_set_up_positions_are_kept() {
    let bench = Bench::new();
    bench.import(&[data("chess960.pgn").to_str().unwrap(), data("setup.pgn").to_str().unwrap()]);
    let game = bench.json(&["show", "1", "--ply", "0", "--format", "json"]);
    assert_eq!(game["variant"], "Chess960");
    let fen: Fen = game["tags"]["FEN"].as_str().unwrap().parse().unwrap();
    let start: Chess = fen.into_position(CastlingMode::Chess960).unwrap();
    assert_eq!(game["fen"].as_str().unwrap().split(' ').next(), Some(start.board().to_string().as_str()));
    assert!(bench.ok(&["export"]).contains("O-O-O"));
    assert!(bench.ok(&["verify"]).contains("all intact"));
}

#[test]
fn verify_finds_a_changed_game() {
    let bench = Bench::with_games();
    let db = rusqlite::Connection::open(bench.path("plybook.db")).unwrap();
    db.execute_batch(
        "PRAGMA foreign_keys = OFF;
         UPDATE game SET moves = X'FF' WHERE id = 3; UPDATE game SET result = 1 - result WHERE id = 5;
         UPDATE game SET white = black WHERE id = 7; DELETE FROM game WHERE id = 9; UPDATE game SET tags = '[1' WHERE id = 11;
         UPDATE game SET plies = plies + 1 WHERE id = 13; 
         UPDATE section SET date = date + 1 WHERE id = (SELECT section FROM game WHERE id = 15)",
    )
    .unwrap();
    drop(db);
    let output = bench.run(&["verify"]);
    assert_eq!(output.status.code(), Some(1));
    let found = text(&output.stdout);
    for id in [3, 5, 7, 9, 11, 13, 15] {
        assert!(found.contains(&format!("game {id}: ")), "{id} in {found}");
    }
    assert!(!found.contains("game 4: "));
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    if !installed("bash") {
        return;
    }
    let bench = Bench::with_games();
    let script = format!(
        "{} games --format jsonl | head -n 1; exit ${{PIPESTATUS[0]}}",
        env!("CARGO_BIN_EXE_plybook")
    );
    let output = std::process::Command::new("bash")
        .args(["-c", &script])
        .current_dir(bench.folder.path())
        .output()
        .unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
}

#[test]
fn a_scan_visits_every_position_with_its_key() {
    use plybook::{
        archive::{Archive, Filter},
        chess::Position,
        query,
    };
    use shakmaty::{EnPassantMode, zobrist::Zobrist64};

    let bench = Bench::new();
    let variants = corpus("variants.pgn").map(|path| path.to_str().unwrap().to_owned());
    let mut paths = vec![data("").to_str().unwrap().to_owned()];
    paths.extend(variants);
    bench.import(&paths.iter().map(String::as_str).collect::<Vec<_>>());
    let archive = Archive::open(bench.path("plybook.db")).unwrap();
    let mut expected = Vec::new();
    for game in archive.games(&Filter::default()) {
        let game = game.unwrap();
        for (ply, position) in game.positions().into_iter().flatten().enumerate() {
            let position = position.unwrap();
            let key: Zobrist64 = position.zobrist_hash(EnPassantMode::Legal);
            expected.push((game.id, ply, key.0, position.turn(), position.board().occupied()));
        }
    }
    let scanned = std::sync::Mutex::new(Vec::new());
    let extent = query::scan(&archive, &Filter::default(), |at| {
        scanned.lock().unwrap().push((at.game, at.ply, at.key, at.turn, at.board.occupied()));
    })
    .unwrap();
    let mut scanned = scanned.into_inner().unwrap();
    scanned.sort_by_key(|&(game, ply, ..)| (game, ply));
    assert_eq!(scanned, expected);
    assert_eq!((extent.positions, extent.damaged), (expected.len() as u64, 0));
}

#[test]
fn a_scan_treats_a_game_without_its_start_position_as_damaged() {
    use plybook::{
        archive::{Archive, Filter},
        query,
    };

    let bench = Bench::new();
    bench.import(&[data("setup.pgn").to_str().unwrap()]);
    let path = bench.path("plybook.db");
    let db = rusqlite::Connection::open(&path).unwrap();
    db.execute("UPDATE game SET tags = NULL", []).unwrap();
    drop(db);
    let archive = Archive::open(&path).unwrap();
    assert!(archive.game(1).is_err());
    let extent = query::scan(&archive, &Filter::default(), |at| panic!("{at:?}")).unwrap();
    assert_eq!((extent.games, extent.positions, extent.damaged), (1, 0, 1));
}

#[test]
fn a_scan_also_ends_within_a_pool_of_one_thread() {
    use std::{sync::mpsc::channel, thread, time::Duration};

    use plybook::{
        archive::{Archive, Filter},
        query,
    };

    let bench = Bench::new();
    let made = bench.path("made.pgn");
    let made = made.to_str().unwrap();
    bench.run(&["generate", "--games", "5000", "--seed", "1", "-o", made]);
    bench.import(&[made]);
    let path = bench.path("plybook.db");
    let (done, ended) = channel();
    thread::spawn(move || {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let scan = || query::scan(&Archive::open(&path).unwrap(), &Filter::default(), |_| {}).unwrap();
        done.send(pool.install(scan).games).unwrap();
    });
    assert_eq!(ended.recv_timeout(Duration::from_secs(100)), Ok(5000));
}
