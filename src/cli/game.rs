//! `plybook game`: single games and their integers.

use std::io::{self, BufRead, Write};

use clap::{Args, Subcommand, ValueEnum};
use data_encoding::{BASE64URL_NOPAD, HEXLOWER, HEXLOWER_PERMISSIVE};

use super::{Done, output};
use crate::{
    bits::{Integer, mixed::Mixed},
    chess::{Chess, VariantPosition},
    codec::game::{Line, index},
    pgn::{Cutter, Reader, Tags, write_game},
};

/// Encode single games as integers, and back
#[derive(Debug, Subcommand)]
pub(super) enum Game {
    Encode(Encode),
    Decode(Decode),
}

/// Read PGN on standard input, print one line a game
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  echo '1. e4 e5 2. Nf3 f6 *' | plybook game encode        prints 8712609247
  plybook game encode --format hex < games.pgn")]
pub(super) struct Encode {
    /// The encoding
    #[arg(long, value_enum, default_value_t = Codec::Index)]
    codec: Codec,
    /// How to write the integer
    #[arg(long, value_enum, default_value_t = Form::Int)]
    format: Form,
}

/// Read one encoded game a line on standard input, print PGN
#[derive(Debug, Args)]
#[command(after_help = "Example:
  echo 8712609247 | plybook game decode")]
pub(super) struct Decode {
    /// The encoding
    #[arg(long, value_enum, default_value_t = Codec::Index)]
    codec: Codec,
    /// How the integer is written
    #[arg(long, value_enum, default_value_t = Form::Int)]
    format: Form,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Codec {
    /// Legal-move index in mixed radix with End marker
    Index,
}

/// How an integer is written.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Form {
    /// Decimal
    Int,
    /// The bytes of the archive (least significant first) in hexadecimal
    Hex,
    /// The same bytes in base64url without padding
    Base64url,
}

impl Game {
    pub(super) fn run(self) -> anyhow::Result<Done> {
        match self {
            Game::Encode(command) => command.run(),
            Game::Decode(command) => command.run(),
        }
    }
}

impl Encode {
    fn run(self) -> anyhow::Result<Done> {
        let Codec::Index = self.codec;
        let (mut out, mut all_good, mut number) = (output::stdout(), true, 0);
        let mut cutter = Cutter::new(io::stdin().lock());
        let mut reader = Reader::new();
        while let Some(batch) = cutter.next_batch(1 << 20)? {
            for piece in &batch.pieces {
                let mut lines = Vec::new();
                reader.read(&batch.text[piece.range.clone()], |_, _, game| {
                    number += 1;
                    lines.push((number, game));
                });
                for (number, game) in lines {
                    match game {
                        Ok(game) => {
                            let line = Line { start: game.start(), moves: game.moves, outcome: game.outcome };
                            writeln!(out, "{}", self.format.write(&index::encode(&line)?))?;
                        }
                        Err(reject) => {
                            out.flush()?;
                            eprintln!("plybook: game {number}: {reject}");
                            all_good = false;
                        }
                    }
                }
            }
        }
        out.flush()?;
        Ok(all_good)
    }
}

impl Decode {
    fn run(self) -> anyhow::Result<Done> {
        let Codec::Index = self.codec;
        let (mut out, mut all_good) = (output::stdout(), true);
        for (number, line) in (1..).zip(io::stdin().lock().lines()) {
            let line = line?;
            if line.trim().is_empty() {
                continue;
            }
            let start = VariantPosition::Chess(Chess::new());
            let game = self.format.read(line.trim()).and_then(|bytes| Ok(index::decode(start, &bytes)?));
            match game {
                Ok(game) => {
                    let tags: Tags = [("Result", game.outcome.as_str())].into_iter().collect();
                    let mut text = String::new();
                    write_game(&mut text, &tags, &game.start, &game.moves, game.outcome);
                    writeln!(out, "{text}")?;
                }
                Err(error) => {
                    out.flush()?;
                    eprintln!("plybook: line {number}: {error:#}");
                    all_good = false;
                }
            }
        }
        out.flush()?;
        Ok(all_good)
    }
}

impl Form {
    fn write(self, number: &Mixed) -> String {
        match self {
            Form::Int => number.to_integer().to_string(),
            Form::Hex => HEXLOWER.encode(&number.to_bytes_le()),
            Form::Base64url => BASE64URL_NOPAD.encode(&number.to_bytes_le()),
        }
    }

    /// The little-endian bytes of a written integer.
    fn read(self, text: &str) -> anyhow::Result<Vec<u8>> {
        match self {
            Form::Int => {
                let number: Integer =
                    text.parse().map_err(|_| anyhow::anyhow!("{text:?} is no decimal integer"))?;
                Ok(Mixed::from(&number).to_bytes_le())
            }
            Form::Hex => HEXLOWER_PERMISSIVE
                .decode(text.as_bytes())
                .map_err(|error| anyhow::anyhow!("{text:?} is no hexadecimal text: {error}")),
            Form::Base64url => BASE64URL_NOPAD
                .decode(text.trim_end_matches('=').as_bytes())
                .map_err(|error| anyhow::anyhow!("{text:?} is no base64url: {error}")),
        }
    }
}
