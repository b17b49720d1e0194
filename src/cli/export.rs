//! `plybook export`

use std::io::Write;

use anyhow::bail;
use clap::{Args, ValueEnum};

use super::{
    ArchiveArg, Done,
    filter::FilterArgs,
    output::{self, OutputArgs},
};
use crate::{
    archive::{Archive, Filter, GameKind, StoredGame},
    files::Protected,
    pgn::write_game,
};

/// Write games as PGN, or games of Xelto as records
///
/// PGN is in export format: the seven-tag roster first, the other tag pairs in their order, movetext in lines
/// of at most 80 columns. Records have a blank line between them. Games of Xelto have no PGN: where neither
/// --format nor --variant says what is wanted they are left out, with a word on standard error and exit code 1.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook export > all.pgn
  plybook export --player carlsen --date 2013.. -o carlsen.pgn
  plybook export --id 1..100 | pgn-extract --quiet
  plybook export --variant xelto -o games.xelto")]
pub(super) struct Export {
    #[command(flatten)]
    filter: FilterArgs,
    /// What to write [default: pgn; with --variant xelto: xelto]
    #[arg(long, value_enum)]
    format: Option<Format>,
    #[command(flatten)]
    output: OutputArgs,
    /// Write games that were not UTF-8 or had to be repaired byte for byte as they stood in their source; of a
    /// source that was converted as a whole (UTF-16, gbk and the like) as converted to UTF-8
    #[arg(long)]
    original: bool,
    #[command(flatten)]
    archive: ArchiveArg,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The games of chess and its variants, as PGN
    Pgn,
    /// The games of Xelto, as records
    Xelto,
}

impl Export {
    pub(super) fn run(self) -> anyhow::Result<Done> {
        let archive = self.archive.open()?;
        let mut filter = self.filter.filter()?;
        match (self.format, filter.kind) {
            (Some(Format::Pgn), Some(GameKind::Xelto)) => {
                bail!("games of Xelto have no PGN: leave --format away")
            }
            (Some(Format::Xelto), Some(kind @ GameKind::Chess(_))) => {
                bail!("a game of {kind} has no record of Xelto")
            }
            (Some(Format::Xelto), None) => filter.kind = Some(GameKind::Xelto),
            (Some(Format::Pgn), _) => filter.chess = true,
            _ => {}
        }
        self.write(&archive, &filter)
    }

    fn write(&self, archive: &Archive, filter: &Filter) -> anyhow::Result<Done> {
        let mut out = self.output.open(&Protected::default().archive(&self.archive.archive))?;
        let original = self.original.then_some(archive);
        let (mut text, mut failure) = (Vec::new(), None);
        let (mut count, mut damaged, mut left_out) = (0u64, 0u64, 0u64);
        archive.for_each_game(filter, |game| {
            text.clear();
            if filter.kind.is_none() && game.as_ref().is_ok_and(|game| game.kind == GameKind::Xelto) {
                left_out += 1;
                return true;
            }
            match game.map_err(anyhow::Error::from).and_then(|game| append(&mut text, &game, original)) {
                Ok(()) => count += 1,
                Err(error) => {
                    output::tell(format_args!("{error:#}"));
                    damaged += 1;
                }
            }
            match out.write_all(&text) {
                Ok(()) => true,
                Err(error) => {
                    failure = Some(error);
                    false
                }
            }
        })?;
        if let Some(error) = failure {
            output::printed(Err(anyhow::Error::new(error).context(out.name().to_owned())))?;
        } else if count > 0 {
            output::printed(out.finish().map_err(Into::into))?;
        }
        if left_out > 0 {
            let left_out = output::games(left_out);
            output::tell(format_args!(
                "{left_out} of Xelto left out, which has no PGN; to get them: --variant xelto"
            ));
        }
        if count + damaged + left_out == 0 {
            output::tell("no game passes the filter");
        }
        Ok(count > 0 && damaged == 0 && left_out == 0)
    }
}

/// Adds a game to a text, from its original if there is an archive to ask.
fn append(text: &mut Vec<u8>, game: &StoredGame, original: Option<&Archive>) -> anyhow::Result<()> {
    if let Some(archive) = original
        && let Some(bytes) = archive.original(game.id)?
    {
        text.extend(bytes.trim_ascii());
        text.extend(b"\n\n");
        return Ok(());
    }
    if game.kind == GameKind::Xelto {
        text.extend(format!("{}\n", game.xelto()?).as_bytes());
        return Ok(());
    }
    let line = game.line()?;
    let mut pgn = String::new();
    write_game(&mut pgn, &game.tags, &line.start, &line.moves, &game.annotations(&line)?, line.outcome);
    text.extend(pgn.as_bytes());
    Ok(())
}
