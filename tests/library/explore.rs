//! The moves played in a position, compared with independent counts.

use std::{
    cell::Cell, collections::BTreeMap, fs, ops::ControlFlow::Break, path::PathBuf,
    sync::atomic::Ordering::Relaxed,
};

use crate::{
    common::{Bench, data},
    pgn_support::real_games,
};
use plybook::{
    archive::{Archive, ArchiveError, Filter},
    chess::{Color, Move, Outcome, Position, Variant, VariantPosition},
    conditions::FilterText,
    import::{Options, Progress, import_with_progress},
    query::{Context, Exploration, FindProgress, LineMove, PositionIndex, TreeOptions, explore, line_tree},
    record::StoredMoves,
    rules::{KnownOutcome, Rules},
};
use shakmaty::{EnPassantMode, san::SanPlus, uci::UciMove};

/// Games that reach positions more than once, with and without ratings and years.
const REPEATED: &str = "\
[White \"A\"]
[Black \"B\"]
[Date \"1990.05.01\"]
[WhiteElo \"2500\"]
[BlackElo \"2401\"]
[Result \"1/2-1/2\"]

1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1/2-1/2

[White \"C\"]
[Black \"A\"]
[Date \"????.??.??\"]
[WhiteElo \"2450\"]
[BlackElo \"2451\"]
[Result \"0-1\"]

1. Nf3 Nf6 2. Ng1 Ng8 3. e4 e5 0-1

[White \"D\"]
[Black \"E\"]
[Date \"2001.??.??\"]
[WhiteElo \"0\"]
[BlackElo \"2300\"]
[Result \"*\"]

1. e4 Nf6 2. Nf3 Ng8 3. Ng1 e5 *

[White \"E\"]
[Black \"F\"]
[Date \"2001.13.41\"]
[Result \"1-0\"]

1. d4 1-0
";

/// Bundled games and those above, in three parts.
fn bundled(bench: &Bench) -> [Vec<String>; 3] {
    let repeated = bench.path("repeated.pgn");
    fs::write(&repeated, REPEATED).unwrap();
    [vec![data("famous.pgn"), data("setup.pgn")], vec![repeated], vec![data("chess960.pgn")]]
        .map(|paths| paths.iter().map(|path| path.display().to_string()).collect())
}

/// An archive of bundled games and of those above, and the data of all games.
fn bench() -> (Bench, Vec<Known>) {
    let bench = Bench::new();
    let sources = bundled(&bench).concat();
    bench.import(&sources.iter().map(String::as_str).collect::<Vec<_>>());
    let archive = Archive::open(bench.path("plybook.db")).unwrap();
    let games = archive.games(&Filter::default()).map(|game| {
        let game = game.unwrap();
        let number =
            |name: &str| game.tags.get(name).and_then(|text| text.parse().ok()).filter(|elo| *elo > 0);
        Known {
            id: game.id,
            positions: game.positions().unwrap().collect::<Result<_, _>>().unwrap(),
            moves: game.line().unwrap().moves,
            result: game.result,
            elo: [number("WhiteElo"), number("BlackElo")],
            year: game.tags.get("Date").and_then(|date| date.get(..4)?.parse().ok()),
        }
    });
    let games = games.collect();
    (bench, games)
}

struct Known {
    id: i64,
    positions: Vec<VariantPosition>,
    moves: Vec<Move>,
    result: Outcome,
    elo: [Option<i64>; 2],
    year: Option<u16>,
}

/// Whether two positions are equal except for their counters and an unusable en passant square.
fn is_same(a: &VariantPosition, b: &VariantPosition) -> bool {
    a.variant() == b.variant()
        && a.board() == b.board()
        && Position::turn(a) == Position::turn(b)
        && a.castles().castling_rights() == b.castles().castling_rights()
        && a.ep_square(EnPassantMode::Legal) == b.ep_square(EnPassantMode::Legal)
}

impl Known {
    fn comes_by(&self, position: &VariantPosition) -> bool {
        self.positions.iter().any(|other| is_same(other, position))
    }
}

/// The games of each move by its UCI notation (empty for those that never moved), counted separately.
fn recount<'a>(games: &'a [Known], position: &VariantPosition) -> BTreeMap<String, Vec<&'a Known>> {
    let mut by_move: BTreeMap<String, Vec<&Known>> = BTreeMap::new();
    for game in games {
        if !game.comes_by(position) {
            continue;
        }
        let before_moves = &game.positions[..game.moves.len()];
        let last = before_moves.iter().rposition(|other| is_same(other, position));
        let played =
            last.map(|last| UciMove::from_move(game.moves[last], position.castles().mode()).to_string());
        by_move.entry(played.unwrap_or_default()).or_default().push(game);
    }
    by_move
}

/// The same games in archives with an index: with one segment, with several, and covering only some games. The sources
/// are in the order of import, and each of the first two has more than four times the games of the next one.
fn with_indexes(sources: &[Vec<String>; 3]) -> Vec<Bench> {
    [[2].as_slice(), &[0, 1, 2], &[0], &[0, 1]]
        .map(|indexed_after| {
            let bench = Bench::new();
            for (number, sources) in sources.iter().enumerate() {
                let sources: Vec<PathBuf> = sources.iter().map(PathBuf::from).collect();
                let is_indexed = indexed_after.contains(&number);
                let options = Options { index: is_indexed, ..Options::default() };
                // An existing index would be extended.
                let stop = |progress: &Progress| {
                    options.cancel.store(progress.index.is_some() && !is_indexed, Relaxed);
                };
                import_with_progress(&bench.path("plybook.db"), &sources, &options, stop).unwrap();
            }
            let archive = Archive::open(bench.path("plybook.db")).unwrap();
            let segments = archive.segments().positions().unwrap();
            assert_eq!(segments.len(), indexed_after.len());
            let has_all = segments.last().unwrap().last == archive.last_id().unwrap();
            assert_eq!(has_all, indexed_after.contains(&2));
            bench
        })
        .into()
}

fn won(games: &[&Known], winner: Option<Color>) -> u64 {
    let result = Outcome::Known(KnownOutcome::from_winner(winner));
    games.iter().filter(|game| game.result == result).count() as u64
}

fn mean(games: &[&Known], side: usize) -> Option<i64> {
    let ratings: Vec<i64> = games.iter().filter_map(|game| game.elo[side]).collect();
    let (sum, count) = (ratings.iter().sum::<i64>() as f64, ratings.len() as f64);
    (!ratings.is_empty()).then(|| (sum / count + 0.5).floor() as i64)
}

fn assert_is_recount(printed: &Exploration, games: &[Known], position: &VariantPosition) {
    let mut by_move = recount(games, position);
    let ended = by_move.remove("").unwrap_or_default();
    assert_eq!(printed.ended_here, ended.len() as u64, "{}", printed.position);
    let all: Vec<&Known> = by_move.values().flatten().copied().chain(ended).collect();
    assert_eq!(
        (printed.results.games, printed.results.draws),
        (all.len() as u64, won(&all, None)),
        "{}",
        printed.position
    );
    assert_eq!(printed.results.white, won(&all, Some(Color::White)), "{}", printed.position);
    assert_eq!(printed.moves.len(), by_move.len(), "{}", printed.position);
    for m in &printed.moves {
        let games_of = &by_move[&m.uci];
        let own = Position::turn(position).fold_wb(0, 1);
        assert_eq!(m.results.games, games_of.len() as u64, "{} {}", printed.position, m.san);
        assert_eq!(m.results.black, won(games_of, Some(Color::Black)));
        assert_eq!(m.results.white + m.results.draws + m.results.black + m.results.other, m.results.games);
        assert_eq!([m.mean_rating, m.mean_opponent], [mean(games_of, own), mean(games_of, 1 - own)]);
        assert_eq!(m.last_year, games_of.iter().filter_map(|game| game.year).max());
        let rated = games_of.iter().filter_map(|game| Some((game.elo[0]? + game.elo[1]?, -game.id)));
        assert_eq!(m.best_game, rated.max().map(|(_, id)| -id));
        let mut after = position.clone();
        after.make(m.san.parse::<SanPlus>().unwrap().san.to_move(position).unwrap());
        let reached = games.iter().filter(|game| game.comes_by(&after)).count() as u64;
        assert_eq!(m.reached, reached, "{} {}", printed.position, m.san);
    }
}

fn some_positions(games: &[Known]) -> Vec<VariantPosition> {
    let mut asked = Vec::new();
    for game in games.iter().rev().step_by(3) {
        let plies = (0..game.positions.len()).filter(|ply| ply % 7 == 0 || *ply < 6);
        for position in plies.chain([game.positions.len() - 1]).map(|ply| &game.positions[ply]) {
            asked.push(position.clone());
        }
    }
    assert!(asked.len() > 200, "{}", asked.len());
    asked
}

#[test]
fn exploring_with_an_index_equals_a_recount() {
    let (bench, games) = bench();
    let asked = some_positions(&games);
    for bench in with_indexes(&bundled(&bench)) {
        let archive = Archive::open(bench.path("plybook.db")).unwrap();
        let index = PositionIndex::open(&archive).unwrap();
        assert!(index.is_some());
        for position in asked.chunks(1) {
            let printed =
                explore(Context::new(&archive).with_index(index.as_ref()), position, &Filter::default());
            assert_is_recount(&printed.unwrap()[0], &games, &position[0]);
        }
    }
}

#[test]
fn exploring_by_scan_equals_a_recount() {
    let (bench, games) = bench();
    let archive = Archive::open(bench.path("plybook.db")).unwrap();
    let asked = some_positions(&games);
    // One by one, and all together.
    for positions in asked.chunks(1).take(100).chain([&asked[..]]) {
        let printed = explore(Context::new(&archive), positions, &Filter::default());
        for (position, printed) in positions.iter().zip(printed.unwrap()) {
            assert_is_recount(&printed, &games, position);
        }
    }
}

#[test]
fn a_watch_can_cancel_a_scan() {
    let (bench, games) = bench();
    let archive = Archive::open(bench.path("plybook.db")).unwrap();
    let seen = Cell::new(0);
    let watch = |progress: FindProgress| {
        seen.set(progress.games);
        Break(())
    };
    let start = &games[0].positions[..1];
    let stopped = explore(Context::new(&archive).watched_by(&watch), start, &Filter::default());
    assert!(matches!(stopped, Err(ArchiveError::Stopped)));
    assert!(seen.get() > 0);
}

#[test]
fn json_has_everything_in_the_documented_order() {
    let bench = Bench::with_games();
    let text = bench.ok(&["explore", "1. e4 e5", "--format", "json"]);
    let keys = |value: &serde_json::Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let printed: serde_json::Value = serde_json::from_str(&text).unwrap();
    let head = "position opening games white draws black other ended_here moves";
    assert_eq!(keys(&printed).join(" "), head);
    assert_eq!(keys(&printed["opening"]).join(" "), "eco name");
    let row = "uci san games white draws black other mean_rating mean_opponent performance last_year best_game reached";
    assert_eq!(keys(&printed["moves"][0]).join(" "), row);
    assert_eq!(printed["opening"]["name"], "King's Pawn Game");
    assert_eq!(printed["moves"][0]["san"], "Nf3");
    // These games have no ratings.
    for unknown in ["mean_rating", "mean_opponent", "performance", "best_game"] {
        assert!(printed["moves"][0][unknown].is_null(), "{unknown}");
    }
    let lines = bench.ok(&["explore", "1. e4 e5", "--format", "jsonl"]);
    assert_eq!(lines.lines().next().unwrap(), serde_json::to_string(&printed["moves"][0]).unwrap());
    let csv = bench.ok(&["explore", "1. e4 e5", "--format", "csv"]);
    assert_eq!(csv.lines().next().unwrap(), row.replace(' ', ","));
    assert_eq!(csv.lines().count(), 1 + printed["moves"].as_array().unwrap().len());
}

#[test]
fn a_position_may_be_given_in_any_way() {
    let bench = Bench::with_games();
    let explore = |position: &[&str]| bench.ok(&[&["explore", "--format", "csv"], position].concat());
    let by_moves = explore(&["1. e4 e5 2. Nf3 Nc6"]);
    assert_eq!(by_moves, explore(&["e4", "e5", "Nf3", "Nc6"]));
    assert_eq!(by_moves, explore(&["g1f3 b8c6 e2e4 e7e5"]));
    assert_eq!(by_moves, explore(&["r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq"]));
    // Game 2 begins with these moves.
    assert_eq!(by_moves, explore(&["2:4"]));
    assert_eq!(explore(&[]), explore(&["1:0"]));
}

#[test]
fn the_opening_is_the_last_named_position_of_a_line_and_that_very_position_of_a_fen() {
    let bench = Bench::with_games();
    let opening = |position: &str| bench.json(&["explore", position, "--format", "json"])["opening"].clone();
    let unnamed = "1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ 4. Kf1 b5 5. Bxb5 Nf6 6. Nf3 Qh6 7. d3 Nh5 8. Nh4 Qg5";
    assert_eq!(opening(unnamed)["name"], "King's Gambit Accepted: Bishop's Gambit, Bryan Countergambit");
    assert_eq!(opening("1:16"), opening(unnamed));
    let fen = bench.ok(&["show", "1", "--ply", "16", "--format", "fen"]);
    assert!(opening(fen.trim()).is_null());
    let fen = bench.ok(&["show", "1", "--ply", "4", "--format", "fen"]);
    assert_eq!(opening(fen.trim())["name"], "King's Gambit Accepted");
}

#[test]
fn filters_apply_before_games_are_counted() {
    let bench = Bench::with_games();
    let explore = |filter: &[&str]| {
        let output = bench.run(&[&["explore", "--format", "json"], filter].concat());
        let printed: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        (printed["games"].as_u64().unwrap(), printed["moves"].clone(), output.status.code())
    };
    let listed = |filter: &[&str]| {
        let ids = bench.run(&[&["games", "--format", "ids"], filter].concat()).stdout;
        ids.split(|byte| *byte == b'\n').count() as u64 - 1
    };
    let filters: [&[&str]; 7] = [
        &["--player", "morphy"],
        &["--player", "anderssen", "--colour", "white"],
        &["--date", "1850..1899"],
        &["--result", "0-1"],
        &["--eco", "C", "--plies", "..50"],
        &["--limit", "5", "--sort", "date", "--desc"],
        &["--elo", "2500.."],
    ];
    for filter in filters {
        let (games, moves, code) = explore(filter);
        assert_eq!(games, listed(filter), "{filter:?}");
        let of_moves = moves.as_array().unwrap().iter().map(|m| m["games"].as_u64().unwrap()).sum::<u64>();
        assert_eq!((of_moves, code), (games, Some(i32::from(games == 0))), "{filter:?}");
    }
    assert!(explore(filters[0]).0 > 0);
}

#[test]
fn a_table_fits_a_terminal_and_is_plain_otherwise() {
    let bench = Bench::with_games();
    let output = bench.run(&["explore"]);
    let (table, printed) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(!table.contains('\x1b') && table.lines().all(|line| line.chars().count() <= 80), "{table}");
    assert!(table.lines().any(|line| line.starts_with("e4 ") && line.contains('█')), "{table}");
    assert!(printed.contains("plybook index") && printed.lines().count() == 1, "{printed}");
    assert_eq!(bench.ok(&["explore", "--moves", "2"]).lines().count(), 2 + 1 + 1 + 2);
}

#[test]
fn errors_of_explore_are_one_line() {
    let bench = Bench::with_games();
    for (position, said) in [
        ("1. e4 e4", "invalid position"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "no game reaches this position"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNX w", "invalid FEN"),
        ("999:3", "games 1 to 62"),
        ("1:999", "ply"),
        ("", "the position is missing"),
    ] {
        let line = bench.refused(&["explore", position]);
        assert!(line.contains(said), "{position}: {line}");
    }
    let line = bench.refused(&["explore", "--variant", "xelto"]);
    assert!(line.contains("is not a variant of chess"), "{line}");
    let output = bench.run(&["explore", "1. a4 a5 2. h4 h5 3. b4"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stdout).unwrap().ends_with("no games\n"));
}

#[test]
fn the_index_and_a_scan_agree_for_every_filter() {
    let source = Bench::new();
    let (parts, least) = match real_games(1_200) {
        Some(pgn) => (parts(&source, &pgn), FILTERS.len() - 5),
        // Few of the bundled games have ratings, a time control or a date after 2000.
        None => (bundled(&source), FILTERS.len() - 6),
    };
    for bench in with_indexes(&parts) {
        let archive = Archive::open(bench.path("plybook.db")).unwrap();
        let index = PositionIndex::open(&archive).unwrap();
        let last = archive.last_id().unwrap();
        let positions: Vec<VariantPosition> = (1..=last)
            .step_by(usize::try_from(last / 12).unwrap())
            .zip([0, 1, 2, 3, 4, 6, 8, 10, 12, 16, 24, 32])
            .filter_map(|(id, ply)| archive.game(id).unwrap().positions().unwrap().nth(ply)?.ok())
            .collect();
        let mut found = 0;
        for filter in FILTERS {
            let text: FilterText = serde_json::from_str(filter).unwrap();
            let filter = text.filter(Context::new(&archive)).unwrap();
            let scanned = explore(Context::new(&archive), &positions, &filter);
            let printed =
                explore(Context::new(&archive).with_index(index.as_ref()), &positions, &filter).unwrap();
            let has_games = printed.iter().any(|printed| printed.results.games > 1);
            let from_start = |game: &StoredMoves| game.setup.is_none() && game.variant == Variant::Standard;
            let passing = archive.moves(&filter).filter(|game| from_start(game.as_ref().unwrap()));
            assert!(has_games || passing.count() < 2, "{filter:?}");
            found += usize::from(has_games);
            assert_eq!(printed, scanned.unwrap(), "{filter:?}");
        }
        assert!(found >= least, "games pass {found} filters, at least {least} are required");
    }
}

/// The filters to compare.
const FILTERS: [&str; 25] = [
    "{}",
    r#"{"date": "1800..2010"}"#,
    r#"{"date": "2000.05.."}"#,
    r#"{"elo": "1500..2500"}"#,
    r#"{"elo": "0.."}"#,
    r#"{"white_elo": "1800.."}"#,
    r#"{"white_elo": "1900..", "black_elo": "..2200", "result": "1-0"}"#,
    r#"{"result": "1/2-1/2"}"#,
    r#"{"result": "*"}"#,
    r#"{"player": "a*"}"#,
    r#"{"player": "a*", "colour": "black"}"#,
    r#"{"player": "*a*", "opponent": "*e*"}"#,
    r#"{"white": "m*", "black": "*i*"}"#,
    r#"{"player": "nobody at all"}"#,
    r#"{"event": "*a*"}"#,
    r#"{"eco": "B", "plies": "20..90"}"#,
    r#"{"opening": "sicilian"}"#,
    r#"{"speed": "classical"}"#,
    r#"{"speed": "blitz,Bullet", "casual": false}"#,
    r#"{"casual": false, "date": "2000..2010"}"#,
    r#"{"casual": true}"#,
    r#"{"id": "20..2000"}"#,
    r#"{"id": "20..2000", "site": "*e*", "sort": "elo"}"#,
    r#"{"date": "1990..", "limit": 50, "offset": 3, "sort": "date"}"#,
    r#"{"variant": "chess960"}"#,
];

/// The moves of a tree with the moves before each, in their order.
fn walked<'a>(lines: &'a [LineMove], before: &[String]) -> Vec<(Vec<String>, &'a LineMove)> {
    let walk = |line: &'a LineMove| {
        let path = [before, std::slice::from_ref(&line.played.san)].concat();
        let below = walked(&line.lines, &path);
        [vec![(path, line)], below].concat()
    };
    lines.iter().flat_map(walk).collect()
}

/// The moves of a game after its last visit to a position from which it moved on, in SAN.
fn line_after(game: &Known, root: &VariantPosition) -> Option<Vec<String>> {
    let visits: Vec<usize> =
        (0..game.positions.len()).filter(|at| is_same(&game.positions[*at], root)).collect();
    let last = *visits.iter().rfind(|at| **at < game.moves.len()).or(visits.last())?;
    let moves = game.positions.iter().zip(&game.moves).skip(last);
    Some(moves.map(|(position, m)| SanPlus::from_move(position.clone(), *m).to_string()).collect())
}

#[test]
fn each_game_of_a_tree_counts_once_by_its_moves_after_the_last_visit() {
    let (bench, all) = bench();
    let check = |root: &VariantPosition| {
        let archive = Archive::open(bench.path("plybook.db")).unwrap();
        let index = PositionIndex::open(&archive).unwrap();
        let games: Vec<_> = all.iter().filter_map(|game| Some((game, line_after(game, root)?))).collect();
        for (percent, least, moves, plies) in [(0, 1, 99, 4), (0, 2, 99, 6), (5, 1, 99, 4), (0, 1, 1, 9)] {
            let options = TreeOptions { plies, percent, games: least, moves };
            let tree = line_tree(
                Context::new(&archive).with_index(index.as_ref()),
                root,
                &Filter::default(),
                options,
            );
            let tree = tree.unwrap();
            assert_eq!(tree.results.games, games.len() as u64);
            assert_eq!(tree.ended_here, games.iter().filter(|(_, line)| line.is_empty()).count() as u64);
            let lines = walked(&tree.lines, &[]);
            let with =
                |path: &[String]| games.iter().filter(|(_, line)| line.starts_with(path)).collect::<Vec<_>>();
            for (path, line) in &lines {
                let these = with(path);
                assert_eq!(line.played.results.games, these.len() as u64, "{path:?}");
                let (game, line_of_game) = these[0];
                let after = &game.positions[game.moves.len() - line_of_game.len() + path.len()];
                let here = all.iter().filter(|game| game.positions.iter().any(|at| is_same(at, after)));
                assert_eq!(line.played.reached, here.count() as u64, "{path:?}");
                assert_eq!(line.by_transposition, line.played.reached - line.played.results.games);
                let below: u64 = line.lines.iter().map(|line| line.played.results.games).sum();
                assert!(below <= line.played.results.games, "{path:?}");
            }
            // The moves of a position are those of the most games, and none is missing.
            let below = |path: &[String]| {
                let mut next = BTreeMap::new();
                for (_, line) in with(path) {
                    line.get(path.len()).into_iter().for_each(|san| *next.entry(san).or_insert(0) += 1);
                }
                let mut next: Vec<u64> = next.into_values().collect();
                next.retain(|games| *games >= least && 100 * games >= percent * tree.results.games);
                next.sort_unstable_by_key(|games| u64::MAX - games);
                next.truncate(moves);
                next
            };
            let games_of = |lines: &[LineMove]| -> Vec<u64> {
                lines.iter().map(|line| line.played.results.games).collect()
            };
            assert_eq!(games_of(&tree.lines), below(&[]));
            for (path, line) in &lines {
                let expected = if path.len() < plies { below(path) } else { Vec::new() };
                assert_eq!(games_of(&line.lines), expected, "{path:?}");
            }
        }
    };
    let mut after_nf3 = Variant::Standard.start();
    after_nf3.make("Nf3".parse::<SanPlus>().unwrap().san.to_move(&after_nf3).unwrap());
    let roots =
        [Variant::Standard.start(), after_nf3, Variant::KingOfTheHill.start(), Variant::Crazyhouse.start()];
    roots.iter().for_each(check);
    bench.ok(&["index", "--quiet"]);
    roots.iter().for_each(check);
}

#[test]
fn a_tree_is_printed_as_text_and_as_json() {
    let bench = Bench::with_games();
    let text = bench.ok(&["explore", "1. e4 e5", "--tree", "3", "--min-games", "3"]);
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let line =
        |start: &str| text.lines().find(|line| line.starts_with(start)).unwrap_or_else(|| panic!("{text}"));
    assert!(line("2. f4 ").ends_with("King's Gambit"), "{text}");
    assert!(line("  2... Nc6 ").ends_with("  Normal Variation"), "{text}");
    let tree = bench.json(&["explore", "1. e4 e5", "--tree", "3", "--min-games", "3", "--format", "json"]);
    let keys: Vec<&String> = tree["lines"][0].as_object().unwrap().keys().collect();
    assert_eq!(keys[0], "uci");
    assert_eq!(keys[12..], ["reached", "by_transposition", "opening", "lines"]);
    assert_eq!(tree["lines"][0]["san"], "Nf3");
    let black = bench.ok(&["explore", "1. e4", "--tree", "2"]);
    assert!(black.contains("\n1... e5 ") && black.contains("\n  2. Nf3 "), "{black}");
    let error = bench.refused(&["explore", "--tree", "2", "--format", "csv"]);
    assert!(error.contains("text and json"), "{error}");
}

/// The games of a text in three parts, each with more than four times the games of the next one.
fn parts(bench: &Bench, text: &str) -> [Vec<String>; 3] {
    let begins: Vec<usize> = text.match_indices("\n\n[Event ").map(|(at, _)| at + 2).collect();
    let [first, second] = [84, 98].map(|percent| begins[begins.len() * percent / 100]);
    [("first.pgn", 0..first), ("second.pgn", first..second), ("third.pgn", second..text.len())].map(
        |(name, range)| {
            fs::write(bench.path(name), &text[range]).unwrap();
            vec![bench.path(name).display().to_string()]
        },
    )
}
