//! What a stored game had of its own: oddities that were kept as they are, repairs, and parts that were dropped.

use std::ops::AddAssign;

/// A kind of oddity. Each is counted once a game, but dropped parts once a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// Comments that were dropped because nobody wants them.
    CommentsDropped,
    /// Numeric annotation glyphs (also as `!?`) that were dropped.
    NagsDropped,
    /// Variations that were dropped.
    VariationsDropped,
    /// Lines of a movetext that begin with `%`: they belong to other programs and are not stored.
    EscapedLines,
    /// A date that no calendar has, kept as text.
    ImpossibleDate,
    /// More than one blank line between tags and moves.
    ExtraBlankLines,
    /// No result at the end of the movetext.
    NoTermination,
    /// The result of the movetext is not that of the Result tag; the tag's counts.
    ResultDiffers,
    /// The Result tag contradicts the board (checkmate, stalemate); both are kept.
    ResultContradictsBoard,
    /// No tag pairs at all.
    NoTags,
    /// A byte order mark in front.
    ByteOrderMark,
    /// Lines that end as on old Macintoshes.
    CrLineEnds,
    /// Text that was not UTF-8 and was read as Windows-1252.
    NotUtf8,
    /// A tag pair with stray quotes or without its closing bracket, read as it was meant.
    OddTag,
    /// Move numbers that do not count the moves.
    WrongNumbers,
    /// A blank line inside the movetext.
    BlankLines,
    /// No-break spaces and the like between moves.
    OddBlanks,
    /// Moves without a blank between them.
    GluedMoves,
    /// Castling written with zeros, small letters or without dashes.
    CastlingZeros,
    /// Promotions not written `e8=Q`.
    OddPromotions,
    /// `e.p.`, `++`, `ch`, `mate`, `†` after a move.
    OddSuffixes,
    /// A capture sign missing, superfluous or not `x`.
    OddCaptures,
    /// A move with a file or rank that is not needed, or where none of the pieces stands.
    OddDisambiguations,
    /// Moves with both squares: `Ng1-f3`, `e2e4`.
    LongMoves,
    /// Dashes of Unicode in moves.
    OddDashes,
    /// Pieces written with small letters, or squares with capital ones.
    LowerCase,
    /// Pieces written as figurines.
    Figurines,
    /// Pieces written with the letters of another language.
    ForeignLetters,
    /// Signs such as `+-` or `N`, read as the glyph with their meaning.
    OddGlyphs,
    /// A result not written as PGN wants it: `1/2`.
    OddResults,
    /// Variations that cannot be played, kept as comments.
    BrokenVariations,
}

impl Note {
    /// Every kind, in the order of reports.
    pub const ALL: [Note; 31] = [
        Note::CommentsDropped,
        Note::NagsDropped,
        Note::VariationsDropped,
        Note::EscapedLines,
        Note::ImpossibleDate,
        Note::ExtraBlankLines,
        Note::NoTermination,
        Note::ResultDiffers,
        Note::ResultContradictsBoard,
        Note::NoTags,
        Note::ByteOrderMark,
        Note::CrLineEnds,
        Note::NotUtf8,
        Note::OddTag,
        Note::WrongNumbers,
        Note::BlankLines,
        Note::OddBlanks,
        Note::GluedMoves,
        Note::CastlingZeros,
        Note::OddPromotions,
        Note::OddSuffixes,
        Note::OddCaptures,
        Note::OddDisambiguations,
        Note::LongMoves,
        Note::OddDashes,
        Note::LowerCase,
        Note::Figurines,
        Note::ForeignLetters,
        Note::OddGlyphs,
        Note::OddResults,
        Note::BrokenVariations,
    ];

    /// The key in machine-readable reports.
    pub const fn key(self) -> &'static str {
        match self {
            Note::CommentsDropped => "comments_dropped",
            Note::NagsDropped => "nags_dropped",
            Note::VariationsDropped => "variations_dropped",
            Note::EscapedLines => "escaped_lines",
            Note::ImpossibleDate => "impossible_dates",
            Note::ExtraBlankLines => "extra_blank_lines",
            Note::NoTermination => "no_termination",
            Note::ResultDiffers => "result_differs",
            Note::ResultContradictsBoard => "result_contradicts_board",
            Note::NoTags => "no_tags",
            Note::ByteOrderMark => "byte_order_marks",
            Note::CrLineEnds => "cr_line_ends",
            Note::NotUtf8 => "not_utf8",
            Note::OddTag => "odd_tags",
            Note::WrongNumbers => "wrong_numbers",
            Note::BlankLines => "blank_lines",
            Note::OddBlanks => "odd_blanks",
            Note::GluedMoves => "glued_moves",
            Note::CastlingZeros => "castling_zeros",
            Note::OddPromotions => "odd_promotions",
            Note::OddSuffixes => "odd_suffixes",
            Note::OddCaptures => "odd_captures",
            Note::OddDisambiguations => "odd_disambiguations",
            Note::LongMoves => "long_moves",
            Note::OddDashes => "odd_dashes",
            Note::LowerCase => "lower_case",
            Note::Figurines => "figurines",
            Note::ForeignLetters => "foreign_letters",
            Note::OddGlyphs => "odd_glyphs",
            Note::OddResults => "odd_results",
            Note::BrokenVariations => "broken_variations",
        }
    }

    /// What a person reads in a report.
    pub const fn text(self) -> &'static str {
        match self {
            Note::CommentsDropped => "comments not stored",
            Note::NagsDropped => "annotation glyphs (NAGs) not stored",
            Note::VariationsDropped => "variations not stored",
            Note::EscapedLines => "lines for other programs (%) not stored",
            Note::ImpossibleDate => "games with an impossible date, kept as text",
            Note::ExtraBlankLines => "games with extra blank lines between tags and moves",
            Note::NoTermination => "games without a result after the moves",
            Note::ResultDiffers => {
                "games whose result after the moves is not that of the Result tag (the tag counts)"
            }
            Note::ResultContradictsBoard => {
                "games whose Result tag contradicts the final position (both kept)"
            }
            Note::NoTags => "games without tag pairs",
            Note::ByteOrderMark => "games with a byte order mark in front",
            Note::CrLineEnds => "games whose lines end with CR alone",
            Note::NotUtf8 => "games not in UTF-8, read as Windows-1252",
            Note::OddTag => "games with a malformed tag pair, read as it was meant",
            Note::WrongNumbers => "games with wrong move numbers",
            Note::BlankLines => "games with a blank line among the moves",
            Note::OddBlanks => "games with no-break spaces or the like among the moves",
            Note::GluedMoves => "games with moves glued together",
            Note::CastlingZeros => "games with castling not written O-O",
            Note::OddPromotions => "games with promotions not written e8=Q",
            Note::OddSuffixes => "games with e.p., ++, ch, mate or † after a move",
            Note::OddCaptures => "games with a capture sign missing, superfluous or odd",
            Note::OddDisambiguations => "games with a superfluous or wrong file or rank of origin",
            Note::LongMoves => "games with moves in long algebraic notation or UCI",
            Note::OddDashes => "games with typographic dashes in moves",
            Note::LowerCase => "games with pieces in small or squares in capital letters",
            Note::Figurines => "games with figurines",
            Note::ForeignLetters => "games with piece letters of another language",
            Note::OddGlyphs => "games with signs like +- or N, stored as their glyph",
            Note::OddResults => "games with a result like 1/2",
            Note::BrokenVariations => "games with variations that cannot be played, kept as comments",
        }
    }

    /// Whether something was read otherwise than it was written: what strict reading refuses.
    pub const fn is_repair(self) -> bool {
        self as usize >= Note::NotUtf8 as usize
    }
}

/// How often each kind of oddity was met, in the order of the kinds. Most games have none, and take no memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes(Vec<(Note, u64)>);

impl Notes {
    /// Counts one more.
    pub fn add(&mut self, note: Note) {
        self.add_many(note, 1);
    }

    /// Counts some more.
    pub fn add_many(&mut self, note: Note, times: u64) {
        match self.place_of(note) {
            _ if times == 0 => {}
            Ok(place) => self.0[place].1 += times,
            Err(place) => self.0.insert(place, (note, times)),
        }
    }

    /// Counts a kind once, however often it is met.
    pub fn mark(&mut self, note: Note) {
        if self.count(note) == 0 {
            self.add(note);
        }
    }

    /// The first kind met that is a repair.
    pub fn repair(&self) -> Option<Note> {
        self.iter().map(|(note, _)| note).find(|note| note.is_repair())
    }

    /// How often this kind was met.
    pub fn count(&self, note: Note) -> u64 {
        self.place_of(note).map_or(0, |place| self.0[place].1)
    }

    /// The kinds that were met.
    pub fn iter(&self) -> impl Iterator<Item = (Note, u64)> + '_ {
        self.0.iter().copied()
    }

    fn place_of(&self, note: Note) -> Result<usize, usize> {
        self.0.binary_search_by_key(&(note as usize), |(note, _)| *note as usize)
    }
}

impl AddAssign for Notes {
    fn add_assign(&mut self, other: Notes) {
        for (note, times) in other.0 {
            self.add_many(note, times);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_counted_and_told_in_the_order_of_reports() {
        let mut notes = Notes::default();
        for note in Note::ALL.into_iter().rev() {
            notes.mark(note);
            notes.mark(note);
            notes.add_many(note, 0);
        }
        let all = Note::ALL.map(|note| (note, 1));
        assert_eq!(notes.iter().collect::<Vec<_>>(), all);
        notes += notes.clone();
        assert!(notes.iter().all(|(note, times)| times == 2 && notes.count(note) == 2));
        assert_eq!(notes.repair(), Note::ALL.into_iter().find(|note| note.is_repair()));
    }
}
