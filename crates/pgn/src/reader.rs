//! Reads one game: tags, start position, moves (as indices among the legal moves), outcome.

use std::ops::Range;

use shakmaty::{fen::Fen, variant::VariantPosition};

use super::{
    encoding::Encoding,
    game::Game,
    lenient_san::looks_like_move,
    lexer::PlainMovetext,
    movetext::Movetext,
    observer::Observer,
    outline::{Outline, first_word, outline},
    piece_letters::PieceLetters,
    reject::{Reject, RejectReason},
    result::both_lost,
    san_cache::SanCache,
    tag_line::blank_char,
    tag_values::{note_tag_values, read_typed_dates, variant_of_fen, with_plain_fen},
    tags::{TagSection, read_tags},
    text::Text,
    warning::Warning,
    warnings::Warnings,
};
use plybook_chess::{
    chess::{QuickChess, Tags, Variant},
    limits::{MAX_GAMES_TOGETHER, MAX_LEGAL_MOVES},
    rules::{LegalMoves, Rules},
};

/// Options for reading PGN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// The letters of the pieces.
    pub letters: PieceLetters,
    /// The encoding of text that is not UTF-8; `None` to detect it.
    pub encoding: Option<Encoding>,
    /// Whether games that need repair are rejected.
    pub strict: bool,
    /// Whether a game with a move that cannot be played is kept up to this move, with the rest of its text as a
    /// comment and the move in the tag [`BROKEN`](plybook_chess::chess::BROKEN). Strict reading rejects it.
    pub keep_broken: bool,
    /// Whether annotations are kept.
    pub annotations: bool,
    /// The variant of games without a `Variant` tag, if it is not standard chess.
    pub variant: Option<Variant>,
    /// Whether dates are read as somebody types them, with day or month first, and stored in the form of PGN.
    pub typed_dates: bool,
}

impl Default for ReadOptions {
    fn default() -> ReadOptions {
        ReadOptions {
            letters: PieceLetters::En,
            encoding: None,
            strict: false,
            keep_broken: false,
            annotations: true,
            variant: None,
            typed_dates: false,
        }
    }
}

impl ReadOptions {
    /// Applies these options to a game that was read.
    ///
    /// # Errors
    /// The game needed repair, and strict reading was requested.
    pub fn judge(&self, mut game: Game) -> Result<Game, Reject> {
        if let Some((warning, at)) = game.warnings.repair().filter(|_| self.strict) {
            return Err(Reject { reason: RejectReason::NeedsRepair(warning), at });
        }
        if !self.annotations {
            let moves = game.annotations.continuation();
            let dropped = std::mem::replace(&mut game.annotations, moves).counts();
            game.warnings.add_many(Warning::CommentsDropped, dropped.comments);
            game.warnings.add_many(Warning::NagsDropped, dropped.nags);
            game.warnings.add_many(Warning::VariationsDropped, dropped.variations);
        }
        Ok(game)
    }
}

/// Reads games one after another; reuses its memory, and caches openings.
#[derive(Debug)]
pub struct Reader {
    options: ReadOptions,
    plain: PlainMovetext,
    standard: SanCache<QuickChess>,
    variants: SanCache<VariantPosition>,
}

impl Default for Reader {
    fn default() -> Reader {
        Reader::with_options(ReadOptions::default())
    }
}

impl Reader {
    /// A reader with the default options.
    pub fn new() -> Reader {
        Reader::default()
    }

    /// A reader with the given options.
    pub fn with_options(options: ReadOptions) -> Reader {
        Reader {
            options,
            plain: PlainMovetext::default(),
            standard: SanCache::from(QuickChess::default()),
            variants: SanCache::default(),
        }
    }

    /// Its options.
    pub fn options(&self) -> &ReadOptions {
        &self.options
    }

    /// Reads the game or games of a text from the [splitter](super::GameSplitter). A text usually has one game, but
    /// several games without tags may follow each other in it. Yields each game with its byte range.
    ///
    /// ```
    /// use plybook_pgn::Reader;
    /// let text = b"1. e4 e5 * 1. d4 d6 *";
    /// let mut reader = Reader::new();
    /// let plies: Vec<_> = reader.read(text).map(|(bytes, game)| (bytes, game.unwrap().moves.len())).collect();
    /// assert_eq!(plies, [(0..10, 2), (10..21, 2)]);
    /// ```
    pub fn read<'a>(&'a mut self, bytes: &'a [u8]) -> PgnGames<'a, ()> {
        self.read_observed(bytes, ())
    }

    /// Like [`read`](Reader::read), and passes the mainlines to an observer.
    pub fn read_observed<'a, O: Observer<QuickChess>>(
        &'a mut self,
        bytes: &'a [u8],
        observer: O,
    ) -> PgnGames<'a, O> {
        let text = Text::new(bytes, self.options.encoding);
        PgnGames { reader: self, observer, bytes, text, start: 0, byte: 0, left: MAX_GAMES_TOGETHER }
    }

    /// Reads the first game of a text; returns it and its length. `of_text` returns the irregularities of the text
    /// itself within a given length.
    fn read_one(
        &mut self,
        text: &str,
        of_text: impl FnOnce(usize) -> Warnings,
        observer: &mut impl Observer<QuickChess>,
    ) -> (Result<Game, Reject>, usize) {
        let mut warnings = Warnings::default();
        let TagSection { tags, end: body, comments, open } = match read_tags(text, &mut warnings) {
            Ok(read) => read,
            Err(reject) => return (Err(reject), text.len()),
        };
        let section = text.get(..body).unwrap_or_default();
        let tags = with_plain_fen(tags, section, &mut warnings);
        let movetext = text.get(body..).unwrap_or_default().as_bytes();
        let first = plies_before(&tags);
        let plain = self.plain.read(movetext, first).map(|plain| Outline::of_plain(plain, movetext));
        let outline = match plain.map_or_else(|| outline(movetext), Ok) {
            Ok(outline) => outline,
            Err(reject) => return (Err(shifted(reject, body)), text.len()),
        };
        let length = body + outline.end;
        let movetext = Movetext {
            text: movetext.get(..outline.end).unwrap_or_default(),
            first,
            is_plain: plain.is_some(),
            outline,
            comments,
            both_lost: tags.get("Result").is_some_and(both_lost),
            keeps_broken: self.options.keep_broken && !self.options.strict,
        };
        let game = self.game(tags, &movetext, observer).map_err(|reject| match open {
            // The unreadable word is the rest of the tag pair before it.
            Some(at) if reject.reason.is_of_word(first) => {
                Reject { reason: RejectReason::bad_tag(text.get(at..).unwrap_or_default()), at }
            }
            _ => shifted(reject, body),
        });
        let game = game.and_then(|mut game| {
            game.warnings.replace(|at| body + at);
            game.warnings += warnings;
            if self.options.typed_dates {
                read_typed_dates(&mut game, section);
            }
            note_tag_values(&mut game, section);
            game.warnings += of_text(length);
            self.options.judge(game)
        });
        (game, length)
    }

    fn game(
        &mut self,
        mut tags: Tags,
        movetext: &Movetext<'_>,
        observer: &mut impl Observer<QuickChess>,
    ) -> Result<Game, Reject> {
        observer.forget();
        let at_start = |reason| Reject { reason, at: 0 };
        if tags.is_empty() && nothing_of_a_game(movetext, self.options.letters) {
            let text = String::from_utf8_lossy(movetext.text.trim_ascii_start());
            let tag =
                text.starts_with('[').then(|| RejectReason::bad_tag(text.lines().next().unwrap_or_default()));
            return Err(at_start(tag.unwrap_or(RejectReason::NotPgn)));
        }
        let given = self.options.variant.filter(|&variant| variant != Variant::Standard);
        let given = given.filter(|_| tags.get("Variant").is_none());
        if let Some(variant) = given {
            tags.push("Variant", variant.name());
        }
        let name = tags.get("Variant").unwrap_or_default();
        let variant = Variant::from_name(name)
            .ok_or_else(|| at_start(RejectReason::UnknownVariant(name.to_owned())))?;
        let variant = if name.is_empty() { variant_of_fen(&tags) } else { variant };
        let fen = tags.get("FEN").filter(|fen| !fen.trim().is_empty());
        let (read, set_up) = match (variant.start(), fen) {
            (VariantPosition::Chess(start), None) => {
                let Reader { options, plain, standard, .. } = self;
                (standard.read(&QuickChess::from(&start), movetext, plain, options.letters, observer)?, false)
            }
            (start, fen) => {
                let start = fen.map_or(Ok(start), |fen| start_position(variant, fen));
                let Reader { options, plain, variants, .. } = self;
                let start = start.map_err(at_start)?;
                (variants.read(&start, movetext, plain, options.letters, &mut ())?, fen.is_some())
            }
        };
        let mut game = read.into_game(tags, variant, set_up);
        game.warnings.add_many(Warning::VariantGiven, u64::from(given.is_some()));
        Ok(game)
    }
}

/// The games of one text.
pub struct PgnGames<'a, O> {
    reader: &'a mut Reader,
    /// The observer of the last game.
    pub observer: O,
    bytes: &'a [u8],
    text: Text<'a>,
    /// Where the next game begins: its byte offset in the text, and in the bytes that the text was decoded from.
    start: usize,
    byte: usize,
    /// How many more games are accepted.
    left: usize,
}

impl<O: Observer<QuickChess>> Iterator for PgnGames<'_, O> {
    /// The byte range of a game, and the game.
    type Item = (Range<usize>, Result<Game, Reject>);

    fn next(&mut self) -> Option<Self::Item> {
        let PgnGames { text, start, byte, observer, .. } = self;
        let (start, byte) = (*start, *byte);
        let rest = text.text.get(start..).filter(|rest| !rest.chars().all(blank_char))?;
        let Some(left) = self.left.checked_sub(1) else {
            self.start = text.text.len();
            let reject = Reject { reason: RejectReason::TooManyTogether, at: 0 };
            return Some((byte..self.bytes.len(), Err(reject)));
        };
        let (game, length) =
            self.reader.read_one(rest, |length| text.warnings_of(start..start + length), observer);
        let bytes = byte..byte + text.bytes(start..start + length);
        let game = game.map_err(|reject| text.placed(reject, start)).map(|mut game| {
            game.warnings.replace(|at| text.bytes(start..start + at));
            let raw = self.bytes.get(bytes.clone()).filter(|_| game.warnings.keep_bytes());
            game.raw = raw.map(<[u8]>::to_vec);
            game
        });
        let next = if length == 0 { text.text.len() } else { start + length };
        (self.start, self.byte, self.left) = (next, bytes.end, left);
        Some((bytes, game))
    }
}

/// The start position from a FEN tag.
///
/// # Errors
/// It is not a FEN, or its position breaks the rules of the variant.
pub fn start_position(variant: Variant, text: &str) -> Result<VariantPosition, RejectReason> {
    let fen: Fen = text.trim().parse().map_err(|_| RejectReason::BadFen(text.to_owned()))?;
    let position = variant
        .position(&fen)
        .map_err(|error| RejectReason::ImpossiblePosition(text.to_owned(), error.to_string()))?;
    if position.legal().count() > MAX_LEGAL_MOVES {
        return Err(RejectReason::TooManyMoves);
    }
    Ok(position)
}

/// Plies before the first move of a game, according to the FEN tag.
fn plies_before(tags: &Tags) -> usize {
    let fen = tags.get("FEN").and_then(|fen| fen.trim().parse::<Fen>().ok());
    fen.map_or(0, |fen| {
        let setup = fen.as_setup();
        let moves = usize::try_from(setup.fullmoves.get()).unwrap_or(1) - 1;
        moves.saturating_mul(2).saturating_add(usize::from(setup.turn.is_black()))
    })
}

/// Whether a text without tags does not look like a game either: its first word is not a move.
fn nothing_of_a_game(movetext: &Movetext<'_>, letters: PieceLetters) -> bool {
    match first_word(movetext.text) {
        Some(word) => !looks_like_move(&String::from_utf8_lossy(word), letters),
        None => movetext.outline.results == 0,
    }
}

fn shifted(reject: Reject, by: usize) -> Reject {
    Reject { at: reject.at + by, ..reject }
}

#[cfg(test)]
mod tests;
