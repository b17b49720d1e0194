//! The speed of the legal-move index and of the codec `index` in memory, on one thread.
//!
//! * `play` only plays the moves; `index_of` and `nth` do that too, so it may be taken off their times.
//! * `index_of`: the index of each move among the legal moves; `nth`: the move of each index.
//! * `encode`: a game to its number; `decode`: back, to the end; `decode_40`: to the position after 40 plies,
//!   or the last one of a shorter game.
//!
//! `Chess` is the fast path, which counts in sets of squares. `Sorted` is its obvious twin: legal moves, sort,
//! find.
//!
//! One sample is a block of some hundred games, the blocks of a corpus taken in turn. A block is short enough
//! to be done now and then without an interruption, so that the fastest sample means something on a busy
//! machine too; being unlike each other, blocks are to be compared by their rates. Divan's units are to be
//! read as: item = ply, Hz = games a second, B = bytes of the PGN that the games were read from (none for
//! `decode_40`, which leaves much of a game unread).
//!
//! `cargo bench --bench codec`, and after `--` a part of a name, or divan's options.

#![allow(clippy::unwrap_used, clippy::expect_used)]
#![allow(missing_docs)]

use std::{fmt, sync::LazyLock, time::Duration};

use divan::{
    Bencher, Divan, black_box,
    counter::{BytesCount, CyclesCount, ItemsCount},
};
use plybook::{
    chess::{Chess, Move, VariantPosition},
    codec::{
        CodecId,
        game::{GameMoves, Step, index},
    },
    pgn::{Game, GameSplitter, Reader},
    rules::{LegalMoves, Rules},
};

#[path = "support/corpus.rs"]
mod corpus;
#[path = "support/sorted.rs"]
mod sorted;
use corpus::Corpus;
use sorted::Sorted;

/// Games of the large collection.
const GAMES: usize = 20_000;

/// Games of a block.
const BLOCK: usize = 200;

/// The ply that `decode_40` goes to.
const PLY: usize = 40;

/// Samples of each bench, if they fit into the time: twice all blocks of the large collection.
const SAMPLES: u32 = 200;
const MOST_SECONDS: u64 = 4;

static SETS: LazyLock<Vec<Set>> = LazyLock::new(|| corpus::all(GAMES).iter().map(Set::new).collect());

fn main() {
    LazyLock::force(&SETS);
    println!("item = ply, Hz = games a second, B = bytes of PGN");
    Divan::default()
        .sample_count(SAMPLES)
        .max_time(Duration::from_secs(MOST_SECONDS))
        .config_with_args()
        .main();
}

fn sets() -> impl Iterator<Item = &'static Set> {
    SETS.iter()
}

/// A corpus, read and made ready.
struct Set {
    name: String,
    blocks: Vec<Block>,
}

/// Some games of a corpus.
#[derive(Default)]
struct Block {
    lines: Vec<GameMoves<Chess>>,
    /// The same games for the twin.
    twins: Vec<GameMoves<Sorted>>,
    /// For each game the indices of its moves.
    indices: Vec<Vec<u32>>,
    /// For each game its number, as it is stored.
    blobs: Vec<Vec<u8>>,
    /// Bytes of PGN.
    bytes: usize,
}

impl Set {
    fn new(corpus: &Corpus) -> Set {
        let mut set = Set { name: corpus.name.clone(), blocks: Vec::new() };
        let (mut cutter, mut reader) = (GameSplitter::new(&corpus.text[..]), Reader::new());
        while let Some(batch) = cutter.next_batch(1 << 20).unwrap() {
            for piece in &batch.games {
                for (bytes, game) in reader.read(&batch.text[piece.range.clone()]) {
                    set.add(&game.expect("the games of a corpus are legal"), bytes.len());
                }
            }
        }
        set
    }

    fn add(&mut self, game: &Game, bytes: usize) {
        if self.blocks.last().is_none_or(|block| block.lines.len() == BLOCK) {
            self.blocks.push(Block::default());
        }
        self.blocks.last_mut().unwrap().add(game, bytes);
    }
}

impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl Block {
    fn add(&mut self, game: &Game, bytes: usize) {
        let VariantPosition::Chess(start) = game.start() else { return };
        let line = GameMoves { start, moves: game.moves.clone(), outcome: game.outcome };
        let start = Sorted(line.start.clone());
        self.twins.push(GameMoves { start, moves: line.moves.clone(), outcome: line.outcome });
        self.indices.push(game.steps.iter().map(|step| step.index).collect());
        self.blobs.push(index::encode(&line).unwrap().to_bytes_le());
        self.bytes += bytes;
        self.lines.push(line);
    }

    /// Plies of all games, counting at most so many of each.
    fn plies(&self, most: usize) -> usize {
        self.lines.iter().map(|line| line.moves.len().min(most)).sum()
    }
}

/// Measures some work, block by block, and counts plies, games and bytes.
fn measure(bencher: Bencher, set: &'static Set, work: impl FnMut(&'static Block)) {
    let mut blocks = set.blocks.iter().cycle();
    bencher
        .with_inputs(|| blocks.next().unwrap())
        .input_counter(|block: &&Block| ItemsCount::new(block.plies(usize::MAX)))
        .input_counter(|block| CyclesCount::new(block.lines.len()))
        .input_counter(|block| BytesCount::new(block.bytes))
        .bench_local_values(work);
}

/// The fast path or its twin.
trait Way: Rules<Move = Move> {
    fn lines(block: &Block) -> &[GameMoves<Self>];
}

impl Way for Chess {
    fn lines(block: &Block) -> &[GameMoves<Chess>] {
        &block.lines
    }
}

impl Way for Sorted {
    fn lines(block: &Block) -> &[GameMoves<Sorted>] {
        &block.twins
    }
}

#[divan::bench(args = sets())]
fn play(bencher: Bencher, set: &'static Set) {
    measure(bencher, set, |block| {
        for line in &block.lines {
            let mut position = line.start.clone();
            line.moves.iter().for_each(|&m| position.make(m));
            black_box(position);
        }
    });
}

#[divan::bench(types = [Chess, Sorted], args = sets())]
fn index_of<P: Way>(bencher: Bencher, set: &'static Set) {
    measure(bencher, set, |block| {
        for line in P::lines(block) {
            let mut position = line.start.clone();
            for &m in &line.moves {
                let legal = position.legal();
                black_box((legal.index_of(m), legal.count()));
                position.make(m);
            }
        }
    });
}

#[divan::bench(types = [Chess, Sorted], args = sets())]
fn nth<P: Way>(bencher: Bencher, set: &'static Set) {
    measure(bencher, set, |block| {
        for (line, indices) in P::lines(block).iter().zip(&block.indices) {
            let mut position = line.start.clone();
            for &index in indices {
                let m = position.legal().nth(index).unwrap();
                position.make(m);
            }
            black_box(position);
        }
    });
}

#[divan::bench(types = [Chess, Sorted], args = sets())]
fn encode<P: Way>(bencher: Bencher, set: &'static Set) {
    measure(bencher, set, |block| {
        for line in P::lines(block) {
            black_box(index::encode(line).unwrap().to_bytes_le());
        }
    });
}

#[divan::bench(types = [Chess, Sorted], args = sets())]
fn decode<P: Way>(bencher: Bencher, set: &'static Set) {
    measure(bencher, set, |block| {
        for (line, blob) in P::lines(block).iter().zip(&block.blobs) {
            black_box(index::decode(line.start.clone(), blob).unwrap());
        }
    });
}

#[divan::bench(types = [Chess, Sorted], args = sets())]
fn decode_40<P: Way>(bencher: Bencher, set: &'static Set) {
    let mut blocks = set.blocks.iter().cycle();
    bencher
        .with_inputs(|| blocks.next().unwrap())
        .input_counter(|block: &&Block| ItemsCount::new(block.plies(PLY)))
        .input_counter(|block| CyclesCount::new(block.lines.len()))
        .bench_local_values(|block| {
            for (line, blob) in P::lines(block).iter().zip(&block.blobs) {
                black_box(position_at(line.start.clone(), blob, PLY));
            }
        });
}

fn position_at<P: Way>(start: P, blob: &[u8], ply: usize) -> P {
    let mut decoder = CodecId::Index.replay(start, blob, 0).unwrap();
    while decoder.ply() < ply {
        if let Step::End(_) = decoder.step().unwrap() {
            break;
        }
    }
    decoder.position().clone()
}
