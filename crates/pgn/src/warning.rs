//! What a stored game had of its own: warnings that were kept as they are, repairs, and parts that were dropped.

use std::ops::AddAssign;

/// A kind of oddity. Each is counted once a game, but dropped parts once a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Warning {
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

impl Warning {
    /// Every kind, in the order of reports.
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

    /// What a person reads in a report.
    pub const fn text(self) -> &'static str {
        match self {
            Warning::CommentsDropped => "comments not stored",
            Warning::NagsDropped => "annotation glyphs (NAGs) not stored",
            Warning::VariationsDropped => "variations not stored",
            Warning::EscapedLines => "lines for other programs (%) not stored",
            Warning::ImpossibleDate => "games with an impossible date, kept as text",
            Warning::ExtraBlankLines => "games with extra blank lines between tags and moves",
            Warning::NoTermination => "games without a result after the moves",
            Warning::ResultDiffers => {
                "games whose result after the moves is not that of the Result tag (both kept; the one after the \
                 moves counts, unless it is *)"
            }
            Warning::ResultContradictsBoard => {
                "games whose Result tag contradicts the final position (both kept)"
            }
            Warning::NoTags => "games without tag pairs",
            Warning::ByteOrderMark => "games with a byte order mark in front",
            Warning::CrLineEnds => "games whose lines end with CR alone",
            Warning::NullMoves => {
                "games with a null move among the moves (their number of plies ends before it; the rest is kept)"
            }
            Warning::CommentsOutside => "comments before the tag pairs of a game, not stored",
            Warning::VariantGiven => {
                "games without a Variant tag, read as the variant that was given (their Variant tag says so now)"
            }
            Warning::NamedEncoding => "games read in the encoding that was named",
            Warning::NotUtf8 => "games not in UTF-8, read in the encoding they look like or as Windows-1252",
            Warning::OddTag => "games with a malformed tag pair, read as it was meant",
            Warning::WrongNumbers => "games with wrong move numbers",
            Warning::BlankLines => "games with a blank line among the moves",
            Warning::OddBlanks => "games with no-break spaces or the like among the moves",
            Warning::GluedMoves => "games with moves or a result glued together",
            Warning::CastlingZeros => "games with castling not written O-O",
            Warning::OddPromotions => "games with promotions not written e8=Q",
            Warning::OddSuffixes => "games with e.p., ++, ch, mate or † after a move",
            Warning::OddCaptures => "games with a capture sign missing, superfluous or odd",
            Warning::OddDisambiguations => "games with a superfluous or wrong file or rank of origin",
            Warning::LongMoves => "games with moves in long algebraic notation or UCI",
            Warning::OddDashes => "games with typographic dashes in moves",
            Warning::LowerCase => "games with pieces in small or squares in capital letters",
            Warning::Figurines => "games with figurines",
            Warning::ForeignLetters => "games with piece letters of another language",
            Warning::OddGlyphs => "games with signs like +- or N, stored as their glyph",
            Warning::OddResults => "games with a result like 1/2, 1:0 or 0-0, or with several that differ",
            Warning::BrokenVariations => "games with variations that cannot be played, kept as comments",
            Warning::StrayTags => "games with a line like a tag pair among the moves, kept as a comment",
            Warning::CommentsAmongTags => {
                "games with comments among the tag pairs, kept before the first move"
            }
            Warning::NestedBraces => "games with braces within a comment, kept as its text",
            Warning::OddPunctuation => "games with commas, full stops or ellipses that PGN does not have",
            Warning::StrayPercents => "games with a % that begins no line, kept as a comment",
            Warning::AmbiguousMoves => {
                "games with a move that could be several, of which one alone can be played on"
            }
        }
    }

    /// Whether something was read otherwise than it was written: what strict reading refuses.
    pub const fn is_repair(self) -> bool {
        self as usize >= Warning::NotUtf8 as usize
    }
}

/// How often each kind of oddity was found, and where first, in the order of the kinds. Most games have none, and
/// take no memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Warnings(Vec<Counted>);

/// A kind of oddity that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Counted {
    warning: Warning,
    times: u64,
    /// The byte of the game where it was first found, if that is known.
    at: Option<usize>,
}

impl Warnings {
    /// Counts one more.
    pub fn add(&mut self, warning: Warning) {
        self.add_many(warning, 1);
    }

    /// Counts some more.
    pub fn add_many(&mut self, warning: Warning, times: u64) {
        self.count_in(Counted { warning, times, at: None });
    }

    /// Counts a kind once, however often it is found, with the byte where it was first found.
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

    /// The repair that comes first in the game, and its byte.
    pub fn repair(&self) -> Option<(Warning, usize)> {
        let repairs = self.0.iter().filter(|counted| counted.warning.is_repair());
        repairs.map(|counted| (counted.warning, counted.at.unwrap_or(0))).min_by_key(|&(_, at)| at)
    }

    /// Whether the stored text is not what the source's bytes say by themselves, so that they are worth keeping.
    pub fn keep_bytes(&self) -> bool {
        self.repair().is_some() || self.count(Warning::NamedEncoding) > 0
    }

    /// How often this kind was found.
    pub fn count(&self, warning: Warning) -> u64 {
        self.0.iter().find(|counted| counted.warning == warning).map_or(0, |counted| counted.times)
    }

    /// The kinds that were found.
    pub fn iter(&self) -> impl Iterator<Item = (Warning, u64)> + '_ {
        self.0.iter().map(|counted| (counted.warning, counted.times))
    }

    /// The kinds whose place in the game is known, each with its byte, as they follow each other in the game.
    pub fn places(&self) -> Vec<(Warning, usize)> {
        let placed = self.0.iter().filter_map(|counted| Some((counted.warning, counted.at?)));
        let mut placed: Vec<(Warning, usize)> = placed.collect();
        placed.sort_by_key(|&(_, at)| at);
        placed
    }

    /// The kinds that are about the game as a whole.
    pub fn without_place(&self) -> impl Iterator<Item = Warning> + '_ {
        self.0.iter().filter(|counted| counted.at.is_none()).map(|counted| counted.warning)
    }

    /// Counts the bytes of the places otherwise.
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
    fn notes_are_counted_and_told_in_the_order_of_reports() {
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
    fn the_first_repair_of_a_game_is_told_with_its_place() {
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
