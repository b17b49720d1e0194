//! Irregularities of a stored game: warnings about text that was kept, repairs, and parts that were dropped.

use std::ops::AddAssign;

/// A kind of irregularity. Each is counted once per game, but dropped parts once per part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Warning {
    /// Comments that were dropped because comments are not stored.
    CommentsDropped,
    /// Numeric annotation glyphs (also as `!?`) that were dropped.
    NagsDropped,
    /// Variations that were dropped.
    VariationsDropped,
    /// Lines of a movetext that begin with `%`: they are data of other programs and are not stored.
    EscapedLines,
    /// A date that does not exist, kept as text.
    ImpossibleDate,
    /// More than one blank line between tags and moves.
    ExtraBlankLines,
    /// No result at the end of the movetext.
    NoTermination,
    /// The result after the moves differs from the Result tag. The tag is kept as written; the result after the moves
    /// counts, unless it is `*`.
    ResultDiffers,
    /// The Result tag contradicts the board (checkmate, stalemate); both are kept.
    ResultContradictsBoard,
    /// No tag pairs at all.
    NoTags,
    /// A byte order mark at the beginning.
    ByteOrderMark,
    /// Lines that end as on old Macintosh systems.
    CrLineEnds,
    /// A null move among the moves: the game's integer ends before it, the rest is kept as its continuation.
    NullMoves,
    /// Comments before the tag pairs of a game: they belong to no game and are not stored.
    CommentsOutside,
    /// No Variant tag; the game was read as the requested variant, and the tag was added.
    VariantGiven,
    /// Text that was not UTF-8 and was read in the named encoding.
    NamedEncoding,
    /// Text that was not UTF-8 and was read in the detected encoding, or as Windows-1252.
    NotUtf8,
    /// A tag pair with stray quotes or without a closing bracket, which was repaired.
    OddTag,
    /// Wrong move numbers.
    WrongNumbers,
    /// A blank line inside the movetext.
    BlankLines,
    /// No-break spaces and similar characters between moves.
    OddBlanks,
    /// Moves without a space between them, or a result that follows a move without a space.
    GluedMoves,
    /// Castling written with zeros, lower-case letters or without dashes.
    CastlingZeros,
    /// Promotions not written as `e8=Q`.
    OddPromotions,
    /// `e.p.`, `++`, `ch`, `mate`, `†` after a move.
    OddSuffixes,
    /// A missing, superfluous or non-`x` capture sign.
    OddCaptures,
    /// A superfluous file or rank of origin, or one that matches no piece.
    OddDisambiguations,
    /// Moves with both squares: `Ng1-f3`, `e2e4`.
    LongMoves,
    /// Unicode dashes in moves.
    OddDashes,
    /// Piece letters in lower case, or squares in upper case.
    LowerCase,
    /// Pieces written as figurines.
    Figurines,
    /// Piece letters of another language.
    ForeignLetters,
    /// Signs such as `+-` or `N`, read as the corresponding glyph.
    OddGlyphs,
    /// A result not in PGN notation: `1/2`, `1:0`, `1 - 0`, `0-0`; or several that differ.
    OddResults,
    /// Variations that cannot be played, kept as comments.
    BrokenVariations,
    /// A line that looks like a tag pair among the moves, kept as a comment.
    StrayTags,
    /// Comments between tag pairs, kept before the first move.
    CommentsAmongTags,
    /// Braces inside a comment, kept as part of its text.
    NestedBraces,
    /// Commas or full stops after moves, or ellipses instead of dots.
    OddPunctuation,
    /// A `%` in the middle of a line; what it hides is kept as a comment.
    StrayPercents,
    /// A move that matches several legal moves, only one of which lets the rest of the game be played.
    AmbiguousMoves,
}

impl Warning {
    /// All kinds, in the order of reports.
    pub const ALL: [Warning; 41] = [
        Warning::CommentsDropped,
        Warning::NagsDropped,
        Warning::VariationsDropped,
        Warning::EscapedLines,
        Warning::ImpossibleDate,
        Warning::ExtraBlankLines,
        Warning::NoTermination,
        Warning::ResultDiffers,
        Warning::ResultContradictsBoard,
        Warning::NoTags,
        Warning::ByteOrderMark,
        Warning::CrLineEnds,
        Warning::NullMoves,
        Warning::CommentsOutside,
        Warning::VariantGiven,
        Warning::NamedEncoding,
        Warning::NotUtf8,
        Warning::OddTag,
        Warning::WrongNumbers,
        Warning::BlankLines,
        Warning::OddBlanks,
        Warning::GluedMoves,
        Warning::CastlingZeros,
        Warning::OddPromotions,
        Warning::OddSuffixes,
        Warning::OddCaptures,
        Warning::OddDisambiguations,
        Warning::LongMoves,
        Warning::OddDashes,
        Warning::LowerCase,
        Warning::Figurines,
        Warning::ForeignLetters,
        Warning::OddGlyphs,
        Warning::OddResults,
        Warning::BrokenVariations,
        Warning::StrayTags,
        Warning::CommentsAmongTags,
        Warning::NestedBraces,
        Warning::OddPunctuation,
        Warning::StrayPercents,
        Warning::AmbiguousMoves,
    ];

    /// The key in machine-readable reports.
    pub const fn key(self) -> &'static str {
        match self {
            Warning::CommentsDropped => "comments_dropped",
            Warning::NagsDropped => "nags_dropped",
            Warning::VariationsDropped => "variations_dropped",
            Warning::EscapedLines => "escaped_lines",
            Warning::ImpossibleDate => "impossible_dates",
            Warning::ExtraBlankLines => "extra_blank_lines",
            Warning::NoTermination => "no_termination",
            Warning::ResultDiffers => "result_differs",
            Warning::ResultContradictsBoard => "result_contradicts_board",
            Warning::NoTags => "no_tags",
            Warning::ByteOrderMark => "byte_order_marks",
            Warning::CrLineEnds => "cr_line_ends",
            Warning::NullMoves => "null_moves",
            Warning::CommentsOutside => "comments_outside",
            Warning::VariantGiven => "variant_given",
            Warning::NamedEncoding => "named_encoding",
            Warning::NotUtf8 => "not_utf8",
            Warning::OddTag => "odd_tags",
            Warning::WrongNumbers => "wrong_numbers",
            Warning::BlankLines => "blank_lines",
            Warning::OddBlanks => "odd_blanks",
            Warning::GluedMoves => "glued_moves",
            Warning::CastlingZeros => "castling_zeros",
            Warning::OddPromotions => "odd_promotions",
            Warning::OddSuffixes => "odd_suffixes",
            Warning::OddCaptures => "odd_captures",
            Warning::OddDisambiguations => "odd_disambiguations",
            Warning::LongMoves => "long_moves",
            Warning::OddDashes => "odd_dashes",
            Warning::LowerCase => "lower_case",
            Warning::Figurines => "figurines",
            Warning::ForeignLetters => "foreign_letters",
            Warning::OddGlyphs => "odd_glyphs",
            Warning::OddResults => "odd_results",
            Warning::BrokenVariations => "broken_variations",
            Warning::StrayTags => "stray_tags",
            Warning::CommentsAmongTags => "comments_among_tags",
            Warning::NestedBraces => "nested_braces",
            Warning::OddPunctuation => "odd_punctuation",
            Warning::StrayPercents => "stray_percents",
            Warning::AmbiguousMoves => "ambiguous_moves",
        }
    }

    /// The text in reports.
    pub const fn text(self) -> &'static str {
        match self {
            Warning::CommentsDropped => "comments not stored",
            Warning::NagsDropped => "annotation glyphs (NAGs) not stored",
            Warning::VariationsDropped => "variations not stored",
            Warning::EscapedLines => "lines starting with % (for other programs) not stored",
            Warning::ImpossibleDate => "games with a date that does not exist, kept as text",
            Warning::ExtraBlankLines => "games with extra blank lines between tags and moves",
            Warning::NoTermination => "games without a result after the moves",
            Warning::ResultDiffers => {
                "games whose result after the moves differs from the Result tag (both kept; the one after the \
                 moves counts, unless it is *)"
            }
            Warning::ResultContradictsBoard => {
                "games whose Result tag contradicts the final position (both kept)"
            }
            Warning::NoTags => "games without tag pairs",
            Warning::ByteOrderMark => "games with a byte order mark at the beginning",
            Warning::CrLineEnds => "games with CR line ends",
            Warning::NullMoves => {
                "games with a null move (the mainline ends before it; the rest is kept as an annotation)"
            }
            Warning::CommentsOutside => "comments before the tag pairs of a game, not stored",
            Warning::VariantGiven => {
                "games without a Variant tag, read as the given variant (the tag was added)"
            }
            Warning::NamedEncoding => "games read in the given encoding",
            Warning::NotUtf8 => "games not in UTF-8, read in the detected encoding or as Windows-1252",
            Warning::OddTag => "games with a malformed tag pair",
            Warning::WrongNumbers => "games with wrong move numbers",
            Warning::BlankLines => "games with a blank line among the moves",
            Warning::OddBlanks => "games with no-break spaces or similar characters between moves",
            Warning::GluedMoves => "games with moves or a result not separated by spaces",
            Warning::CastlingZeros => "games with castling not written O-O",
            Warning::OddPromotions => "games with promotions not written e8=Q",
            Warning::OddSuffixes => "games with e.p., ++, ch, mate or † after a move",
            Warning::OddCaptures => "games with a missing, superfluous or non-standard capture sign",
            Warning::OddDisambiguations => "games with a superfluous or wrong file or rank of origin",
            Warning::LongMoves => "games with moves in long algebraic notation or UCI",
            Warning::OddDashes => "games with typographic dashes in moves",
            Warning::LowerCase => "games with lower-case pieces or upper-case squares",
            Warning::Figurines => "games with figurines",
            Warning::ForeignLetters => "games with piece letters of another language",
            Warning::OddGlyphs => "games with signs like +- or N, stored as annotation glyphs (NAGs)",
            Warning::OddResults => "games with a result like 1/2, 1:0 or 0-0, or with results that differ",
            Warning::BrokenVariations => "games with variations that cannot be played, kept as comments",
            Warning::StrayTags => "games with a stray tag pair among the moves, kept as a comment",
            Warning::CommentsAmongTags => "games with comments between tag pairs, kept before the first move",
            Warning::NestedBraces => "games with braces inside a comment, kept in its text",
            Warning::OddPunctuation => "games with commas, full stops or ellipses that are not valid PGN",
            Warning::StrayPercents => "games with a % in the middle of a line, kept as a comment",
            Warning::AmbiguousMoves => {
                "games with an ambiguous move, only one reading of which fits the rest of the game"
            }
        }
    }

    /// Whether the text was read differently from how it is written, which strict reading rejects.
    pub const fn is_repair(self) -> bool {
        self as usize >= Warning::NotUtf8 as usize
    }
}

/// How often each kind of irregularity was found, and where first, in the order of the kinds. Most games have none,
/// and then this takes no memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Warnings(Vec<Counted>);

/// A kind of irregularity that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Counted {
    warning: Warning,
    times: u64,
    /// The byte offset in the game of the first occurrence, if known.
    at: Option<usize>,
}

impl Warnings {
    /// Adds one occurrence.
    pub fn add(&mut self, warning: Warning) {
        self.add_many(warning, 1);
    }

    /// Adds several occurrences.
    pub fn add_many(&mut self, warning: Warning, times: u64) {
        self.count_in(Counted { warning, times, at: None });
    }

    /// Counts a kind once, however often it is found, with the byte offset of its first occurrence.
    pub fn mark(&mut self, warning: Warning, at: usize) {
        if self.count(warning) == 0 {
            self.count_in(Counted { warning, times: 1, at: Some(at) });
        }
    }

    fn count_in(&mut self, more: Counted) {
        match self.0.binary_search_by_key(&(more.warning as usize), |counted| counted.warning as usize) {
            _ if more.times == 0 => {}
            Ok(place) => self.0[place].times += more.times,
            Err(place) => self.0.insert(place, more),
        }
    }

    /// The first repair in the game, and its byte offset.
    pub fn repair(&self) -> Option<(Warning, usize)> {
        let repairs = self.0.iter().filter(|counted| counted.warning.is_repair());
        repairs.map(|counted| (counted.warning, counted.at.unwrap_or(0))).min_by_key(|&(_, at)| at)
    }

    /// Whether the stored text differs from a plain reading of the source bytes, so that the bytes are worth keeping.
    pub fn keep_bytes(&self) -> bool {
        self.repair().is_some() || self.count(Warning::NamedEncoding) > 0
    }

    /// The number of occurrences of this kind.
    pub fn count(&self, warning: Warning) -> u64 {
        self.0.iter().find(|counted| counted.warning == warning).map_or(0, |counted| counted.times)
    }

    /// The kinds that were found, with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (Warning, u64)> + '_ {
        self.0.iter().map(|counted| (counted.warning, counted.times))
    }

    /// The kinds with a known location in the game and their byte offsets, in order of offset.
    pub fn places(&self) -> Vec<(Warning, usize)> {
        let placed = self.0.iter().filter_map(|counted| Some((counted.warning, counted.at?)));
        let mut placed: Vec<(Warning, usize)> = placed.collect();
        placed.sort_by_key(|&(_, at)| at);
        placed
    }

    /// The kinds that concern the entire game.
    pub fn without_place(&self) -> impl Iterator<Item = Warning> + '_ {
        self.0.iter().filter(|counted| counted.at.is_none()).map(|counted| counted.warning)
    }

    /// Converts the byte offsets.
    pub(super) fn replace(&mut self, place: impl Fn(usize) -> usize) {
        for counted in &mut self.0 {
            counted.at = counted.at.map(&place);
        }
    }
}

impl AddAssign for Warnings {
    fn add_assign(&mut self, other: Warnings) {
        for counted in other.0 {
            self.count_in(counted);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_are_counted_and_listed_in_the_order_of_reports() {
        let mut warnings = Warnings::default();
        for warning in Warning::ALL.into_iter().rev() {
            warnings.mark(warning, 7);
            warnings.mark(warning, 3);
            warnings.add_many(warning, 0);
        }
        let all = Warning::ALL.map(|warning| (warning, 1));
        assert_eq!(warnings.iter().collect::<Vec<_>>(), all);
        warnings += warnings.clone();
        assert!(warnings.iter().all(|(warning, times)| times == 2 && warnings.count(warning) == 2));
        assert_eq!(
            warnings.repair().map(|(warning, _)| warning),
            Warning::ALL.into_iter().find(|warning| warning.is_repair())
        );
    }

    #[test]
    fn the_first_repair_of_a_game_is_reported_with_its_offset() {
        let mut warnings = Warnings::default();
        warnings.mark(Warning::NullMoves, 1);
        warnings.mark(Warning::GluedMoves, 9);
        warnings.mark(Warning::LongMoves, 5);
        warnings.replace(|at| at + 100);
        assert_eq!(warnings.repair(), Some((Warning::LongMoves, 105)));
        assert_eq!(warnings.places().len(), 3);
        assert_eq!(warnings.places()[1], (Warning::LongMoves, 105));
        warnings.add(Warning::OddTag);
        assert_eq!(warnings.repair(), Some((Warning::OddTag, 0)));
        assert_eq!(warnings.without_place().collect::<Vec<_>>(), [Warning::OddTag]);
    }
}
