//! The ratios of single moves and games, on one thread and in memory: fast paths against their obvious twins,
//! which generate the legal moves of every position, sort them and look; and a move played against shakmaty's.
//!
//! A part of the games is taken by both in turn, so that both meet the same disturbances.

use std::hint::black_box;

use plybook::{
    chess::{Chess, Move, QuickChess, SortedMoves, VariantPosition},
    codec::{
        CodecId,
        game::{GameMoves, Step, index},
    },
    pgn::{GameSplitter, Reader},
    rules::{LegalMoves, Rules},
};

use super::{
    clock::{Spread, timed},
    corpus::Corpus,
    ratio,
    sorted::Sorted,
};

/// Games that are taken, at most.
const GAMES: usize = 2_000;

/// A game and its number.
struct Stored {
    line: GameMoves<Chess>,
    blob: Vec<u8>,
    indices: Vec<u32>,
}

/// Prints the ratios of a corpus.
pub fn compare(corpus: &Corpus, pairs: usize) {
    let games = games(corpus);
    let plies: usize = games.iter().map(|game| game.line.moves.len()).sum();
    let times = (200_000 / plies.max(1)).max(1) as u32;
    let show = |name: &str, fast: &dyn Fn(&Stored), twin: &dyn Fn(&Stored)| {
        let (mut ratios, mut own) = (Vec::new(), Vec::new());
        for _ in 0..pairs {
            let (slow, ()) = timed(times, |_| games.iter().for_each(twin));
            let (quick, ()) = timed(times, |_| games.iter().for_each(fast));
            ratios.push(slow.wall / quick.wall);
            own.push(quick.wall / plies as f64 * 1e9);
        }
        let Spread { median, .. } = Spread::of(own);
        println!("  {name:<32} {median:>6.0} ns a ply; its twin takes that times {}", ratio(&ratios));
    };
    println!("  of {} games, {plies} plies:", games.len());
    show("index of a move and their number", &index_of, &sorted_index_of);
    show("n-th move", &nth, &sorted_nth);
    show("decoding", &decode, &sorted_decode);
    show("playing a move", &play, &play_as_shakmaty);
    let mut replays = Vec::new();
    for _ in 0..pairs {
        let (taken, ()) = timed(times, |_| games.iter().for_each(replay));
        replays.push(taken.wall / games.len() as f64 * 1e6);
    }
    println!("  one game to its middle, as an archive does: {} us", ratio(&replays));
}

fn games(corpus: &Corpus) -> Vec<Stored> {
    let (mut cutter, mut reader, mut games) =
        (GameSplitter::new(&corpus.text[..]), Reader::new(), Vec::new());
    while games.len() < GAMES
        && let Ok(Some(batch)) = cutter.next_batch(1 << 20)
    {
        for piece in &batch.games {
            for (_, game) in reader.read(&batch.text[piece.range.clone()]) {
                let Ok(game) = game else { continue };
                let VariantPosition::Chess(start) = game.start() else { continue };
                let line = GameMoves { start, moves: game.moves, outcome: game.outcome };
                let indices = game.steps.iter().map(|step| step.index).collect();
                let blob = index::encode(&line).expect("the game is legal").to_bytes_le();
                games.push(Stored { line, blob, indices });
            }
        }
    }
    games.truncate(GAMES);
    games
}

/// Takes each move of a game with something else done before it.
fn follow(game: &Stored, mut each: impl FnMut(&Chess, Move)) {
    let mut position = game.line.start.clone();
    for &m in &game.line.moves {
        each(&position, m);
        position.make(m);
    }
}

fn index_of(game: &Stored) {
    follow(game, |position, m| {
        let legal = position.legal();
        black_box((legal.index_of(m), legal.count()));
    });
}

fn sorted_index_of(game: &Stored) {
    follow(game, |position, m| {
        let legal = SortedMoves::new(position);
        black_box((legal.index_of(m), legal.count()));
    });
}

fn nth(game: &Stored) {
    replay_by(game, |position, index| position.legal().nth(index));
}

fn sorted_nth(game: &Stored) {
    replay_by(game, |position, index| SortedMoves::new(position).nth(index));
}

fn replay_by(game: &Stored, nth: impl Fn(&Chess, u32) -> Option<Move>) {
    let mut position = game.line.start.clone();
    for &index in &game.indices {
        if let Some(m) = nth(&position, index) {
            position.make(m);
        }
    }
    black_box(position);
}

fn decode(game: &Stored) {
    black_box(index::decode(game.line.start.clone(), &game.blob).is_ok());
}

fn sorted_decode(game: &Stored) {
    black_box(index::decode(Sorted(game.line.start.clone()), &game.blob).is_ok());
}

fn play(game: &Stored) {
    let mut position = QuickChess::from(&game.line.start);
    game.line.moves.iter().for_each(|&m| position.make(m));
    black_box(position);
}

fn play_as_shakmaty(game: &Stored) {
    let mut position = game.line.start.clone();
    game.line.moves.iter().for_each(|&m| position.make(m));
    black_box(position);
}

fn replay(game: &Stored) {
    let middle = game.line.moves.len() / 2;
    let Ok(mut decoder) = CodecId::Index.replay(game.line.start.clone(), &game.blob, 0) else { return };
    while decoder.ply() < middle {
        if !matches!(decoder.step(), Ok(Step::Move(_))) {
            break;
        }
    }
    black_box(decoder.position());
}
