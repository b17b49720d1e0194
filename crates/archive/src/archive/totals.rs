//! The number of games in an archive, in a row of `setting`, so that `plybook info` need not read every game. The row
//! covers the games up to an id, and later ones are counted, so it stays correct if games are added by a killed program
//! or by one that does not support the row. It has a checksum: readers ignore a damaged row, and the next writer
//! replaces it.

use std::collections::{BTreeMap, HashMap};

use rusqlite::{Connection, OptionalExtension};
use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use super::{
    Archive, Result, WritableArchive, checksum::has_changes, read::cached, schema, snapshot::snapshot,
};
use plybook_chess::limits::MAX_UNCOUNTED_GAMES;
use plybook_record::GameId;

/// The name of the row.
const NAME: &str = "totals";

/// The totals of an archive up to a game and a section.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Totals {
    last_game: GameId,
    last_section: i64,
    /// Games and plies by variant number.
    pub kinds: BTreeMap<u8, (u64, u64)>,
    /// The first and the last date with a known year, packed.
    pub dates: Option<(u32, u32)>,
}

/// The state of the stored row.
enum Stored {
    Missing,
    Damaged,
    Sound(Totals),
}

impl Totals {
    /// The totals of all games.
    pub(super) fn now(db: &Connection) -> rusqlite::Result<Totals> {
        if has_changes(db)? {
            return Totals::counted(db);
        }
        let mut totals = match stored(db)? {
            Stored::Sound(totals) => totals,
            Stored::Missing | Stored::Damaged => Totals::default(),
        };
        totals.count(db, GameId::MAX, i64::MAX)?;
        Ok(totals)
    }

    /// The totals of an archive that may lack games, and may have sections without games. Reads every game.
    fn counted(db: &Connection) -> rusqlite::Result<Totals> {
        let kinds = "SELECT variant, sum(games), sum(plies) FROM
                         (SELECT section, count(*) AS games, sum(plies) AS plies FROM game GROUP BY section)
                     JOIN section ON section.id = section JOIN tag_layout ON tag_layout.id = section.layout
                     GROUP BY variant";
        let dates = "SELECT min(date), max(date) FROM section
                     WHERE date >= 512 AND id IN (SELECT section FROM game)";
        let read = |row: &rusqlite::Row<'_>| {
            let number = |column| row.get::<_, i64>(column).map(|number| number.max(0).cast_unsigned());
            Ok((row.get(0)?, (number(1)?, number(2)?)))
        };
        let kinds = db.prepare_cached(kinds)?.query_map([], read)?.collect::<Result<_, _>>()?;
        let dates: [Option<u32>; 2] =
            db.prepare_cached(dates)?.query_row([], |row| Ok([row.get(0)?, row.get(1)?]))?;
        let dates = if let [Some(first), Some(last)] = dates { Some((first, last)) } else { None };
        Ok(Totals { kinds, dates, ..Totals::default() })
    }

    fn add_game(&mut self, id: GameId, kind: u8, plies: u64) {
        let (games, all) = self.kinds.entry(kind).or_default();
        (*games, *all) = (*games + 1, all.saturating_add(plies));
        self.last_game = id;
    }

    fn add_date(&mut self, date: u32) {
        let (first, last) = self.dates.unwrap_or((date, date));
        self.dates = Some((first.min(date), last.max(date)));
    }

    /// Counts the remaining games and sections up to a game and a section.
    fn count(&mut self, db: &Connection, game: GameId, section: i64) -> rusqlite::Result<()> {
        let mut games =
            db.prepare_cached("SELECT id, section, plies FROM game WHERE id > ?1 AND id <= ?2 ORDER BY id")?;
        // Few sections have games after an id; SQLite would look up the section of each game.
        let mut find = db.prepare_cached(
            "SELECT variant FROM section JOIN tag_layout ON tag_layout.id = section.layout WHERE section.id = ?1",
        )?;
        let mut kinds: HashMap<i64, Option<u8>> = HashMap::new();
        let mut rows = games.query((self.last_game, game))?;
        while let Some(row) = rows.next()? {
            let find = |section| find.query_row([section], |row| row.get(0)).optional();
            let kind = cached(&mut kinds, row.get(1)?, find)?;
            if let Some(kind) = kind {
                self.add_game(row.get(0)?, kind, row.get::<_, i64>(2)?.max(0).cast_unsigned());
            }
        }
        let mut sections = db.prepare_cached(
            "SELECT coalesce(max(id), ?1), min(iif(date >= 512, date, NULL)), max(iif(date >= 512, date, NULL)) FROM section
             WHERE id > ?1 AND id <= ?2",
        )?;
        let dates: [Option<u32>; 2];
        (self.last_section, dates) = sections
            .query_row((self.last_section, section), |row| Ok((row.get(0)?, [row.get(1)?, row.get(2)?])))?;
        if let [Some(first), Some(last)] = dates {
            [first, last].into_iter().for_each(|date| self.add_date(date));
        }
        Ok(())
    }

    /// Writes the row; part of a transaction.
    fn store(&self, db: &Connection) -> rusqlite::Result<()> {
        if !schema::has_table(db, "setting")? {
            db.execute_batch(schema::table("setting"))?;
        }
        let sql = "INSERT INTO setting (name, value) VALUES (?1, ?2)
                   ON CONFLICT DO UPDATE SET value = excluded.value";
        let text = serde_json::to_string(&(self, self.proof())).unwrap_or_default();
        db.prepare_cached(sql)?.execute((NAME, text)).map(|_| ())
    }

    /// The lowest 32 bits of the xxh3 of the totals as JSON.
    fn proof(&self) -> u32 {
        XxHash3_64::oneshot(serde_json::to_string(self).unwrap_or_default().as_bytes()) as u32
    }
}

/// Removes the row, before the first change of the archive.
pub(super) fn drop_row(db: &Connection) -> rusqlite::Result<()> {
    if schema::has_table(db, "setting")? {
        db.execute("DELETE FROM setting WHERE name = ?1", [NAME])?;
    }
    Ok(())
}

fn stored(db: &Connection) -> rusqlite::Result<Stored> {
    if !schema::has_table(db, "setting")? {
        return Ok(Stored::Missing);
    }
    let mut find = db.prepare_cached("SELECT value FROM setting WHERE name = ?1")?;
    let read = |row: &rusqlite::Row<'_>| {
        let value = row.get_ref(0)?.as_bytes().unwrap_or_default();
        Ok(serde_json::from_slice::<(Totals, u32)>(value).ok())
    };
    let Some(row) = find.query_row([NAME], read).optional()? else { return Ok(Stored::Missing) };
    let row = row.filter(|(totals, proof)| totals.proof() == *proof);
    Ok(row.map_or(Stored::Damaged, |(totals, _)| Stored::Sound(totals)))
}

/// The totals of an archive that is being written.
#[derive(Debug, Default)]
pub(super) struct RunningTotals {
    now: Totals,
    /// The last game included in the stored row.
    stored: GameId,
    /// Whether no row is written.
    is_off: bool,
    /// The bytes of the rejected games that the archive keeps, once needed. They are not in the row.
    pub reject_bytes: Option<u64>,
}

impl RunningTotals {
    /// Loads the current totals.
    pub(super) fn open(db: &Connection) -> rusqlite::Result<RunningTotals> {
        if has_changes(db)? {
            // Games may be missing, and sections may have no games: the row could not be continued.
            return Ok(RunningTotals { is_off: true, ..RunningTotals::default() });
        }
        Ok(RunningTotals { now: Totals::now(db)?, stored: last_stored(db)?, ..RunningTotals::default() })
    }

    /// Counts a stored game.
    pub(super) fn game(&mut self, id: GameId, kind: u8, plies: u64) {
        self.now.add_game(id, kind, plies);
    }

    /// Counts a stored section.
    pub(super) fn section(&mut self, id: i64, date: Option<u32>) {
        self.now.last_section = id;
        if let Some(date) = date.filter(|date| *date >= 512) {
            self.now.add_date(date);
        }
    }

    /// Writes the row if many games are not in it; part of the transaction that adds them.
    pub(super) fn flush(&mut self, db: &Connection) -> rusqlite::Result<()> {
        self.store_if(self.now.last_game - self.stored >= MAX_UNCOUNTED_GAMES, db)
    }

    /// The same at the end of an import, so that the row does not depend on how the import was split. An archive with
    /// few games has no row, because it would need a page of its own.
    pub(super) fn finish(&mut self, db: &Connection) -> rusqlite::Result<()> {
        let last = self.now.last_game;
        self.store_if(last >= MAX_UNCOUNTED_GAMES && last != self.stored, db)
    }

    fn store_if(&mut self, is_due: bool, db: &Connection) -> rusqlite::Result<()> {
        if self.is_off || !is_due {
            return Ok(());
        }
        self.now.store(db)?;
        self.stored = self.now.last_game;
        Ok(())
    }
}

/// The last game included in the row. A damaged row counts as missing, so that it is replaced.
fn last_stored(db: &Connection) -> rusqlite::Result<GameId> {
    Ok(match stored(db)? {
        Stored::Missing => 0,
        Stored::Damaged => -MAX_UNCOUNTED_GAMES,
        Stored::Sound(totals) => totals.last_game,
    })
}

impl WritableArchive {
    /// Writes the row if it is missing or covers few of the games, because an older plybook has written to the archive.
    pub(super) fn renew_totals(&self) -> Result<()> {
        if !self.db.attempt(|db| {
            let last: GameId = db.query_row("SELECT coalesce(max(id), 0) FROM game", [], |row| row.get(0))?;
            Ok(last - last_stored(db)? >= MAX_UNCOUNTED_GAMES && !has_changes(db)?)
        })? {
            return Ok(());
        }
        self.db.in_transaction(|| self.db.attempt(|db| RunningTotals::open(db)?.flush(db)))
    }
}

impl Archive {
    /// What is wrong with the row; `None` if it is correct or missing.
    pub(super) fn totals_fault(&self) -> rusqlite::Result<Option<&'static str>> {
        let _snapshot = snapshot(&self.db)?;
        let totals = match stored(&self.db)? {
            Stored::Missing => return Ok(None),
            Stored::Damaged => {
                return Ok(Some(
                    "the stored totals are damaged; the next write to the archive recomputes them",
                ));
            }
            Stored::Sound(totals) => totals,
        };
        let mut counted = Totals::default();
        counted.count(&self.db, totals.last_game, totals.last_section)?;
        Ok((counted != totals).then_some("the stored totals do not match the games"))
    }
}
