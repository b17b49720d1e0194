//! `plybook recompress`

use std::{fs, io::Write};

use anyhow::bail;
use clap::{Args, ValueEnum, value_parser};

use super::{OneArchiveArg, advice, terminal};
use crate::{
    archive::{Archive, ArchiveError, WritableArchive},
    codec::CodecId,
    counts::{BYTES, GAMES},
    printable,
};

/// Store the moves of all games with another codec
///
/// With "model", the moves of usual games take half of the space that they take with "index", the codec of imports, and the
/// file becomes over a quarter smaller. Very short games become larger, and so do games of Xelto and of variants other than
/// Chess960. All commands that replay games are slower: 40 seconds for 300,000 games on two cores, instead of 1 to 7. This
/// command takes two minutes for them.
///
/// With either codec, the ratings, openings, results and lengths of games take less space than after an import.
///
/// Ids, tags, the index and the log of changes stay as they are. Each game is read back before its old moves are deleted. The
/// command may be stopped at any time; run it again to continue.
///
/// plybook 0.2 cannot read a recompressed archive. For it, use --codec index, then plybook copy.
///
/// Examples:
/// * plybook recompress
/// * plybook recompress --codec index -a chess.db
/// * plybook backup before.db -a chess.db && plybook recompress -a chess.db
#[derive(Debug, Args)]
pub(super) struct Recompress {
    /// The new codec
    #[arg(long, value_enum, default_value_t = Codec::Model)]
    codec: Codec,
    /// Commit every N games
    #[arg(long, value_name = "GAMES", default_value_t = 4096, hide = true, value_parser = value_parser!(u64).range(1..1 << 32))]
    commit_every: u64,
    #[command(flatten)]
    archive: OneArchiveArg,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Codec {
    /// Move numbers: fast
    Index,
    /// Move numbers, weighted by how likely people play them: half the space
    Model,
}

impl Recompress {
    pub(super) fn run(self) -> anyhow::Result<()> {
        self.archive.protected().check_stdout()?;
        let (path, mut out) = (&self.archive.archive, terminal::stdout());
        // Reports what is wrong with the file before anything is written.
        drop(Archive::open(path)?);
        let before = fs::metadata(path)?.len();
        // SQLite writes the games, and then the complete file, to its log before it replaces the file.
        terminal::tell(format_args!("this needs up to {} of free space", BYTES.count(3 * before)));
        let codec = match self.codec {
            Codec::Index => CodecId::Index,
            Codec::Model => CodecId::Model,
        };
        let watch = terminal::watch_all(terminal::games_bar(0));
        let (file, name) = (path.display().to_string(), codec.info().name);
        let file = printable::line(&file);
        let games = match WritableArchive::recompress(path, codec, self.commit_every, watch) {
            Err(error @ ArchiveError::Damaged { .. }) => bail!("{error}; {}", advice::to_salvage(path)),
            games => games?,
        };
        let done = match games {
            0 => format!("all games are stored with {name} already"),
            games => format!("{} stored with {name}", GAMES.count(games)),
        };
        let sizes = [before, fs::metadata(path)?.len()].map(|bytes| BYTES.count(bytes));
        writeln!(out, "{file}: {done}; {} before, {} now", sizes[0], sizes[1])?;
        Ok(out.flush()?)
    }
}
