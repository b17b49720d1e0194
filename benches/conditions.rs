//! The speed of searches by material, patterns and sequences, and of positions without the index of positions, asked inside
//! the library beside a full replay of all games in the same run. Times are medians of several, warm, on all cores.
//!
//! `cargo bench --bench conditions`. `PLYBOOK_CORPUS=FOLDER` says where `otb.pgn.zst` is; without it the bundled sample is
//! asked. `PLYBOOK_BENCH_ARCHIVE=FILE` takes an archive that is there, with its trails and without an index of positions.

#![allow(clippy::unwrap_used, clippy::expect_used)]
#![allow(missing_docs)]

use std::{
    env, fs,
    ops::ControlFlow::Continue,
    path::{Path, PathBuf},
};

use plybook::{
    archive::{Archive, Filter, WritableArchive},
    chess::VariantPosition,
    conditions::FilterText,
    import::{Options, import_paths},
    query::{Explorer, RecordedParts, TargetPosition, build_index, games_matching, games_reaching, scan},
    record::{GameId, Ply},
    recording::IndexParts,
};
use shakmaty::{EnPassantMode, Position};

#[path = "support/clock.rs"]
mod clock;
#[path = "support/corpus.rs"]
mod corpus;
#[path = "support/floor.rs"]
mod floor;

use clock::{Spread, timed};

/// How often each search is timed.
const TIMES: usize = 9;

/// Games from whose middle a position is looked for.
const POSITIONS: i64 = 75;

const ISOLATED: &str =
    "??[^P]?[^P]*/??[^P]?[^P]*/??[^P]?[^P]*/??[^P]?[^P]*/??[^P]P[^P]*/??[^P]?[^P]*/??[^P]?[^P]*/*";

fn main() {
    if !corpus::measuring() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = archive(folder.path());
    let archive = Archive::open(&path).unwrap();
    let games = archive.count().unwrap();
    let (taken, totals) = timed(1, |_| scan(&archive, &Filter::default(), |_| ()).unwrap());
    println!("{games} games; replay of all {} positions: {:.0} ms", totals.positions, taken.wall * 1e3);
    let explorer = Explorer::open(&path).unwrap();
    for (what, text) in searches() {
        let search = text.search().unwrap().unwrap();
        let ask = || {
            let found = explorer.ask(|context| games_matching(context, &search, &Filter::default()));
            found.unwrap().games.len()
        };
        let found = ask();
        print(what, found, (0..TIMES).map(|_| timed(1, |_| ask()).0.wall * 1e3).collect());
    }
    positions(&archive, &explorer);
    filters(&path);
}

fn print(what: &str, games: usize, times: Vec<f64>) {
    let Spread { median, least, greatest } = Spread::of(times);
    println!("{what:<44} {games:>7} games {median:>8.1} ms ({least:.1}-{greatest:.1})");
}

/// The archive that is asked, with its trails.
fn archive(folder: &Path) -> PathBuf {
    if let Some(path) = env::var_os("PLYBOOK_BENCH_ARCHIVE") {
        return path.into();
    }
    let corpus = corpus::all(usize::MAX).pop().unwrap();
    let (plain, path) = (folder.join("games.pgn"), folder.join("games.db"));
    fs::write(&plain, &corpus.text).unwrap();
    import_paths(&path, std::slice::from_ref(&plain), &Options::default()).unwrap();
    let before = path.metadata().unwrap().len();
    let (floor, _) = timed(1, |_| floor::parse(&plain));
    let archive = WritableArchive::create_or_open(&path).unwrap();
    let (taken, report) = timed(1, |_| {
        build_index(&archive, IndexParts::TRAILS, RecordedParts::default(), |_, _| Continue(())).unwrap()
    });
    archive.finish().unwrap();
    let bytes = (path.metadata().unwrap().len() - before) as f64 / report.trails.unwrap().games as f64;
    let (wall, ratio) = (taken.wall, taken.wall / floor.wall);
    println!(
        "{}: trails {bytes:.1} bytes a game, {wall:.2} s to build, {ratio:.2} of the parse floor",
        corpus.name
    );
    if let Some((cpu, floor)) = taken.cpu.zip(floor.cpu) {
        println!("CPU time over that of the floor: {:.2}", cpu / floor);
    }
    path
}

fn searches() -> [(&'static str, FilterText); 7] {
    let (hanging, on_d5) = ("*/*/*/*/??PP*/*/*/*", "*/*/*/???P*/*/*/*/*");
    let of =
        |conditions: &[(&'static str, &'static str)]| FilterText::of(conditions.iter().copied()).unwrap();
    [
        ("R+3P v R+2P", of(&[("material", "KRPPP KRPP")])),
        ("the same in 10 positions running", of(&[("material", "KRPPP KRPP"), ("min_plies", "9")])),
        ("isolated pawn on d4", of(&[("pattern", ISOLATED)])),
        ("isolated pawn on d4, then on d5", of(&[("pattern", ISOLATED), ("then", on_d5)])),
        (
            "pawns on c4 and d4, then a pawn on d5 in 10",
            of(&[("pattern", hanging), ("then", on_d5), ("within", "10")]),
        ),
        ("a bishop on h7", of(&[("pattern", "*/*B/*/*/*/*/*/*")])),
        ("ends in mate", of(&[("ends_in", "mate")])),
    ]
}

/// Years and ratings of all games, by the columns of the index of positions and by SQL, and the same with a search.
fn filters(path: &Path) {
    if !Explorer::open(path).unwrap().ask(|context| Ok(context.has_positions())).unwrap() {
        let archive = WritableArchive::create_or_open(path).unwrap();
        build_index(&archive, IndexParts::POSITIONS, RecordedParts::default(), |_, _| Continue(())).unwrap();
        archive.finish().unwrap();
    }
    let explorer = Explorer::open(path).unwrap();
    let named = [("date", "2005..2015"), ("elo", "2300..2600")];
    let search = FilterText::of([("material", "KRPPP KRPP")]).unwrap().search().unwrap().unwrap();
    let named = FilterText::of(named).unwrap();
    let filter = explorer.ask(|context| Ok(named.filter(context).unwrap())).unwrap();
    let by_columns = || {
        explorer
            .ask(|context| context.index().unwrap().games_passing(context.archive, &filter))
            .unwrap()
            .len()
    };
    let by_sql = || explorer.ask(|context| Ok(context.archive.list::<GameId>(&filter).count())).unwrap();
    let searched = || {
        let found = explorer.ask(|context| games_matching(context, &search, &filter));
        found.unwrap().games.len()
    };
    let asks: [(&str, &dyn Fn() -> usize); 3] = [
        ("2005..2015, both rated 2300..2600", &by_columns),
        ("the same by SQL", &by_sql),
        ("the same, and R+3P v R+2P", &searched),
    ];
    for (what, ask) in asks {
        let found = ask();
        print(what, found, (0..TIMES).map(|_| timed(1, |_| ask()).0.wall * 1e3).collect());
    }
}

/// Positions of games, one after the other, by trails alone.
fn positions(archive: &Archive, explorer: &Explorer) {
    let last = archive.last_id().unwrap();
    let (mut times, mut found) = (Vec::new(), 0);
    for number in 0..POSITIONS.min(last) {
        let game = archive.game(1 + number * (last / POSITIONS.min(last))).unwrap();
        let ply = [12, 30, usize::MAX][number as usize % 3].min(game.plies) * (number as usize % 7 + 1) / 7;
        let Ok(VariantPosition::Chess(position)) = game.position_at(Ply::After(ply)) else { continue };
        let Ok(sought) = TargetPosition::new(&position.to_setup(EnPassantMode::Legal)) else { continue };
        let (taken, games) = timed(1, |_| {
            let reached = explorer.ask(|context| games_reaching(context, &sought, &Filter::default()));
            reached.unwrap().games.len()
        });
        times.push(taken.wall * 1e3);
        found += games;
    }
    print("a position, without the index of positions", found / times.len().max(1), times);
}
