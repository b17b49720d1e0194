//! Writes databases: games one after another, and then the names.

use std::io::{self, Write};

use plybook_chess::chess::{Position, Variant};

use crate::{
    encode::{Unstorable, encode},
    fields::{Fields, GameToWrite, fen_of},
    index::Format,
    name_table::{NameTable, push_varint, scid4_names},
    names::NameKind,
    write_record::{scid4_header, scid4_record, scid5_record},
};

/// No game crosses a multiple of this offset.
const BLOCK: u64 = 1 << 17;

/// Most bytes of a name.
const LONGEST_NAME: usize = 255;

/// Why a game was not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The format cannot store it.
    #[error(transparent)]
    Unstorable(#[from] Unstorable),
    /// A file cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Writes a database.
#[derive(Debug)]
pub struct BaseWriter<I, G> {
    format: Format,
    records: I,
    games: G,
    /// Bytes of the file of games.
    end: u64,
    count: u64,
    names: [NameTable; 4],
    /// The names of Scid 5, in the order in which they occur.
    names_file: Vec<u8>,
}

/// What is known when all games of a database are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseEnd {
    /// The beginning of the index, before the records.
    pub header: Vec<u8>,
    /// The file of names.
    pub names: Vec<u8>,
}

impl<I: Write, G: Write> BaseWriter<I, G> {
    /// Begins a database, with the records of its index and the file of its games.
    pub fn new(format: Format, records: I, games: G) -> BaseWriter<I, G> {
        let names = Default::default();
        BaseWriter { format, records, games, end: 0, count: 0, names, names_file: Vec::new() }
    }

    /// The number of games.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Adds a game.
    ///
    /// # Errors
    /// The format cannot store it; then nothing of it is written. Or a file cannot be written.
    pub fn add<P: Position>(&mut self, game: &GameToWrite<'_, P>) -> Result<(), WriteError> {
        if !matches!((game.variant, self.format), (Variant::Standard, _) | (Variant::Chess960, Format::Scid5))
        {
            return Err(Unstorable::Variant.into());
        }
        let fields = Fields::of(game, self.format);
        let fen = fen_of(game.tags);
        let encoded = encode(fields.own.iter().copied(), fen, game.start, game.moves, game.annotations)?;
        if fields.names.iter().any(|name| name.len() > LONGEST_NAME || name.contains('\0')) {
            return Err(Unstorable::Name.into());
        }
        let data = &encoded.data;
        let left = BLOCK - self.end % BLOCK;
        // A gap is filled with the beginning of the game after it, as Scid does.
        let gap =
            data.get(..usize::try_from(left).unwrap_or(usize::MAX)).filter(|gap| gap.len() < data.len());
        let offset = self.end + gap.map_or(0, <[u8]>::len) as u64;
        if self.is_full(offset + data.len() as u64) {
            return Err(Unstorable::Full.into());
        }
        self.games.write_all(gap.unwrap_or_default())?;
        self.games.write_all(data)?;
        self.end = offset + data.len() as u64;
        let ids = self.ids(&fields.names);
        let record = match self.format {
            Format::Scid4 => scid4_record(offset, ids, &fields, &encoded, game.outcome),
            Format::Scid5 => {
                let is_chess960 = game.variant == Variant::Chess960;
                scid5_record(offset, ids, &fields, &encoded, game.outcome, is_chess960)
            }
        };
        self.records.write_all(&record)?;
        self.count += 1;
        Ok(())
    }

    /// Whether the database has no space for another game that ends at this byte.
    fn is_full(&self, end: u64) -> bool {
        let most = match self.format {
            Format::Scid4 => [1 << 20, 1 << 19, 1 << 19, 1 << 18],
            Format::Scid5 => [1 << 28, 1 << 28, 1 << 32, 1 << 31],
        };
        let most_games: u64 = if self.format == Format::Scid4 { 16_777_214 } else { (1 << 32) - 2 };
        let most_bytes: u64 = if self.format == Format::Scid4 { 1 << 32 } else { 1 << 47 };
        let names = self.names.iter().zip(most).any(|(names, most)| names.uses.len() as u64 + 2 > most);
        names || self.count >= most_games || end > most_bytes
    }

    /// The ids of the names of a game.
    fn ids(&mut self, names: &[&str; 5]) -> [u32; 5] {
        let kinds = [NameKind::Player, NameKind::Player, NameKind::Event, NameKind::Site, NameKind::Round];
        let mut ids = [0; 5];
        // Scid adds the names of players last.
        let (players, others) = ids.split_at_mut(2);
        let places = others.iter_mut().chain(players);
        let named = kinds.into_iter().zip(names).cycle().skip(2);
        for (id, (kind, name)) in places.zip(named) {
            let Some(table) = self.names.get_mut(kind as usize) else { continue };
            let next = u32::try_from(table.uses.len()).unwrap_or(u32::MAX);
            *id = *table.ids.entry((*name).to_owned()).or_insert(next);
            if *id == next {
                table.uses.push(0);
                push_varint(&mut self.names_file, name.len() as u64 * 8 + kind as u64);
                self.names_file.extend(name.as_bytes());
            }
            table.uses.get_mut(*id as usize).into_iter().for_each(|uses| *uses += 1);
        }
        ids
    }

    /// Ends the database.
    ///
    /// # Errors
    /// The files cannot be written.
    pub fn finish(mut self) -> io::Result<BaseEnd> {
        self.games.flush()?;
        self.records.flush()?;
        Ok(match self.format {
            Format::Scid4 => BaseEnd { header: scid4_header(self.count), names: scid4_names(&self.names) },
            Format::Scid5 => BaseEnd { header: Vec::new(), names: self.names_file },
        })
    }
}
