//! `plybook book`

use std::io::Write;

use anyhow::{Context, bail};
use clap::{Args, value_parser};

use super::{ExitStatus, answer::AnswerArgs, terminal};
use crate::{
    chess::Variant,
    counts::MOVES,
    query::{PolyglotBook, PolyglotOptions},
};

/// Write an opening book in the format of Polyglot, for chess programs to play from
///
/// A book has the moves that games played in each position, and their weights: twice the games that the side to move won,
/// and those that were drawn; moves that never brought half a point are left out. As in `explore`, a game counts once in a
/// position, under its last move there. Only games of standard chess and Chess960 that were won, lost or drawn count.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook book -o all.bin
  plybook book --player fischer --colour white --min-games 1 -o fischer.bin
  plybook book --elo 2500.. --date 2010.. --max-ply 30 -o masters.bin")]
pub(super) struct BookArgs {
    /// Only so many plies from the start of each game
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = value_parser!(u16).range(1..))]
    max_ply: u16,
    /// Only moves that at least so many games played
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = value_parser!(u32).range(1..))]
    min_games: u32,
    #[command(flatten)]
    answer: AnswerArgs,
}

impl BookArgs {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        if self.answer.output.is_terminal() {
            bail!("a book is no text: give the name of a file with --output");
        }
        let archive = self.answer.archive.open_at_this_moment()?;
        let filter = self.answer.filter.filter(&archive)?;
        if let Some(kind) = filter.kind
            && !matches!(kind.variant(), Some(Variant::Standard | Variant::Chess960))
        {
            bail!("a book is of standard chess and Chess960, not of {kind}");
        }
        let mut out = self.answer.out()?;
        let options = PolyglotOptions { max_ply: usize::from(self.max_ply), min_games: self.min_games };
        let mut book = PolyglotBook::new(&archive, &filter, options);
        let mut watch = self.answer.watch(&archive)?;
        let mut moves = 0;
        while let Some(entries) = book.next_part(&mut watch)? {
            moves += entries.len() as u64;
            for entry in entries {
                out.write_all(&entry.bytes()).with_context(|| out.name().to_owned())?;
            }
        }
        drop(watch);
        if moves > 0 {
            terminal::printed(out.finish().map_err(Into::into))?;
            terminal::tell(format_args!("{} written", MOVES.count(moves)));
        } else {
            terminal::tell("no move was played by so many games that pass the filter: no book is written");
        }
        Ok(ExitStatus::complete_if(moves > 0))
    }
}
