//! `plybook xelto`: records and positions of the board game Xelto.

use std::{
    fs,
    io::{self, BufRead, Read, Write},
    path::PathBuf,
};

use anyhow::Context;
use clap::{Args, Subcommand, ValueEnum};

use super::{ExitStatus, terminal};
use crate::{
    bits::{Integer, mixed_radix::MixedRadix},
    codec::{
        game::index,
        xelto::{byte, game_moves, hash34, move14, url},
    },
    present::{numbers::PLIES, write_xelto_board},
    rules::Rules,
    xelto::{
        Move, Position,
        notation::{Record, Written},
    },
};

/// Show, encode and decode records of Xelto, a Japanese board game on 7×7 squares
#[derive(Debug, Subcommand)]
pub(super) enum Xelto {
    Show(Show),
    Encode(Encode),
    Decode(Decode),
    Hash(Hash),
}

/// Show the board of a record at a ply
#[derive(Debug, Args)]
#[command(after_help = "Example:
  plybook xelto show data/xelto/first.xelto --ply 20")]
pub(super) struct Show {
    /// The record's file (default: standard input)
    file: Option<PathBuf>,
    /// The number of plies played [default: all]
    #[arg(long)]
    ply: Option<usize>,
}

/// Encode records, one line a record
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook xelto encode --codec url < data/xelto/first.xelto
  plybook xelto encode data/xelto/*.xelto")]
pub(super) struct Encode {
    /// The records' files (default: one record on standard input)
    files: Vec<PathBuf>,
    /// The encoding
    #[arg(long, value_enum, default_value_t = Codec::Index)]
    codec: Codec,
}

/// Decode one encoded record a line, from standard input
#[derive(Debug, Args)]
#[command(after_help = "Example:
  echo JAxY | plybook xelto decode --codec url")]
pub(super) struct Decode {
    /// The encoding
    #[arg(long, value_enum, default_value_t = Codec::Index)]
    codec: Codec,
}

/// Print the 34-character hash of every position of a record, the start position first
#[derive(Debug, Args)]
#[command(after_help = "Example:
  plybook xelto hash < data/xelto/first.xelto")]
pub(super) struct Hash {
    /// The record's file (default: standard input)
    file: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Codec {
    /// 14 bits a move: the codes as numbers
    Move14,
    /// The legal-move index in mixed radix with End marker, as one decimal number
    Index,
    /// The legal-move index of each move, a byte each, as numbers
    Byte,
    /// 7 bits a move, as text for a URL
    Url,
}

impl Xelto {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        match self {
            Xelto::Show(command) => command.run(),
            Xelto::Encode(command) => command.run(),
            Xelto::Decode(command) => command.run(),
            Xelto::Hash(command) => command.run(),
        }
    }
}

/// Reads a record from a file or standard input.
fn record(file: Option<&PathBuf>) -> anyhow::Result<Record> {
    let (name, text) = match file.filter(|file| file.as_os_str() != "-") {
        Some(file) => {
            let name = file.display().to_string();
            (name.clone(), fs::read_to_string(file).context(name)?)
        }
        None => {
            let mut text = String::new();
            io::stdin().lock().read_to_string(&mut text).context("standard input")?;
            ("standard input".to_owned(), text)
        }
    };
    text.parse().context(name)
}

impl Show {
    fn run(self) -> anyhow::Result<ExitStatus> {
        let record = record(self.file.as_ref())?;
        let plies = record.moves.len();
        let ply = self.ply.unwrap_or(plies);
        if ply > plies {
            anyhow::bail!("the record has no ply {ply}: it has {}", PLIES.count(plies as u64));
        }
        let mut out = terminal::stdout();
        write_xelto_board(&mut out, &record, ply)?;
        out.flush()?;
        Ok(ExitStatus::Complete)
    }
}

impl Encode {
    fn run(self) -> anyhow::Result<ExitStatus> {
        let mut out = terminal::stdout();
        if self.files.is_empty() {
            writeln!(out, "{}", self.codec.encode(&record(None)?)?)?;
        }
        for file in &self.files {
            writeln!(out, "{}", self.codec.encode(&record(Some(file))?)?)?;
        }
        out.flush()?;
        Ok(ExitStatus::Complete)
    }
}

impl Decode {
    fn run(self) -> anyhow::Result<ExitStatus> {
        let (mut out, mut done) = (terminal::stdout(), ExitStatus::Complete);
        for (number, text) in (1..).zip(io::stdin().lock().lines()) {
            let text = text?;
            match self.codec.decode(text.trim()) {
                Ok(moves) => writeln!(out, "{}", numbered(&moves))?,
                Err(error) => {
                    out.flush()?;
                    terminal::tell_error(format_args!("line {number}: "), &error);
                    done = ExitStatus::Partial;
                }
            }
        }
        out.flush()?;
        Ok(done)
    }
}

/// The moves of a game from the usual start, as numbered lines.
fn numbered(moves: &[Move]) -> String {
    let mut position = Position::start();
    let mut text = String::new();
    for (number, &m) in (1..).zip(moves) {
        text.push_str(&format!("{number}.{}\n", Written::from_move(&position, m)));
        position.make(m);
    }
    text
}

impl Hash {
    fn run(self) -> anyhow::Result<ExitStatus> {
        let record = record(self.file.as_ref())?;
        let mut out = terminal::stdout();
        for position in record.positions() {
            writeln!(out, "{}", hash34::encode(&position))?;
        }
        out.flush()?;
        Ok(ExitStatus::Complete)
    }
}

impl Codec {
    fn encode(self, record: &Record) -> anyhow::Result<String> {
        let (start, moves) = (record.start(), &record.moves);
        Ok(match self {
            Codec::Move14 => joined(&move14::encode(&start, moves)?),
            Codec::Byte => joined(&byte::encode(&start, moves)?),
            Codec::Index => index::encode(&game_moves(record))?.to_integer().to_string(),
            Codec::Url => url::encode(&start, moves)?,
        })
    }

    fn decode(self, text: &str) -> anyhow::Result<Vec<Move>> {
        let start = Position::start();
        Ok(match self {
            Codec::Move14 => move14::decode(&start, &numbers(text)?)?,
            Codec::Byte => byte::decode(&start, &numbers(text)?)?,
            Codec::Index => {
                let number: Integer =
                    text.parse().map_err(|_| anyhow::anyhow!("{text:?} is no decimal integer"))?;
                index::decode(start, &MixedRadix::from(&number).to_bytes_le())?.moves
            }
            Codec::Url => url::decode(&start, text)?,
        })
    }
}

fn joined<T: ToString>(values: &[T]) -> String {
    values.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

fn numbers<T: std::str::FromStr>(text: &str) -> anyhow::Result<Vec<T>> {
    let number =
        |word: &str| word.parse().map_err(|_| anyhow::anyhow!("{word:?} is no number of this encoding"));
    text.split_whitespace().map(number).collect()
}
