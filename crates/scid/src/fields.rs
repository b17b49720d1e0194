//! A game to write, and what a record of the index says about it, from its tags.

use plybook_chess::{
    chess::{Annotations, Move, Pair, Tags, Variant},
    rules::Outcome,
};

use crate::{
    index::Format,
    values::{FLAG_LETTERS, Flags, RATING_TAGS, date_bits, date_text, eco_code},
};

/// The highest rating.
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

/// What a record says about a game besides its moves.
pub struct Fields<'a> {
    pub names: [&'a str; 5],
    pub date: u32,
    pub event_date: u32,
    pub eco: u32,
    pub ratings: [u32; 2],
    pub rating_types: [u32; 2],
    pub flags: u32,
    /// Tags that no field can hold.
    pub own: Vec<Pair<'a>>,
}

impl<'a> Fields<'a> {
    pub fn of<P>(game: &GameToWrite<'a, P>, format: Format) -> Fields<'a> {
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
        // A reader takes the first one in place of the field.
        let is_repeated = |name| others.iter().any(|(other, _)| *other == name);
        if date_text(fields.date) != date || is_repeated("Date") {
            fields.own.push(("Date", date));
        }
        if game.outcome.as_str() != result || is_repeated("Result") {
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
    fn take(&mut self, pair: Pair<'_>, format: Format) -> bool {
        let (name, value) = pair;
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
pub fn fen_of(tags: &Tags) -> Option<&str> {
    tags.get("FEN").filter(|fen| !fen.trim().is_empty())
}
