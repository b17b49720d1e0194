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
    /// The result of the movetext is not that of the Result tag. The tag is kept as written; the movetext's result
    /// counts, unless it is `*`.
    ResultDiffers,
    /// The Result tag contradicts the board (checkmate, stalemate); both are kept.
    ResultContradictsBoard,
    /// No tag pairs at all.
    NoTags,
    /// A byte order mark in front.
    ByteOrderMark,
    /// Lines that end as on old Macintoshes.
    CrLineEnds,
    /// A null move among the moves: the game's integer ends before it, the rest is kept as its continuation.
    NullMoves,
    /// Comments before the tag pairs of a game: they belong to none and are not stored.
    CommentsOutside,
    /// No Variant tag, and read as the variant that was asked for; the tag was added.
    VariantGiven,
    /// Text that was not UTF-8 and was read in the encoding that was named.
    NamedEncoding,
    /// Text that was not UTF-8 and was read in the encoding it looks like, or as Windows-1252.
    NotUtf8,
    /// A tag pair with stray quotes or without its closing bracket, read as it was meant.
    OddTag,
    /// Move numbers that do not count the moves.
    WrongNumbers,
    /// A blank line inside the movetext.
    BlankLines,
    /// No-break spaces and the like between moves.
    OddBlanks,
    /// Moves without a blank between them, or a result without one behind a move.
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
    /// A result not written as PGN wants it: `1/2`, `1:0`, `1 - 0`, `0-0`; or several that differ.
    OddResults,
    /// Variations that cannot be played, kept as comments.
    BrokenVariations,
    /// A line like a tag pair among the moves, kept as a comment.
    StrayTags,
    /// Comments between tag pairs, kept before the first move.
    CommentsAmongTags,
    /// Braces within a comment, which belong to its text.
    NestedBraces,
    /// Commas or full stops after moves, ellipses for dots.
    OddPunctuation,
    /// A `%` among the moves that begins no line; what it hides is kept as a comment.
    StrayPercents,
    /// A move that could be several, of which one alone plays on to the end.
    AmbiguousMoves,
}

impl Note {
    /// Every kind, in the order of reports.
    pub const ALL: [Note; 41] = [
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
        Note::NullMoves,
        Note::CommentsOutside,
        Note::VariantGiven,
        Note::NamedEncoding,
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
        Note::StrayTags,
        Note::CommentsAmongTags,
        Note::NestedBraces,
        Note::OddPunctuation,
        Note::StrayPercents,
        Note::AmbiguousMoves,
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
            Note::NullMoves => "null_moves",
            Note::CommentsOutside => "comments_outside",
            Note::VariantGiven => "variant_given",
            Note::NamedEncoding => "named_encoding",
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
            Note::StrayTags => "stray_tags",
            Note::CommentsAmongTags => "comments_among_tags",
            Note::NestedBraces => "nested_braces",
            Note::OddPunctuation => "odd_punctuation",
            Note::StrayPercents => "stray_percents",
            Note::AmbiguousMoves => "ambiguous_moves",
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
                "games whose result after the moves is not that of the Result tag (both kept; the one after the \
                 moves counts, unless it is *)"
            }
            Note::ResultContradictsBoard => {
                "games whose Result tag contradicts the final position (both kept)"
            }
            Note::NoTags => "games without tag pairs",
            Note::ByteOrderMark => "games with a byte order mark in front",
            Note::CrLineEnds => "games whose lines end with CR alone",
            Note::NullMoves => {
                "games with a null move among the moves (their number of plies ends before it; the rest is kept)"
            }
            Note::CommentsOutside => "comments before the tag pairs of a game, not stored",
            Note::VariantGiven => {
                "games without a Variant tag, read as the variant that was given (their Variant tag says so now)"
            }
            Note::NamedEncoding => "games read in the encoding that was named",
            Note::NotUtf8 => {
                "games not in UTF-8, read in the encoding they look like or as Windows-1252 (--encoding names it)"
            }
            Note::OddTag => "games with a malformed tag pair, read as it was meant",
            Note::WrongNumbers => "games with wrong move numbers",
            Note::BlankLines => "games with a blank line among the moves",
            Note::OddBlanks => "games with no-break spaces or the like among the moves",
            Note::GluedMoves => "games with moves or a result glued together",
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
            Note::OddResults => "games with a result like 1/2, 1:0 or 0-0, or with several that differ",
            Note::BrokenVariations => "games with variations that cannot be played, kept as comments",
            Note::StrayTags => "games with a line like a tag pair among the moves, kept as a comment",
            Note::CommentsAmongTags => "games with comments among the tag pairs, kept before the first move",
            Note::NestedBraces => "games with braces within a comment, kept as its text",
            Note::OddPunctuation => "games with commas, full stops or ellipses that PGN does not have",
            Note::StrayPercents => "games with a % that begins no line, kept as a comment",
            Note::AmbiguousMoves => {
                "games with a move that could be several, of which one alone can be played on"
            }
        }
    }

    /// Whether something was read otherwise than it was written: what strict reading refuses.
    pub const fn is_repair(self) -> bool {
        self as usize >= Note::NotUtf8 as usize
    }
}

/// How often each kind of oddity was met, and where first, in the order of the kinds. Most games have none, and
/// take no memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes(Vec<Counted>);

/// A kind of oddity that was met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Counted {
    note: Note,
    times: u64,
    /// The byte of the game where it was first met, if that is told.
    at: Option<usize>,
}

impl Notes {
    /// Counts one more.
    pub fn add(&mut self, note: Note) {
        self.add_many(note, 1);
    }

    /// Counts some more.
    pub fn add_many(&mut self, note: Note, times: u64) {
        self.count_in(Counted { note, times, at: None });
    }

    /// Counts a kind once, however often it is met, with the byte where it was first met.
    pub fn mark(&mut self, note: Note, at: usize) {
        if self.count(note) == 0 {
            self.count_in(Counted { note, times: 1, at: Some(at) });
        }
    }

    fn count_in(&mut self, more: Counted) {
        match self.0.binary_search_by_key(&(more.note as usize), |counted| counted.note as usize) {
            _ if more.times == 0 => {}
            Ok(place) => self.0[place].times += more.times,
            Err(place) => self.0.insert(place, more),
        }
    }

    /// The repair that comes first in the game, and its byte.
    pub fn repair(&self) -> Option<(Note, usize)> {
        let repairs = self.0.iter().filter(|counted| counted.note.is_repair());
        repairs.map(|counted| (counted.note, counted.at.unwrap_or(0))).min_by_key(|&(_, at)| at)
    }

    /// Whether the stored text is not what the source's bytes say by themselves, so that they are worth keeping.
    pub fn keep_bytes(&self) -> bool {
        self.repair().is_some() || self.count(Note::NamedEncoding) > 0
    }

    /// How often this kind was met.
    pub fn count(&self, note: Note) -> u64 {
        self.0.iter().find(|counted| counted.note == note).map_or(0, |counted| counted.times)
    }

    /// The kinds that were met.
    pub fn iter(&self) -> impl Iterator<Item = (Note, u64)> + '_ {
        self.0.iter().map(|counted| (counted.note, counted.times))
    }

    /// The kinds whose place in the game is told, each with its byte, as they follow each other in the game.
    pub fn places(&self) -> Vec<(Note, usize)> {
        let placed = self.0.iter().filter_map(|counted| Some((counted.note, counted.at?)));
        let mut placed: Vec<(Note, usize)> = placed.collect();
        placed.sort_by_key(|&(_, at)| at);
        placed
    }

    /// Counts the bytes of the places otherwise.
    pub(super) fn replace(&mut self, place: impl Fn(usize) -> usize) {
        for counted in &mut self.0 {
            counted.at = counted.at.map(&place);
        }
    }
}

impl AddAssign for Notes {
    fn add_assign(&mut self, other: Notes) {
        for counted in other.0 {
            self.count_in(counted);
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
            notes.mark(note, 7);
            notes.mark(note, 3);
            notes.add_many(note, 0);
        }
        let all = Note::ALL.map(|note| (note, 1));
        assert_eq!(notes.iter().collect::<Vec<_>>(), all);
        notes += notes.clone();
        assert!(notes.iter().all(|(note, times)| times == 2 && notes.count(note) == 2));
        assert_eq!(notes.repair().map(|(note, _)| note), Note::ALL.into_iter().find(|note| note.is_repair()));
    }

    #[test]
    fn the_first_repair_of_a_game_is_told_with_its_place() {
        let mut notes = Notes::default();
        notes.mark(Note::NullMoves, 1);
        notes.mark(Note::GluedMoves, 9);
        notes.mark(Note::LongMoves, 5);
        notes.replace(|at| at + 100);
        assert_eq!(notes.repair(), Some((Note::LongMoves, 105)));
        assert_eq!(notes.places().len(), 3);
        assert_eq!(notes.places()[1], (Note::LongMoves, 105));
        notes.add(Note::OddTag);
        assert_eq!(notes.repair(), Some((Note::OddTag, 0)));
    }
}
