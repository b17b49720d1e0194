//! The speed of whole imports, against the parse floor.
//!
//! Both read the same file of plain PGN, which lies in the page cache. The floor ends when the last move is
//! proved legal; an import ends when the archive is one finished file: audit, encoding, tags, names, indexes,
//! syncs and all. It parses on one or two threads; another thread reads and cuts, and another one writes. The
//! same games packed with zstd are imported too.
//!
//! Floors and imports take turns, so that a machine that is busy with something else slows both alike. Rates
//! are of the median run. Ratios are taken within each pair, and printed as their median and range: games/s of
//! the import over those of the floor, CPU seconds (of all threads) of the import over those of the floor, and
//! the time of the packed source over the time of the plain one.
//!
//! After them come the ratios of the moves (`support/moves.rs`), the speed of a scan of all positions
//! (`support/scan.rs`), and the peak memory of the program itself while it imports the file.
//!
//! Games of engines, with a long comment at every move, are measured by themselves (`support/annotated.rs`): what a
//! core imports of them in a second, and how large the archive is, beside zstd.
//!
//! Checks cannot be switched off, so what they cost is not measured here: the distance to the floor has them in
//! it. The bundled sample is so small that its imports show what it costs to make an archive, not to fill it.
//!
//! `cargo bench --bench import`, and after `--` a part of a corpus's name. `PLYBOOK_CORPUS=FOLDER` says where
//! the large collection is, `PLYBOOK_BENCH_GAMES=N` how much of it is imported.

#![allow(clippy::unwrap_used, clippy::expect_used)]
#![allow(missing_docs)]

use std::{
    env, fs,
    path::{Path, PathBuf},
    thread,
};

use plybook::import::{Options, Report, import_paths};

#[path = "support/annotated.rs"]
mod annotated;
#[path = "support/clock.rs"]
mod clock;
#[path = "support/corpus.rs"]
mod corpus;
#[path = "support/floor.rs"]
mod floor;
#[path = "support/memory.rs"]
mod memory;
#[path = "support/moves.rs"]
mod moves;
#[path = "support/scan.rs"]
mod scan;
#[path = "support/sorted.rs"]
mod sorted;

use clock::{Spread, Taken, timed};
use corpus::Corpus;
use floor::Tally;

/// Games of the large collection, unless `PLYBOOK_BENCH_GAMES` says another number.
const GAMES: usize = 60_000;

/// The imports that are compared.
const WAYS: [Way; 3] = [
    Way { name: "import, 1 thread", threads: 1, packed: false },
    Way { name: "import, 2 threads", threads: 2, packed: false },
    Way { name: "import of .zst, 2", threads: 2, packed: true },
];

/// Level of the packed source.
const LEVEL: i32 = 9;

/// Floors and imports that take turns, for each way; an odd number has a true median.
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
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|part| name.contains(part));
    for corpus in corpus::all(games.unwrap_or(GAMES)) {
        if is_wanted(&corpus.name) {
            Comparison::run(&corpus).print(&corpus);
            if corpus::measuring() {
                moves::compare(&corpus, PAIRS);
                scan::measure(&corpus, PAIRS);
            }
        }
    }
    if corpus::measuring() && is_wanted(annotated::FILE) {
        annotated::measure(PAIRS);
    }
}

fn print_machine() {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    // A machine with other work gives figures that are worth less.
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().filter(|load| !load.is_empty()).unwrap_or("unknown");
    println!("{cores} cores, load before the start {load}; {PAIRS} pairs of floor and import");
}

/// A way to import.
#[derive(Clone, Copy)]
struct Way {
    name: &'static str,
    /// Threads that parse.
    threads: usize,
    packed: bool,
}

/// What was measured with one corpus.
struct Comparison {
    tally: Tally,
    floors: Vec<Taken>,
    imports: Vec<Imports>,
    /// Time of the packed source over that of the plain one, on as many threads, pair by pair.
    packed: Vec<f64>,
    memory: Option<u64>,
}

/// The imports of one way.
struct Imports {
    way: Way,
    file: PathBuf,
    times: u32,
    report: Report,
    taken: Vec<Taken>,
    /// Seconds of the floor over seconds of the import, pair by pair.
    speed: Vec<f64>,
    /// CPU seconds of the import over those of the floor.
    cpu: Vec<f64>,
}

impl Comparison {
    fn run(corpus: &Corpus) -> Comparison {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("games.pgn");
        fs::write(&file, &corpus.text).unwrap();
        let packed = folder.path().join("games.pgn.zst");
        fs::write(&packed, zstd::encode_all(&corpus.text[..], LEVEL).unwrap()).unwrap();
        let (floor_times, tally) = rehearsed(|times| timed(times, |_| floor::parse(&file)));
        let mut imports: Vec<Imports> = WAYS
            .iter()
            .map(|&way| Imports::rehearse(way, if way.packed { &packed } else { &file }))
            .collect();
        let (mut floors, mut ratios) = (Vec::new(), Vec::new());
        let pairs = if corpus::measuring() { PAIRS } else { 1 };
        for _ in 0..pairs {
            for imports in &mut imports {
                let (floor, _) = timed(floor_times, |_| floor::parse(&file));
                imports.run(floor);
                floors.push(floor);
            }
            let last = |packed| imports.iter().rfind(|imports| imports.way.packed == packed)?.taken.last();
            ratios.extend(last(true).zip(last(false)).map(|(packed, plain)| packed.wall / plain.wall));
        }
        let memory = corpus::measuring().then(|| peak_of_import(&file)).flatten();
        Comparison { tally, floors, imports, packed: ratios, memory }
    }
}

/// In KiB.
fn peak_of_import(file: &Path) -> Option<u64> {
    let folder = tempfile::tempdir().ok()?;
    let archive = folder.path().join("games.db");
    memory::peak_of_run([
        "import".as_ref(),
        "--quiet".as_ref(),
        "-a".as_ref(),
        archive.as_os_str(),
        file.as_ref(),
    ])
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
    fn rehearse(way: Way, file: &Path) -> Imports {
        let (times, report) = rehearsed(|times| import(times, way.threads, file));
        let file = file.to_owned();
        Imports { way, file, times, report, taken: Vec::new(), speed: Vec::new(), cpu: Vec::new() }
    }

    fn run(&mut self, floor: Taken) {
        let (taken, report) = import(self.times, self.way.threads, &self.file);
        self.speed.push(floor.wall / taken.wall);
        self.cpu.extend(taken.cpu.zip(floor.cpu).map(|(import, floor)| import / floor));
        self.taken.push(taken);
        self.report = report;
    }
}

/// Imports a file so many times, each time into a new archive. Making and removing their directory is not timed.
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
        let Comparison { tally, floors, imports, packed, memory } = self;
        println!(
            "  {:<18} {:>9} {:>11} {:>7} {:>10} {:>9} {:>14}  {:<20} CPU: median (range)",
            "",
            "games/s",
            "plies/s",
            "MB/s",
            "bytes/game",
            "bits/game",
            "CPU s/100k",
            "speed: median (range)"
        );
        let size =
            Size { games: imports[0].report.seen as f64, plies: tally.plies as f64, bytes: bytes as f64 };
        println!("  {:<18} {}", "parse floor", size.columns(floors, None));
        for Imports { way, report, taken, speed, cpu, .. } in imports {
            let columns = size.columns(taken, Some(report));
            println!("  {:<18} {columns}  {:<21} {}", way.name, ratio(speed), ratio(cpu));
        }
        println!("  the packed source takes the time of the plain one times {}", ratio(packed));
        if let Some(memory) = memory {
            println!("  peak memory of plybook import: {:.1} MiB", *memory as f64 / 1024.0);
        }
    }
}

/// Median and range of ratios.
fn ratio(ratios: &[f64]) -> String {
    if ratios.is_empty() {
        return "unknown".to_owned();
    }
    let Spread { median, least, greatest } = Spread::of(ratios.iter().copied());
    format!("{median:.2} ({least:.2}–{greatest:.2})")
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
            "{:>9.0} {:>11.0} {:>7.1} {bytes:>10} {bits:>9} {:>14}",
            self.games / seconds,
            self.plies / seconds,
            self.bytes / seconds / 1e6,
            cpu.unwrap_or_default()
        )
    }
}
