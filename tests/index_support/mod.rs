//! What trials of the index of positions share: an archive that has one, and what it answers.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::{fs, ops::ControlFlow, path::Path};

use plybook::{
    archive::{Archive, ArchiveError, Filter, GameSet},
    chess::VariantPosition,
    query::{Exploration, PositionIndex, Sought, explore, games_reaching},
    record::Ply,
};
use rusqlite::Connection;
use shakmaty::{EnPassantMode, Position};

use crate::common::{Bench, data, many_games};

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
    let sql = "SELECT id, first_game, last_game FROM segment ORDER BY first_game";
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
    let archive = Archive::open(path)?;
    let (index, all) = (PositionIndex::open(&archive)?, Filter::default());
    let games = |position: &VariantPosition| -> Result<GameSet, ArchiveError> {
        let sought = Sought::new(&position.to_setup(EnPassantMode::Legal)).unwrap();
        let reached = games_reaching(&archive, index.as_ref(), &sought, &all, |_| ControlFlow::Continue(()));
        Ok(reached?.unwrap().games)
    };
    let found = positions.iter().map(games).collect::<Result<Vec<_>, _>>()?;
    let explored =
        explore(&archive, index.as_ref(), positions, &all, |_| ControlFlow::Continue(()))?.unwrap();
    Ok(found.into_iter().zip(explored).collect())
}
