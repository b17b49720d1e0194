//! How much an archive contains, how its bytes are distributed, and the lengths of its games.

use std::{cmp::Reverse, collections::BTreeMap};

use rusqlite::Row;
use serde::{Deserialize, Serialize};

use crate::archive::{
    Archive, Maintenance, Result,
    bounded::file_bytes,
    checksum::Checked,
    read::{Listed, Selected},
    totals::Totals,
};
use plybook_chess::{chess::Date, codec::CodecId, openings::eco_text};
use plybook_record::{GameKind, as_optional_text};

/// A part of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FilePart {
    /// What it is.
    pub name: &'static str,
    /// Its bytes on disk.
    pub bytes: u64,
}

/// The parts of an archive's file; they add up to its size.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
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
    /// How its moves are encoded.
    pub codec: CodecId,
    /// The number of plies.
    pub plies: u64,
    /// The bits that its moves take.
    pub bits: u64,
}

/// How much an archive contains.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Extent {
    /// The plies of all games.
    pub plies: u64,
    /// The number of games of each variant, most first.
    pub variants: Vec<VariantGames>,
    /// The first date with a known year.
    #[serde(serialize_with = "as_optional_text")]
    pub first_date: Option<Date>,
    /// The last date.
    #[serde(serialize_with = "as_optional_text")]
    pub last_date: Option<Date>,
}

/// The games of one variant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct VariantGames {
    /// The name of the variant.
    pub variant: &'static str,
    /// The number of games.
    pub games: u64,
}

/// What an archive contains, in numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holdings {
    /// The number of games.
    pub games: u64,
    /// The last id.
    pub last_id: u64,
    /// The plies of all games.
    pub plies: u64,
    /// The first and the last date with a known year, as PGN writes them.
    pub dates: Option<[String; 2]>,
    /// The lowest and the highest rating of any player.
    pub ratings: Option<[i64; 2]>,
    /// The first and the last ECO code.
    pub openings: Option<[String; 2]>,
    /// The number of player names.
    pub players: u64,
    /// The number of event names.
    pub events: u64,
}

impl Maintenance<'_> {
    /// How much the archive contains. Without a row of totals, every game is read.
    pub fn extent(self) -> Result<Extent> {
        let (mut kinds, mut dates, mut plies) = (BTreeMap::<u8, u64>::new(), Vec::<u32>::new(), 0u64);
        for archive in self.archive.files().each() {
            let own = Totals::now(&archive.db).map_err(|error| archive.db.error(error))?;
            for (id, (games, own_plies)) in own.kinds {
                *kinds.entry(id).or_default() += games;
                plies = plies.saturating_add(own_plies);
            }
            dates.extend(own.dates.into_iter().flat_map(<[u32; 2]>::from));
        }
        let mut kinds: Vec<(u8, u64)> = kinds.into_iter().collect();
        kinds.sort_by_key(|(_, games)| Reverse(*games));
        let variant = |id| GameKind::name_or_unknown(GameKind::from_id(id));
        let variants = kinds.into_iter().map(|(id, games)| VariantGames { variant: variant(id), games });
        let date = |packed: Option<&u32>| Date::from_packed(*packed?);
        let (first_date, last_date) = (date(dates.iter().min()), date(dates.iter().max()));
        Ok(Extent { variants: variants.collect(), plies, first_date, last_date })
    }

    /// What the archive contains, in numbers. Reads every game once.
    pub fn holdings(self) -> Result<Holdings> {
        let sql = "SELECT count(*), coalesce(max(id), 0), coalesce(sum(plies), 0), min(eco), max(eco),
                          min(white_elo), max(white_elo), min(black_elo), max(black_elo),
                          (SELECT min(date) FROM section WHERE date >= 512),
                          (SELECT max(date) FROM section WHERE date >= 512),
                          (SELECT count(*) FROM player), (SELECT count(*) FROM event)
                   FROM game";
        let date = |packed| Date::from_packed(packed).map_or_else(String::new, |date| date.to_string());
        let read = |row: &Row<'_>| {
            let number = |column| row.get(column).map(|number: i64| number.max(0).cast_unsigned());
            let elo: [Option<i64>; 4] = [row.get(5)?, row.get(6)?, row.get(7)?, row.get(8)?];
            let (least, greatest) = (elo.iter().flatten().min(), elo.iter().flatten().max());
            let openings = pair(row.get(3)?, row.get(4)?);
            Ok(Holdings {
                games: number(0)?,
                last_id: number(1)?,
                plies: number(2)?,
                dates: pair(row.get(9)?, row.get(10)?).map(|both| both.map(date)),
                ratings: pair(least.copied(), greatest.copied()),
                openings: openings.map(|codes| codes.map(|code: u16| eco_text(code.into()))),
                players: number(11)?,
                events: number(12)?,
            })
        };
        self.archive.db.attempt(|db| db.query_row(sql, [], read))
    }

    /// How the bytes of the file are distributed.
    pub fn sizes(self) -> Result<Sizes> {
        let mut sizes = Sizes::default();
        for archive in self.archive.files().each() {
            archive.check_lengths()?;
            let own = archive.db.attempt(|_| archive.maintenance().try_sizes())?;
            sizes.total += own.total;
            for own in own.parts {
                match sizes.parts.iter_mut().find(|part| part.name == own.name) {
                    Some(part) => part.bytes += own.bytes,
                    None => sizes.parts.push(own),
                }
            }
        }
        Ok(sizes)
    }

    /// The bytes of the file, without its parts.
    pub fn file_bytes(self) -> Result<u64> {
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
        // Counting the pages of a corrupt table may never end.
        let is_in_order = self.archive.check_index_order().is_ok();
        let positions = if is_in_order { pages("'segment', 'segment_block'")? } else { 0 };
        let (fingerprints, players, hashes) = (keys("IN (1, 8)")?, keys("= 2")?, keys("BETWEEN 3 AND 7")?);
        let total = file_bytes(&self.archive.db)?;
        let mut parts = vec![
            FilePart { name: "moves", bytes: moves },
            FilePart { name: "header columns", bytes: games.saturating_sub(moves + tags) },
            FilePart { name: "other tags", bytes: tags },
        ];
        for (table, side) in Checked::sides(&self.archive.db)? {
            parts.push(FilePart { name: side.plural, bytes: pages(&format!("'{}'", table.name()))? });
        }
        parts.extend([
            FilePart { name: "names and sections", bytes: names },
            FilePart { name: "games of players", bytes: players },
            FilePart { name: "hashes of names", bytes: hashes },
            FilePart { name: "fingerprints", bytes: fingerprints },
            FilePart { name: "index of positions", bytes: positions },
        ]);
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
    Ok(known.map(|(kind, codec)| GameLength { kind, codec, plies, bits: codec.bits(moves) }))
}

fn pair<T>(first: Option<T>, last: Option<T>) -> Option<[T; 2]> {
    Some([first?, last?])
}
