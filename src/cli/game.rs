//! `plybook game`: encode and decode single games.

use std::io::{self, Write};

use clap::Args;

use super::{
    ArchiveArg, ExitStatus,
    advice::game_id,
    answer::{GAME_CODE_FORMATS, choice, lists},
    terminal,
};
use crate::{
    chess::VariantPosition,
    codec::game::GameMoves,
    counts::PLIES,
    pgn::{self, GameSplitter, Reader},
    present::{
        codecs::compare_game,
        encoded::{GameStart, decode_game, encode_game, game_prefix},
        list::{self, ListFormat, TABLE},
    },
    record::{GameId, Ply},
    request::{CodeFormat, game_codec},
};

commands! {
    /// Encode and decode single games
    enum Game {
        Encode(Encode),
        Decode(Decode),
        Compare(Compare),
        Prefix(Prefix),
    }
}

/// Encode games as integers, one game per line
///
/// Give the id of a game of the archive, or PGN on standard input. The integer consists of the bytes of the encoding,
/// least significant byte first. index-bare does not encode where the game ends, so the number of plies follows the
/// integer.
///
/// Examples:
/// * echo '1. e4 e5 2. Nf3 f6 *' | plybook game encode        prints 8712609247
/// * plybook game encode 5 --codec index-bare -a chess.db     prints the number and the plies
/// * plybook game encode --format hex < games.pgn
#[derive(Debug, Args)]
pub(in crate::cli) struct Encode {
    /// Encoding (see: plybook codecs)
    #[arg(long, value_name = "NAME", default_value = "index")]
    codec: String,
    /// Output notation: the integer, or its bytes
    #[arg(long, value_parser = choice(GAME_CODE_FORMATS), default_value = "int")]
    format: CodeFormat,
    #[command(flatten)]
    input: Input,
}

/// Decode games from standard input, one per line, and print PGN
///
/// Examples:
/// * echo 8712609247 | plybook game decode
/// * echo 225833 4 | plybook game decode --codec index-bare
/// * plybook game encode 5 --format hex | plybook game decode --format hex
#[derive(Debug, Args)]
pub(in crate::cli) struct Decode {
    /// Encoding (see: plybook codecs)
    #[arg(long, value_name = "NAME", default_value = "index")]
    codec: String,
    /// Input notation: the integer, or its bytes
    #[arg(long, value_parser = choice(GAME_CODE_FORMATS), default_value = "int")]
    format: CodeFormat,
    /// Number of plies for index-bare, if it does not follow the code
    #[arg(long, value_name = "N")]
    plies: Option<usize>,
    /// Variant, such as Chess960
    #[arg(long, default_value = "Standard")]
    variant: String,
    /// Start position as FEN, if it is not the usual one
    #[arg(long)]
    fen: Option<String>,
}

impl Encode {
    pub(in crate::cli) fn run(self) -> anyhow::Result<ExitStatus> {
        let codec = game_codec(&self.codec)?;
        let mut out = terminal::stdout();
        let done = self.input.for_each(|game| {
            let code = encode_game(codec, self.format, game)?;
            Ok(writeln!(out, "{code}")?)
        })?;
        out.flush()?;
        Ok(done)
    }
}

impl Decode {
    pub(in crate::cli) fn run(self) -> anyhow::Result<ExitStatus> {
        let codec = game_codec(&self.codec)?;
        let start = GameStart::new(&self.variant, self.fen.as_deref())?;
        terminal::each_line(terminal::stdout(), "", |line| match line.trim() {
            "" => Ok(String::new()),
            _ => Ok(decode_game(codec, self.format, &start, line, self.plies)? + "\n"),
        })
    }
}

/// Compare the size of a game in every encoding
///
/// Give the id of a game of the archive, or PGN on standard input. The encodings are listed from shortest to longest.
/// An encoding that cannot represent the game comes last, with the reason; in JSON its bits and hex are null. Several
/// games give one list each.
///
/// Examples:
/// * plybook game compare 5
/// * plybook game compare - < games.pgn
/// * echo '1. e4 e5 2. Nf3 f6 *' | plybook game compare --format json
#[derive(Debug, Args)]
pub(in crate::cli) struct Compare {
    /// Output format
    #[arg(long, value_parser = lists(), default_value = "table")]
    format: &'static ListFormat,
    #[command(flatten)]
    input: Input,
}

impl Compare {
    pub(in crate::cli) fn run(self) -> anyhow::Result<ExitStatus> {
        let mut out = terminal::raw_stdout();
        let done = self.input.for_each(|game| {
            if self.format.name == TABLE.name {
                writeln!(out, "{}, {}", PLIES.count(game.moves.len() as u64), game.outcome)?;
            }
            Ok(list::write(self.format, terminal::list_options(), &mut out, &compare_game(game))?)
        })?;
        out.flush()?;
        Ok(done)
    }
}

/// Encode a position of a game together with its history
///
/// The result is the encoding of the game up to that ply, followed by End: one integer that restores the board,
/// castling rights, en passant square, clocks and all earlier positions. "plybook game decode" reads it.
///
/// Examples:
/// * plybook game prefix 3 --ply 12w -a chess.db
/// * plybook game prefix 3 --ply 12w | plybook game decode
/// * plybook game prefix 3 --ply -1
#[derive(Debug, Args)]
pub(in crate::cli) struct Prefix {
    /// Id of the game
    #[arg(value_parser = game_id)]
    id: GameId,
    /// Ply: 23, 12w, 12b or -1
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    ply: Ply,
    /// Output notation: the integer, or its bytes
    #[arg(long, value_parser = choice(GAME_CODE_FORMATS), default_value = "int")]
    format: CodeFormat,
    #[command(flatten)]
    archive: ArchiveArg,
}

impl Prefix {
    pub(in crate::cli) fn run(self) -> anyhow::Result<()> {
        let game = self.archive.open()?.game(self.id)?;
        Ok(terminal::print(game_prefix(&game, self.ply, self.format)?)?)
    }
}

/// The number of bytes of PGN to parse at a time.
const PORTION: usize = 1 << 20;

/// The input games.
#[derive(Debug, Args)]
struct Input {
    /// Id of a game of the archive, or - for PGN on standard input [default: -]
    #[arg(value_parser = id_or_stdin)]
    id: Option<IdOrStdin>,
    #[command(flatten)]
    archive: ArchiveArg,
}

/// The parsed argument.
#[derive(Clone, Copy, Debug)]
enum IdOrStdin {
    Id(GameId),
    Stdin,
}

fn id_or_stdin(text: &str) -> Result<IdOrStdin, String> {
    match text {
        "-" => Ok(IdOrStdin::Stdin),
        id => game_id(id).map(IdOrStdin::Id).map_err(|error| format!("{error}; use - for standard input")),
    }
}

impl Input {
    /// Passes each game to `each`. Complete if every game could be read and `each` accepted all of them.
    fn for_each(
        &self,
        mut each: impl FnMut(&GameMoves<VariantPosition>) -> anyhow::Result<()>,
    ) -> anyhow::Result<ExitStatus> {
        if let Some(IdOrStdin::Id(id)) = self.id {
            each(&self.archive.open()?.game(id)?.line()?)?;
            return Ok(ExitStatus::Complete);
        }
        let mut done = ExitStatus::Complete;
        let (mut cutter, mut reader, mut number) = (GameSplitter::new(io::stdin().lock()), Reader::new(), 0);
        while let Some(batch) = cutter.next_batch(PORTION)? {
            for piece in &batch.games {
                for (_, game) in reader.read(&batch.text[piece.range.clone()]) {
                    number += 1;
                    match game.map_err(anyhow::Error::from).and_then(|game| each(&moves_of(game, number))) {
                        Err(error) if error.is::<io::Error>() => return Err(error),
                        Err(error) => {
                            terminal::tell_error(format_args!("game {number}: "), &error);
                            done = ExitStatus::Partial;
                        }
                        Ok(()) => {}
                    }
                }
            }
        }
        Ok(done)
    }
}

/// The moves of a game up to its null move, which is reported.
fn moves_of(game: pgn::Game, number: u64) -> GameMoves<VariantPosition> {
    if !game.annotations.continuation().is_empty() {
        terminal::tell(format_args!(
            "game {number}: encoded only up to its null move, because no encoding supports null moves"
        ));
    }
    GameMoves { start: game.start(), moves: game.moves, outcome: game.outcome }
}
