//! Writes databases: games one after another, and then the names.

use std::{
    collections::HashMap,
    io::{self, Write},
};

use plybook_chess::{
    chess::{Annotations, Move, Pair, Position, Tags, Variant},
    rules::{BLACK_WINS, DRAW, Outcome, WHITE_WINS},
};

use crate::{
    encode::{EncodedGame, Unstorable, encode},
    index::Format,
    names::NameKind,
    values::{FLAG_LETTERS, Flags, RATING_TAGS, date_bits, date_text, eco_code},
};

/// No game crosses a multiple of this offset.
const BLOCK: u64 = 1 << 17;

/// Most bytes of a name, and the highest rating.
const LONGEST_NAME: usize = 255;
const HIGHEST_RATING: u32 = 4000;

/// A game to write.
#[derive(Clone, Copy, Debug)]
pub struct GameToWrite<'a, P> {
    /// Its tags.
    pub tags: &'a Tags,
    /// Its variant.
    pub variant: Variant,
    /// Its start position.
    pub start: &'a P,
    /// Its moves.
    pub moves: &'a [Move],
    /// Its comments, glyphs and variations.
    pub annotations: &'a Annotations,
    /// Its result.
    pub outcome: Outcome,
}

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

/// The names of a kind.
#[derive(Debug, Default)]
struct NameTable {
    ids: HashMap<String, u32>,
    uses: Vec<u32>,
}

/// What a record says about a game besides its moves.
struct Fields<'a> {
    names: [&'a str; 5],
    date: u32,
    event_date: u32,
    eco: u32,
    ratings: [u32; 2],
    rating_types: [u32; 2],
    flags: u32,
    /// Tags that no field can hold.
    own: Vec<Pair<'a>>,
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
                scid5_record(offset, ids, (&fields, &encoded), game.outcome, is_chess960)
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

impl<'a> Fields<'a> {
    fn of<P>(game: &GameToWrite<'a, P>, format: Format) -> Fields<'a> {
        let (roster, others) = game.tags.roster_and_others();
        let [event, site, date, round, white, black, result] = roster.map(|(_, value)| value);
        let mut fields = Fields {
            names: [white, black, event, site, round],
            date: date_bits(date).unwrap_or(0),
            event_date: 0,
            eco: 0,
            ratings: [0; 2],
            rating_types: [0; 2],
            flags: 0,
            own: Vec::new(),
        };
        if date_text(fields.date) != date {
            fields.own.push(("Date", date));
        }
        if game.outcome.as_str() != result {
            fields.own.push(("Result", result));
        }
        let fen = fen_of(game.tags);
        for pair in others {
            let is_fen = fen.is_some_and(|fen| std::ptr::eq(fen, pair.1));
            if !is_fen && !fields.take(pair, format) {
                fields.own.push(pair);
            }
        }
        fields
    }

    /// Stores a tag in its field, if it has one that can hold the value and is not taken.
    fn take(&mut self, (name, value): Pair<'_>, format: Format) -> bool {
        match name {
            "ECO" if self.eco == 0 => self.eco = eco_code(value).unwrap_or(0),
            "EventDate" if self.event_date == 0 => {
                let date = date_bits(value).unwrap_or(0);
                let years = i64::from(date >> 9) - i64::from(self.date >> 9);
                let fits = format == Format::Scid5 || (-3..=3).contains(&years);
                self.event_date = if fits { date } else { 0 };
                return self.event_date > 0;
            }
            "ScidFlags" if self.flags == 0 => {
                let bit = |letter| FLAG_LETTERS.find(letter).map_or(0, |place| 1 << (place + 3));
                let flags = value.chars().map(bit).fold(0, |flags, bit| flags | bit);
                self.flags = if Flags(flags).letters() == value { flags } else { 0 };
                return self.flags > 0;
            }
            _ => {
                let sides = RATING_TAGS.iter().zip(&mut self.ratings).zip(&mut self.rating_types);
                for ((tags, rating), kind) in sides {
                    let Some(place) = tags.iter().position(|tag| *tag == name) else { continue };
                    let number = value.parse().ok().filter(|&number| {
                        (1..=HIGHEST_RATING).contains(&number) && *rating == 0 && number.to_string() == value
                    });
                    if let Some(number) = number {
                        (*rating, *kind) = (number, u32::try_from(place).unwrap_or(0));
                        return true;
                    }
                }
                return false;
            }
        }
        self.eco > 0
    }
}

/// The start position that was set up.
fn fen_of(tags: &Tags) -> Option<&str> {
    tags.get("FEN").filter(|fen| !fen.trim().is_empty())
}

fn push_varint(to: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        to.extend((number & 0x7f | 0x80).to_le_bytes().first());
        number >>= 7;
    }
    to.extend(number.to_le_bytes().first());
}

fn scid4_header(games: u64) -> Vec<u8> {
    let mut header = [b"Scid.si\0".as_slice(), &400_u16.to_be_bytes(), &[0; 4]].concat();
    push_big_endian(&mut header, games, 3);
    // The first game is shown when the database is opened.
    push_big_endian(&mut header, 1, 3);
    header.resize(Format::Scid4.header_size(), 0);
    header
}

fn push_big_endian(to: &mut Vec<u8>, number: u64, size: usize) {
    to.extend(number.to_be_bytes().iter().skip(8 - size));
}

/// The code of a count in the index. Those from 11 on mean about 15, 20, 30, 40, and 50 or more.
fn count_code(count: usize) -> u32 {
    match count {
        0..=10 => u32::try_from(count).unwrap_or(0),
        11..=12 => 10,
        13..=17 => 11,
        18..=24 => 12,
        25..=34 => 13,
        35..=44 => 14,
        _ => 15,
    }
}

fn result_code(outcome: Outcome) -> u32 {
    match outcome {
        WHITE_WINS => 1,
        BLACK_WINS => 2,
        DRAW => 3,
        _ => 0,
    }
}

/// The list of home pawns as eight bytes.
fn home_pawns(encoded: &EncodedGame) -> [u8; 8] {
    let mut packed = [0; 8];
    for (pair, byte) in encoded.home_pawns.chunks(2).zip(&mut packed) {
        *byte = pair.first().copied().unwrap_or(0) << 4 | pair.get(1).copied().unwrap_or(0);
    }
    packed
}

fn scid4_record(
    offset: u64,
    ids: [u32; 5],
    fields: &Fields<'_>,
    encoded: &EncodedGame,
    outcome: Outcome,
) -> Vec<u8> {
    let [white, black, event, site, round] = ids.map(u64::from);
    let [variations, comments, glyphs] = encoded.counts.map(count_code);
    let length = encoded.data.len() as u64;
    let flags = u64::from(fields.flags | u32::from(encoded.flags));
    let event_date = match fields.event_date {
        0 => 0,
        date => (4 + (date >> 9) - (fields.date >> 9)) << 9 | date & 0x1ff,
    };
    let mut record = Vec::with_capacity(Format::Scid4.record_size());
    let mut push = |number: u64, size: usize| push_big_endian(&mut record, number, size);
    push(offset, 4);
    push(length & 0xffff, 2);
    push(length >> 16 << 7 | flags >> 16, 1);
    push(flags & 0xffff, 2);
    push((white >> 16) << 4 | black >> 16, 1);
    push(white & 0xffff, 2);
    push(black & 0xffff, 2);
    push((event >> 16) << 5 | (site >> 16) << 2 | round >> 16, 1);
    [event, site, round].into_iter().for_each(|id| push(id & 0xffff, 2));
    let codes = result_code(outcome) << 12 | glyphs << 8 | comments << 4 | variations;
    push(u64::from(codes), 2);
    push(u64::from(fields.eco), 2);
    push(u64::from(event_date << 20 | fields.date), 4);
    for (rating, kind) in fields.ratings.into_iter().zip(fields.rating_types) {
        push(u64::from(kind << 12 | rating), 2);
    }
    push(u64::from(encoded.material), 4);
    push(encoded.plies as u64 & 0xff, 1);
    push((encoded.plies as u64 >> 8 & 3) << 6 | encoded.home_pawns.len() as u64, 1);
    record.extend(home_pawns(encoded));
    record
}

fn scid5_record(
    offset: u64,
    ids: [u32; 5],
    (fields, encoded): (&Fields<'_>, &EncodedGame),
    outcome: Outcome,
    is_chess960: bool,
) -> Vec<u8> {
    let [white, black, event, site, round] = ids.map(u64::from);
    let [variations, comments, glyphs] = encoded.counts.map(|count| u64::from(count_code(count)));
    let [[white_rating, black_rating], [white_type, black_type]] =
        [fields.ratings, fields.rating_types].map(|sides| sides.map(u64::from));
    let last = (encoded.home_pawns.len() as u64) << 24
        | white_type << 21
        | black_type << 18
        | u64::from(result_code(outcome)) << 16
        | u64::from(fields.eco);
    let words = [
        comments << 28 | white,
        variations << 28 | black,
        glyphs << 28 | event,
        site,
        u64::from(is_chess960) << 31 | round,
        white_rating << 20 | u64::from(fields.date),
        black_rating << 20 | u64::from(fields.event_date),
        (encoded.plies as u64 & 0x3ff) << 22 | u64::from(fields.flags | u32::from(encoded.flags)),
        (encoded.data.len() as u64) << 15 | offset >> 32,
        offset & 0xffff_ffff,
        u64::from(encoded.material),
        last,
    ];
    let mut record = Vec::with_capacity(Format::Scid5.record_size());
    words.iter().for_each(|word| record.extend(word.to_le_bytes().iter().take(4)));
    record.extend(home_pawns(encoded));
    record
}

/// The file of names of Scid 4: sorted, each without what it shares with the one before it.
fn scid4_names(kinds: &[NameTable; 4]) -> Vec<u8> {
    let most_used = |table: &NameTable| u64::from(table.uses.iter().copied().max().unwrap_or(0));
    let mut file = [b"Scid.sn\0".as_slice(), &[0; 4]].concat();
    kinds.iter().for_each(|table| push_big_endian(&mut file, table.uses.len() as u64, 3));
    kinds.iter().for_each(|table| push_big_endian(&mut file, most_used(table), 3));
    for table in kinds {
        let id_size = if table.uses.len() < 1 << 16 { 2 } else { 3 };
        let most_used = most_used(table);
        let use_size = 1 + usize::from(most_used >= 1 << 8) + usize::from(most_used >= 1 << 16);
        let mut names: Vec<(&String, u32)> = table.ids.iter().map(|(name, &id)| (name, id)).collect();
        names.sort_unstable();
        let mut before: Option<&String> = None;
        for (name, id) in names {
            let uses = table.uses.get(id as usize).copied().unwrap_or(0);
            push_big_endian(&mut file, u64::from(id), id_size);
            push_big_endian(&mut file, u64::from(uses), use_size);
            push_big_endian(&mut file, name.len() as u64, 1);
            let shared =
                before.map(|before| name.bytes().zip(before.bytes()).take_while(|(a, b)| a == b).count());
            file.extend(shared.and_then(|shared| u8::try_from(shared).ok()));
            file.extend(name.bytes().skip(shared.unwrap_or(0)));
            before = Some(name);
        }
    }
    file
}
