//! How the bytes of an archive are distributed, and the lengths of its games.

use rusqlite::Row;

use crate::archive::{
    Archive, ArchiveError, Maintenance,
    bounded::file_bytes,
    read::{Listed, Selected},
};
use plybook_chess::codec::CodecId;
use plybook_record::GameKind;

/// A part of the file.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct FilePart {
    /// What it is.
    pub name: &'static str,
    /// Its bytes on disk.
    pub bytes: u64,
}

/// The parts of an archive's file; they add up to its size.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Sizes {
    /// Bytes of the file.
    pub total: u64,
    /// The parts.
    pub parts: Vec<FilePart>,
}

/// The length of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameLength {
    /// Its variant or family.
    pub kind: GameKind,
    /// The number of plies.
    pub plies: u64,
    /// The bits that its moves take.
    pub bits: u64,
}

impl Maintenance<'_> {
    /// How the bytes of the file are distributed.
    ///
    /// # Errors
    /// Errors of SQLite.
    pub fn sizes(self) -> Result<Sizes, ArchiveError> {
        let mut sizes = Sizes::default();
        for archive in self.archive.files().each() {
            archive.check_lengths()?;
            let own = archive.db.attempt(|_| archive.maintenance().try_sizes())?;
            sizes.total += own.total;
            if sizes.parts.is_empty() {
                sizes.parts = own.parts;
                continue;
            }
            // Every file has the same parts.
            for (part, own) in sizes.parts.iter_mut().zip(own.parts) {
                part.bytes += own.bytes;
            }
        }
        Ok(sizes)
    }

    /// The bytes of the file, without its parts.
    ///
    /// # Errors
    /// Errors of SQLite.
    pub fn file_bytes(self) -> Result<u64, ArchiveError> {
        self.archive.files().each().map(|archive| archive.db.attempt(|db| file_bytes(db))).sum()
    }

    fn try_sizes(self) -> rusqlite::Result<Sizes> {
        let one = |sql: &str| {
            self.archive.db.query_row(sql, [], |row| row.get::<_, i64>(0)).map(i64::cast_unsigned)
        };
        let pages = |names: &str| {
            one(&format!(
                "SELECT coalesce(sum(pgsize), 0) FROM dbstat WHERE aggregate = TRUE AND name IN ({names})"
            ))
        };
        let moves = one("SELECT coalesce(sum(length(moves)), 0) FROM game")?;
        let tags = one("SELECT coalesce(sum(length(CAST(tags AS BLOB))), 0) FROM game")?;
        let games = pages("'game'")?;
        let names = pages("'player', 'event', 'site', 'tag_value', 'section', 'tag_layout'")?;
        let keys = |kinds: &str| {
            one(&format!(
                "SELECT coalesce(sum(length(key_block.keys)), 0) FROM key_run
                 JOIN key_block ON key_block.id BETWEEN first_block AND first_block + blocks - 1
                 WHERE kind {kinds}"
            ))
        };
        let (annotations, originals) = (pages("'annotation'")?, pages("'original'")?);
        // Counting the pages of a corrupt table may never end.
        let is_in_order = self.archive.check_index_order().is_ok();
        let positions = if is_in_order { pages("'segment', 'segment_block'")? } else { 0 };
        let (fingerprints, players, hashes) = (keys("= 1")?, keys("= 2")?, keys("> 2")?);
        let total = file_bytes(&self.archive.db)?;
        let mut parts = vec![
            FilePart { name: "moves", bytes: moves },
            FilePart { name: "header columns", bytes: games.saturating_sub(moves + tags) },
            FilePart { name: "other tags", bytes: tags },
            FilePart { name: "annotations", bytes: annotations },
            FilePart { name: "original texts", bytes: originals },
            FilePart { name: "names and sections", bytes: names },
            FilePart { name: "games of players", bytes: players },
            FilePart { name: "hashes of names", bytes: hashes },
            FilePart { name: "fingerprints", bytes: fingerprints },
            FilePart { name: "index of positions", bytes: positions },
        ];
        let known: u64 = parts.iter().map(|part| part.bytes).sum();
        parts.push(FilePart { name: "sources and rest", bytes: total.saturating_sub(known) });
        Ok(Sizes { total, parts })
    }
}

/// Skips games with a variant or codec that this version does not support.
impl Listed for GameLength {
    const WANTED: Selected<GameLength> = Selected {
        columns: &["game.id, game.plies, game.moves, tag_layout.variant, tag_layout.codec"],
        tables: "LEFT JOIN tag_layout ON tag_layout.id = section.layout",
        read: read_length,
        bytes: |_| 0,
    };
}

fn read_length(_: &Archive, row: &Row<'_>) -> rusqlite::Result<Option<GameLength>> {
    let known = GameKind::from_id(row.get(3)?).zip(CodecId::from_number(row.get(4)?));
    let (plies, moves) = (row.get::<_, i64>(1)?.cast_unsigned(), row.get_ref(2)?.as_blob()?);
    Ok(known.map(|(kind, codec)| GameLength { kind, plies, bits: codec.bits(moves) }))
}
