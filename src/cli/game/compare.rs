//! `plybook game compare`

use std::io::{self, Write};

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::{
    super::{code, table},
    Done,
    input::Input,
    output,
};
use crate::{
    chess::VariantPosition,
    codec::{
        EncodeError,
        game::{GAME_CODECS, GameCode, GameCodec, GameMoves},
    },
};

/// Show what a game costs in every encoding
///
/// A game of the archive by its id, or PGN on standard input. The shortest comes first. An encoding that cannot
/// hold the game comes last, with the reason; in JSON its bits and hex are null.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook game compare 5
  echo '1. e4 e5 2. Nf3 f6 *' | plybook game compare --format json")]
pub(in crate::cli) struct Compare {
    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    #[command(flatten)]
    input: Input,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// For people, with a bar each
    Table,
    /// A list of objects for each game: codec, bits, hex, plies
    Json,
}

/// A codec and what it makes of a game.
type Coded = (&'static dyn GameCodec, Result<GameCode, EncodeError>);

impl Compare {
    pub(in crate::cli) fn run(self) -> anyhow::Result<Done> {
        let mut out = output::stdout();
        let all_good = self.input.for_each(|line| {
            let coded = in_all_codecs(line);
            match self.format {
                Format::Table => print(&mut out, line, &coded)?,
                Format::Json => {
                    let list = to_json(&coded, line.moves.len());
                    writeln!(out, "{}", serde_json::to_string_pretty(&list)?)?;
                }
            }
            Ok(())
        })?;
        out.flush()?;
        Ok(all_good)
    }
}

/// All encodings of a game, the shortest first.
fn in_all_codecs(line: &GameMoves<VariantPosition>) -> Vec<Coded> {
    let mut coded: Vec<Coded> = GAME_CODECS.iter().map(|codec| (*codec, codec.encode(line))).collect();
    coded.sort_by_key(|(_, code)| code.as_ref().map_or(usize::MAX, |code| code.bits.len()));
    coded
}

fn print(out: &mut dyn Write, line: &GameMoves<VariantPosition>, coded: &[Coded]) -> io::Result<()> {
    const WIDTH: u64 = 50;
    let len = |code: &GameCode| code.bits.len() as u64;
    let most = coded.iter().filter_map(|(_, code)| code.as_ref().ok()).map(len).max().unwrap_or(0);
    let plies = line.moves.len();
    let rows: Vec<Vec<String>> = coded
        .iter()
        .map(|(codec, code)| {
            let name = codec.info().name.to_owned();
            match code {
                Ok(code) => {
                    let per_ply = len(code) as f64 / plies.max(1) as f64;
                    let bar = output::blocks(len(code), most, WIDTH);
                    vec![name, len(code).to_string(), format!("{per_ply:.2}"), bar]
                }
                Err(error) => vec![name, "–".to_owned(), "–".to_owned(), error.to_string()],
            }
        })
        .collect();
    writeln!(out, "{plies} plies, {}", line.outcome)?;
    table::aligned(out, &["codec", "bits", "a ply", ""], &[false, true, true, false], &rows)
}

fn to_json(coded: &[Coded], plies: usize) -> Value {
    let object = |(codec, code): &Coded| {
        let name = codec.info().name;
        match code {
            Ok(code) => {
                json!({"codec": name, "bits": code.bits.len(), "hex": code::hex(&code.bits), "plies": plies})
            }
            Err(error) => json!({"codec": name, "bits": null, "hex": null, "reason": error.to_string()}),
        }
    };
    coded.iter().map(object).collect()
}
