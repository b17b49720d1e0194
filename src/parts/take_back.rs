//! Taking games out of parts again that no checksum has confirmed, because their source is damaged or has changed.
//!
//! Only the last part can be removed or replaced, because the numbers of games in later parts depend on it; so this
//! proceeds from the last part backwards. Parts with other games of the same source are listed again afterwards: killed
//! imports can have listed them after those whose games are to go. If it is stopped at any moment, the catalogue can be
//! opened, and a part that is not listed any more is an unfinished one.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::{
    Catalogue, Part, PartsError,
    import::{COPY, Maker, replace},
    lock::Lock,
    unfinished::{abandoned, index},
};
use crate::{
    archive::{Archive, KnownSource, SourceCounts, SourceState, WritableArchive},
    files::{beside, remove_database},
    record::GameRange,
    recording::IndexParts,
};

/// What an archive has of a source after its confirmed games.
struct Unconfirmed {
    archive: Archive,
    /// The ids of these games, as ranges.
    ids: Vec<GameRange>,
}

impl Unconfirmed {
    fn of(path: &Path, id: i64, confirmed: &SourceState) -> Result<Unconfirmed, PartsError> {
        let archive = Archive::open(path)?;
        let ids = archive.ranges_after(id, confirmed.counts.seen)?;
        Ok(Unconfirmed { archive, ids })
    }

    /// Copies the other games. Returns how many there are, and the number of games that were not copied. If there are
    /// no others, nothing is created.
    fn copy_others(&self, maker: &Maker<'_>, copy: &Path) -> Result<(u64, u64), PartsError> {
        let games = self.archive.count()?;
        let ids: i64 = self.ids.iter().map(|ids| ids.last - ids.start + 1).sum();
        if ids == self.archive.last_id()? {
            return Ok((0, games));
        }
        let is_other = |id, _| !self.ids.iter().any(|ids| ids.contains(&id));
        let kept = maker.copy(&self.archive, copy, is_other)?;
        Ok((kept, games - kept))
    }
}

/// A part with games of a source.
struct SourcePart {
    part: Part,
    known: KnownSource,
    /// Whether it has no other source.
    is_only: bool,
}

/// A part that was taken off the list, and is an unfinished one until it is listed again.
struct Unlisted {
    path: PathBuf,
    wanted: IndexParts,
    /// Whether this import had listed it.
    is_new: bool,
}

impl Maker<'_> {
    /// Removes the games of a source after the confirmed ones from the parts that this import has listed, or an earlier
    /// one of the same contents. Returns their number.
    pub(super) fn take_games_back(
        &mut self,
        source: &str,
        confirmed: SourceState,
    ) -> Result<u64, PartsError> {
        let lock = self.lock()?;
        let mut catalogue = Catalogue::open(self.dir)?;
        self.rename_unlisted(&catalogue)?;
        let parts = self.parts_of(&catalogue, source, &confirmed)?;
        let confirmed = last_confirmed(&parts, confirmed);
        let mut removed = 0;
        for part in abandoned(self.dir, &lock)? {
            removed += self.clean(&part.path, source, &confirmed)?;
        }
        let (mut first, mut unlisted) = (0, Vec::new());
        for (place, part) in parts.iter().enumerate() {
            if part.has_unconfirmed(&catalogue, &confirmed)? {
                first = place + 1;
            }
        }
        for of @ SourcePart { part, is_only, .. } in parts.iter().take(first) {
            let has_unconfirmed = of.has_unconfirmed(&catalogue, &confirmed)?;
            if catalogue.parts.last() != Some(part) {
                self.report.unconfirmed_parts.extend(has_unconfirmed.then_some(part.number));
            } else if has_unconfirmed || *is_only {
                let taken = self.unlist_last(&mut catalogue, part, &lock)?;
                removed += self.clean(&taken.path, source, &confirmed)?;
                unlisted.extend(Some(taken).filter(|taken| taken.path.exists()));
                if !is_only {
                    self.relist(&mut catalogue, &mut unlisted, &lock)?;
                }
            }
        }
        self.relist(&mut catalogue, &mut unlisted, &lock)?;
        self.learn(&catalogue)?;
        Ok(removed)
    }

    /// The parts with rows of a source that an import of the same contents has listed, the last one first.
    fn parts_of(
        &self,
        catalogue: &Catalogue,
        source: &str,
        confirmed: &SourceState,
    ) -> Result<Vec<SourcePart>, PartsError> {
        let mut parts = Vec::new();
        for part in catalogue.parts.iter().rev() {
            let sources = Archive::open(catalogue.path_of(part))?.known_sources()?;
            let Some(&known) = sources.get(source) else { continue };
            let KnownSource { state, .. } = known;
            let is_resumable = state.hash.is_some() || self.report.parts.contains(&part.number);
            // An import that read all of it was of other contents, or of those before the text that was added.
            let is_same = match confirmed.ended {
                true => state.counts.seen > confirmed.counts.seen,
                false => !state.ended && is_resumable,
            };
            if !is_same {
                break;
            }
            parts.push(SourcePart { part: part.clone(), known, is_only: sources.len() == 1 });
        }
        Ok(parts)
    }

    /// Removes the games from an unfinished part, and the part if it has no others. Returns their number.
    fn clean(&self, path: &Path, source: &str, confirmed: &SourceState) -> Result<u64, PartsError> {
        // An unreadable one is not resumed either.
        let known = Archive::open(path).and_then(|archive| archive.known_sources());
        let known = known.unwrap_or_default().remove(source);
        let Some(known) = known.filter(|known| is_further(&known.state, confirmed)) else { return Ok(0) };
        let (found, mut removed) = (Unconfirmed::of(path, known.id, confirmed)?, 0);
        if !found.ids.is_empty() {
            let copy = beside(path, COPY);
            let kept;
            (kept, removed) = found.copy_others(self, &copy)?;
            drop(found);
            if kept == 0 {
                remove_database(path);
                return Ok(removed);
            }
            replace(path, &copy)?;
        }
        return_to(path, source, confirmed)?;
        Ok(removed)
    }

    /// Takes the last part off the list.
    fn unlist_last(
        &mut self,
        catalogue: &mut Catalogue,
        part: &Part,
        lock: &Lock,
    ) -> Result<Unlisted, PartsError> {
        let (listed, path) = (catalogue.path_of(part), self.free_name());
        let wanted = Archive::open(&listed)?.segments().parts(self.options.index)?;
        catalogue.parts.pop();
        catalogue.write(lock)?;
        // Closes the archive.
        self.learn(catalogue)?;
        fs::rename(&listed, &path).map_err(|error| PartsError::io(&listed, error))?;
        let _ = fs::remove_file(catalogue.dir.join(&part.filter));
        let is_new = self.report.parts.contains(&part.number);
        self.report.parts.retain(|number| *number != part.number);
        Ok(Unlisted { path, wanted, is_new })
    }

    /// Lists parts again, in the order that they had.
    fn relist(
        &mut self,
        catalogue: &mut Catalogue,
        unlisted: &mut Vec<Unlisted>,
        lock: &Lock,
    ) -> Result<(), PartsError> {
        for Unlisted { path, wanted, is_new } in unlisted.drain(..).rev() {
            index(&path, wanted, &self.options.cancel)?;
            let number = catalogue.publish(&path, lock)?;
            self.report.parts.extend(is_new.then_some(number));
        }
        Ok(())
    }
}

impl SourcePart {
    /// Whether it has games after the confirmed ones.
    fn has_unconfirmed(&self, catalogue: &Catalogue, confirmed: &SourceState) -> Result<bool, PartsError> {
        let found = Unconfirmed::of(&catalogue.path_of(&self.part), self.known.id, confirmed)?;
        Ok(!found.ids.is_empty())
    }
}

/// Whether a source has been read further than to its last confirmed game. An import that read all of it was of other
/// contents, or of those before text was added.
fn is_further(state: &SourceState, confirmed: &SourceState) -> bool {
    state.counts.seen > confirmed.counts.seen && (confirmed.ended || !state.ended)
}

/// The last confirmed point, which an earlier import may have noted in a part.
fn last_confirmed(parts: &[SourcePart], confirmed: SourceState) -> SourceState {
    let states = parts.iter().map(|part| part.known.state).filter(|state| !state.ended);
    let noted = states.filter_map(|state| Some((state.stamp?, state))).max_by_key(|(games, _)| *games);
    match noted {
        Some((games, state)) if games > confirmed.counts.seen => {
            // Only the number of games is known, so the next import reads the source from its beginning.
            let counts = SourceCounts { seen: games, ..state.counts };
            SourceState { hash: None, stamp: Some(games), counts, ..state }
        }
        _ if confirmed.ended => confirmed,
        _ => SourceState { stamp: Some(confirmed.counts.seen), ..confirmed },
    }
}

/// Notes in an archive that a source has been read only up to its last confirmed game.
fn return_to(path: &Path, source: &str, confirmed: &SourceState) -> Result<(), PartsError> {
    let mut writer = WritableArchive::create_or_open(path)?.into_writer();
    if let Some(KnownSource { id, state }) = writer.archive().known_sources()?.remove(source) {
        writer.note_source(id, &state.without(0, confirmed))?;
        writer.forget_duplicates(id)?;
    }
    Ok(writer.finish()?.finish()?)
}
