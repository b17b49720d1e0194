//! The names that games share.

use plybook_pgn::Encoding;

use crate::{
    bytes::Bytes,
    index::{Format, GameRecord},
    text::decoded,
};

/// The names of a database may take this many times the bytes of their file in memory: names that begin like the one
/// before them are stored without the common part.
const MAX_EXPANSION: usize = 16;

/// Bytes of the header of a Scid 4 file before the numbers of names, and the first bytes of the file.
const SCID4_START: usize = 12;
const SCID4_MAGIC: &[u8] = b"Scid.sn\0";

/// The kinds of names, in the order of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameKind {
    /// A player.
    Player,
    /// An event.
    Event,
    /// A site.
    Site,
    /// A round.
    Round,
}

/// All names of a database.
#[derive(Debug, Default)]
pub struct Names {
    /// The texts of all names.
    text: String,
    /// Where the names of each kind are in it, by their ids.
    spans: [Vec<Option<Span>>; 4],
}

#[derive(Clone, Copy, Debug)]
struct Span {
    start: u32,
    end: u32,
}

/// Why the names cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {at}: {problem}")]
pub struct NamesError {
    /// The byte offset.
    pub at: usize,
    /// What is wrong.
    pub problem: &'static str,
}

impl NameKind {
    /// All kinds.
    pub const ALL: [NameKind; 4] = [NameKind::Player, NameKind::Event, NameKind::Site, NameKind::Round];

    /// What a name of this kind is called.
    pub const fn noun(self) -> &'static str {
        match self {
            NameKind::Player => "player",
            NameKind::Event => "event",
            NameKind::Site => "site",
            NameKind::Round => "round",
        }
    }
}

impl Names {
    /// Reads the file of names. Text that is not UTF-8 is in the given encoding.
    ///
    /// # Errors
    /// The file is damaged or something else.
    pub fn read(format: Format, file: &[u8], encoding: Encoding) -> Result<Names, NamesError> {
        let mut reader = NamesReader { bytes: Bytes::new(file), encoding, names: Names::default() };
        let read = match format {
            Format::Scid4 => reader.scid4(),
            Format::Scid5 => reader.scid5(),
        };
        match read {
            Ok(()) => Ok(reader.names),
            Err(problem) => Err(NamesError { at: reader.bytes.at(), problem }),
        }
    }

    /// The number of names of a kind.
    pub fn count(&self, kind: NameKind) -> usize {
        self.spans_of(kind).len()
    }

    /// The name with an id. An id that has no name is an unknown one in Scid, `?`. `None` if there is no such id.
    pub fn get(&self, kind: NameKind, id: u32) -> Option<&str> {
        match self.spans_of(kind).get(usize::try_from(id).ok()?)? {
            Some(Span { start, end }) => self.text.get(*start as usize..*end as usize),
            None => Some("?"),
        }
    }

    /// The names of a game: White, Black, event, site, round.
    ///
    /// # Errors
    /// The kind and the id that does not exist.
    pub fn of(&self, record: &GameRecord) -> Result<[&str; 5], (NameKind, u32)> {
        let [white, black, event, site, round] = record.names;
        let name = |kind, id| self.get(kind, id).ok_or((kind, id));
        Ok([
            name(NameKind::Player, white)?,
            name(NameKind::Player, black)?,
            name(NameKind::Event, event)?,
            name(NameKind::Site, site)?,
            name(NameKind::Round, round)?,
        ])
    }

    fn spans_of(&self, kind: NameKind) -> &[Option<Span>] {
        let [players, events, sites, rounds] = &self.spans;
        match kind {
            NameKind::Player => players,
            NameKind::Event => events,
            NameKind::Site => sites,
            NameKind::Round => rounds,
        }
    }
}

/// Reads the names of a database.
struct NamesReader<'a> {
    bytes: Bytes<'a>,
    encoding: Encoding,
    names: Names,
}

const CUT_SHORT: &str = "the file ends within a name";

impl NamesReader<'_> {
    fn scid4(&mut self) -> Result<(), &'static str> {
        let start = self.bytes.take(SCID4_START).ok_or("the file ends within its header")?;
        if !start.starts_with(SCID4_MAGIC) {
            return Err("this is not a file of names of Scid 4");
        }
        let limit = self.limit();
        let mut numbers = [0; 8];
        for number in &mut numbers {
            let stored = self.bytes.big_endian(3).ok_or("the file ends within its header")?;
            *number = usize::try_from(stored).unwrap_or(usize::MAX);
        }
        let (counts, most_used) = numbers.split_at(4);
        for (kind, (&count, &most_used)) in counts.iter().zip(most_used).enumerate() {
            // An entry has at least four bytes.
            if count > self.bytes.left() / 4 {
                return Err("the file is too short for the number of its names");
            }
            let mut spans = vec![None; count];
            self.scid4_kind(most_used, limit, &mut spans)?;
            self.names.spans.get_mut(kind).into_iter().for_each(|all| *all = std::mem::take(&mut spans));
        }
        Ok(())
    }

    /// Reads the names of a kind.
    fn scid4_kind(
        &mut self,
        most_used: usize,
        limit: usize,
        spans: &mut [Option<Span>],
    ) -> Result<(), &'static str> {
        let id_size = if spans.len() < 1 << 16 { 2 } else { 3 };
        let use_size = 1 + usize::from(most_used >= 1 << 8) + usize::from(most_used >= 1 << 16);
        let mut name = Vec::new();
        for index in 0..spans.len() {
            let id = self.bytes.big_endian(id_size).ok_or(CUT_SHORT)?;
            self.bytes.take(use_size).ok_or(CUT_SHORT)?;
            let length = usize::from(self.bytes.byte().ok_or(CUT_SHORT)?);
            let shared = if index == 0 { 0 } else { usize::from(self.bytes.byte().ok_or(CUT_SHORT)?) };
            if shared > name.len() || shared > length {
                return Err("a name shares more bytes with the one before it than there are");
            }
            name.truncate(shared);
            name.extend(self.bytes.take(length - shared).ok_or(CUT_SHORT)?);
            let id = usize::try_from(id).unwrap_or(usize::MAX);
            let span = spans.get_mut(id).ok_or("the id of a name is not below the number of names")?;
            if span.is_some() {
                return Err("two names have the same id");
            }
            *span = Some(self.push(&name, limit)?);
        }
        Ok(())
    }

    fn scid5(&mut self) -> Result<(), &'static str> {
        let limit = self.limit();
        while self.bytes.left() > 0 {
            let number = self.varint()?;
            let length = usize::try_from(number / 8).ok();
            let name = length.and_then(|length| self.bytes.take(length)).ok_or(CUT_SHORT)?;
            let kind = usize::try_from(number % 8).unwrap_or(usize::MAX);
            // The other kinds are information about the database.
            if kind < NameKind::ALL.len() {
                let span = self.push(name, limit)?;
                self.names.spans.get_mut(kind).into_iter().for_each(|spans| spans.push(Some(span)));
            }
        }
        Ok(())
    }

    /// A number with seven bits per byte, the lowest first.
    fn varint(&mut self) -> Result<u64, &'static str> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.bytes.byte().ok_or(CUT_SHORT)?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err("the length of a name is not a number")
    }

    /// Most bytes of text.
    fn limit(&self) -> usize {
        (self.bytes.at() + self.bytes.left()).saturating_mul(MAX_EXPANSION).min(u32::MAX as usize)
    }

    fn push(&mut self, name: &[u8], limit: usize) -> Result<Span, &'static str> {
        let start = self.names.text.len();
        self.names.text.push_str(&decoded(name, self.encoding));
        let end = self.names.text.len();
        match (u32::try_from(start), u32::try_from(end)) {
            (Ok(start), Ok(end)) if end as usize <= limit => Ok(Span { start, end }),
            _ => Err("the names are too large for the size of their file"),
        }
    }
}
