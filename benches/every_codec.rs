//! The speed of every encoding of games and positions in memory, on one thread: `encode` and `decode` of each
//! codec of the lists, on real games (item = ply) and on real positions (item = position).
//!
//! The positions are every eighth of the games. The games are the bundled sample, or the beginning of the large
//! collection where it is at hand. One sample is a block of some games or positions, the blocks taken in turn.
//!
//! `cargo bench --bench every_codec`, and after `--` a part of a name, or divan's options.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::{sync::LazyLock, time::Duration};

use divan::{Bencher, Divan, black_box, counter::ItemsCount};
use plybook::{
    chess::{Position, Setup, VariantPosition},
    codec::{
        game::{self, GAME_CODECS, GameCode, GameMoves},
        position::{self, POSITION_CODECS},
    },
    pgn::{GameSplitter, Reader},
};
use shakmaty::EnPassantMode;

#[path = "support/corpus.rs"]
mod corpus;

/// Games of the large collection.
const GAMES: usize = 2_000;

/// Games of a block.
const BLOCK: usize = 50;

/// One position of so many is taken.
const STEP: usize = 8;

const MOST_SECONDS: u64 = 2;

/// Some games and positions of them.
struct Block {
    lines: Vec<GameMoves<VariantPosition>>,
    setups: Vec<Setup>,
}

static BLOCKS: LazyLock<Vec<Block>> = LazyLock::new(|| {
    let corpora = corpus::all(GAMES);
    let corpus = corpora.last().unwrap();
    println!("{}; item = ply or position", corpus.name);
    lines(&corpus.text).chunks(BLOCK).map(Block::new).collect()
});

fn main() {
    LazyLock::force(&BLOCKS);
    Divan::default().sample_count(100).max_time(Duration::from_secs(MOST_SECONDS)).config_with_args().main();
}

/// The games of a text.
fn lines(text: &[u8]) -> Vec<GameMoves<VariantPosition>> {
    let (mut cutter, mut reader, mut lines) = (GameSplitter::new(text), Reader::new(), Vec::new());
    while let Some(batch) = cutter.next_batch(1 << 20).unwrap() {
        for piece in &batch.games {
            for (_, game) in reader.read(&batch.text[piece.range.clone()]) {
                let game = game.expect("the games of a corpus are legal");
                lines.push(GameMoves { start: game.start(), moves: game.moves, outcome: game.outcome });
            }
        }
    }
    lines
}

impl Block {
    fn new(lines: &[GameMoves<VariantPosition>]) -> Block {
        Block { lines: lines.to_vec(), setups: lines.iter().flat_map(setups).step_by(STEP).collect() }
    }

    fn plies(&self) -> usize {
        self.lines.iter().map(|line| line.moves.len()).sum()
    }
}

/// The positions of a game.
fn setups(line: &GameMoves<VariantPosition>) -> Vec<Setup> {
    let mut position = line.start.clone();
    let mut setups = vec![position.to_setup(EnPassantMode::Always)];
    for &m in &line.moves {
        position.play_unchecked(m);
        setups.push(position.to_setup(EnPassantMode::Always));
    }
    setups
}

fn games() -> impl Iterator<Item = &'static str> {
    GAME_CODECS.iter().map(|codec| codec.name)
}

fn positions() -> impl Iterator<Item = &'static str> {
    POSITION_CODECS.iter().map(|codec| codec.name)
}

#[divan::bench(args = games())]
fn game_encode(bencher: Bencher, name: &str) {
    let codec = game::by_name(name).unwrap();
    let mut blocks = BLOCKS.iter().cycle();
    bencher
        .with_inputs(|| blocks.next().unwrap())
        .input_counter(|block: &&Block| ItemsCount::new(block.plies()))
        .bench_local_values(|block| {
            for line in &block.lines {
                black_box(codec.encode(line).unwrap());
            }
        });
}

#[divan::bench(args = games())]
fn game_decode(bencher: Bencher, name: &str) {
    let codec = game::by_name(name).unwrap();
    let coded = |block: &'static Block| {
        let codes: Vec<GameCode> = block.lines.iter().map(|line| codec.encode(line).unwrap()).collect();
        (block, codes)
    };
    let coded: Vec<_> = BLOCKS.iter().map(coded).collect();
    let mut blocks = coded.iter().cycle();
    bencher
        .with_inputs(|| blocks.next().unwrap())
        .input_counter(|(block, _): &&(&Block, Vec<GameCode>)| ItemsCount::new(block.plies()))
        .bench_local_values(|(block, codes)| {
            for (line, code) in block.lines.iter().zip(codes) {
                black_box(codec.decode(&line.start, code.bits.bytes(), code.plies).unwrap());
            }
        });
}

#[divan::bench(args = positions())]
fn position_encode(bencher: Bencher, name: &str) {
    let codec = position::by_name(name).unwrap();
    let mut blocks = BLOCKS.iter().cycle();
    bencher
        .with_inputs(|| blocks.next().unwrap())
        .input_counter(|block: &&Block| ItemsCount::new(block.setups.len()))
        .bench_local_values(|block| {
            for setup in &block.setups {
                black_box(codec.encode(setup).unwrap());
            }
        });
}

#[divan::bench(args = positions())]
fn position_decode(bencher: Bencher, name: &str) {
    let codec = position::by_name(name).unwrap();
    let encode = |setup: &Setup| codec.encode(setup).unwrap().into_bytes();
    let coded: Vec<Vec<Vec<u8>>> =
        BLOCKS.iter().map(|block| block.setups.iter().map(encode).collect()).collect();
    let mut blocks = coded.iter().cycle();
    bencher
        .with_inputs(|| blocks.next().unwrap())
        .input_counter(|codes: &&Vec<Vec<u8>>| ItemsCount::new(codes.len()))
        .bench_local_values(|codes| {
            for code in codes {
                black_box(codec.decode(code).unwrap());
            }
        });
}
