//! Replays games with a Polyglot key after each move: the codec `index`, plybook's moves in memory, and the 16-bit moves
//! of gigachess, which its replay trusts to be legal.

use std::{hint::black_box, io::Write, ops::ControlFlow};

use anyhow::{Result, ensure};
use gigachess::{Board, Flow, replay_moves2_trusted};
use plybook::{
    chess::{Keyed, Move, Position, QuickChess, RunningKey},
    codec::CodecId,
};

use crate::{Game, median, stored, timed};

/// A game in each form.
struct Forms {
    number: Vec<u8>,
    moves: Vec<Move>,
    words: Vec<u16>,
}

/// A way to replay games; returns all keys, added up.
struct Way {
    name: &'static str,
    bytes: fn(&Forms) -> usize,
    replay: fn(&Forms) -> Result<u64>,
}

const WAYS: [Way; 3] = [
    Way { name: "index", bytes: |game| game.number.len(), replay: by_index },
    Way { name: "moves", bytes: |game| size_of_val(&*game.moves), replay: by_moves },
    Way { name: "gigachess", bytes: |game| size_of_val(&*game.words), replay: by_gigachess },
];

/// Prints how fast games are replayed.
pub(crate) fn compare(games: &[Game], rounds: u32, out: &mut impl Write) -> Result<()> {
    let forms: Vec<Forms> = games.iter().map(forms).collect::<Result<_>>()?;
    for (game, forms) in games.iter().zip(&forms) {
        ensure!(by_index(forms)? == by_moves(forms)?, "the keys differ");
        // Its keys also contain en passant captures that would expose the king.
        let last = replay_moves2_trusted(&Board::startpos(), &forms.words, |_, _| Flow::Continue);
        let pieces = replayed(game).board().to_string();
        ensure!(
            last.to_fen().split(' ').next() == Some(pieces.as_str()),
            "gigachess ends in another position"
        );
    }
    let mut times = WAYS.map(|_| Vec::new());
    for _ in 0..rounds {
        for (way, times) in WAYS.iter().zip(&mut times) {
            times.push(timed(|| {
                forms.iter().try_for_each(|game| (way.replay)(game).map(|key| _ = black_box(key)))
            })?);
        }
    }
    let plies: usize = forms.iter().map(|game| game.moves.len()).sum();
    writeln!(
        out,
        "\nreplay with a key after each move\n{:<14} {:>11} {:>12}",
        "form", "bytes/game", "ply/s"
    )?;
    for (way, times) in WAYS.iter().zip(times) {
        let bytes: usize = forms.iter().map(way.bytes).sum();
        let speed = plies as f64 / median(times).as_secs_f64();
        writeln!(out, "{:<14} {:>11.2} {speed:>12.0}", way.name, bytes as f64 / games.len() as f64)?;
    }
    Ok(())
}

/// The last position of a game.
fn replayed(game: &Game) -> QuickChess {
    let mut position = QuickChess::default();
    game.moves.iter().for_each(|m| position.play_unchecked(*m));
    position
}

fn forms(game: &Game) -> Result<Forms> {
    let words = game.moves.iter().map(|m| word(*m)).collect::<Result<_>>()?;
    Ok(Forms { number: stored(CodecId::Index, game)?.bytes, moves: game.moves.clone(), words })
}

/// A move as gigachess stores it: from, to and the piece that a pawn becomes. Castling is the move of the king to its
/// rook.
fn word(m: Move) -> Result<u16> {
    let (from, to) = match m {
        Move::Castle { king, rook } => (Some(king), rook),
        other => (other.from(), other.to()),
    };
    ensure!(from.is_some(), "a drop");
    let promotion = m.promotion().map_or(0, |role| u16::from(u8::from(role)) - 1);
    Ok(from.map_or(0, |from| u16::from(u8::from(from))) | u16::from(u8::from(to)) << 6 | promotion << 12)
}

fn by_index(game: &Forms) -> Result<u64> {
    let start = QuickChess::default();
    let (mut key, mut sum) = (RunningKey::of(&start), 0u64);
    CodecId::Index.replay(start, &game.number, 0)?.run(|position, m| {
        m.into_iter().for_each(|m| key.advance(m, position));
        sum = sum.wrapping_add(key.get());
        ControlFlow::Continue(())
    })?;
    Ok(sum)
}

fn by_moves(game: &Forms) -> Result<u64> {
    let mut position = QuickChess::default();
    let mut key = RunningKey::of(&position);
    let mut sum = position.key();
    for m in &game.moves {
        position.play_unchecked(*m);
        key.advance(*m, &position);
        sum = sum.wrapping_add(key.get());
    }
    Ok(sum)
}

fn by_gigachess(game: &Forms) -> Result<u64> {
    let mut sum = 0u64;
    replay_moves2_trusted(&Board::startpos(), &game.words, |board, _| {
        sum = sum.wrapping_add(board.zobrist());
        Flow::Continue
    });
    Ok(sum)
}
