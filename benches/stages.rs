//! What an import is made of, each stage alone on one thread: unpacking, splitting, parsing with encoding, writing.
//! Unpacking and splitting are done by one thread for each file, writing by one for each archive; only parsing is
//! done by as many as there are. So the slowest of the first and the last says how fast an import can become, however
//! many cores there are, and this bench says that too: [`docs/growth.md`](../docs/growth.md) counts on with it.
//!
//! Printed are microseconds a game, games a second and megabytes of PGN a second, of the median of several runs, and
//! each stage's share of the sum; beside them the parse floor. What is written was made ready by the same
//! thread; in an import it comes from another core.
//!
//! `cargo bench --bench stages`. `PLYBOOK_CORPUS=FOLDER` says where `otb.pgn.zst` is, `PLYBOOK_BENCH_GAMES=N` how much of
//! it is taken (all); without it the bundled sample is measured.

#![allow(clippy::unwrap_used, clippy::expect_used)]
#![allow(missing_docs)]

use std::{env, fs, io::Read, path::Path, sync::Arc};

use plybook::{
    archive::{Preparation, PreparedGames, WritableArchive},
    codec::CodecId,
    pgn::{GameBatch, GameSplitter, Location, Reader},
    record::{Record, TagLayoutCache},
    sources::find_sources,
};

#[allow(dead_code)]
#[path = "support/clock.rs"]
mod clock;
#[path = "support/corpus.rs"]
mod corpus;
#[path = "support/floor.rs"]
mod floor;

use clock::{Spread, timed};

/// Runs of each stage.
const RUNS: usize = 5;

/// Bytes of a batch, and games between commits, as imports have them.
const BATCH_BYTES: usize = 256 << 10;
const GAMES_A_COMMIT: u64 = 10_000;

/// Level of the packed source.
const LEVEL: i32 = 9;

fn main() {
    let games = env::var("PLYBOOK_BENCH_GAMES").map_or(usize::MAX, |n| n.parse().expect("a number of games"));
    let corpus = corpus::all(games).pop().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let plain = folder.path().join("games.pgn");
    fs::write(&plain, &corpus.text).unwrap();
    let packed = folder.path().join("games.pgn.zst");
    fs::write(&packed, zstd::encode_all(&corpus.text[..], LEVEL).unwrap()).unwrap();
    let batches = split(&corpus.text);
    let mut prepared: Vec<PreparedGames> = prepare(&batches).collect();
    let stored = write(&folder.path().join("first.db"), &mut prepared);
    println!("{}: {stored} games stored", corpus.name);
    let size = Size { games: stored as f64, bytes: corpus.text.len() as f64 };
    let floor = median(|_| _ = floor::parse(&plain));
    let stages = [
        ("unpacking", median(|_| unpack(&packed))),
        ("splitting", median(|_| drop(split(&corpus.text)))),
        ("parsing, encoding", median(|_| prepare(&batches).for_each(drop))),
        ("writing", median_of_writing(folder.path(), &batches)),
    ];
    if corpus::measuring() {
        size.print(floor, &stages);
    }
}

/// Seconds of the median run.
fn median(mut work: impl FnMut(usize)) -> f64 {
    let runs = if corpus::measuring() { RUNS } else { 1 };
    Spread::of((0..runs).map(|run| timed(1, |_| work(run)).0.wall)).median
}

/// Only the writing is timed: what is to be written is made ready anew for each run.
fn median_of_writing(folder: &Path, batches: &[GameBatch]) -> f64 {
    let runs = if corpus::measuring() { RUNS } else { 1 };
    let run = |run| {
        let path = folder.join(format!("{run}.db"));
        let mut prepared: Vec<PreparedGames> = prepare(batches).collect();
        let taken = timed(1, |_| write(&path, &mut prepared)).0;
        fs::remove_file(&path).unwrap();
        taken.wall
    };
    Spread::of((0..runs).map(run)).median
}

fn unpack(packed: &Path) {
    let sources = find_sources(&[packed.to_owned()], &[".pgn"]).unwrap();
    let mut buffer = vec![0; BATCH_BYTES];
    let read =
        |opened: &mut plybook::sources::OpenSource<'_>| while opened.text.read(&mut buffer).unwrap() > 0 {};
    sources[0].open(None, &Arc::default(), 1, read).unwrap();
}

fn split(text: &[u8]) -> Vec<GameBatch> {
    let mut splitter = GameSplitter::new(text);
    std::iter::from_fn(|| splitter.next_batch(BATCH_BYTES).unwrap()).collect()
}

/// Makes batches ready to be written.
fn prepare(batches: &[GameBatch]) -> impl Iterator<Item = PreparedGames> {
    let mut reader = Reader::new();
    batches.iter().map(move |batch| {
        let (mut prepared, mut layouts) = (Preparation::default(), TagLayoutCache::default());
        for game in &batch.games {
            for (_, game) in reader.read(&batch.text[game.range.clone()]) {
                if let Ok(game) = game {
                    prepared.add(&Record::of_pgn(game, CodecId::default(), &mut layouts).unwrap());
                }
            }
        }
        prepared.done()
    })
}

/// Writes batches into a new archive; gives the number of games it has then.
fn write(path: &Path, batches: &mut [PreparedGames]) -> u64 {
    let mut writer = WritableArchive::create_or_open(path).unwrap().into_writer();
    let source = writer.add_source("games.pgn").unwrap();
    let (mut place, mut since_commit) = (Location::default(), 0);
    for games in batches {
        writer.begin().unwrap();
        writer.expect(games);
        for number in 0..games.len() {
            place.game += 1;
            writer.accept(games, number, source, place).unwrap();
            since_commit += 1;
        }
        writer.write(games).unwrap();
        if since_commit >= GAMES_A_COMMIT {
            writer.commit().unwrap();
            since_commit = 0;
        }
    }
    let archive = writer.finish().unwrap();
    let games = archive.count().unwrap();
    archive.finish().unwrap();
    games
}

/// How much is imported.
struct Size {
    games: f64,
    bytes: f64,
}

impl Size {
    fn print(&self, floor: f64, stages: &[(&str, f64); 4]) {
        println!("  {:<18} {:>9} {:>10} {:>8} {:>7}", "", "µs/game", "games/s", "MB/s", "share");
        let sum = stages.iter().map(|(_, seconds)| seconds).sum::<f64>();
        let print = |name: &str, seconds: f64, share: f64| {
            println!(
                "  {name:<18} {:>9.2} {:>10.0} {:>8.1} {:>5.1} %",
                seconds / self.games * 1e6,
                self.games / seconds,
                self.bytes / seconds / 1e6,
                share * 100.0
            );
        };
        stages.iter().for_each(|&(name, seconds)| print(name, seconds, seconds / sum));
        print("all", sum, 1.0);
        print("parse floor", floor, floor / sum);
        let [(_, unpacking), (_, splitting), _, (_, writing)] = *stages;
        let serial = (unpacking + splitting).max(writing);
        println!("  as fast as a packed source can be imported on so many cores:");
        for cores in [1, 2, 4, 8, 16, 64] {
            let seconds = (sum / f64::from(cores)).max(serial);
            println!("  {cores:>3} cores: {:>9.0} games/s", self.games / seconds);
        }
        println!("  one source into one archive keeps {:.1} cores busy", sum / serial);
    }
}
