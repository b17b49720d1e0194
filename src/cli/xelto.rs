//! `plybook xelto`: records and positions of the board game Xelto.

use std::{
    fs,
    io::{self, Write},
    path::PathBuf,
};

use anyhow::Context;
use clap::{Args, builder::TypedValueParser};

use super::{ExitStatus, answer::choice, terminal};
use crate::{
    codec::xelto::{HASH34, XELTO_CODECS, XeltoCodec, game_moves},
    counts::PLIES,
    present::game::write_xelto_board,
    rules::Rules,
    xelto::{
        Move, Position,
        notation::{Record, Written},
    },
};

commands! {
    /// Show, encode and decode records of Xelto, a Japanese board game on 7×7 squares
    enum Xelto {
        Show(Show),
        Encode(Encode),
        Decode(Decode),
        Hash(Hash),
    }
}

/// Show the board of a record at a ply
///
/// Examples:
/// * plybook xelto show data/xelto/first.xelto
/// * plybook xelto show data/xelto/first.xelto --ply 20
/// * plybook xelto show < data/xelto/second.xelto
#[derive(Debug, Args)]
pub(super) struct Show {
    /// File with a record [default: standard input]
    file: Option<PathBuf>,
    /// Number of plies to play [default: all]
    #[arg(long)]
    ply: Option<usize>,
}

/// Encode records, one per line
///
/// Examples:
/// * plybook xelto encode --codec url < data/xelto/first.xelto
/// * plybook xelto encode data/xelto/*.xelto
/// * plybook xelto encode --codec move14 data/xelto/*.xelto | cut -c1-40
#[derive(Debug, Args)]
pub(super) struct Encode {
    /// Files with records [default: one record on standard input]
    files: Vec<PathBuf>,
    /// Encoding
    #[arg(long, value_parser = codec(), default_value = "index")]
    codec: &'static XeltoCodec,
}

/// Decode records from standard input, one per line
///
/// Examples:
/// * echo JAxY | plybook xelto decode --codec url
/// * plybook xelto encode data/xelto/*.xelto | plybook xelto decode
/// * plybook xelto encode data/xelto/first.xelto | plybook xelto decode > again.xelto
#[derive(Debug, Args)]
pub(super) struct Decode {
    /// Encoding
    #[arg(long, value_parser = codec(), default_value = "index")]
    codec: &'static XeltoCodec,
}

/// Print the 34-character hash of every position of a record, from the start position
///
/// Examples:
/// * plybook xelto hash data/xelto/first.xelto
/// * plybook xelto hash < data/xelto/first.xelto
/// * plybook xelto hash data/xelto/first.xelto | sort | uniq -d
#[derive(Debug, Args)]
pub(super) struct Hash {
    /// File with a record [default: standard input]
    file: Option<PathBuf>,
}

/// Parses the name of a codec.
fn codec() -> impl TypedValueParser<Value = &'static XeltoCodec> {
    choice(XELTO_CODECS.map(|codec| (codec.name, codec.summary, codec)))
}

/// Reads a record from a file or standard input.
fn record(file: Option<&PathBuf>) -> anyhow::Result<Record> {
    let file = file.filter(|file| file.as_os_str() != "-");
    let name = file.map_or_else(|| "standard input".to_owned(), |file| file.display().to_string());
    let text = match file {
        Some(file) => fs::read_to_string(file),
        None => io::read_to_string(io::stdin().lock()),
    };
    text.with_context(|| name.clone())?.parse().context(name)
}

impl Show {
    fn run(self) -> anyhow::Result<()> {
        let record = record(self.file.as_ref())?;
        let plies = record.moves.len();
        let ply = self.ply.unwrap_or(plies);
        if ply > plies {
            anyhow::bail!("the record has no ply {ply}; its length is {}", PLIES.count(plies as u64));
        }
        let mut out = terminal::stdout();
        write_xelto_board(&mut out, &record, ply)?;
        Ok(out.flush()?)
    }
}

impl Encode {
    fn run(self) -> anyhow::Result<()> {
        let mut out = terminal::stdout();
        if self.files.is_empty() {
            writeln!(out, "{}", (self.codec.write_text)(&game_moves(&record(None)?))?)?;
        }
        for file in &self.files {
            writeln!(out, "{}", (self.codec.write_text)(&game_moves(&record(Some(file))?))?)?;
        }
        Ok(out.flush()?)
    }
}

impl Decode {
    fn run(self) -> anyhow::Result<ExitStatus> {
        terminal::each_line(terminal::stdout(), "", |line| {
            Ok(numbered(&(self.codec.read_text)(line.trim())?) + "\n")
        })
    }
}

/// The moves of a game from the usual start position, as numbered lines.
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
    fn run(self) -> anyhow::Result<()> {
        let record = record(self.file.as_ref())?;
        let mut out = terminal::stdout();
        for position in record.positions() {
            writeln!(out, "{}", HASH34.encode(&position))?;
        }
        Ok(out.flush()?)
    }
}
