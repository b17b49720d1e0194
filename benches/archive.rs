//! Reading an archive: lists, one position anywhere, statistics. Each beside what it cannot be faster than, or what it is
//! to be no slower than, in the same run.
//!
//! `cargo bench --bench archive`. `PLYBOOK_CORPUS=FOLDER` says where `otb.pgn.zst` is; without it the bundled sample
//! is asked. `PLYBOOK_BENCH_GENERATED=1` asks lists of a million made-up games too; it needs 1 GB in the directory of
//! temporary files. Lists are times of the program as a whole, its start included.

#![allow(clippy::unwrap_used, clippy::expect_used)]
#![allow(missing_docs)]

use std::{
    env, fs,
    hint::black_box,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use plybook::{
    archive::{Archive, Filter},
    codec::game::GAME_CODECS,
    import::{Options, import_paths},
    present::{codec_lengths, game_lengths},
    record::{GameId, Ply, StoredMoves},
};

#[path = "support/clock.rs"]
mod clock;
#[path = "support/corpus.rs"]
mod corpus;
#[path = "support/generated.rs"]
mod generated;
#[path = "support/memory.rs"]
mod memory;

use clock::{Spread, Taken, timed};

/// How often each list is asked for, and each other measurement made.
const LISTS: usize = 11;
const TIMES: usize = 3;

/// Positions that are asked for at random.
const POSITIONS: usize = 20_000;

/// Made-up games.
const GENERATED: u64 = 1_000_000;

fn main() {
    if !corpus::measuring() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let corpus = corpus::all(usize::MAX).pop().unwrap();
    let path = archive(folder.path(), &corpus.text);
    println!("{}:", corpus.name);
    lists(&path);
    let archive = Archive::open(&path).unwrap();
    random_positions(&archive);
    statistics(&archive);
    if env::var_os("PLYBOOK_BENCH_GENERATED").is_some() {
        println!("\n{GENERATED} made-up games:");
        // Not among the files of the other collection.
        let folder = tempfile::tempdir_in(folder.path()).unwrap();
        lists(&generated::archive(folder.path(), GENERATED));
    }
}

fn archive(folder: &Path, text: &[u8]) -> PathBuf {
    let (path, pgn) = (folder.join("bench.db"), folder.join("games.pgn"));
    fs::write(&pgn, text).unwrap();
    import_paths(&path, std::slice::from_ref(&pgn), &Options::default()).unwrap();
    path
}

/// Lists as the program prints them; sorted ones beside the unsorted.
fn lists(path: &Path) {
    let last = Archive::open(path).unwrap().last_id().unwrap().to_string();
    let (middle, page) = ((last.parse::<u64>().unwrap() / 2).to_string(), ["--limit", "20"]);
    let unsorted = list(path, &page);
    print("games --limit 20, ms", unsorted.map(|wall| wall * 1e3));
    for options in [
        &["--offset", &middle][..],
        &["--sort", "date"],
        &["--sort", "white"],
        &["--sort", "black"],
        &["--sort", "event"],
        &["--sort", "site"],
        &["--sort", "date", "--offset", "1000"],
    ] {
        let taken = list(path, &[&page[..], options].concat());
        print(&format!("the same with {}, ms", options.join(" ")), taken.map(|wall| wall * 1e3));
    }
    let player = ["--player", "carlsen", "--elo", "2500..", "--date", "2015..2020"];
    print(&format!("games {}, ms", player.join(" ")), list(path, &player).map(|wall| wall * 1e3));
}

/// The seconds that the program takes for a list.
fn list(path: &Path, options: &[&str]) -> [f64; LISTS] {
    [(); LISTS].map(|()| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_plybook"));
        command.arg("games").args(options).arg("-a").arg(path).stdout(Stdio::null());
        let (taken, status) = timed(1, |_| command.status().unwrap());
        // 1 is its word for a list without games.
        assert!(matches!(status.code(), Some(0 | 1)), "{options:?}");
        taken.wall
    })
}

/// A random ply of a random game, beside its bare replay.
fn random_positions(archive: &Archive) {
    let mut random = Random(7);
    let games = archive.last_id().unwrap().unsigned_abs();
    let asked: Vec<(GameId, Ply, StoredMoves)> = std::iter::from_fn(|| {
        let id = 1 + random.below(games).cast_signed();
        let moves = archive.moves_of(id).unwrap().expect("all games are of chess");
        Some((id, Ply::After(random.below(moves.plies as u64 + 1) as usize), moves))
    })
    .take(POSITIONS)
    .collect();
    let each = |work: &dyn Fn(&(GameId, Ply, StoredMoves))| {
        [(); TIMES].map(|()| timed(1, |_| asked.iter().for_each(work)).0.wall / POSITIONS as f64 * 1e6)
    };
    let floor = |(_, ply, moves): &(GameId, Ply, StoredMoves)| {
        black_box(moves.position_at(*ply).unwrap());
    };
    print("the position at a random ply of a game at hand, µs", each(&floor));
    let quick = |(id, ply, _): &(GameId, Ply, StoredMoves)| {
        black_box(archive.moves_of(*id).unwrap().unwrap().position_at(*ply).unwrap());
    };
    print("the same of a random game, by Archive::moves_of, µs", each(&quick));
    let snapshot = archive.snapshot().unwrap();
    print("the same within a snapshot, µs", each(&quick));
    drop(snapshot);
    let whole = |(id, ply, _): &(GameId, Ply, StoredMoves)| {
        black_box(archive.game(*id).unwrap().position_at(*ply).unwrap());
    };
    print("the same by Archive::game, with all tags, µs", each(&whole));
}

/// All codecs at once, beside each alone.
fn statistics(archive: &Archive) {
    let all = Filter::default();
    let cpu = |taken: Taken| taken.cpu.unwrap_or(f64::NAN);
    print(
        "stats --codec all, CPU seconds",
        [(); TIMES].map(|()| cpu(timed(1, |_| codec_lengths(archive, &all, &[], |_| {}).unwrap()).0)),
    );
    // The first is measured as it is stored.
    for codec in GAME_CODECS.iter().skip(1).map(|codec| codec.name) {
        let alone =
            [(); TIMES].map(|()| cpu(timed(1, |_| game_lengths(archive, &all, Some(codec)).unwrap()).0));
        print(&format!("stats --codec {codec}, CPU seconds"), alone);
    }
}

fn print(what: &str, figures: impl IntoIterator<Item = f64>) {
    let Spread { median, least, greatest } = Spread::of(figures);
    println!("  {what:<60} {median:>8.2} ({least:.2}-{greatest:.2})");
}

/// A small generator of random numbers (xorshift64*), the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % bound
    }
}
