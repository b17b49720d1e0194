//! The speed of novelties, of games written with them, of a repertoire compared with all games, and of a preparation; asked
//! inside the library beside a full replay of all games in the same run. Times are medians of several, warm, on all cores.
//!
//! `cargo bench --bench novelty`. `PLYBOOK_CORPUS=FOLDER` says where `otb.pgn.zst` is; without it the bundled sample is
//! asked. `PLYBOOK_BENCH_ARCHIVE=FILE` takes an archive that is there, with its index.

#![allow(clippy::unwrap_used, clippy::expect_used)]
#![allow(missing_docs)]

use std::{collections::HashMap, env, fs, ops::ControlFlow::Continue, path::PathBuf};

use plybook::{
    archive::{Archive, Filter, NameKind, PlayedGame, Sort, Summary},
    chess::{Color, Variant},
    import::{Options, import_paths},
    pgn::Reader,
    present::{Annotate, AnnotateOptions, GameToAnnotate, game},
    query::{
        ComparedGame, Context, Explorer, Novelties, NoveltyOptions, PrepareOptions, Repertoire, TreeOptions,
        departures, prepare, scan,
    },
    record::StoredMoves,
};

#[path = "support/clock.rs"]
mod clock;
#[path = "support/corpus.rs"]
mod corpus;

use clock::{Spread, timed};

/// How often each question is timed.
const TIMES: usize = 9;

/// Games that are written with what is known of them, and games whose first moves are a repertoire.
const ANNOTATED: u64 = 1_000;
const LINES: usize = 1_000;

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
            .list::<(Summary, Option<StoredMoves>)>(&Filter { chess: true, ..latest })
            .map(|game| {
                let (summary, moves) = game.unwrap();
                ComparedGame::of_stored(&moves.unwrap(), summary.date).unwrap()
            })
            .collect();
        let novelties = Novelties::new(&explorer, NoveltyOptions { games: 1, ..NoveltyOptions::default() });
        let ask = || drop(novelties.find(&games, &|_| Continue(())).unwrap());
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
    annotated(&archive, &explorer);
    compared(&archive);
    prepared(&archive, &explorer);
}

/// The latest games.
fn latest(games: u64) -> Filter {
    Filter { sort: Sort::Date, descending: true, limit: Some(games), chess: true, ..Filter::default() }
}

fn print(what: &str, games: u64, mut ask: impl FnMut()) {
    ask();
    let Spread { median, least, greatest } = Spread::of((0..TIMES).map(|_| timed(1, |_| ask()).0.wall * 1e3));
    let speed = games as f64 / median * 1e3;
    println!("{what:<34} {games:>7} games {median:>8.1} ms ({least:.1}-{greatest:.1}), {speed:.0} games/s");
}

/// Games read, compared and written as PGN.
fn annotated(archive: &Archive, explorer: &Explorer) {
    let novelty = NoveltyOptions { games: 1, ..NoveltyOptions::default() };
    let count = archive.games(&latest(ANNOTATED)).count() as u64;
    print("annotate", count, || {
        let mut out = Vec::new();
        let mut annotate = Annotate::new(explorer, AnnotateOptions { novelty, keep_tags: false });
        for game in archive.games(&latest(ANNOTATED)) {
            annotate.add(GameToAnnotate::of_archive(&game.unwrap()).unwrap(), &mut out).unwrap();
        }
        annotate.write(&mut out).unwrap();
        assert!(!out.is_empty());
    });
}

/// All games compared with the first twenty plies of the latest ones, which are lines of White.
fn compared(archive: &Archive) {
    let mut lines = Repertoire::new(Color::White);
    for game in archive.games(&latest(LINES as u64)) {
        let game = game::pgn(archive, game.unwrap().id).unwrap();
        for (_, game) in Reader::new().read(game.as_bytes()) {
            let mut game = game.unwrap();
            game.moves.truncate(20);
            game.annotations.clear();
            lines.add(&game).unwrap();
        }
    }
    let games = archive.count().unwrap();
    print(&format!("repertoire of {} positions", lines.positions()), games, || {
        drop(departures(Context::new(archive), &lines, &Filter::default()).unwrap());
    });
}

/// The games with Black of the player who has most of them.
fn prepared(archive: &Archive, explorer: &Explorer) {
    let mut games: HashMap<i64, u64> = HashMap::new();
    for game in archive.list::<PlayedGame>(&Filter::default()) {
        game.unwrap().black.into_iter().for_each(|id| *games.entry(id).or_default() += 1);
    }
    let (id, games) = games.into_iter().max_by_key(|(id, games)| (*games, *id)).unwrap();
    let name = archive.names().of(NameKind::Player, id).unwrap().unwrap();
    let player = Filter { black: Some(format!("\"{name}\"")), ..Filter::default() };
    let tree = TreeOptions { plies: 10, percent: 3, games: 2, moves: usize::MAX };
    let options = PrepareOptions { colour: Color::Black, tree, rare_games: 10, rare_percent: 2 };
    let start = Variant::Standard.start();
    print("prepare, ten plies", games, || {
        let asked = explorer.ask(|context| prepare(context, &start, &player, options));
        drop(asked.unwrap());
    });
}
