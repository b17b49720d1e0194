//! `plybook game encode` and `plybook game decode`

use std::io::{self, BufRead, Write};

use anyhow::{Context, bail};
use clap::Args;

use super::{
    super::code::{Code, Form, game_forms},
    Done, codec,
    input::Input,
    number, output,
};
use crate::{
    bits::mixed_radix::MixedRadix,
    chess::{Annotations, Fen, Tags, Variant, VariantPosition},
    codec::{
        DecodeError,
        game::{GameCodec, GameMoves},
    },
    pgn::write_game,
};

/// Write games as integers, one line a game
///
/// A game of the archive by its id, or PGN on standard input. The integer has the bytes of the encoding, the
/// least significant first. index-bare does not say where the game ends: its number of plies stands after it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  echo '1. e4 e5 2. Nf3 f6 *' | plybook game encode        prints 8712609247
  plybook game encode 5 --codec index-bare -a chess.db     prints the number and the plies
  plybook game encode --format hex < games.pgn")]
pub(in crate::cli) struct Encode {
    /// The encoding (see: plybook codecs)
    #[arg(long, value_name = "NAME", default_value = "index")]
    codec: String,
    /// How to write it: the integer, or its bytes
    #[arg(long, value_parser = game_forms(), default_value = "int")]
    format: Form,
    #[command(flatten)]
    input: Input,
}

/// Read one encoded game a line on standard input, print PGN
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  echo 8712609247 | plybook game decode
  echo 225833 4 | plybook game decode --codec index-bare
  plybook game encode 5 --format hex | plybook game decode --format hex")]
pub(in crate::cli) struct Decode {
    /// The encoding (see: plybook codecs)
    #[arg(long, value_name = "NAME", default_value = "index")]
    codec: String,
    /// How it is written: the integer, or its bytes
    #[arg(long, value_parser = game_forms(), default_value = "int")]
    format: Form,
    /// The number of plies for index-bare, where it does not stand after the code
    #[arg(long, value_name = "N")]
    plies: Option<usize>,
    /// The variant, such as Chess960
    #[arg(long, default_value = "Standard")]
    variant: String,
    /// The start position, if it is not the usual one
    #[arg(long)]
    fen: Option<String>,
}

impl Encode {
    pub(in crate::cli) fn run(self) -> anyhow::Result<Done> {
        let codec = codec(&self.codec)?;
        let mut out = output::stdout();
        let all_good = self.input.for_each(|line| {
            let code = codec.encode(line)?;
            write!(out, "{}", self.format.write(&code.bits, number))?;
            if let Some(plies) = code.plies {
                write!(out, " {plies}")?;
            }
            Ok(writeln!(out)?)
        })?;
        out.flush()?;
        Ok(all_good)
    }
}

impl Decode {
    pub(in crate::cli) fn run(self) -> anyhow::Result<Done> {
        let (codec, (start, tags)) = (codec(&self.codec)?, self.start()?);
        let (mut out, mut all_good) = (output::stdout(), true);
        for (number, line) in (1..).zip(io::stdin().lock().lines()) {
            let line = line?;
            if line.trim().is_empty() {
                continue;
            }
            match self.read(codec, &start, &line) {
                Ok(game) => {
                    let (mut text, mut tags) = (String::new(), tags.clone());
                    tags.push("Result", game.outcome.as_str());
                    write_game(
                        &mut text,
                        &tags,
                        &game.start,
                        &game.moves,
                        &Annotations::default(),
                        game.outcome,
                    );
                    writeln!(out, "{text}")?;
                }
                Err(error) => {
                    out.flush()?;
                    output::tell(format_args!("line {number}: {error:#}"));
                    all_good = false;
                }
            }
        }
        out.flush()?;
        Ok(all_good)
    }

    /// The start position, and the tag pairs that tell it.
    fn start(&self) -> anyhow::Result<(VariantPosition, Tags)> {
        let Some(variant) = Variant::from_name(&self.variant) else {
            bail!("{:?} is no variant plybook knows", self.variant)
        };
        let mut tags = Tags::default();
        if variant != Variant::Standard {
            tags.push("Variant", variant.name());
        }
        let Some(fen) = &self.fen else { return Ok((variant.start(), tags)) };
        let setup: Fen = fen.parse().with_context(|| format!("{fen:?} is no FEN"))?;
        let Ok(start) = variant.position(&setup) else { bail!("{fen:?} is no position to play from") };
        tags.push("SetUp", "1");
        tags.push("FEN", fen);
        Ok((start, tags))
    }

    fn read(
        &self,
        codec: &dyn GameCodec,
        start: &VariantPosition,
        line: &str,
    ) -> anyhow::Result<GameMoves<VariantPosition>> {
        let mut words = line.split_whitespace();
        let code = words.next().unwrap_or_default();
        let plies = match words.next() {
            Some(plies) => Some(plies.parse().with_context(|| format!("{plies:?} is no number of plies"))?),
            None => self.plies,
        };
        if let Some(word) = words.next() {
            bail!("{word:?} follows after the code");
        }
        match self.format.read(code)? {
            Code::Bytes(bytes) => Ok(codec.decode(start, &bytes, plies)?),
            Code::Number(number) => {
                Ok(of_bytes(codec, start, &MixedRadix::from(&number).to_bytes_le(), plies)?)
            }
        }
    }
}

/// The game with these bytes, or with the zero bytes behind them that an integer cannot tell: `coords` ends in
/// one or two.
fn of_bytes(
    codec: &dyn GameCodec,
    start: &VariantPosition,
    bytes: &[u8],
    plies: Option<usize>,
) -> Result<GameMoves<VariantPosition>, DecodeError> {
    let with_zeros = |zeros| codec.decode(start, &[bytes, &[0; 2][..zeros]].concat(), plies);
    with_zeros(0).or_else(|error| with_zeros(1).or_else(|_| with_zeros(2)).map_err(|_| error))
}
