//! `plybook explore`

use std::{io::Write, ops::ControlFlow};

use clap::{Args, ValueEnum};

use super::{
    ArchiveArg, ExitStatus, advice,
    filter::FilterArgs,
    format::{Format, lists_or},
    terminal,
};
use crate::present::{ExploredPosition, explore, list, write_exploration};

/// Show what was played in a position, and what became of the games
///
/// A game counts once, under the move that it played when the position stood on its board for the last time.
/// "reached" counts the games that come to the position after the move by any order of moves; "elo" and "perf"
/// (performance, by FIDE's table) are those of the side that moves; "best" is the game with the highest sum of
/// ratings. Castling is e1g1 in UCI notation; in Chess960, from other squares, king takes rook. With --variant, the
/// position is one of that variant; else games of standard chess and Chess960 count.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook explore
  plybook explore '1. e4 c5 2. Nf3 d6'
  plybook explore '1. d4 Nf6' --player karpov --colour black --date 1974..1985
  plybook explore 1:24 --elo 2600.. --format json
  plybook explore 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -' --format csv")]
pub(super) struct Explore {
    /// The position: a FEN, moves from the start ('1. e4 c5'), or GAME:PLY of the archive [default: the start]
    position: Vec<String>,
    /// At most so many moves
    #[arg(long, value_name = "N")]
    moves: Option<usize>,
    /// How to print it; the formats of lists have the moves
    #[arg(long, value_parser = lists_or::<OwnFormat>(), default_value = "text")]
    format: Format<OwnFormat>,
    #[command(flatten)]
    archive: ArchiveArg,
    #[command(flatten)]
    filter: FilterArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OwnFormat {
    /// For people, with bars
    #[value(alias = "table")]
    Text,
    /// Everything, as one JSON object
    Json,
}

impl Explore {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        let archive = self.archive.open()?;
        let filter = self.filter.filter()?;
        let text = Some(self.position.join(" ")).filter(|_| !self.position.is_empty());
        let asked = ExploredPosition::read(text.as_deref(), filter.kind, &archive)?;
        let bar = terminal::games_bar(archive.last_id()?.unsigned_abs());
        let told = explore(&archive, &asked, &filter, |games| {
            bar.set_position(games);
            ControlFlow::Continue(())
        })?;
        bar.finish_and_clear();
        let Some(mut told) = told else { return Ok(ExitStatus::Partial) };
        told.moves.truncate(self.moves.unwrap_or(usize::MAX));
        let mut out = terminal::raw_stdout();
        match self.format {
            Format::Own(OwnFormat::Text) => write_exploration(&mut out, &told, terminal::in_colour())?,
            Format::Own(OwnFormat::Json) => terminal::json(&mut out, &told)?,
            Format::List(format) => list::write(format, &mut out, &told.moves)?,
        }
        out.flush()?;
        terminal::tell(advice::AFTER_SCAN);
        Ok(ExitStatus::complete_if(told.games > 0))
    }
}
