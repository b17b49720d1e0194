//! Where the bytes of an archive go, and how long its games are.

use super::{Archive, ArchiveError, Filter, GameId, columns::bits};

/// A part of the file.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Part {
    /// What it is.
    pub name: &'static str,
    /// Its bytes on disk.
    pub bytes: u64,
}

/// The parts of an archive's file; together the whole of it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Sizes {
    /// Bytes of the file.
    pub total: u64,
    /// The parts.
    pub parts: Vec<Part>,
}

impl Archive {
    /// Where the bytes of the file go.
    ///
    /// # Errors
    /// SQLite's.
    pub fn sizes(&self) -> Result<Sizes, ArchiveError> {
        self.try_sizes().map_err(|error| self.error(error))
    }

    fn try_sizes(&self) -> rusqlite::Result<Sizes> {
        let one = |sql: &str| self.db.query_row(sql, [], |row| row.get::<_, i64>(0)).map(i64::cast_unsigned);
        let pages = |names: &str| {
            one(&format!(
                "SELECT coalesce(sum(pgsize), 0) FROM dbstat WHERE aggregate = TRUE AND name IN ({names})"
            ))
        };
        let moves = one("SELECT coalesce(sum(length(moves)), 0) FROM game")?;
        let tags = one("SELECT coalesce(sum(length(CAST(tags AS BLOB))), 0) FROM game")?;
        let games = pages("'game'")?;
        let names = pages(
            "'player', 'event', 'site', 'setup', 'form', 'sqlite_autoindex_player_1', 'sqlite_autoindex_event_1',
             'sqlite_autoindex_site_1', 'sqlite_autoindex_setup_1', 'sqlite_autoindex_form_1'",
        )?;
        let (indexes, fingerprints) = (pages("'game_white', 'game_black'")?, pages("'fingerprint'")?);
        let total = one("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")?;
        let parts = vec![
            Part { name: "moves", bytes: moves },
            Part { name: "header columns", bytes: games.saturating_sub(moves + tags) },
            Part { name: "other tags", bytes: tags },
            Part { name: "names", bytes: names },
            Part { name: "indexes", bytes: indexes },
            Part { name: "fingerprints", bytes: fingerprints },
            Part {
                name: "sources and rest",
                bytes: total.saturating_sub(games + names + indexes + fingerprints),
            },
        ];
        Ok(Sizes { total, parts })
    }

    /// Hands the plies and the bits of the integer of every game that passes a filter to `each`.
    ///
    /// # Errors
    /// SQLite's.
    pub fn for_each_length(
        &self,
        filter: &Filter,
        mut each: impl FnMut(u64, u64),
    ) -> Result<(), ArchiveError> {
        self.in_batches(
            filter,
            |part, each| self.read_lengths(part, each),
            |(plies, bits)| {
                each(plies, bits);
                true
            },
        )
    }

    fn read_lengths(
        &self,
        filter: &Filter,
        each: &mut dyn FnMut(GameId, (u64, u64)) -> bool,
    ) -> Result<(), ArchiveError> {
        let (tail, values) = filter.sql();
        let run = || -> rusqlite::Result<()> {
            let mut statement = self
                .db
                .prepare_cached(&format!("SELECT game.id, game.plies, game.moves FROM game {tail}"))?;
            let mut rows = statement.query(rusqlite::params_from_iter(values))?;
            while let Some(row) = rows.next()? {
                let blob = row.get_ref(2)?.as_blob()?;
                each(row.get(0)?, (row.get::<_, i64>(1)?.cast_unsigned(), bits(blob)));
            }
            Ok(())
        };
        run().map_err(|error| self.error(error))
    }
}
