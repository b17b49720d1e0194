//! `plybook book`

use std::io::Write;

use anyhow::{Context, bail};
use clap::{Args, value_parser};

use super::{ExitStatus, answer::AnswerArgs, terminal};
use crate::{
    chess::Variant,
    counts::MOVES,
    query::{self, PolyglotBook, PolyglotOptions},
};

/// Write an opening book that chess programs can play from (Polyglot format)
///
/// A book contains the moves that were played in each position. The weight of a move is two points for each game that
/// the side to move won, and one for each draw; moves that never scored are omitted. As in "plybook explore", a game
/// counts once per position, with the last move it played there. Only decided or drawn games of standard chess and
/// Chess960 count.
///
/// Examples:
/// * plybook book -o all.bin
/// * plybook book --player fischer --colour white --min-games 1 -o fischer.bin
/// * plybook book --elo 2500.. --date 2010.. --max-ply 30 -o masters.bin
#[derive(Debug, Args)]
pub(super) struct BookArgs {
    /// Use only the first N plies of each game
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = value_parser!(u16).range(1..))]
    max_ply: u16,
    /// Include only moves that were played in at least N games
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = value_parser!(u32).range(1..))]
    min_games: u32,
    #[command(flatten)]
    answer: AnswerArgs,
}

impl BookArgs {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        if self.answer.output.is_terminal() {
            bail!("a book is a binary file; write it to a file with --output FILE");
        }
        let archive = self.answer.archive.open_at_this_moment()?;
        let filter = self.answer.filter.filter(&archive)?;
        if let Some(kind) = filter.kind
            && !matches!(kind.variant(), Some(Variant::Standard | Variant::Chess960))
        {
            bail!("books support only standard chess and Chess960, not {kind}");
        }
        let mut out = self.answer.out()?;
        let options = PolyglotOptions { max_ply: usize::from(self.max_ply), min_games: self.min_games };
        let moves = self.answer.ask(query::Context::new(&archive), |context| -> anyhow::Result<u64> {
            let (mut book, mut moves) = (PolyglotBook::new(context, &filter, options), 0);
            while let Some(entries) = book.next_part()? {
                moves += entries.len() as u64;
                for entry in entries {
                    out.write_all(&entry.bytes()).with_context(|| out.name.clone())?;
                }
            }
            Ok(moves)
        })?;
        if moves > 0 {
            terminal::printed(out.finish().map_err(Into::into))?;
            terminal::tell(format_args!("{} written", MOVES.count(moves)));
        } else {
            terminal::tell(format_args!(
                "no move that scored was played in {} or more games that match the filters, so no book was written",
                self.min_games
            ));
        }
        Ok(ExitStatus::complete_if(moves > 0))
    }
}
