//! Proves that every game can be given back as it was stored.

use std::collections::HashMap;

use rayon::prelude::*;

use super::{Archive, ArchiveError, GameId, StoredGame, fingerprint};

/// Games decoded at a time.
const BATCH: usize = 8192;

/// Most faults that are told one by one.
const TOLD: usize = 100;

/// Questions whose answer is the number of rows that contradict themselves or each other.
const BOOKS: [(&str, &str); 4] = [
    (
        "SELECT count(*) FROM source WHERE seen <> stored + duplicate + rejected OR min(bytes, lines, stored, \
         duplicate, rejected) < 0 OR ended NOT IN (0, 1)",
        "sources whose numbers of games do not add up",
    ),
    (
        "SELECT count(*) FROM source WHERE ended AND hash IS NULL AND stamp IS NOT NULL AND seen > 0",
        "sources that have ended without a hash",
    ),
    (
        "SELECT count(*) FROM span WHERE source NOT IN (SELECT id FROM source) OR number < 1 OR byte < 0 OR line < 0 \
         OR first_game NOT BETWEEN 1 AND (SELECT coalesce(max(id), 0) FROM game)",
        "runs of games that have no source or no games",
    ),
    (
        "SELECT coalesce((SELECT min(id) FROM game) < (SELECT min(first_game) FROM span), 0)",
        "games before the first run of a source",
    ),
];

/// Something that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Fault {
    /// The game; `None` where the whole file is meant.
    pub game: Option<GameId>,
    /// What is wrong.
    pub what: String,
}

/// What [`Archive::verify`] found.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Verdict {
    /// Games decoded.
    pub games: u64,
    /// Plies replayed.
    pub plies: u64,
    /// Faults in all.
    pub faults: u64,
    /// The first faults.
    pub first: Vec<Fault>,
}

impl Verdict {
    fn fault(&mut self, game: Option<GameId>, what: String) {
        self.faults += 1;
        if self.first.len() < TOLD {
            self.first.push(Fault { game, what });
        }
    }
}

impl Archive {
    /// Decodes every game, computes its fingerprint anew and compares it, and runs SQLite's own checks.
    /// `progress` is told the number of games checked so far.
    ///
    /// # Errors
    /// SQLite cannot read the file at all. Everything else is a fault of the verdict.
    pub fn verify(&self, mut progress: impl FnMut(u64)) -> Result<Verdict, ArchiveError> {
        let mut verdict = Verdict::default();
        self.check_file(&mut verdict)?;
        let mut expected = self.fingerprints()?;
        let mut batch = Vec::with_capacity(BATCH);
        self.walk(|game| {
            match game {
                Ok(game) => batch.push(game),
                Err(ArchiveError::Damaged { id, what }) => verdict.fault(Some(id), what),
                Err(error) => verdict.fault(None, error.to_string()),
            }
            if batch.len() == BATCH {
                check_batch(&batch, &mut expected, &mut verdict);
                progress(verdict.games);
                batch.clear();
            }
            true
        });
        check_batch(&batch, &mut expected, &mut verdict);
        progress(verdict.games);
        for game in expected.into_values() {
            verdict.fault(Some(game), "its fingerprint is there but the game is not".to_owned());
        }
        self.check_books(&mut verdict);
        Ok(verdict)
    }

    /// SQLite's integrity and foreign key checks.
    fn check_file(&self, verdict: &mut Verdict) -> Result<(), ArchiveError> {
        let mut run = || -> rusqlite::Result<()> {
            let mut statement = self.db.prepare("PRAGMA integrity_check(100)")?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let line: String = row.get(0)?;
                if line != "ok" {
                    verdict.fault(None, line);
                }
            }
            let mut statement = self.db.prepare("PRAGMA foreign_key_check")?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let (table, id, parent): (String, Option<i64>, String) =
                    (row.get(0)?, row.get(1)?, row.get(2)?);
                let game = id.filter(|_| table == "game");
                verdict.fault(game, format!("a row of {table} refers to a missing row of {parent}"));
            }
            Ok(())
        };
        if let Err(error) = run() {
            verdict.fault(None, error.to_string());
        }
        Ok(())
    }

    /// The books: what each source says of its games, and which games each run of a source has.
    fn check_books(&self, verdict: &mut Verdict) {
        let mut run = || -> rusqlite::Result<()> {
            for (sql, what) in BOOKS {
                let wrong: i64 = self.db.query_row(sql, [], |row| row.get(0))?;
                if wrong > 0 {
                    verdict.fault(None, format!("{wrong} {what}"));
                }
            }
            Ok(())
        };
        if let Err(error) = run() {
            verdict.fault(None, error.to_string());
        }
    }

    /// The stored fingerprints, each with its game.
    pub(super) fn fingerprints(&self) -> Result<HashMap<u64, GameId>, ArchiveError> {
        let run = || -> rusqlite::Result<HashMap<u64, GameId>> {
            let mut statement = self.db.prepare("SELECT hash, game FROM fingerprint")?;
            let rows =
                statement.query_map([], |row| Ok((row.get::<_, i64>(0)?.cast_unsigned(), row.get(1)?)))?;
            rows.collect()
        };
        run().map_err(|error| self.error(error))
    }
}

/// Checks some games on all cores.
fn check_batch(games: &[StoredGame], expected: &mut HashMap<u64, GameId>, verdict: &mut Verdict) {
    let checked: Vec<_> = games.par_iter().map(check).collect();
    for (game, checked) in games.iter().zip(checked) {
        verdict.games += 1;
        match checked {
            Ok((hash, plies)) => {
                verdict.plies += plies;
                if expected.remove(&hash) != Some(game.id) {
                    let what = "its fingerprint is not the stored one: moves or tags have changed";
                    verdict.fault(Some(game.id), what.to_owned());
                }
            }
            Err(what) => verdict.fault(Some(game.id), what),
        }
    }
}

/// The fingerprint of a game as it is decoded, and its plies.
pub(super) fn check(game: &StoredGame) -> Result<(u64, u64), String> {
    let line = game.line().map_err(|error| error.to_string())?;
    if line.moves.len() != game.plies {
        return Err(format!("it has {} plies, but {} are noted", line.moves.len(), game.plies));
    }
    let hash = fingerprint(game.variant, &game.tags, &line.moves, game.result);
    Ok((hash, line.moves.len() as u64))
}
