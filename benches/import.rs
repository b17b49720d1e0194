//! The speed of whole imports, against the parse floor.
//!
//! Both read the same file of plain PGN, which lies in the page cache. The floor ends when the last move is
//! proved legal; an import ends when the archive is one finished file: audit, encoding, tags, names, indexes,
//! syncs and all. It parses on one or two threads; another thread reads and cuts, and another one writes.
//!
//! Floors and imports take turns, so that a machine that is busy with something else slows both alike. Rates
//! are of the median run; "of the floor" is the ratio of games/s within each pair, as the median and the
//! range of the pairs; CPU seconds are of all threads, averaged over all runs.
//!
//! The bundled sample is so small that its imports show what it costs to make an archive, not to fill it.
//!
//! `cargo bench --bench import`, and after `--` a part of a corpus's name. `PLYBOOK_CORPUS=FOLDER` says where
//! the large collection is, `PLYBOOK_BENCH_GAMES=N` how much of it is imported.

#![allow(clippy::unwrap_used, clippy::expect_used)]
#![allow(missing_docs)]

use std::{env, fs, path::Path, thread};

use plybook::import::{Options, Report, import_paths};

#[path = "support/clock.rs"]
mod clock;
#[path = "support/corpus.rs"]
mod corpus;
#[path = "support/floor.rs"]
mod floor;

use clock::{Spread, Taken, timed};
use corpus::Corpus;
use floor::Tally;

/// Games of the large collection, unless `PLYBOOK_BENCH_GAMES` says another number.
const GAMES: usize = 60_000;

/// Parsing threads of the imports.
const THREADS: [usize; 2] = [1, 2];

/// Floors and imports that take turns, for each number of threads; an odd number has a true median.
const PAIRS: usize = 7;

/// Seconds that a measurement takes at least: what is quicker is done several times.
const LEAST: f64 = 0.25;

fn main() {
    let games = env::var("PLYBOOK_BENCH_GAMES").ok();
    let games = games.map(|n| n.parse().expect("PLYBOOK_BENCH_GAMES is a number of games"));
    let wanted: Vec<String> = env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    if corpus::measuring() {
        print_machine();
    }
    for corpus in corpus::all(games.unwrap_or(GAMES)) {
        if wanted.is_empty() || wanted.iter().any(|part| corpus.name.contains(part)) {
            Comparison::run(&corpus).print(&corpus);
        }
    }
}

fn print_machine() {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    // A machine with other work gives figures that are worth less.
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().filter(|load| !load.is_empty()).unwrap_or("unknown");
    println!("{cores} cores, load before the start {load}; {PAIRS} pairs of floor and import");
}

/// What was measured with one corpus.
struct Comparison {
    tally: Tally,
    floors: Vec<Taken>,
    imports: Vec<Imports>,
}

/// The imports with one number of threads.
struct Imports {
    threads: usize,
    report: Report,
    taken: Vec<Taken>,
    /// Seconds of the floor over seconds of the import, pair by pair.
    ratios: Vec<f64>,
}

impl Comparison {
    fn run(corpus: &Corpus) -> Comparison {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("games.pgn");
        fs::write(&file, &corpus.text).unwrap();
        let (floor_times, tally) = rehearsed(|times| timed(times, |_| floor::parse(&file)));
        let mut imports = THREADS.map(|threads| Imports::rehearse(threads, &file));
        let mut floors = Vec::new();
        let pairs = if corpus::measuring() { PAIRS } else { 1 };
        for _ in 0..pairs {
            for (times, imports) in &mut imports {
                let (floor, _) = timed(floor_times, |_| floor::parse(&file));
                imports.run(*times, &file, floor);
                floors.push(floor);
            }
        }
        Comparison { tally, floors, imports: imports.into_iter().map(|(_, imports)| imports).collect() }
    }
}

/// Does something once, to warm up; gives how many times make a measurement, and the result.
fn rehearsed<T>(once: impl FnOnce(u32) -> (Taken, T)) -> (u32, T) {
    let (taken, result) = once(1);
    let mut times = 1;
    while corpus::measuring() && f64::from(times) * taken.wall < LEAST {
        times += 1;
    }
    (times, result)
}

impl Imports {
    fn rehearse(threads: usize, file: &Path) -> (u32, Imports) {
        let (times, report) = rehearsed(|times| import(times, threads, file));
        (times, Imports { threads, report, taken: Vec::new(), ratios: Vec::new() })
    }

    fn run(&mut self, times: u32, file: &Path, floor: Taken) {
        let (taken, report) = import(times, self.threads, file);
        self.ratios.push(floor.wall / taken.wall);
        self.taken.push(taken);
        self.report = report;
    }
}

/// Imports a file so many times, each time into a new archive. Making and removing their folder is not timed.
fn import(times: u32, threads: usize, file: &Path) -> (Taken, Report) {
    let folder = tempfile::tempdir().unwrap();
    let options = Options { threads, ..Options::default() };
    timed(times, |n| {
        let archive = folder.path().join(format!("{n}.db"));
        import_paths(&archive, &[file.to_owned()], &options).expect("the corpus can be imported")
    })
}

impl Comparison {
    fn print(&self, corpus: &Corpus) {
        let Comparison { tally, imports, .. } = self;
        let Report { seen, stored, duplicate, rejected, .. } = imports[0].report;
        println!("\n{}", corpus.name);
        println!("  {} bytes, {seen} games, {} plies;", corpus.text.len(), tally.plies);
        println!("  imported: {stored} stored, {duplicate} duplicate, {rejected} rejected");
        if tally.games != seen || tally.faults > 0 {
            println!("  the floor saw {} games, {} of them with a fault", tally.games, tally.faults);
        }
        if corpus::measuring() {
            self.print_table(corpus.text.len());
        }
    }

    fn print_table(&self, bytes: usize) {
        let Comparison { tally, floors, imports } = self;
        println!(
            "  {:<18} {:>10} {:>12} {:>8} {:>11} {:>10} {:>16}  of the floor: median (range)",
            "", "games/s", "plies/s", "MB/s", "bytes/game", "bits/game", "CPU s/100k games"
        );
        let size =
            Size { games: imports[0].report.seen as f64, plies: tally.plies as f64, bytes: bytes as f64 };
        println!("  {:<18} {}", "parse floor", size.columns(floors, None));
        for Imports { threads, report, taken, ratios } in imports {
            let name = format!("import, {threads} thread{}", if *threads == 1 { "" } else { "s" });
            let Spread { median, least, greatest } = Spread::of(ratios.iter().copied());
            let columns = size.columns(taken, Some(report));
            println!("  {name:<18} {columns}  {median:.2} ({least:.2}–{greatest:.2})");
        }
    }
}

/// How much a run reads.
struct Size {
    games: f64,
    plies: f64,
    bytes: f64,
}

impl Size {
    fn columns(&self, taken: &[Taken], report: Option<&Report>) -> String {
        let seconds = Spread::of(taken.iter().map(|taken| taken.wall)).median;
        let cpu: Option<f64> = taken.iter().map(|taken| taken.cpu).sum();
        let cpu = cpu.map(|cpu| format!("{:.2}", cpu / taken.len() as f64 / self.games * 1e5));
        let sizes = report.map(|report| [report.bytes_per_game, report.bits_per_game]);
        let [bytes, bits] = sizes.map_or_else(Default::default, |sizes| sizes.map(|n| format!("{n:.1}")));
        format!(
            "{:>10.0} {:>12.0} {:>8.1} {bytes:>11} {bits:>10} {:>16}",
            self.games / seconds,
            self.plies / seconds,
            self.bytes / seconds / 1e6,
            cpu.unwrap_or_default()
        )
    }
}
