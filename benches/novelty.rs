//! The speed of novelties, asked inside the library beside a full replay of all games in the same run. Times are medians of
//! several, warm, on all cores.
//!
//! `cargo bench --bench novelty`. `PLYBOOK_CORPUS=FOLDER` says where `otb.pgn.zst` is; without it the bundled sample is
//! asked. `PLYBOOK_BENCH_ARCHIVE=FILE` takes an archive that is there, with its index.

#![allow(clippy::unwrap_used, clippy::expect_used)]
#![allow(missing_docs)]

use std::{env, fs, ops::ControlFlow::Continue, path::PathBuf};

use plybook::{
    archive::{Archive, Filter, Sort},
    chess::Date,
    import::{Options, import_paths},
    query::{ComparedGame, Explorer, Novelties, NoveltyOptions, scan},
};

#[path = "support/clock.rs"]
mod clock;
#[path = "support/corpus.rs"]
mod corpus;

use clock::{Spread, timed};

/// How often each question is timed.
const TIMES: usize = 9;

fn main() {
    if !corpus::measuring() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path: PathBuf = match env::var_os("PLYBOOK_BENCH_ARCHIVE") {
        Some(path) => path.into(),
        None => {
            let (plain, path) = (folder.path().join("games.pgn"), folder.path().join("games.db"));
            let corpus = corpus::all(usize::MAX).pop().unwrap();
            println!("{}", corpus.name);
            fs::write(&plain, &corpus.text).unwrap();
            import_paths(&path, &[plain], &Options { index: true, ..Options::default() }).unwrap();
            path
        }
    };
    let (archive, explorer) = (Archive::open(&path).unwrap(), Explorer::open(&path).unwrap());
    println!("{} games", archive.count().unwrap());
    let replay = || scan(&archive, &Filter::default(), |_| ()).unwrap().positions;
    for asked in [1, 100, 1_000, 5_000] {
        let latest = Filter { sort: Sort::Date, descending: true, limit: Some(asked), ..Filter::default() };
        let games: Vec<ComparedGame> = archive
            .summaries_and_moves(&Filter { chess: true, ..latest })
            .map(|game| {
                let (summary, moves) = game.unwrap();
                ComparedGame::of_stored(&moves.unwrap(), summary.date.as_deref().and_then(Date::parse))
                    .unwrap()
            })
            .collect();
        let novelties = Novelties::new(&explorer, NoveltyOptions { games: 1, ..NoveltyOptions::default() });
        let ask = || drop(novelties.find(&games, &mut |_| Continue(())).unwrap().unwrap());
        ask();
        // In pairs, so that both see the same noise.
        let (mut asked_ms, mut replay_ms, mut cpu) = (Vec::new(), Vec::new(), 0.0);
        for _ in 0..TIMES {
            let (taken, ()) = timed(1, |_| ask());
            asked_ms.push(taken.wall * 1e3);
            cpu += taken.cpu.unwrap_or(0.0) * 1e3 / TIMES as f64;
            replay_ms.push(timed(1, |_| replay()).0.wall * 1e3);
        }
        let (asked_ms, replay_ms) = (Spread::of(asked_ms), Spread::of(replay_ms));
        println!(
            "{:>6} games compared {:>9.1} ms ({:.1}-{:.1}), {cpu:.1} ms of CPU; replay of all {:>9.1} ms",
            games.len(),
            asked_ms.median,
            asked_ms.least,
            asked_ms.greatest,
            replay_ms.median
        );
    }
}
