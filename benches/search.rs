//! The speed of the index of positions, asked inside the library, beside a full replay of all games in the same run.
//!
//! Positions of all kinds are asked for: from the first 12 plies of games, from the first 30, from anywhere, and one
//! legal move aside from a game, which mostly no game reaches; with White and with Black to move. Every answer is
//! compared with a count over all positions of all games. Times are of one thread, warm: each position is asked once
//! before.
//!
//! The build is timed beside the parse floor: one thread that reads the same games and proves their moves legal. Inside an
//! import it takes what an import with it takes longer than one without.
//!
//! `cargo bench --bench search`. `PLYBOOK_CORPUS=FOLDER` says where `otb.pgn.zst` is; `PLYBOOK_BENCH_ARCHIVE=FILE` takes an
//! archive that is there, with its index. Without either the bundled sample is asked. `PLYBOOK_BENCH_GENERATED=1`
//! asks made-up games instead, 100,000 and ten times as many: whether the answers take longer, the index more bytes a game,
//! and the build more memory. It needs 3 GB in the directory of temporary files.

#![allow(clippy::unwrap_used, clippy::expect_used)]
#![allow(missing_docs)]

use std::{
    collections::HashMap,
    env,
    ffi::OsStr,
    fs,
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::Mutex,
    time::Instant,
};

use plybook::{
    archive::{Archive, Filter, GameNumber, WritableArchive},
    chess::{Chess, Position, VariantPosition},
    import::{Options, import_paths},
    query::{
        Explorer, RecordedParts, TargetPosition, build_index, count_reaching, explore, games_reaching, scan,
    },
    record::Ply,
    recording::IndexParts,
};
use shakmaty::EnPassantMode;

#[path = "support/clock.rs"]
mod clock;
#[path = "support/corpus.rs"]
mod corpus;
#[path = "support/floor.rs"]
mod floor;
#[path = "support/generated.rs"]
mod made_up;
#[path = "support/memory.rs"]
mod memory;

use clock::{Spread, timed};

/// Builds that are timed, each beside a floor.
const PAIRS: usize = 3;

/// Numbers of made-up games.
const GENERATED: [u64; 2] = [100_000, 1_000_000];

/// Positions of each kind.
const POSITIONS: usize = 150;

const KINDS: [&str; 4] = ["first 12 plies", "first 30 plies", "anywhere", "one move aside"];

fn main() {
    if !corpus::measuring() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    if env::var_os("PLYBOOK_BENCH_GENERATED").is_some() {
        GENERATED.into_iter().for_each(|games| ask(&generated(folder.path(), games)));
    } else {
        ask(&archive(folder.path().join("bench.db")));
    }
}

fn ask(path: &PathBuf) {
    let archive = Archive::open(path).unwrap();
    let games = archive.count().unwrap();
    let asked = asked(&archive);
    println!("{games} games, {} bytes a game; {} positions", archive.bytes() / games, asked.len());
    let counts = replay(&archive, &asked);
    ask_all(path, &asked, &counts);
    explore_all(path, &asked, &counts);
}

/// An archive of made-up games, with its index.
fn generated(folder: &Path, games: u64) -> PathBuf {
    let path = made_up::archive(folder, games);
    let run = |arguments: &[&OsStr]| memory::peak_of_run(arguments).expect("the program succeeds");
    let before = path.metadata().unwrap().len();
    let (taken, peak) = timed(1, |_| run(&["index".as_ref(), "-q".as_ref(), "-a".as_ref(), path.as_ref()]));
    let bytes = (path.metadata().unwrap().len() - before) as f64 / games as f64;
    println!(
        "\n{games} made-up games: index {bytes:.1} bytes a game; plybook index takes {:.2} s and {} MiB",
        taken.wall,
        peak / 1024
    );
    path
}

/// The archive that is asked, with its index.
fn archive(path: PathBuf) -> PathBuf {
    if let Some(path) = env::var_os("PLYBOOK_BENCH_ARCHIVE") {
        return path.into();
    }
    let corpus = corpus::all(usize::MAX).pop().unwrap();
    let plain = path.with_extension("pgn");
    fs::write(&plain, &corpus.text).unwrap();
    import_paths(&path, std::slice::from_ref(&plain), &Options::default()).unwrap();
    let before = path.metadata().unwrap().len();
    let (mut walls, mut ratios, mut cpus, mut inside) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for _ in 0..PAIRS {
        let (floor, _) = timed(1, |_| floor::parse(&plain));
        let archive = WritableArchive::create_or_open(&path).unwrap();
        archive.segments().drop_index(None).unwrap();
        let (taken, _) = timed(1, |_| {
            build_index(&archive, IndexParts::POSITIONS, RecordedParts::default(), |_, _| {
                ControlFlow::Continue(())
            })
            .unwrap()
        });
        archive.finish().unwrap();
        walls.push(taken.wall);
        ratios.push(taken.wall / floor.wall);
        cpus.extend(taken.cpu.zip(floor.cpu).map(|(cpu, floor)| cpu / floor));
        let [without, with] = [false, true].map(|index| {
            let options = Options { index, ..Options::default() };
            let (other, _) = (path.with_extension("other"), fs::remove_file(path.with_extension("other")));
            timed(1, |_| import_paths(&other, std::slice::from_ref(&plain), &options).unwrap()).0
        });
        inside.push((with.wall - without.wall) / floor.wall);
    }
    let bytes = path.metadata().unwrap().len() - before;
    let games = Archive::open(&path).unwrap().count().unwrap();
    println!("{}: index {:.1} bytes a game", corpus.name, bytes as f64 / games as f64);
    let print = |what: &str, figures: Vec<f64>| {
        if !figures.is_empty() {
            let Spread { median, least, greatest } = Spread::of(figures);
            println!("{what}: {median:.2} ({least:.2}-{greatest:.2})");
        }
    };
    print("seconds to build it", walls);
    print("over the time of the parse floor, one thread", ratios);
    print("CPU time over that of the floor", cpus);
    print("inside an import, over the time of the floor", inside);
    path
}

/// A position that is asked for.
struct Asked {
    kind: usize,
    position: Chess,
    sought: TargetPosition,
}

fn asked(archive: &Archive) -> Vec<Asked> {
    let last = archive.last_id().unwrap();
    let mut random = Random(7);
    let mut asked = Vec::new();
    for kind in 0..KINDS.len() {
        while asked.iter().filter(|asked: &&Asked| asked.kind == kind).count() < POSITIONS {
            let game = archive.game(1 + random.below(last as usize) as i64).unwrap();
            let most = [12, 30, usize::MAX, usize::MAX][kind].min(game.plies);
            let VariantPosition::Chess(mut position) =
                game.position_at(Ply::After(random.below(most + 1))).unwrap()
            else {
                continue;
            };
            if kind == 3 {
                let moves = position.legal_moves();
                let Some(&m) = moves.get(random.below(moves.len().max(1))) else { continue };
                position.play_unchecked(m);
            }
            let sought = TargetPosition::new(&position.to_setup(EnPassantMode::Legal)).unwrap();
            asked.push(Asked { kind, position, sought });
        }
    }
    asked
}

/// How many games reach each position, by a replay of all.
fn replay(archive: &Archive, asked: &[Asked]) -> Vec<u64> {
    let mut by_key: HashMap<u64, Vec<usize>> = HashMap::new();
    for (number, asked) in asked.iter().enumerate() {
        by_key.entry(asked.sought.targets()[0].state.unwrap().1).or_default().push(number);
    }
    let hits = Mutex::new(Vec::new());
    let (taken, totals) = timed(1, |_| {
        scan(archive, &Filter::default(), |position| {
            for &number in by_key.get(&position.key).into_iter().flatten() {
                let sought = &asked[number].sought;
                if sought.has(position.board, position.turn, position.castling, position.key) {
                    hits.lock().unwrap().push((number, position.game));
                }
            }
        })
        .unwrap()
    });
    println!("replay of {} positions: {:.2} s", totals.positions, taken.wall);
    let mut hits = hits.into_inner().unwrap();
    hits.sort_unstable();
    hits.dedup();
    let mut counts = vec![0; asked.len()];
    hits.iter().for_each(|(number, _)| counts[*number] += 1);
    counts
}

fn ask_all(path: &PathBuf, asked: &[Asked], counts: &[u64]) {
    let (taken, explorer) = timed(1, |_| Explorer::open(path).unwrap());
    println!("open {:.2} ms", taken.wall * 1e3);
    let all = Filter::default();
    let find = |asked: &Asked| {
        let counted = explorer.ask(|context| count_reaching(context, &asked.sought, &all));
        counted.unwrap().hits
    };
    for (asked, count) in asked.iter().zip(counts) {
        assert_eq!(
            find(asked),
            *count,
            "{}",
            shakmaty::fen::Fen::from_position(&asked.position, EnPassantMode::Legal)
        );
    }
    report("count", asked, counts, |asked| {
        find(asked);
    });
    let list = |asked: &Asked| {
        let found = explorer.ask(|context| games_reaching(context, &asked.sought, &all));
        drop(found.unwrap());
    };
    report("list of ids", asked, counts, list);
}

fn explore_all(path: &PathBuf, asked: &[Asked], counts: &[u64]) {
    let explorer = Explorer::open(path).unwrap();
    let filtered = Filter::default()
        .in_range(GameNumber::Date, Filter::dates("2000..2015").unwrap())
        .in_range(GameNumber::WhiteElo, 2300..=2900)
        .in_range(GameNumber::BlackElo, 2300..=2900);
    let ask = |position: &Chess, filter: &Filter| {
        let positions = [VariantPosition::Chess(position.clone())];
        let answer = explorer.ask(|context| explore(context, &positions, filter));
        answer.unwrap().pop().unwrap()
    };
    for (asked, count) in asked.iter().zip(counts) {
        assert_eq!(ask(&asked.position, &Filter::default()).results.games, *count);
        ask(&asked.position, &filtered);
    }
    report("explore", asked, counts, |asked| drop(ask(&asked.position, &Filter::default())));
    report("explore, years and both ratings", asked, counts, |asked| drop(ask(&asked.position, &filtered)));
    let start = Chess::default();
    for (what, filter) in
        [("start position", &Filter::default()), ("the same, years and both ratings", &filtered)]
    {
        ask(&start, filter);
        let (taken, _) = timed(50, |_| ask(&start, filter));
        println!("explore {what}: {:.3} ms", taken.wall * 1e3);
    }
}

/// Prints median and 99th percentile over all positions, and of parts of them.
fn report(what: &str, asked: &[Asked], counts: &[u64], ask: impl Fn(&Asked)) {
    let times: Vec<f64> = asked
        .iter()
        .map(|asked| {
            let begin = Instant::now();
            ask(asked);
            begin.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    let print = |name: &str, of: &dyn Fn(usize) -> bool| {
        let mut part: Vec<f64> =
            (0..asked.len()).filter(|number| of(*number)).map(|number| times[number]).collect();
        part.sort_unstable_by(f64::total_cmp);
        if let Some(last) = part.len().checked_sub(1) {
            let (median, most) = (part[part.len() / 2], part[last * 99 / 100]);
            println!("{what:<32} {name:<16} {:>4}  p50 {median:.3} ms  p99 {most:.3} ms", part.len());
        }
    };
    print("all", &|_| true);
    for (kind, name) in KINDS.iter().enumerate() {
        print(name, &|number| asked[number].kind == kind);
    }
    print("in no game", &|number| counts[number] == 0);
    print("in one game", &|number| counts[number] == 1);
    print("Black to move", &|number| asked[number].position.turn().is_black());
}

/// A small generator of random numbers (xorshift64*), the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % bound
    }
}
