//! Reads one game: tags, start position, moves among the legal moves, outcome; and proves by the
//! [audit](super::audit) that no token was passed over.

use shakmaty::{Chess, Position, fen::Fen, variant::VariantPosition};

use super::{
    audit,
    encoding::Encoding,
    lenient_san::looks_like_move,
    piece_letters::{OTHERS, PieceLetters},
    plain::plain,
    read_ambiguous::read_any,
    read_full::{Movetext, Read},
    read_mainline::{Mainline, Played, Resolve, Tokenizer},
    reject::{Reject, RejectReason},
    result::{both_lost, result_of},
    tags::{Section, blank_char, read_tags},
    text::Text,
    warning::{Warning, Warnings},
};
use crate::{
    chess::{Annotations, Date, Move, NullMove, Tags, Variant},
    limits::{MAX_GAMES_TOGETHER, MAX_LEGAL_MOVES},
    rules::{FinalPosition, LegalMoves, MoveIndex, Outcome, Rules},
};

/// A game as it was read.
#[derive(Clone, Debug)]
pub struct Game {
    /// The tag pairs as written.
    pub tags: Tags,
    /// The variant, from the `Variant` tag.
    pub variant: Variant,
    /// Whether the game starts from the position of its `FEN` tag.
    pub set_up: bool,
    /// The moves, all legal.
    pub moves: Vec<Move>,
    /// For each move, its index among the legal moves.
    pub steps: Vec<MoveIndex>,
    /// What is known of the position after the last move.
    pub last: FinalPosition,
    /// How the game ended: the result after the moves, or where it says nothing the Result tag. Where the
    /// board ended the game, still what the PGN says.
    pub outcome: Outcome,
    /// Comments, glyphs and variations.
    pub annotations: Annotations,
    /// The bytes of the game in its source, where its text was not UTF-8 or had to be repaired.
    pub raw: Option<Vec<u8>>,
    /// What was odd about it.
    pub warnings: Warnings,
}

/// How to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// The letters of the pieces.
    pub letters: PieceLetters,
    /// The encoding of text that is not UTF-8; `None` for the one it looks like.
    pub encoding: Option<Encoding>,
    /// Whether games that need repair are rejected.
    pub strict: bool,
    /// Whether annotations are kept.
    pub annotations: bool,
    /// The variant of games without a `Variant` tag, if it is not standard chess.
    pub variant: Option<Variant>,
}

impl Default for ReadOptions {
    fn default() -> ReadOptions {
        ReadOptions {
            letters: PieceLetters::En,
            encoding: None,
            strict: false,
            annotations: true,
            variant: None,
        }
    }
}

impl Game {
    /// The start position.
    pub fn start(&self) -> VariantPosition {
        let fen = self.set_up.then(|| self.tags.get("FEN")).flatten();
        let fen = fen.and_then(|fen| fen.parse::<Fen>().ok());
        fen.and_then(|fen| self.variant.position(&fen).ok()).unwrap_or_else(|| self.variant.start())
    }
}

/// Reads games one after the other; reuses its memory, and remembers openings.
#[derive(Debug)]
pub struct Reader {
    options: ReadOptions,
    tokens: Tokenizer,
    mainline: Mainline<VariantPosition>,
    standard: Mainline<Chess>,
}

impl Default for Reader {
    fn default() -> Reader {
        Reader::with_options(ReadOptions::default())
    }
}

impl Reader {
    /// A reader with the usual options.
    pub fn new() -> Reader {
        Reader::default()
    }

    /// A reader with options.
    pub fn with_options(options: ReadOptions) -> Reader {
        let (tokens, mainline) = (Tokenizer::default(), Mainline::default());
        Reader { options, tokens, mainline, standard: Mainline::with_cache(Chess::new()) }
    }

    /// Reads the game or games of one piece of PGN text: usually one, but games without tags may follow each
    /// other in one piece. Gives each with the bytes it begins and ends at.
    pub fn read(&mut self, piece: &[u8], mut each: impl FnMut(usize, usize, Result<Game, Reject>)) {
        let text = Text::new(piece, self.options.encoding);
        let (mut start, mut byte, mut games) = (0, 0, 0);
        while let Some(rest) = text.text.get(start..).filter(|rest| !rest.chars().all(blank_char)) {
            if games == MAX_GAMES_TOGETHER {
                return each(byte, piece.len(), Err(Reject { reason: RejectReason::TooManyTogether, at: 0 }));
            }
            games += 1;
            let (game, length) = self.read_one(rest, |length| text.warnings_of(start..start + length));
            let bytes = byte..byte + text.bytes(start..start + length);
            let game = game.map_err(|reject| text.placed(reject, start)).map(|mut game| {
                game.warnings.replace(|at| text.bytes(start..start + at));
                let raw = piece.get(bytes.clone()).filter(|_| game.warnings.keep_bytes());
                game.raw = raw.map(<[u8]>::to_vec);
                game
            });
            each(bytes.start, bytes.end, game);
            (start, byte) = (start + length, bytes.end);
            if length == 0 {
                break;
            }
        }
    }

    /// Reads the first game of a text; gives it and its length. For a length, `of_text` says what is odd about the
    /// text itself.
    fn read_one(
        &mut self,
        text: &str,
        of_text: impl FnOnce(usize) -> Warnings,
    ) -> (Result<Game, Reject>, usize) {
        let mut warnings = Warnings::default();
        let Section { tags, end: body, comments, open } = match read_tags(text, &mut warnings) {
            Ok(read) => read,
            Err(reject) => return (Err(reject), text.len()),
        };
        let movetext = text.get(body..).unwrap_or_default().as_bytes();
        let first = plies_before(&tags);
        let audit = match plain(movetext, first).map_or_else(|| audit::audit(movetext, first), Ok) {
            Ok(audit) => audit,
            Err(reject) => return (Err(shifted(reject, body)), text.len()),
        };
        let length = body + audit.end;
        let movetext = Movetext {
            text: movetext.get(..audit.end).unwrap_or_default(),
            first,
            audit,
            comments,
            both_lost: tags.get("Result").is_some_and(both_lost),
        };
        let game = self.game(tags, &movetext).map_err(|reject| match open {
            // What cannot be read is the rest of the tag pair before it.
            Some(at) if reject.reason.is_of_word(1) => {
                Reject { reason: RejectReason::bad_tag(text.get(at..).unwrap_or_default()), at }
            }
            _ => shifted(reject, body),
        });
        let game = game.and_then(|mut game| {
            game.warnings.replace(|at| body + at);
            game.warnings += warnings;
            game.warnings += of_text(length);
            self.judge(game)
        });
        (game, length)
    }

    fn game(&mut self, mut tags: Tags, movetext: &Movetext<'_>) -> Result<Game, Reject> {
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
        let fen = tags.get("FEN").filter(|fen| !fen.trim().is_empty());
        let (played, set_up) = match (variant, fen) {
            (Variant::Standard | Variant::Chess960, None) => {
                let Reader { options, tokens, standard, .. } = self;
                (read_movetext(standard, tokens, Chess::new(), movetext, options)?, false)
            }
            (_, fen) => {
                let start = fen.map_or(Ok(variant.start()), |fen| start_position(variant, fen));
                let Reader { options, tokens, mainline, .. } = self;
                let start = start.map_err(at_start)?;
                (read_movetext(mainline, tokens, start, movetext, options)?, fen.is_some())
            }
        };
        let mut game = played.into_game(tags, variant, set_up);
        game.warnings.add_many(Warning::VariantGiven, u64::from(given.is_some()));
        Ok(game)
    }

    /// Does to a game what the options say.
    fn judge(&self, mut game: Game) -> Result<Game, Reject> {
        if let Some((warning, at)) = game.warnings.repair().filter(|_| self.options.strict) {
            return Err(Reject { reason: RejectReason::NeedsRepair(warning), at });
        }
        if !self.options.annotations {
            let moves = game.annotations.continuation();
            let dropped = std::mem::replace(&mut game.annotations, moves).counts();
            game.warnings.add_many(Warning::CommentsDropped, dropped.comments);
            game.warnings.add_many(Warning::NagsDropped, dropped.nags);
            game.warnings.add_many(Warning::VariationsDropped, dropped.variations);
        }
        Ok(game)
    }
}

/// The position of a FEN tag.
fn start_position(variant: Variant, text: &str) -> Result<VariantPosition, RejectReason> {
    let fen: Fen = text.trim().parse().map_err(|_| RejectReason::BadFen(text.to_owned()))?;
    let position = variant
        .position(&fen)
        .map_err(|error| RejectReason::ImpossiblePosition { fen: text.to_owned(), why: error.to_string() })?;
    if position.legal().count() > MAX_LEGAL_MOVES {
        return Err(RejectReason::TooManyMoves);
    }
    Ok(position)
}

/// Plies before the first move of a game, as the FEN tag counts them.
fn plies_before(tags: &Tags) -> usize {
    let fen = tags.get("FEN").and_then(|fen| fen.trim().parse::<Fen>().ok());
    fen.map_or(0, |fen| {
        let setup = fen.as_setup();
        let moves = usize::try_from(setup.fullmoves.get()).unwrap_or(1) - 1;
        moves.saturating_mul(2).saturating_add(usize::from(setup.turn.is_black()))
    })
}

/// Whether a text without tags has no sign of a game either: its first word is no move.
fn nothing_of_a_game(movetext: &Movetext<'_>, letters: PieceLetters) -> bool {
    match audit::word_at(movetext.text, 1) {
        Some((_, word)) => !looks_like_move(&String::from_utf8_lossy(word), letters),
        None => movetext.audit.mainline.results == 0,
    }
}

fn shifted(reject: Reject, by: usize) -> Reject {
    Reject { at: reject.at + by, ..reject }
}

/// Reads a movetext: plain ones with pgn-reader, all others as a tree.
fn read_movetext<P: Resolve + Position + NullMove + PartialEq>(
    mainline: &mut Mainline<P>,
    tokens: &mut Tokenizer,
    start: P,
    movetext: &Movetext<'_>,
    options: &ReadOptions,
) -> Result<Played, Reject> {
    if movetext.audit.plain && movetext.comments.is_empty() && options.letters.is_english() {
        // What is wrong with it, the tree will say.
        if let Some(played) = mainline.play(tokens, start.clone(), movetext.text, movetext.audit.mainline) {
            return Ok(played);
        }
    }
    let tree = |letters| read_any(movetext, &start, letters).map(Played::from_tree);
    tree(options.letters).or_else(|reject| {
        let others = if options.letters == PieceLetters::Auto { &OTHERS[..] } else { &[] };
        others.iter().find_map(|&letters| tree(letters).ok()).ok_or(reject)
    })
}

impl Played {
    fn from_tree<P: Resolve>(read: Read<P>) -> Played {
        let last = FinalPosition::of(&read.last);
        Played {
            moves: read.moves,
            steps: read.steps,
            last,
            board_outcome: (last.count == 0).then(|| read.last.board_outcome()),
            outcome: read.outcome,
            annotations: read.annotations,
            warnings: read.warnings,
        }
    }

    fn into_game(self, tags: Tags, variant: Variant, set_up: bool) -> Game {
        let tagged = tags.get("Result").and_then(result_of);
        let mut warnings = self.warnings;
        match (self.outcome, tagged) {
            (None, _) => warnings.add(Warning::NoTermination),
            (Some((written, at)), Some(tagged)) if written != tagged => {
                warnings.mark(Warning::ResultDiffers, at)
            }
            _ => {}
        }
        let written = self.outcome.map(|(outcome, _)| outcome).filter(|&outcome| outcome != Outcome::Unknown);
        let outcome = written.or(tagged).unwrap_or(Outcome::Unknown);
        if self.board_outcome.is_some_and(|board| board != outcome) {
            warnings.add(Warning::ResultContradictsBoard);
        }
        if tags.get("Date").is_some_and(|date| !date.is_empty() && Date::parse(date).is_none()) {
            warnings.add(Warning::ImpossibleDate);
        }
        let Played { moves, steps, last, annotations, .. } = self;
        Game { tags, variant, set_up, moves, steps, last, outcome, annotations, raw: None, warnings }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_games_as_may_stand_together_are_read_and_the_rest_has_a_reason() {
        for more in [0, 1, 2] {
            let text = "1. e4 * ".repeat(MAX_GAMES_TOGETHER + more);
            let (mut read, mut rejects) = (0, Vec::new());
            Reader::new().read(text.as_bytes(), |start, end, game| match game {
                Ok(_) => read += 1,
                Err(reject) => rejects.push((start, end, reject.reason)),
            });
            assert_eq!(read, MAX_GAMES_TOGETHER);
            // A blank before it belongs to it.
            let rest = (8 * MAX_GAMES_TOGETHER - 1, text.len(), RejectReason::TooManyTogether);
            assert_eq!(rejects, if more > 0 { vec![rest] } else { Vec::new() });
        }
    }

    /// The only game of a text.
    fn game(text: &str, strict: bool) -> Result<Game, Reject> {
        let mut games = Vec::new();
        let mut reader = Reader::with_options(ReadOptions { strict, ..ReadOptions::default() });
        reader.read(text.as_bytes(), |_, _, game| games.push(game));
        assert_eq!(games.len(), 1, "{text}");
        games.remove(0)
    }

    #[test]
    fn a_second_result_that_differs_is_told_and_never_lost() {
        for (text, outcome, at) in [
            ("1. e4 e5 * 1-0", "1-0", 11),
            ("1. e4 * {x} 1/2-1/2", "1/2-1/2", 12),
            ("1. e4 *\n\n1-0", "1-0", 9),
            ("1. e4 e5 1-0 0-1", "1-0", 13),
            ("1. e4 e5 1-0 *", "1-0", 13),
            ("1. e4 0-0 1-0", "1-0", 6),
        ] {
            let read = game(text, false).unwrap();
            assert_eq!(
                (read.outcome.as_str(), read.raw.as_deref()),
                (outcome, Some(text.as_bytes())),
                "{text}"
            );
            assert!(
                read.warnings.places().contains(&(Warning::OddResults, at)),
                "{text} {:?}",
                read.warnings
            );
            assert!(matches!(game(text, true).unwrap_err().reason, RejectReason::NeedsRepair(_)), "{text}");
        }
        let twice = game("[White \"w\"]\n\n1. e4 e5 1-0 1-0", true).unwrap();
        assert_eq!((twice.outcome.as_str(), twice.warnings.repair()), ("1-0", None));
    }

    #[test]
    fn a_game_is_not_blamed_for_the_encoding_of_another_in_its_piece() {
        let text = b"1. e4 {x} * 1. d4 {\xe9} * 1. c4 {x} *";
        let mut odd = Vec::new();
        Reader::new().read(text, |_, _, game| odd.push(game.unwrap().warnings.count(Warning::NotUtf8)));
        assert_eq!(odd, [0, 1, 0]);
        // Nor does it look at all of theirs, which would take minutes.
        let game = [&b"1. e4 "[..], &b"{\xe9} ".repeat(48), b"e5 * "].concat();
        let mut read = 0;
        Reader::new().read(&game.repeat(MAX_GAMES_TOGETHER), |_, _, game| read += usize::from(game.is_ok()));
        assert_eq!(read, MAX_GAMES_TOGETHER);
    }
}
