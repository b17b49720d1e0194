//! Kinds of irregularities of a stored game: warnings about text that was kept, repairs, and parts that were dropped.

/// Defines the kinds, each with its key and its text in one place.
macro_rules! warnings {
    ($($(#[$doc:meta])* $warning:ident $key:literal $text:literal;)*) => {
        /// A kind of irregularity. Each is counted once per game, but dropped parts once per part.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Warning {
            $($(#[$doc])* $warning,)*
        }

        impl Warning {
            /// All kinds, in the order of reports.
            pub const ALL: [Warning; [$($key),*].len()] = [$(Warning::$warning),*];

            /// The key in machine-readable reports.
            pub const fn key(self) -> &'static str {
                [$($key),*][self as usize]
            }

            /// The text in reports.
            pub const fn text(self) -> &'static str {
                [$($text),*][self as usize]
            }
        }
    };
}

warnings! {
    /// Comments that were dropped because comments are not stored.
    CommentsDropped "comments_dropped" "comments not stored";
    /// Numeric annotation glyphs (also as `!?`) that were dropped.
    NagsDropped "nags_dropped" "annotation glyphs (NAGs) not stored";
    /// Variations that were dropped.
    VariationsDropped "variations_dropped" "variations not stored";
    /// Lines of a movetext that begin with `%`: they are data of other programs and are not stored.
    EscapedLines "escaped_lines" "lines starting with % (for other programs) not stored";
    /// Parentheses with nothing between them.
    EmptyParentheses "empty_parentheses" "games with parentheses that contain nothing, which are not stored";
    /// A date that does not exist, or of which only the year is clear.
    ImpossibleDate "impossible_dates"
        "games with a date that does not exist or is not clear, kept as text (only its year counts, if it has one)";
    /// No Variant tag, but castling rights of Chess960 in the FEN tag.
    Chess960ByFen "chess960_by_fen" "games without a Variant tag, read as Chess960 because of their castling rights";
    /// A rating of more than four digits, kept as text.
    LongRating "long_ratings" "games with a rating of more than four digits, kept as text (it counts as unknown)";
    /// An ECO code with more behind it.
    LongEcoCode "long_eco_codes" "games with an ECO code like B90a or D85/07, which counts as B90 or D85 (the tag is kept)";
    /// More than one blank line between tags and moves.
    ExtraBlankLines "extra_blank_lines" "games with extra blank lines between tags and moves";
    /// No result at the end of the movetext.
    NoTermination "no_termination" "games without a result after the moves";
    /// The result after the moves differs from the Result tag. The tag is kept as written; the result after the moves
    /// counts, unless it is `*`.
    ResultDiffers "result_differs"
        "games whose result after the moves differs from the Result tag (both kept; the one after the \
        moves counts, unless it is *)";
    /// The Result tag contradicts the board (checkmate, stalemate); both are kept.
    ResultContradictsBoard "result_contradicts_board"
        "games whose Result tag contradicts the final position (both kept)";
    /// No tag pairs at all.
    NoTags "no_tags" "games without tag pairs";
    /// A tag that occurs several times. All are kept; the last one counts.
    RepeatedTags "repeated_tags" "games with a repeated tag (all kept; the last one counts)";
    /// A byte order mark at the beginning.
    ByteOrderMark "byte_order_marks" "games with a byte order mark at the beginning";
    /// Lines that end as on old Macintosh systems.
    CrLineEnds "cr_line_ends" "games with CR line ends";
    /// A null move among the moves: the game's integer ends before it, the rest is kept as its continuation.
    NullMoves "null_moves"
        "games with a null move (the mainline ends before it; the rest is kept as an annotation)";
    /// Comments before the tag pairs of a game: they belong to no game and are not stored.
    CommentsOutside "comments_outside" "comments before the tag pairs of a game, not stored";
    /// No Variant tag; the game was read as the requested variant, and the tag was added.
    VariantGiven "variant_given" "games without a Variant tag, read as the given variant (the tag was added)";
    /// Text that was not UTF-8 and was read in the named encoding.
    NamedEncoding "named_encoding" "games read in the given encoding";
    /// Text that was not UTF-8 and was read in the detected encoding, or as Windows-1252.
    NotUtf8 "not_utf8" "games not in UTF-8, read in the detected encoding or as Windows-1252";
    /// A line among the tag pairs that is none, or an earlier FEN; it is only in the original text.
    BadTagLines "bad_tag_lines"
        "games with a line among the tag pairs that is none (kept in the original text)";
    /// A tag pair with stray quotes or without a closing bracket, which was repaired.
    OddTag "odd_tags" "games with a malformed tag pair";
    /// A FEN tag with a semicolon or operations of EPD, replaced by the FEN.
    OddFen "odd_fens" "games with a FEN tag with a semicolon or operations of EPD, stored as FEN";
    /// A date not in PGN notation, read in full: `2024-05-06`.
    OddDate "odd_dates" "games with a date like 2024-05-06 or 20240506, read as 2024.05.06 (the tag is kept)";
    /// A rating with marks, of which the leading number was read.
    OddRating "odd_ratings" "games with a rating like 1820? or 1820P, read as 1820 (the tag is kept)";
    /// Wrong move numbers.
    WrongNumbers "wrong_numbers" "games with wrong move numbers";
    /// A blank line inside the movetext.
    BlankLines "blank_lines" "games with a blank line among the moves";
    /// No-break spaces and similar characters between moves.
    OddBlanks "odd_blanks" "games with no-break spaces or similar characters between moves";
    /// Moves without a space between them, or a result that follows a move without a space.
    GluedMoves "glued_moves" "games with moves or a result not separated by spaces";
    /// Castling written with zeros, lower-case letters or without dashes.
    CastlingZeros "castling_zeros" "games with castling not written O-O";
    /// Promotions not written as `e8=Q`.
    OddPromotions "odd_promotions" "games with promotions not written e8=Q";
    /// `e.p.`, `++`, `ch`, `mate`, `†` after a move.
    OddSuffixes "odd_suffixes" "games with e.p., ++, ch, mate or † after a move";
    /// A missing, superfluous or non-`x` capture sign.
    OddCaptures "odd_captures" "games with a missing, superfluous or non-standard capture sign";
    /// A superfluous file or rank of origin, or one that matches no piece.
    OddDisambiguations "odd_disambiguations" "games with a superfluous or wrong file or rank of origin";
    /// Moves with both squares: `Ng1-f3`, `e2e4`.
    LongMoves "long_moves" "games with moves in long algebraic notation or UCI";
    /// A null move written neither `--` nor `Z0`.
    OddNullMoves "odd_null_moves" "games with a null move not written --";
    /// Unicode dashes in moves.
    OddDashes "odd_dashes" "games with typographic dashes in moves";
    /// Piece letters in lower case, or squares in upper case.
    LowerCase "lower_case" "games with lower-case pieces or upper-case squares";
    /// Pieces written as figurines.
    Figurines "figurines" "games with figurines";
    /// Piece letters of another language.
    ForeignLetters "foreign_letters" "games with piece letters of another language";
    /// Signs such as `+-` or `N`, read as the corresponding glyph.
    OddGlyphs "odd_glyphs" "games with signs like +- or N, stored as annotation glyphs (NAGs)";
    /// A result not in PGN notation: `1/2`, `1:0`, `1 - 0`, `0.5-0.5`, `0-0`; or several that differ.
    OddResults "odd_results" "games with a result like 1/2, 1:0 or 0-0, or with results that differ";
    /// Variations that cannot be played, kept as comments.
    BrokenVariations "broken_variations" "games with variations that cannot be played, kept as comments";
    /// A move that cannot be played: the game ends before it.
    BrokenGames "broken_games"
        "games with a move that cannot be played, kept up to it (the rest is a comment, the move is in the tag Broken)";
    /// A line that looks like a tag pair among the moves, kept as a comment.
    StrayTags "stray_tags" "games with a stray tag pair among the moves, kept as a comment";
    /// Comments between tag pairs, kept before the first move.
    CommentsAmongTags "comments_among_tags"
        "games with comments between tag pairs, kept before the first move";
    /// Braces inside a comment, kept as part of its text.
    NestedBraces "nested_braces" "games with braces inside a comment, kept in its text";
    /// Commas or full stops after moves, or ellipses instead of dots.
    OddPunctuation "odd_punctuation" "games with commas, full stops or ellipses that are not valid PGN";
    /// A `%` in the middle of a line; what it hides is kept as a comment.
    StrayPercents "stray_percents" "games with a % in the middle of a line, kept as a comment";
    /// `(=)`, the sign of a draw offer, kept as a comment.
    DrawOffers "draw_offers" "games with the sign (=) of a draw offer, kept as a comment";
    /// A variation without moves; its comments and glyphs belong to the move before it.
    EmptyVariations "empty_variations"
        "games with a variation without moves, whose comments and glyphs are kept with the move before it";
    /// A move that matches several legal moves, only one of which lets the rest of the game be played.
    AmbiguousMoves "ambiguous_moves"
        "games with an ambiguous move, only one reading of which fits the rest of the game";
}

impl Warning {
    /// Whether the text was read differently from how it is written, which strict reading rejects.
    pub const fn is_repair(self) -> bool {
        self as usize >= Warning::NotUtf8 as usize
    }
}
