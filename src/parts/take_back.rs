//! Taking games out of parts again that no checksum has confirmed, because their source is damaged or has changed.
//!
//! Only the last part can be removed or replaced, because the numbers of games in later parts depend on it; so this
//! proceeds from the last part backwards. If it is stopped at any moment, the catalogue can be opened, and a part that
//! is not listed any more is an unfinished one.

use std::{fs, path::Path};

use super::{
    Catalogue, Part, PartsError,
    import::{COPY, Maker, replace},
    lock::Lock,
    unfinished::{abandoned, index, publish},
};
use crate::{
    archive::{Archive, KnownSource, SourceCounts, SourceState, WritableArchive},
    files::{beside, remove_database},
    import::RecordingOptions,
    record::GameRange,
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
        let mut removed = self.clean_abandoned(source, &confirmed, &lock)?;
        let mut can_change = true;
        for (part, known) in &parts {
            let found = Unconfirmed::of(&catalogue.path_of(part), known.id, &confirmed)?;
            if found.ids.is_empty() {
                continue;
            }
            can_change &= catalogue.parts.last() == Some(part);
            if !can_change {
                self.report.unconfirmed_parts.insert(part.number);
                continue;
            }
            removed += self.take_back_last(&mut catalogue, source, &confirmed, found, &lock)?;
        }
        self.learn(&catalogue)?;
        Ok(removed)
    }

    /// The parts with rows of a source that an import of the same contents has listed, the last one first.
    fn parts_of(
        &self,
        catalogue: &Catalogue,
        source: &str,
        confirmed: &SourceState,
    ) -> Result<Vec<(Part, KnownSource)>, PartsError> {
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
            parts.push((part.clone(), known));
        }
        Ok(parts)
    }

    /// Removes the games from unfinished parts that killed programs have left.
    fn clean_abandoned(&self, source: &str, confirmed: &SourceState, lock: &Lock) -> Result<u64, PartsError> {
        let mut removed = 0;
        for part in abandoned(self.dir, lock)? {
            // An unreadable one is not resumed either.
            let known = Archive::open(&part.path).and_then(|archive| archive.known_sources());
            let known = known.unwrap_or_default().remove(source);
            let Some(known) = known.filter(|known| is_further(&known.state, confirmed)) else {
                continue;
            };
            let found = Unconfirmed::of(&part.path, known.id, confirmed)?;
            if !found.ids.is_empty() {
                let copy = beside(&part.path, COPY);
                let (kept, games) = found.copy_others(self, &copy)?;
                drop(found);
                removed += games;
                if kept == 0 {
                    remove_database(&part.path);
                    continue;
                }
                replace(&part.path, &copy)?;
            }
            return_to(&part.path, source, confirmed)?;
        }
        Ok(removed)
    }

    /// Removes the games from the last part, and lists it again under the same number if it has others.
    fn take_back_last(
        &mut self,
        catalogue: &mut Catalogue,
        source: &str,
        confirmed: &SourceState,
        found: Unconfirmed,
        lock: &Lock,
    ) -> Result<u64, PartsError> {
        let Some(part) = catalogue.parts.pop() else { return Ok(0) };
        let path = catalogue.path_of(&part);
        let wanted = RecordingOptions::of(&found.archive, self.options.index)?;
        let unfinished = self.free_name();
        let copy = beside(&unfinished, COPY);
        let (kept, removed) = found.copy_others(self, &copy)?;
        drop(found);
        if kept > 0 {
            return_to(&copy, source, confirmed)?;
            index(&copy, wanted, &self.options.cancel)?;
            // If this is stopped from here on, the copied games are in an unfinished part.
            replace(&unfinished, &copy)?;
        }
        catalogue.write(lock)?;
        // Closes the archive.
        self.learn(catalogue)?;
        remove_database(&path);
        if kept > 0 {
            publish(&unfinished, &path)?;
            catalogue.list(part.number)?;
            catalogue.write(lock)?;
        } else {
            let _ = fs::remove_file(catalogue.dir.join(&part.filter));
            self.report.parts.retain(|number| *number != part.number);
        }
        Ok(removed)
    }
}

/// Whether a source has been read further than to its last confirmed game. An import that read all of it was of other
/// contents, or of those before text was added.
fn is_further(state: &SourceState, confirmed: &SourceState) -> bool {
    state.counts.seen > confirmed.counts.seen && (confirmed.ended || !state.ended)
}

/// The last confirmed point, which an earlier import may have noted in a part.
fn last_confirmed(parts: &[(Part, KnownSource)], confirmed: SourceState) -> SourceState {
    let states = parts.iter().map(|(_, known)| known.state).filter(|state| !state.ended);
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
