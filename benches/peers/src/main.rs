//! Compares the codecs `index` and `model` with the scheme of Lichess (the crate chess_compression) and with the crate
//! chess-huffman, on the same games: bits, bytes, and plies per second on one thread; and their replay with that of the
//! crate gigachess.
//!
//! The others store moves only; plybook's codecs also store the end of a game and its result.

mod replay;

use std::{
    hint::black_box,
    io::Write as _,
    ops::ControlFlow,
    path::PathBuf,
    time::{Duration, Instant},
};

use anyhow::{Result, ensure};
use chess_compression::moves as lichess;
use chess_huffman::{decode_game, encode_game};
use clap::Parser;
use plybook::{
    archive::{Archive, Filter},
    chess::{Chess, Move, Variant},
    codec::{
        CodecId,
        game::{GameMoves, PlayedMoves},
    },
    record::GameKind,
};

/// Compare plybook's codecs with other libraries
///
/// The games are those that the training of the codec model holds out: every 15th game of the archive.
///
/// Examples:
/// * plybook-peers -a otb.db
/// * plybook-peers -a otb.db --games 500 --rounds 3
/// * plybook-peers -a lichess.db
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// The archive with the games
    #[arg(short, long, value_name = "FILE")]
    archive: PathBuf,
    /// Measure at most N games
    #[arg(long, value_name = "N", default_value_t = 1000)]
    games: usize,
    /// Time each codec N times, in turn, and print the median
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
}

/// The games that a training holds out have this remainder.
const EVERY: i64 = 15;
const HELD_OUT: i64 = 8;

type Game = GameMoves<Chess>;

/// A codec: encodes a game to bytes and their bits, and decodes it.
struct Codec {
    name: &'static str,
    encode: fn(&Game) -> Result<Code>,
    decode: fn(&Game, &Code) -> Result<Vec<Move>>,
}

struct Code {
    bytes: Vec<u8>,
    bits: u64,
}

const CODECS: [Codec; 4] = [
    Codec {
        name: "index",
        encode: |game| stored(CodecId::Index, game),
        decode: |game, code| moves_of(CodecId::Index, game, code),
    },
    Codec {
        name: "model",
        encode: |game| stored(CodecId::Model, game),
        decode: |game, code| moves_of(CodecId::Model, game, code),
    },
    Codec {
        name: "Lichess",
        encode: |game| {
            let bytes = lichess::compress(&game.moves)?;
            Ok(Code { bits: 8 * bytes.len() as u64, bytes })
        },
        decode: |game, code| Ok(lichess::decompress(&*code.bytes, i32::try_from(game.moves.len())?)?),
    },
    Codec {
        name: "chess-huffman",
        encode: |game| {
            let bytes = encode_game(&game.moves)?.to_bytes();
            Ok(Code { bits: 8 * bytes.len() as u64, bytes })
        },
        decode: |_, code| Ok(decode_game(&chess_huffman::EncodedGame::from_bytes(&code.bytes)?)?.0),
    },
];

fn stored(codec: CodecId, game: &Game) -> Result<Code> {
    let played = PlayedMoves::new(game, game.moves.len(), game.outcome)?;
    let bytes = codec.compose(played, || game.start.clone())?;
    Ok(Code { bits: codec.bits(&bytes), bytes })
}

fn moves_of(codec: CodecId, game: &Game, code: &Code) -> Result<Vec<Move>> {
    let mut moves = Vec::with_capacity(game.moves.len());
    codec.replay(game.start.clone(), &code.bytes, game.moves.len())?.run(|_, m| {
        moves.extend(m);
        ControlFlow::Continue(())
    })?;
    Ok(moves)
}

fn main() -> Result<()> {
    let Arguments { archive, games, rounds } = Arguments::parse();
    let games = read(&Archive::open(archive)?, games)?;
    let plies: usize = games.iter().map(|game| game.moves.len()).sum();
    let mut out = std::io::stdout().lock();
    writeln!(out, "{} games, {plies} plies, median of {rounds}", games.len())?;
    writeln!(
        out,
        "{:<14} {:>10} {:>9} {:>11} {:>12} {:>12}",
        "codec", "bits/ply", "bits/game", "bytes/game", "encode ply/s", "decode ply/s"
    )?;
    let codes: Vec<Vec<Code>> = CODECS.iter().map(|codec| checked(codec, &games)).collect::<Result<_>>()?;
    let mut times = CODECS.map(|_| [const { Vec::new() }; 2]);
    for _ in 0..rounds {
        for ((codec, codes), times) in CODECS.iter().zip(&codes).zip(&mut times) {
            times[0].push(timed(|| {
                games.iter().try_for_each(|game| (codec.encode)(game).map(|code| drop(black_box(code))))
            })?);
            let decode = |(game, code)| (codec.decode)(game, code).map(|moves| drop(black_box(moves)));
            times[1].push(timed(|| games.iter().zip(codes).try_for_each(decode))?);
        }
    }
    for ((codec, codes), times) in CODECS.iter().zip(&codes).zip(times) {
        let bits: u64 = codes.iter().map(|code| code.bits).sum();
        let bytes: usize = codes.iter().map(|code| code.bytes.len()).sum();
        let per_game = |sum: f64| sum / games.len() as f64;
        let [encode, decode] = times.map(|times| plies as f64 / median(times).as_secs_f64());
        writeln!(
            out,
            "{:<14} {:>10.4} {:>9.2} {:>11.2} {encode:>12.0} {decode:>12.0}",
            codec.name,
            bits as f64 / plies as f64,
            per_game(bits as f64),
            per_game(bytes as f64),
        )?;
    }
    replay::compare(&games, rounds, &mut out)
}

/// Held-out games of standard chess from the usual position, spread evenly over the archive.
fn read(archive: &Archive, most: usize) -> Result<Vec<Game>> {
    let mut games = Vec::new();
    for game in archive.games(&Filter::default()) {
        let game = game?;
        if game.id % EVERY != HELD_OUT
            || game.kind != GameKind::Chess(Variant::Standard)
            || game.setup.is_some()
            || game.plies == 0
        {
            continue;
        }
        let line = game.line()?;
        games.push(GameMoves { start: Chess::default(), moves: line.moves, outcome: line.outcome });
    }
    ensure!(!games.is_empty(), "the archive has no such game");
    let step = games.len().div_ceil(most.max(1));
    Ok(games.into_iter().step_by(step).collect())
}

/// The codes of all games, each of which gives its game back.
fn checked(codec: &Codec, games: &[Game]) -> Result<Vec<Code>> {
    let checked = |game: &Game| {
        let code = (codec.encode)(game)?;
        ensure!((codec.decode)(game, &code)? == game.moves, "{} gives other moves", codec.name);
        Ok(code)
    };
    games.iter().map(checked).collect()
}

fn timed(work: impl FnOnce() -> Result<()>) -> Result<Duration> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
