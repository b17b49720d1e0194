//! Exports games as a database of Scid.

use std::{
    collections::BTreeMap,
    io::{self, BufReader, BufWriter, Seek, Write},
};

use super::{ExportCounts, ExportError, or_damaged};
use crate::{
    archive::{Archive, Filter, GameCheck},
    record::StoredGame,
    scid::{BaseEnd, BaseWriter, Format, GameToWrite, Unstorable, WriteError},
};

/// The counts of an export to Scid.
#[derive(Clone, Debug, Default)]
pub struct ScidCounts {
    /// Games written, and damaged ones.
    pub counts: ExportCounts,
    /// Games that Scid cannot store, by what they have.
    pub unstorable: BTreeMap<Unstorable, u64>,
}

/// Writes the games of chess that pass a filter, in order, as the files of a database: its index, its names and its
/// games. Damaged games are passed to `damaged` and skipped; with a check, so are games that have changed.
///
/// # Errors
/// The archive cannot be read, or a file cannot be written.
pub fn export_scid(
    archive: &Archive,
    filter: &Filter,
    check: Option<&GameCheck>,
    format: Format,
    [index, names, games]: [&mut dyn Write; 3],
    mut damaged: impl FnMut(ExportError),
) -> Result<ScidCounts, ExportError> {
    let mut done = ScidCounts::default();
    // The header of the index says how many records follow.
    let mut records = BufWriter::new(tempfile::tempfile()?);
    let mut writer = BaseWriter::new(format, &mut records, games);
    for game in archive.games(filter) {
        match or_damaged(game)?.and_then(|game| add(&mut writer, &game, check)) {
            Ok(None) => done.counts.written += 1,
            Ok(Some(unstorable)) => *done.unstorable.entry(unstorable).or_default() += 1,
            Err(error @ ExportError::Write(_)) => return Err(error),
            Err(error) => {
                done.counts.damaged += 1;
                damaged(error);
            }
        }
    }
    let BaseEnd { header, names: all_names } = writer.finish()?;
    names.write_all(&all_names)?;
    index.write_all(&header)?;
    let mut records = records.into_inner().map_err(io::IntoInnerError::into_error)?;
    records.rewind()?;
    io::copy(&mut BufReader::new(records), index)?;
    Ok(done)
}

/// Adds a game; returns what Scid cannot store of it, if it was not added.
fn add(
    writer: &mut BaseWriter<impl Write, impl Write>,
    game: &StoredGame,
    check: Option<&GameCheck>,
) -> Result<Option<Unstorable>, ExportError> {
    check.map_or(Ok(()), |check| check.check(game))?;
    let line = game.line()?;
    let (variant, annotations) = (game.variant()?, game.annotations(&line)?);
    let game = GameToWrite {
        tags: &game.tags,
        variant,
        start: &line.start,
        moves: &line.moves,
        annotations: &annotations,
        outcome: game.result,
    };
    match writer.add(&game) {
        Ok(()) => Ok(None),
        Err(WriteError::Unstorable(unstorable)) => Ok(Some(unstorable)),
        Err(WriteError::Io(error)) => Err(error.into()),
    }
}
