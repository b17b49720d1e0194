//! The speed of reports: of the players with most games, and of all games, asked inside the library and as a command, beside a
//! full replay of all games in the same run. Times are medians of several, warm, on all cores.
//!
//! `cargo bench --bench reports`. `PLYBOOK_CORPUS=FOLDER` says where `otb.pgn.zst` is; without it the bundled sample is
//! asked. `PLYBOOK_BENCH_ARCHIVE=FILE` takes an archive that is there, with its index.

#![allow(clippy::unwrap_used, clippy::expect_used)]
#![allow(missing_docs)]

use std::{
    collections::HashMap,
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use plybook::{
    archive::{Archive, Filter, NameKind, PlayedGame},
    import::{Options, import_paths},
    query::{Explorer, scan},
    report::{Player, overview, player_report},
};

#[path = "support/clock.rs"]
mod clock;
#[path = "support/corpus.rs"]
mod corpus;

use clock::{Spread, timed};

/// How often each report is timed.
const TIMES: usize = 15;

/// Players whose reports are timed, by their rank among those with most games.
const RANKS: [usize; 3] = [0, 9, 99];

fn main() {
    if !corpus::measuring() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = archive(folder.path());
    let archive = Archive::open(&path).unwrap();
    let games = archive.count().unwrap();
    let (taken, totals) = timed(1, |_| scan(&archive, &Filter::default(), |_| ()).unwrap());
    let cpu = taken.cpu.map_or(String::new(), |cpu| format!(", {:.0} ms of processor time", cpu * 1e3));
    println!("{games} games; replay of all {} positions: {:.0} ms{cpu}", totals.positions, taken.wall * 1e3);
    let explorer = Explorer::open(&path).unwrap();
    for name in players(&archive) {
        let quoted = format!("\"{name}\"");
        let filter = Filter { player: Some(quoted.clone()), ..Filter::default() };
        let player = Player { name: quoted.clone(), colour: None, opponent: None };
        let ask = || explorer.ask(|context| player_report(context.with_index(None), &player, &filter, 10));
        let found = ask().unwrap().games;
        print(&name, found, (0..TIMES).map(|_| timed(1, |_| ask().unwrap()).0.wall * 1e3).collect());
        let arguments = ["report", "--format", "json", "--player", &quoted, "-a", path.to_str().unwrap()];
        print("the same as a command", found, (0..TIMES).map(|_| command(&arguments)).collect());
    }
    let all = Filter::default();
    let ask = || explorer.ask(|context| overview(context, &all, 10));
    print("all games", games, (0..TIMES).map(|_| timed(1, |_| ask().unwrap()).0.wall * 1e3).collect());
    let arguments = ["report", "--format", "json", "-a", path.to_str().unwrap()];
    print("the same as a command", games, (0..TIMES).map(|_| command(&arguments)).collect());
}

fn print(what: &str, games: u64, times: Vec<f64>) {
    let Spread { median, least, greatest } = Spread::of(times);
    println!("{what:<28} {games:>7} games {median:>8.1} ms ({least:.1}-{greatest:.1})");
}

/// The milliseconds of a whole process.
fn command(arguments: &[&str]) -> f64 {
    let (taken, status) = timed(1, |_| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_plybook"));
        command.args(arguments).stdout(Stdio::null()).status().unwrap()
    });
    assert!(status.success());
    taken.wall * 1e3
}

/// The names of some of those who have most games.
fn players(archive: &Archive) -> Vec<String> {
    let mut games: HashMap<i64, u64> = HashMap::new();
    for game in archive.list::<PlayedGame>(&Filter::default()) {
        let game = game.unwrap();
        [game.white, game.black].into_iter().flatten().for_each(|id| *games.entry(id).or_default() += 1);
    }
    let mut games: Vec<_> = games.into_iter().map(|(id, games)| (games, id)).collect();
    games.sort_unstable_by(|a, b| b.cmp(a));
    let ranked = RANKS.into_iter().filter_map(|rank| games.get(rank));
    ranked.filter_map(|(_, id)| archive.names().of(NameKind::Player, *id).unwrap()).collect()
}

/// The archive that is asked, with its index.
fn archive(folder: &Path) -> PathBuf {
    if let Some(path) = env::var_os("PLYBOOK_BENCH_ARCHIVE") {
        return path.into();
    }
    let corpus = corpus::all(usize::MAX).pop().unwrap();
    let (plain, path) = (folder.join("games.pgn"), folder.join("games.db"));
    fs::write(&plain, &corpus.text).unwrap();
    import_paths(&path, &[plain], &Options { index: true, ..Options::default() }).unwrap();
    println!("{}", corpus.name);
    path
}
