//! Reads one game: tags, start position, moves among the legal moves, outcome; and proves by the
//! [audit](super::audit) that no token was passed over.

use std::{borrow::Cow, cell::RefCell, io, mem, ops::ControlFlow, rc::Rc};

use pgn_reader::{RawComment, SanPlus, Skip, Visitor};
use shakmaty::{Chess, fen::Fen, san::San, san::SanError, variant::VariantPosition};

use super::{
    audit::{self, Audit, Counts},
    date::Date,
    note::{Note, Notes},
    plain::plain,
    reject::{Reason, Reject},
    tags::{Tags, read_tags},
};
use crate::{
    bits::mixed::Digit,
    chess::{LegalSets, Move, Variant, VariantMoves},
    limits::{MAX_LEGAL_MOVES, MAX_PLIES},
    rules::{Color, LegalMoves, Outcome, Rules},
};

/// Plies that memory is set aside for at first.
const USUAL_PLIES: usize = 128;

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
    /// For each move, its index among the legal moves, and a radix of one more than their number.
    pub digits: Vec<Digit>,
    /// What is known of the position after the last move.
    pub last: Last,
    /// How the game ended: the Result tag, or where it says nothing the result after the moves. Where the
    /// board ended the game, still what the PGN says.
    pub outcome: Outcome,
    /// What was odd about it.
    pub notes: Notes,
}

/// The position after the last move, as far as a codec wants to know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Last {
    /// The number of legal moves; 0 if the board ended the game.
    pub count: u32,
    /// The side to move.
    pub turn: Color,
}

impl Game {
    /// The start position.
    pub fn start(&self) -> VariantPosition {
        let fen = self.set_up.then(|| self.tags.get("FEN")).flatten();
        let fen = fen.and_then(|fen| fen.parse::<Fen>().ok());
        fen.and_then(|fen| self.variant.position(&fen).ok()).unwrap_or_else(|| self.variant.start())
    }
}

/// Reads games one after the other and reuses its memory.
#[derive(Debug, Default)]
pub struct Reader {
    tokens: Tokenizer,
    mainline: Mainline<VariantPosition>,
    standard: Mainline<Chess>,
}

impl Reader {
    /// A reader.
    pub fn new() -> Reader {
        Reader::default()
    }

    /// Reads the game or games of one piece of PGN text: usually one, but games without tags may follow each
    /// other in one piece. Gives each with the byte it begins at.
    pub fn read(&mut self, text: &[u8], mut each: impl FnMut(usize, usize, Result<Game, Reject>)) {
        let mut notes = Notes::default();
        let text: Cow<'_, str> = match std::str::from_utf8(text) {
            Ok(text) => text.into(),
            Err(_) => {
                notes.add(Note::NotUtf8);
                encoding_rs::WINDOWS_1252.decode_without_bom_handling(text).0
            }
        };
        let mut start = 0;
        while let Some(rest) = text.get(start..).filter(|rest| !is_blank(rest)) {
            let (game, length) = self.read_one(rest, notes);
            each(start, start + length, game);
            start += length.max(1);
        }
    }

    /// Reads the first game of a text; gives it and its length.
    fn read_one(&mut self, text: &str, mut notes: Notes) -> (Result<Game, Reject>, usize) {
        let (tags, body) = match read_tags(text, &mut notes) {
            Ok(read) => read,
            Err(reject) => return (Err(reject), text.len()),
        };
        let movetext = text.get(body..).unwrap_or_default().as_bytes();
        let audit = match plain(movetext).map_or_else(|| audit::audit(movetext), Ok) {
            Ok(audit) => audit,
            Err(reject) => return (Err(shifted(reject, body)), text.len()),
        };
        let length = body + audit.end;
        let movetext = movetext.get(..audit.end).unwrap_or_default();
        (self.game(tags, movetext, &audit, notes).map_err(|reject| shifted(reject, body)), length)
    }

    fn game(&mut self, tags: Tags, movetext: &[u8], audit: &Audit, notes: Notes) -> Result<Game, Reject> {
        let at_start = |reason| Reject { reason, at: 0 };
        if tags.is_empty() && nothing_of_a_game(movetext, audit) {
            return Err(at_start(Reason::NotPgn));
        }
        let name = tags.get("Variant").unwrap_or_default();
        let variant =
            Variant::from_name(name).ok_or_else(|| at_start(Reason::UnknownVariant(name.to_owned())))?;
        let fen = tags.get("FEN").filter(|fen| !fen.trim().is_empty());
        match (variant, fen) {
            (Variant::Standard | Variant::Chess960, None) => {
                let played = self.standard.play(&mut self.tokens, Chess::new(), movetext, audit)?;
                played.into_game(tags, variant, false, audit, notes)
            }
            (_, None) => {
                let played = self.mainline.play(&mut self.tokens, variant.start(), movetext, audit)?;
                played.into_game(tags, variant, false, audit, notes)
            }
            (_, Some(text)) => {
                let start = start_position(variant, text).map_err(at_start)?;
                let played = self.mainline.play(&mut self.tokens, start, movetext, audit)?;
                played.into_game(tags, variant, true, audit, notes)
            }
        }
    }
}

/// The position of a FEN tag.
fn start_position(variant: Variant, text: &str) -> Result<VariantPosition, Reason> {
    let fen: Fen = text.trim().parse().map_err(|_| Reason::BadFen(text.to_owned()))?;
    let position = variant
        .position(&fen)
        .map_err(|error| Reason::ImpossiblePosition { fen: text.to_owned(), why: error.to_string() })?;
    if position.legal().count() > MAX_LEGAL_MOVES {
        return Err(Reason::TooManyMoves);
    }
    Ok(position)
}

/// Whether a text without tags has no sign of a game either: its first word is no move.
fn nothing_of_a_game(movetext: &[u8], audit: &Audit) -> bool {
    match audit::word_at(movetext, 1) {
        Some((_, word)) => San::from_ascii(word).is_err(),
        None => audit.mainline.results == 0,
    }
}

fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_whitespace() || byte == 0) || text == "\u{feff}"
}

fn shifted(reject: Reject, by: usize) -> Reject {
    Reject { at: reject.at + by, ..reject }
}

/// Finds the legal move that a SAN means, and its index.
trait Resolve: Rules<Move = Move> {
    fn resolve(legal: &Self::Legal, san: San) -> Result<(Move, u32), SanError>;
}

impl Resolve for Chess {
    fn resolve(legal: &LegalSets, san: San) -> Result<(Move, u32), SanError> {
        legal.resolve(san)
    }
}

impl Resolve for VariantPosition {
    fn resolve(legal: &VariantMoves, san: San) -> Result<(Move, u32), SanError> {
        match legal {
            VariantMoves::Sets(sets) => sets.resolve(san),
            VariantMoves::Sorted(moves) => moves.resolve(san),
        }
    }
}

/// The mainline of a game while pgn-reader reads it.
#[derive(Debug)]
struct Mainline<P: Rules> {
    position: Option<P>,
    moves: Vec<Move>,
    digits: Vec<Digit>,
    outcome: Option<Outcome>,
    counts: Counts,
    fault: Option<SanError>,
}

impl<P: Rules> Default for Mainline<P> {
    fn default() -> Self {
        Mainline {
            position: None,
            moves: Vec::new(),
            digits: Vec::new(),
            outcome: None,
            counts: Counts::default(),
            fault: None,
        }
    }
}

/// A mainline that was read to its end.
struct Played {
    moves: Vec<Move>,
    digits: Vec<Digit>,
    last: Last,
    board_outcome: Option<Outcome>,
    /// The result after the moves.
    outcome: Option<Outcome>,
}

/// pgn-reader, kept from game to game for the sake of its buffer.
#[derive(Debug)]
struct Tokenizer {
    reader: pgn_reader::Reader<Feed>,
    feed: Feed,
}

impl Default for Tokenizer {
    fn default() -> Tokenizer {
        let feed = Feed::default();
        Tokenizer { reader: pgn_reader::Reader::new(feed.clone()), feed }
    }
}

impl Tokenizer {
    /// Reads a movetext as far as the mainline can follow it.
    fn read<P: Resolve>(&mut self, movetext: &[u8], mainline: &mut Mainline<P>) {
        self.feed.fill(movetext);
        // A blank line inside a movetext ends a game for pgn-reader, so it is asked until nothing is left.
        loop {
            match self.reader.read_game(mainline) {
                Ok(Some(())) if !mainline.stopped() => {}
                Ok(None) => return,
                // What it still has of this game must not get into the next one.
                _ => break,
            }
        }
        *self = Tokenizer::default();
    }
}

/// The movetext that pgn-reader reads from.
#[derive(Clone, Debug, Default)]
struct Feed(Rc<RefCell<io::Cursor<Vec<u8>>>>);

/// At least as many bytes as pgn-reader looks ahead: without them, each token near the end of a movetext would
/// make it shift its buffer and ask for more. A blank line ends the movetext; the rest is one escaped line,
/// which is passed over at once.
const AFTER_MOVETEXT: [u8; 260] = {
    let mut bytes = [b' '; 260];
    [bytes[0], bytes[1], bytes[2], bytes[259]] = [b'\n', b'\n', b'%', b'\n'];
    bytes
};

impl Feed {
    /// Takes a movetext.
    fn fill(&self, movetext: &[u8]) {
        let mut cursor = self.0.borrow_mut();
        cursor.set_position(0);
        let text = cursor.get_mut();
        text.clear();
        text.extend_from_slice(movetext);
        text.extend_from_slice(&AFTER_MOVETEXT);
    }
}

impl io::Read for Feed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.borrow_mut().read(buffer)
    }
}

impl<P: Resolve> Mainline<P> {
    /// Plays a movetext from a start position.
    fn play(
        &mut self,
        tokens: &mut Tokenizer,
        start: P,
        movetext: &[u8],
        audit: &Audit,
    ) -> Result<Played, Reject> {
        self.moves.clear();
        self.digits.clear();
        self.position = Some(start);
        (self.outcome, self.counts, self.fault) = (None, Counts::default(), None);
        tokens.read(movetext, self);
        self.check(movetext, audit)?;
        self.finish().ok_or(Reject { reason: Reason::Unaccounted, at: 0 })
    }

    /// Whether there is no use in reading on.
    fn stopped(&self) -> bool {
        self.fault.is_some() || self.moves.len() > MAX_PLIES
    }

    fn check(&self, movetext: &[u8], audit: &Audit) -> Result<(), Reject> {
        if self.moves.len() > MAX_PLIES {
            return Err(Reject { reason: Reason::TooLong, at: 0 });
        }
        if let Some(unknown) = self.unknown_word(movetext, audit) {
            return Err(unknown);
        }
        if let Some(fault) = &self.fault {
            return Err(self.misfit(movetext, fault));
        }
        if self.counts == audit.mainline {
            Ok(())
        } else {
            Err(Reject { reason: Reason::Unaccounted, at: 0 })
        }
    }

    /// The first word that the reader passed over, up to the place it came to.
    fn unknown_word(&self, movetext: &[u8], audit: &Audit) -> Option<Reject> {
        if self.fault.is_none() && self.counts.words == audit.mainline.words {
            return None;
        }
        let words = audit::mainline_words(movetext).take(self.moves.len() + 1);
        let mut words = (1..).zip(words);
        let (ply, (at, word)) = words.find(|(_, (_, word))| !is_san(word))?;
        Some(Reject { reason: Reason::UnknownWord { ply, word: shown(word) }, at })
    }

    fn misfit(&self, movetext: &[u8], fault: &SanError) -> Reject {
        let ply = self.moves.len() + 1;
        let (at, word) = audit::word_at(movetext, ply).unwrap_or((0, b""));
        let word = shown(word);
        let reason = match fault {
            SanError::AmbiguousSan => Reason::AmbiguousMove { ply, word },
            SanError::IllegalSan if matches!(San::from_ascii(word.as_bytes()), Ok(San::Null)) => {
                Reason::NullMove { ply, word }
            }
            SanError::IllegalSan => Reason::IllegalMove { ply, word },
        };
        Reject { reason, at }
    }

    fn finish(&mut self) -> Option<Played> {
        let position = self.position.take()?;
        let last = Last { count: position.legal().count(), turn: position.turn() };
        Some(Played {
            moves: mem::replace(&mut self.moves, Vec::with_capacity(USUAL_PLIES)),
            digits: mem::replace(&mut self.digits, Vec::with_capacity(USUAL_PLIES)),
            last,
            board_outcome: (last.count == 0).then(|| position.board_outcome()),
            outcome: self.outcome,
        })
    }

    fn play_san(&mut self, san: San) -> Option<()> {
        let position = self.position.as_mut()?;
        let legal = position.legal();
        let (m, index) = P::resolve(&legal, san).map_err(|fault| self.fault = Some(fault)).ok()?;
        self.digits.push(Digit { value: index, radix: legal.count() + 1 });
        self.moves.push(m);
        position.make(m);
        (self.moves.len() <= MAX_PLIES).then_some(())
    }
}

/// Whether pgn-reader takes a word for a move.
fn is_san(word: &[u8]) -> bool {
    let word = word.strip_suffix(b"+").or_else(|| word.strip_suffix(b"#")).unwrap_or(word);
    San::from_ascii(word).is_ok() || matches!(word, b"0-0" | b"0-0-0")
}

fn shown(word: &[u8]) -> String {
    String::from_utf8_lossy(word).chars().take(40).collect()
}

impl Played {
    fn into_game(
        self,
        tags: Tags,
        variant: Variant,
        set_up: bool,
        audit: &Audit,
        mut notes: Notes,
    ) -> Result<Game, Reject> {
        let tagged = tags.get("Result").and_then(|text| Outcome::from_ascii(text.as_bytes()).ok());
        let outcome = tagged.or(self.outcome).unwrap_or(Outcome::Unknown);
        let dropped = |mainline: usize, inner: usize| u64::try_from(mainline + inner).unwrap_or(u64::MAX);
        let comments = audit.mainline.comments + audit.line_comments;
        notes.add_many(Note::CommentsDropped, dropped(comments, audit.inner.comments));
        notes.add_many(Note::NagsDropped, dropped(audit.mainline.nags, audit.inner.nags));
        notes.add_many(Note::VariationsDropped, dropped(audit.mainline.variations, audit.inner.variations));
        match self.outcome {
            None => notes.add(Note::NoTermination),
            Some(written) if written != outcome => notes.add(Note::ResultDiffers),
            Some(_) => {}
        }
        if self.board_outcome.is_some_and(|board| board != outcome) {
            notes.add(Note::ResultContradictsBoard);
        }
        if tags.get("Date").is_some_and(|date| !date.is_empty() && Date::parse(date).is_none()) {
            notes.add(Note::ImpossibleDate);
        }
        let Played { moves, digits, last, .. } = self;
        Ok(Game { tags, variant, set_up, moves, digits, last, outcome, notes })
    }
}

impl<P: Resolve> Visitor for Mainline<P> {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), san: SanPlus) -> ControlFlow<()> {
        self.counts.words += 1;
        match self.play_san(san.san) {
            Some(()) => ControlFlow::Continue(()),
            None => ControlFlow::Break(()),
        }
    }

    fn nag(&mut self, (): &mut (), _nag: pgn_reader::Nag) -> ControlFlow<()> {
        self.counts.nags += 1;
        ControlFlow::Continue(())
    }

    fn partial_comment(&mut self, (): &mut (), _comment: RawComment<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn comment(&mut self, (): &mut (), _comment: RawComment<'_>) -> ControlFlow<()> {
        self.counts.comments += 1;
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, (): &mut ()) -> ControlFlow<(), Skip> {
        self.counts.variations += 1;
        ControlFlow::Continue(Skip(true))
    }

    fn outcome(&mut self, (): &mut (), outcome: Outcome) -> ControlFlow<()> {
        self.counts.results += 1;
        self.outcome.get_or_insert(outcome);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) {}
}
