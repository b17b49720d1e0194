//! Copying games and their sources into another archive: into a part of a collection, or into one without some games.
//! Each game is verified first, on all cores; the first damaged one stops the copy.

use std::{collections::BTreeMap, ops::ControlFlow, path::Path};

use rayon::prelude::*;
use rusqlite::{OptionalExtension, Row};

use crate::archive::{
    Added, ArchiveError, FormerFingerprint, GameProof, KnownSource, Maintenance, Preparation, PreparedGames,
    Result, SourceCounts, SourceState, Transfer, WritableArchive, Writer,
    changes::{former, removed},
    keys::StoredFingerprints,
};
use plybook_pgn::Location;
use plybook_record::{GameId, TagLayoutCache};

/// Most games that are read at a time, the bytes after which it is enough, and the games that one thread prepares at a
/// time.
const CHUNK: usize = 8192;
const CHUNK_BYTES: usize = 4 << 20;
const BATCH: usize = 128;

/// Games between commits.
const GAMES_A_COMMIT: u64 = 50_000;

/// Approximate bytes of PGN per byte of an archive, used to choose the page size of the new one.
const EXPANSION: u64 = 7;

/// The games to copy.
#[derive(Clone, Copy, Debug)]
pub struct CopyRange {
    /// The first id.
    pub first: GameId,
    /// The last id.
    pub last: GameId,
    /// Whether to include sources without games in the range, and the rejected games that the archive keeps.
    pub all_sources: bool,
}

/// A run of games of one source.
#[derive(Clone, Copy, Debug)]
struct Span {
    first: GameId,
    source: i64,
    number: u64,
    byte: u64,
    line: u64,
}

/// A source of the old archive.
struct OldSource {
    name: String,
    imported: String,
    state: SourceState,
}

/// The new archive.
struct Copy<'a> {
    old: Maintenance<'a>,
    writer: Writer,
    /// The sources of the old archive, by their ids there.
    sources: BTreeMap<i64, OldSource>,
    /// The ids of copied sources in the new archive, and their number of games.
    copied: BTreeMap<i64, (i64, u64)>,
    span: Option<(Span, GameId)>,
    since_commit: u64,
}

impl Maintenance<'_> {
    /// The ids of games that have been removed, in order.
    pub fn removed(self) -> Result<Vec<GameId>> {
        self.archive.db.attempt(|db| removed::all(db))
    }

    /// The fingerprints that no game has any more, because a game was removed or edited, each with that game.
    pub fn former(self) -> Result<Vec<FormerFingerprint>> {
        self.archive.db.attempt(|db| former::all(db))
    }

    /// The fingerprints of all games, in order.
    ///
    /// # Errors
    /// The keys are damaged.
    pub fn fingerprints(self) -> Result<StoredFingerprints> {
        self.archive.db.attempt(|db| StoredFingerprints::read(db))
    }

    /// Copies games into a new archive in order, with their sources; `keep` decides by id and fingerprint. `watch`
    /// receives the number of games copied, and may stop the copy. Returns the number of games kept.
    ///
    /// # Errors
    /// A game is missing or damaged, or the archive cannot be written.
    pub fn copy_to(
        self,
        to: &Path,
        range: CopyRange,
        mut keep: impl FnMut(GameId, u64) -> Result<bool>,
        mut watch: impl FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Option<u64>> {
        let proof = self.proof()?;
        let games = (range.last - range.first + 1).max(0).unsigned_abs();
        let game_bytes = self.archive.bytes() / proof.last.unsigned_abs().max(1);
        let source_bytes = Some(games.saturating_mul(game_bytes).saturating_mul(EXPANSION));
        let sources = self.archive.all_sources()?;
        let mut copy = Copy {
            old: self,
            writer: WritableArchive::create_or_open_for(to, source_bytes, game_bytes)?.into_writer(),
            sources: sources
                .into_iter()
                .map(|(name, imported, KnownSource { id, state })| (id, OldSource { name, imported, state }))
                .collect(),
            copied: BTreeMap::new(),
            span: None,
            since_commit: 0,
        };
        let (mut after, mut kept) = (range.first - 1, 0);
        while after < range.last {
            let chunk = self.chunk(after, range.last)?;
            let Some(end) = chunk.last().map(Transfer::id) else { break };
            after = end;
            for (ids, mut batch) in prepared(chunk, &proof)? {
                kept += copy.add(&ids, &mut batch, &mut keep)?;
            }
            if watch(kept).is_break() {
                return Ok(None);
            }
        }
        // So that an import does not bring back what was removed or edited.
        copy.writer.keep_former(&self.former()?)?;
        self.shared_values(range.all_sources, |values| copy.writer.add_shared(&values, 0))?;
        copy.finish(range.all_sources)?;
        Ok(Some(kept))
    }

    /// The next games up to an id, none at the end; an error if one is missing that has not been removed.
    fn chunk(self, after: GameId, last: GameId) -> Result<Vec<Transfer>> {
        let (mut chunk, mut bytes, mut failure, mut done) = (Vec::<Transfer>::new(), 0, None, after);
        self.transfers(after, |game| {
            match game {
                Ok(game) if game.id() > last => return false,
                Ok(game) => {
                    failure = self.gap(done + 1, game.id() - 1).err();
                    done = game.id();
                    bytes += game.memory();
                    chunk.push(game);
                }
                Err(error) => failure = Some(error),
            }
            failure.is_none() && chunk.len() < CHUNK && bytes < CHUNK_BYTES && done < last
        })?;
        match failure {
            Some(error) => Err(error),
            None if chunk.is_empty() => self.gap(after + 1, last).map(|()| chunk),
            None => Ok(chunk),
        }
    }

    /// Checks that the games of a range have been removed.
    fn gap(self, first: GameId, last: GameId) -> Result<()> {
        match removed::are_all_removed(&self.archive.db, first, last) {
            Ok(true) => Ok(()),
            Ok(false) => Err(ArchiveError::damaged(first, "it is missing")),
            Err(error) => Err(self.archive.db.error(error)),
        }
    }

    /// The run of games to which a game belongs, and the first game of the next one.
    fn span_of(self, id: GameId) -> Result<Option<(Span, GameId)>> {
        let of = "SELECT first_game, source, number, byte, line FROM source_span
                  WHERE first_game <= ?1 ORDER BY first_game DESC LIMIT 1";
        let next = "SELECT min(first_game) FROM source_span WHERE first_game > ?1";
        let span = |row: &Row<'_>| {
            let number = |column| row.get::<_, i64>(column).map(i64::cast_unsigned);
            let (first, source) = (row.get(0)?, row.get(1)?);
            Ok(Span { first, source, number: number(2)?, byte: number(3)?, line: number(4)? })
        };
        self.archive.db.attempt(|db| {
            let Some(span) = db.prepare_cached(of)?.query_row([id], span).optional()? else {
                return Ok(None);
            };
            let next: Option<GameId> = db.prepare_cached(next)?.query_row([id], |row| row.get(0))?;
            Ok(Some((span, next.unwrap_or(GameId::MAX))))
        })
    }
}

/// Verifies and prepares games on all cores: batches, each with the ids of its games.
fn prepared(chunk: Vec<Transfer>, proof: &GameProof) -> Result<Vec<(Vec<GameId>, PreparedGames)>> {
    let prepare = |batch: Vec<Transfer>| {
        let ids = batch.iter().map(Transfer::id).collect();
        let (mut layouts, mut games) = (TagLayoutCache::default(), Preparation::default());
        for game in batch {
            let id = game.id();
            games.add(&proof.record(game, &mut layouts).map_err(|what| ArchiveError::damaged(id, what))?);
        }
        Ok((ids, games.done()))
    };
    chunk.into_par_iter().chunks(BATCH).map(prepare).collect()
}

impl Copy<'_> {
    /// Adds a batch. Returns the number of games kept.
    fn add(
        &mut self,
        ids: &[GameId],
        games: &mut PreparedGames,
        keep: &mut dyn FnMut(GameId, u64) -> Result<bool>,
    ) -> Result<u64> {
        let mut kept = 0;
        self.writer.begin()?;
        for (number, &id) in ids.iter().enumerate() {
            if !keep(id, games.fingerprint(number))? {
                continue;
            }
            let (source, place) = self.origin(id)?;
            match self.writer.accept(games, number, source, place)? {
                Added::Stored(_) => kept += 1,
                Added::Duplicate | Added::Former(_) | Added::Version(_) => {
                    return Err(ArchiveError::damaged(id, "it is a duplicate of another game"));
                }
            }
        }
        self.writer.write(games)?;
        self.since_commit += kept;
        if self.since_commit >= GAMES_A_COMMIT {
            self.since_commit = 0;
            self.writer.commit()?;
        }
        Ok(kept)
    }

    /// The source of a game in the new archive, and its position there.
    fn origin(&mut self, id: GameId) -> Result<(i64, Location)> {
        if !self.span.is_some_and(|(span, next)| (span.first..next).contains(&id)) {
            self.span = self.old.span_of(id)?;
        }
        let unknown = || ArchiveError::damaged(id, "its source is not recorded");
        let (span, _) = self.span.ok_or_else(unknown)?;
        let source = self.source(span.source)?.ok_or_else(unknown)?;
        self.copied.entry(span.source).and_modify(|(_, games)| *games += 1);
        let into = (id - span.first).unsigned_abs();
        // Only the first game of a run has a known position.
        let (byte, line) = if into == 0 { (span.byte, span.line) } else { (0, 0) };
        Ok((source, Location { game: span.number + into, byte, line, file: "" }))
    }

    /// The id of a source in the new archive.
    fn source(&mut self, old: i64) -> Result<Option<i64>> {
        if let Some((new, _)) = self.copied.get(&old) {
            return Ok(Some(*new));
        }
        let Some(OldSource { name, imported, .. }) = self.sources.get(&old) else { return Ok(None) };
        let new = self.writer.copy_source(name, imported)?;
        self.copied.insert(old, (new, 0));
        Ok(Some(new))
    }

    /// Copies how far the sources have been read, according to the old archive. Their other games are elsewhere.
    fn finish(mut self, all_sources: bool) -> Result<()> {
        if all_sources {
            for old in self.sources.keys().copied().collect::<Vec<_>>() {
                self.source(old)?;
            }
        }
        for (old, &(new, stored)) in &self.copied {
            let Some(OldSource { state, .. }) = self.sources.get(old) else { continue };
            let SourceCounts { seen, rejected, duplicate, stored: before } = state.counts;
            let duplicate = (duplicate + before).saturating_sub(stored);
            let counts = SourceCounts { seen, stored, duplicate, rejected };
            self.writer.note_source(new, &SourceState { counts, ..*state })?;
        }
        self.writer.finish()?.finish()
    }
}
