//! `plybook path`

use std::{
    io::{self, IsTerminal, Write},
    path::PathBuf,
    time::Duration,
};

use anyhow::Context;
use clap::{Args, ValueEnum};
use indicatif::{HumanDuration, ProgressBar};
use serde_json::{Value, json};
use shakmaty::{san::SanPlus, uci::UciMove};

use super::{
    ArchiveArg, Done,
    output::{self, thousands},
    place::{self, Places},
};
use crate::{
    archive::Archive,
    chess::{Chess, Move, Outcome},
    codec::game::{GameMoves, index},
    limits::{MAX_PATH_PLIES, PATH_MEMORY},
    proofgame::{Limits, Outcome as Found, Progress, Reason, Target, search},
    query::shortest_through,
};

const MIB: usize = 1 << 20;

/// Find the shortest legal game that reaches a position, and its integer
///
/// The search is complete: where a game is found, none with fewer plies exists. What a FEN leaves out is left
/// open: a placement with a side ("… w") says nothing of castling and en passant. An en passant square on which no
/// capture is legal means none, because programs differ in whether they write it. With an archive, the
/// shortest stored game through the position is told first. The exit code is 1 if no game was found.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook path rnbqkbn1/ppppppp1/8/8/6p1/4P2r/PPPP1PPP/RNBK1BNR w
  plybook path 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq' -a plybook.db
  plybook path 'rnbqkbnr/8/8/8/8/8/8/RNBQKBNR w' --timeout 10")]
pub(super) struct Path {
    /// The position: a FEN or its leading fields, moves ('1. e4 c5'), or GAME:PLY of the archive
    #[arg(required = true, value_name = "FEN")]
    fen: Vec<String>,
    /// Take the FEN's en passant field as written: its square is the one the last move passed, "-" that it was
    /// no double step
    #[arg(long)]
    exact_ep: bool,
    /// Tell the shortest game of this archive through the position first
    #[arg(short, long, value_name = "FILE")]
    archive: Option<PathBuf>,
    /// Search games of at least so many plies; then shorter ones may exist
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_plies: usize,
    /// Search games of at most so many plies
    #[arg(long, value_name = "N", default_value_t = MAX_PATH_PLIES)]
    max_plies: usize,
    /// Stop after so many seconds
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<f64>,
    /// Memory for the search's tables, in MiB
    #[arg(long, value_name = "MIB", default_value_t = PATH_MEMORY / MIB)]
    memory: usize,
    /// How to print the game
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

impl Path {
    pub(super) fn run(self) -> anyhow::Result<Done> {
        let text = self.fen.join(" ");
        let read = if self.exact_ep { Target::as_written } else { str::parse };
        let target = read(&self.fen_of(&text)?).with_context(|| format!("{text:?}"))?;
        let timeout = self.timeout.map(Duration::try_from_secs_f64).transpose().context("--timeout")?;
        let stored = self.stored(&target)?;
        let limits = Limits {
            min_plies: self.min_plies,
            max_plies: self.max_plies,
            timeout,
            memory: self.memory.saturating_mul(MIB),
        };
        let bar = if io::stderr().is_terminal() { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
        let outcome = search(&target, &limits, &mut |progress| show(&bar, progress));
        bar.finish_and_clear();
        match self.format {
            Format::Text => print(&outcome)?,
            Format::Json => {
                let mut value = to_json(&outcome)?;
                if let (Value::Object(object), Some(stored)) = (&mut value, stored) {
                    object.insert("stored".to_owned(), stored);
                }
                output::json(&value)?;
            }
        }
        Ok(matches!(outcome, Found::Found { .. }))
    }

    /// A FEN as it stands, with what it leaves open; moves or a game's ply as the FEN of their position.
    fn fen_of(&self, text: &str) -> anyhow::Result<String> {
        let is_move = text.starts_with(|c: char| c.is_ascii_alphanumeric()) && !text.contains('/');
        if !is_move {
            return Ok(text.to_owned());
        }
        let archive = self.archive.clone().unwrap_or_else(|| "plybook.db".into());
        place::fen(Places::new(ArchiveArg { archive }).read(text).with_context(|| format!("{text:?}"))?)
    }

    /// Looks the position up in the archive; tells the game at once where people read.
    fn stored(&self, target: &Target) -> anyhow::Result<Option<Value>> {
        let Some(path) = &self.archive else { return Ok(None) };
        let Some(found) = shortest_through(&Archive::open(path)?, target)? else {
            if self.format == Format::Text {
                told("no stored game passes through this position")?;
            }
            return Ok(Some(Value::Null));
        };
        let game = Game::new(&found.moves)?;
        if self.format == Format::Text {
            let (id, plies) = (found.game, found.moves.len());
            told(&format!("stored: game {id} after {plies} plies: {}", game.numbered()))?;
        }
        Ok(Some(json!({"game": found.game, "plies": found.moves.len(), "moves": game.san})))
    }
}

/// Prints a line at once, before the search.
fn told(line: &str) -> std::io::Result<()> {
    let mut out = output::stdout();
    writeln!(out, "{line}")?;
    out.flush()
}

fn show(bar: &ProgressBar, progress: Progress) {
    bar.set_message(format!(
        "games of {} plies, {} positions, {}",
        progress.plies,
        thousands(progress.nodes),
        HumanDuration(progress.elapsed)
    ));
    bar.tick();
}

/// A game from the initial position, written out.
struct Game {
    san: Vec<String>,
    uci: Vec<String>,
    integer: String,
}

impl Game {
    fn new(moves: &[Move]) -> anyhow::Result<Game> {
        let line = GameMoves { start: Chess::new(), moves: moves.to_vec(), outcome: Outcome::Unknown };
        let integer = index::encode(&line)?.to_integer().to_string();
        let mut position = Chess::new();
        let san = moves.iter().map(|&m| SanPlus::from_move_and_play_unchecked(&mut position, m).to_string());
        let uci = moves.iter().map(|&m| UciMove::from_standard(m).to_string());
        Ok(Game { san: san.collect(), uci: uci.collect(), integer })
    }

    fn numbered(&self) -> String {
        let pairs =
            (1..).zip(self.san.chunks(2)).map(|(number, pair)| format!("{number}. {}", pair.join(" ")));
        pairs.collect::<Vec<_>>().join(" ")
    }
}

fn print(outcome: &Found) -> anyhow::Result<()> {
    let mut out = output::stdout();
    match outcome {
        Found::Found { moves, proved } => {
            let game = Game::new(moves)?;
            let claim = if *proved { "no shorter game exists" } else { "a shorter game may exist" };
            writeln!(out, "{} plies; {claim}", moves.len())?;
            writeln!(out, "{}", game.numbered())?;
            writeln!(out, "integer {}", game.integer)?;
        }
        Found::NotFound { reason: Reason::Unreachable, .. } => {
            writeln!(out, "no legal game reaches this position")?
        }
        Found::NotFound { searched_to, reason } => {
            let (limit, why) = match reason {
                Reason::Timeout => (*searched_to, "the time is up"),
                _ => (searched_to.saturating_sub(1), "the longest game allowed was searched"),
            };
            writeln!(out, "not found within {limit} plies ({why}); none shorter than {searched_to} exists")?;
        }
    }
    Ok(out.flush()?)
}

fn to_json(outcome: &Found) -> anyhow::Result<Value> {
    Ok(match outcome {
        Found::Found { moves, proved } => {
            let game = Game::new(moves)?;
            json!({
                "found": true,
                "plies": moves.len(),
                "moves": game.san,
                "uci": game.uci,
                "integer": game.integer,
                "proved": proved,
            })
        }
        Found::NotFound { searched_to, reason } => json!({
            "found": false,
            "plies": null,
            "moves": null,
            "integer": null,
            "proved": *reason == Reason::Unreachable,
            "none_shorter_than": searched_to,
            "reason": match reason {
                Reason::Timeout => "timeout",
                Reason::MaxPlies => "max-plies",
                Reason::Unreachable => "unreachable",
            },
        }),
    })
}
