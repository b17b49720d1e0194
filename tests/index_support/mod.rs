//! What trials of the index of positions share: an archive that has one, and what it answers.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod other_reader;

use std::{
    fs,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

use plybook::{
    archive::{Archive, ArchiveError, Filter, GameSet},
    chess::VariantPosition,
    import::{Options, Progress, import_with_progress},
    query::{
        Context, Exploration, PositionIndex, TargetPosition, count_reaching, explore, games_reaching, hits,
    },
    record::Ply,
};
use rusqlite::Connection;
use serde_json::Value;
use shakmaty::{Chess, EnPassantMode, Position};

use crate::common::{Bench, Random, data, many_games};

/// Bundled and made-up games of chess in games.pgn, in an archive without an index. The made-up ones begin alike, so that
/// there are popular positions and common structures.
pub fn bench() -> Bench {
    let bench = Bench::new();
    let mut games = many_games(200);
    for number in 0..60 {
        let more = ["3. Bb5 a6", "3. Bc4 Bc5", "3. d4 exd4", "3. Nc3 Nf6"][number % 4];
        let last = ["h6", "h5", "a5", "Rb8"][number / 4 % 4];
        games += &format!("[Event \"short {number}\"]\n\n1. e4 e5 2. Nf3 Nc6 {more} 4. O-O {last} *\n\n");
    }
    for name in ["famous.pgn", "chess960.pgn", "setup.pgn"] {
        games += &fs::read_to_string(data(name)).unwrap();
        games += "\n";
    }
    fs::write(bench.path("games.pgn"), games.replace("3. d4 exd4 4. O-O", "3. d4 exd4 4. Bc4")).unwrap();
    bench.import(&["games.pgn"]);
    bench
}

/// The same with an index.
pub fn indexed() -> Bench {
    let bench = bench();
    bench.ok(&["index"]);
    bench
}

/// The segments of an archive: number, first and last game of each.
pub fn segments(path: &Path) -> Vec<(i64, i64, i64)> {
    let db = Connection::open(path).unwrap();
    let sql = "SELECT id, first_game, last_game FROM segment WHERE kind = 3 ORDER BY first_game";
    let Ok(mut statement) = db.prepare(sql) else { return Vec::new() };
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
    rows.map(Result::unwrap).collect()
}

/// Positions of the games, one move aside of them, and the start.
pub fn positions(archive: &Archive) -> Vec<VariantPosition> {
    let mut positions = vec![VariantPosition::default()];
    for id in (1..=archive.last_id().unwrap()).step_by(11) {
        let game = archive.game(id).unwrap();
        for ply in [2, 5, 9, 20].into_iter().filter(|ply| *ply <= game.plies) {
            let position = game.position_at(Ply::After(ply)).unwrap();
            let VariantPosition::Chess(mut aside) = position.clone() else { continue };
            positions.push(position);
            if let Some(&m) = aside.legal_moves().get(id as usize % 20) {
                aside.play_unchecked(m);
                positions.push(VariantPosition::Chess(aside));
            }
        }
    }
    positions
}

/// Which games reach a position, and what they went on with.
pub type Answer = (GameSet, Exploration);

/// What an archive answers: by its index if it has one, else by a scan.
pub fn answers(path: &Path, positions: &[VariantPosition]) -> Result<Vec<Answer>, ArchiveError> {
    answers_by(path, positions, PositionIndex::open)
}

/// The same, by a scan if the index is corrupt, and whether that was reported.
pub fn answers_or_scan(
    path: &Path,
    positions: &[VariantPosition],
) -> (Result<Vec<Answer>, ArchiveError>, bool) {
    let reports = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&reports);
    let open = move |archive: &Archive| {
        PositionIndex::open_reporting(archive, move |_| {
            counted.fetch_add(1, Relaxed);
        })
    };
    let answers = answers_by(path, positions, open);
    let reports = reports.load(Relaxed);
    assert!(reports <= 1, "reported {reports} times");
    (answers, reports == 1)
}

fn answers_by(
    path: &Path,
    positions: &[VariantPosition],
    open: impl FnOnce(&Archive) -> Result<Option<PositionIndex>, ArchiveError>,
) -> Result<Vec<Answer>, ArchiveError> {
    let archive = Archive::open(path)?;
    let _snapshot = archive.snapshot()?;
    let (index, all) = (open(&archive)?, Filter::default());
    let games = |position: &VariantPosition| -> Result<GameSet, ArchiveError> {
        let sought = TargetPosition::new(&position.to_setup(EnPassantMode::Legal)).unwrap();
        let reached = games_reaching(Context::new(&archive).with_index(index.as_ref()), &sought, &all);
        Ok(reached?.games)
    };
    let found = positions.iter().map(games).collect::<Result<Vec<_>, _>>()?;
    let explored = explore(Context::new(&archive).with_index(index.as_ref()), positions, &all)?;
    Ok(found.into_iter().zip(explored).collect())
}

/// An archive of the games of a text that has no index, and one with an index of two segments and games that are in none.
/// All games are stored, in their order.
pub fn bare_and_indexed(text: &str) -> [Bench; 2] {
    let begins: Vec<usize> = text.match_indices("[Event ").map(|(at, _)| at).collect();
    let [second, others] = [84, 98].map(|percent| begins[begins.len() * percent / 100]);
    let (bare, indexed) = (Bench::new(), Bench::new());
    import(&bare, text, false);
    for (range, index) in [(0..second, true), (second..others, true), (others..text.len(), false)] {
        import(&indexed, &text[range], index);
    }
    let covered = [&bare, &indexed].map(|bench| segments(&bench.path("plybook.db")));
    assert!(covered[0].is_empty() && covered[1].len() == 2 && covered[1][1].2 < begins.len() as i64);
    [bare, indexed]
}

/// Imports the games of a text, and indexes them or not, though there may be an index of others.
fn import(bench: &Bench, text: &str, index: bool) {
    fs::write(bench.path("part.pgn"), text).unwrap();
    let options = Options { index, ..Options::default() };
    let stop = |progress: &Progress| options.cancel.store(progress.index.is_some() && !index, Relaxed);
    let archive = bench.path("plybook.db");
    let report = import_with_progress(&archive, &[bench.path("part.pgn")], &options, stop).unwrap();
    assert_eq!(report.stored, text.matches("[Event ").count() as u64);
}

/// Positions of games: of the first 12 plies, of the first 30, of any ply, and one legal move aside.
pub fn some_positions(
    count: usize,
    seed: u64,
    games: usize,
    positions_of: impl Fn(usize) -> Vec<Chess>,
) -> Vec<Chess> {
    let mut random = Random(seed);
    let mut position = |number: usize| {
        let mut positions = positions_of(random.below(games));
        let most = [12, 30, usize::MAX, usize::MAX][number % 4].min(positions.len() - 1);
        let mut position = positions.swap_remove(random.below(most + 1));
        let moves = position.legal_moves();
        if number % 4 == 3 && !moves.is_empty() {
            position.play_unchecked(moves[random.below(moves.len())]);
        }
        position
    };
    (0..count).map(&mut position).collect()
}

/// The games that come to a position, each with the ply of the first time.
pub fn found(archive: &Archive, index: Option<&PositionIndex>, position: &Chess) -> Vec<(i64, usize)> {
    let (sought, all) =
        (TargetPosition::new(&position.to_setup(EnPassantMode::Legal)).unwrap(), Filter::default());
    let hits = hits(Context::new(archive).with_index(index), &sought, &all).unwrap();
    let found: Vec<_> = hits.flat_map(Result::unwrap).map(|hit| (hit.game, hit.ply)).collect();
    let counted = count_reaching(Context::new(archive).with_index(index), &sought, &all).unwrap();
    assert_eq!(counted.hits, found.len() as u64, "{position:?}");
    found
}

/// What is told of some positions, without names.
pub fn printed(
    archive: &Archive,
    index: Option<&PositionIndex>,
    positions: &[Chess],
    filter: &Filter,
) -> Vec<Value> {
    let positions: Vec<_> = positions.iter().cloned().map(VariantPosition::Chess).collect();
    let printed = explore(Context::new(archive).with_index(index), &positions, filter).unwrap();
    printed.into_iter().map(|printed| without_names(serde_json::to_value(printed).unwrap())).collect()
}

pub fn without_names(mut printed: Value) -> Value {
    printed.as_object_mut().unwrap().retain(|key, _| key != "position" && key != "opening");
    printed
}
