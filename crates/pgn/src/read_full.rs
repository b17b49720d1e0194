//! Reads movetexts that are more than plain moves: comments, glyphs, variations, and everything that needs repair. It
//! makes one pass over the tokens with a stack of positions and handles every token explicitly.
//!
//! # Rules
//! * A mainline word that matches no legal move rejects the game, or ends it if games are kept up to such a word.
//! * A null move ends the mainline: what follows is stored as an annotation, the continuation.
//! * For a mainline word that matches several legal moves, the caller may choose one; otherwise the game is rejected.
//! * A variation that cannot be played is kept as a comment with its text, with a warning.
//! * Text that deviates from PGN but is understood is read with a warning (see [`lenient_san`](super::lenient_san)).

mod fault;
mod words;

use super::{
    comment_braces::with_braces,
    lexer::{Lexer, Token, move_number},
    movetext::{Movetext, ReadMovetext},
    piece_letters::PieceLetters,
    reject::{Reject, RejectReason},
    resolve::Resolve,
    result::{both_lost, result_of},
    warning::Warning,
    warnings::Warnings,
};
use plybook_chess::{
    chess::{Annotation, Annotations, Checkpoint, Move, NoVariation, NullMove, Position, TreeCursor},
    limits::{MAX_ANNOTATIONS, MAX_COMMENT_BYTES},
    rules::{FinalPosition, MoveIndex, Outcome},
};

/// A movetext that could not be read.
pub(super) struct ReadFailure {
    pub reject: Reject,
    /// For an ambiguous move without a given choice: the number of moves it matches.
    pub ways: usize,
}

/// Reads a movetext from a start position. `choices` selects the meaning of ambiguous mainline moves, in order.
///
/// # Errors
/// What is wrong with it, and where.
pub(super) fn read_full<P: Resolve + Position + NullMove>(
    movetext: &Movetext<'_>,
    start: P,
    letters: PieceLetters,
    choices: &[usize],
) -> Result<ReadMovetext, ReadFailure> {
    let mut tree = FullReader::new(movetext, start, letters, choices);
    match tree.read(movetext) {
        Ok(()) => Ok(tree.finish()),
        Err(reject) => Err(ReadFailure { reject, ways: tree.ways }),
    }
}

/// Reads a movetext up to the first move that cannot be played, and keeps the rest of its text as a comment.
///
/// # Errors
/// What is wrong with it, and where.
pub(super) fn read_to_fault<P: Resolve + Position + NullMove>(
    movetext: &Movetext<'_>,
    start: P,
    letters: PieceLetters,
) -> Result<ReadMovetext, Reject> {
    let mut tree = FullReader { ends_at_fault: true, ..FullReader::new(movetext, start, letters, &[]) };
    tree.read(movetext)?;
    Ok(tree.finish())
}

/// Where a line of moves begins: its byte offset, and the annotations before it.
type LineStart = (usize, Checkpoint);

struct FullReader<'a, P: Resolve> {
    text: &'a [u8],
    tokens: Lexer<'a>,
    letters: PieceLetters,
    tree: TreeCursor<P, LineStart>,
    moves: Vec<Move>,
    steps: Vec<MoveIndex>,
    annotations: Annotations,
    outcome: Option<(Outcome, usize)>,
    both_lost: bool,
    has_empty_variations: bool,
    warnings: Warnings,
    /// The position after the game's last move, if a null move ended the game.
    end: Option<P>,
    choices: std::slice::Iter<'a, usize>,
    ways: usize,
    /// Plies before the first move.
    first: usize,
    /// The byte offset of the last move number.
    numbered: usize,
    /// Whether the game ends before a move that cannot be played, and that move.
    ends_at_fault: bool,
    broken: Option<String>,
}

impl<'a, P: Resolve + Position + NullMove> FullReader<'a, P> {
    fn new(
        movetext: &Movetext<'a>,
        start: P,
        letters: PieceLetters,
        choices: &'a [usize],
    ) -> FullReader<'a, P> {
        FullReader {
            text: movetext.text,
            tokens: Lexer::new(movetext.text),
            letters,
            tree: TreeCursor::new(start, movetext.first, LineStart::default()),
            moves: Vec::new(),
            steps: Vec::new(),
            annotations: Annotations::default(),
            outcome: None,
            both_lost: movetext.both_lost,
            has_empty_variations: false,
            first: movetext.first,
            warnings: Warnings::default(),
            end: None,
            choices: choices.iter(),
            ways: 0,
            numbered: 0,
            ends_at_fault: false,
            broken: None,
        }
    }

    fn read(&mut self, movetext: &Movetext<'_>) -> Result<(), Reject> {
        let outline = &movetext.outline;
        if outline.blank_line {
            self.warn(Warning::BlankLines, 0);
        }
        if outline.odd_blanks {
            self.warn(Warning::OddBlanks, 0);
        }
        if let Some(at) = outline.punctuation {
            self.warn(Warning::OddPunctuation, at);
        }
        self.moves.reserve(outline.words);
        self.steps.reserve(outline.words);
        for comment in &movetext.comments {
            self.written_comment(0, comment.as_bytes())?;
        }
        while let Some((at, token)) = self.tokens.next() {
            self.take(at, token)?;
        }
        Ok(())
    }

    fn finish(mut self) -> ReadMovetext {
        if self.has_empty_variations {
            self.annotations = self.annotations.without_empty_variations().into_owned();
        }
        let position = self.end.as_ref().unwrap_or(self.tree.position());
        let last = FinalPosition::of(position);
        ReadMovetext {
            moves: self.moves,
            steps: self.steps,
            last,
            board_outcome: (last.count == 0).then(|| position.board_outcome()),
            outcome: self.outcome,
            annotations: self.annotations,
            warnings: self.warnings,
            broken: self.broken,
        }
    }

    fn take(&mut self, at: usize, token: Token<'_>) -> Result<(), Reject> {
        match token {
            Token::Word(word) => self.word(at, word),
            Token::Number(number) => {
                self.number(at, number);
                Ok(())
            }
            Token::Comment(comment) => self.written_comment(at, comment),
            Token::Kept(text, warning) => self.kept(at, text, warning),
            Token::Nag(nag) => self.push(at, Annotation::Nag(nag)),
            Token::Open => self.open(at),
            Token::Close => self.close(at),
            Token::Result(outcome) => self.result(at, outcome),
            Token::OddResult(text) => self.odd_result(at, &String::from_utf8_lossy(text)),
            Token::Escape => {
                self.warnings.add(Warning::EscapedLines);
                Ok(())
            }
            Token::OpenComment => Err(Reject { reason: RejectReason::UnclosedComment, at }),
        }
    }

    fn warn(&mut self, warning: Warning, at: usize) {
        self.warnings.mark(warning, at);
    }

    fn push(&mut self, at: usize, annotation: Annotation<'_>) -> Result<(), Reject> {
        if self.annotations.len() >= MAX_ANNOTATIONS {
            return Err(Reject { reason: RejectReason::TooManyAnnotations, at });
        }
        self.annotations.push(self.moves.len(), annotation);
        Ok(())
    }

    fn number(&mut self, at: usize, number: usize) {
        self.numbered = at;
        if number != move_number(self.tree.plies()) {
            self.warn(Warning::WrongNumbers, at);
        }
    }

    /// Takes a comment as PGN has it.
    fn written_comment(&mut self, at: usize, comment: &[u8]) -> Result<(), Reject> {
        // The movetext was cut from a string at ASCII bytes, so nothing is replaced here.
        let comment = String::from_utf8_lossy(comment);
        self.comment(at, with_braces(&comment).as_deref().unwrap_or(&comment))
    }

    fn comment(&mut self, at: usize, comment: &str) -> Result<(), Reject> {
        if comment.len() > MAX_COMMENT_BYTES {
            return Err(Reject { reason: RejectReason::CommentTooLarge, at });
        }
        if comment.contains('\r') {
            let lines = comment.replace("\r\n", "\n").replace('\r', "\n");
            self.push(at, Annotation::Comment(&lines))
        } else {
            self.push(at, Annotation::Comment(comment))
        }
    }

    /// Keeps a part of the movetext as a comment.
    fn kept(&mut self, at: usize, text: &[u8], warning: Warning) -> Result<(), Reject> {
        self.warn(warning, at);
        let text = String::from_utf8_lossy(text);
        if text.contains('}') {
            // Such a comment cannot be stored with line breaks.
            let lines: Vec<&str> = text.split(['\n', '\r']).filter(|line| !line.is_empty()).collect();
            self.comment(at, &lines.join(" "))
        } else {
            self.comment(at, &text)
        }
    }

    fn open(&mut self, at: usize) -> Result<(), Reject> {
        match self.tree.open((at, self.annotations.checkpoint())) {
            Ok(()) => self.push(at, Annotation::Open),
            Err(NoVariation::NoMove) => self.unplayable(Reject { reason: RejectReason::NoMoveToVary, at }),
            Err(NoVariation::TooDeep) => Err(Reject { reason: RejectReason::TooDeep, at }),
        }
    }

    fn close(&mut self, at: usize) -> Result<(), Reject> {
        let is_empty = !self.tree.has_last_move();
        let (start, _) =
            self.tree.close().ok_or(Reject { reason: RejectReason::UnmatchedParenthesis, at })?;
        if is_empty {
            let inside = self.text.get(start + 1..at).unwrap_or_default();
            let is_bare = inside.trim_ascii().is_empty();
            self.warn(if is_bare { Warning::EmptyParentheses } else { Warning::EmptyVariations }, start);
            self.has_empty_variations = true;
        }
        self.push(at, Annotation::Close)
    }

    /// Takes a result. If several differ, the first counts, but `*` yields to a real result.
    fn result(&mut self, at: usize, outcome: Outcome) -> Result<(), Reject> {
        if self.tree.depth() > 0 {
            return self.push(at, Annotation::Result(outcome));
        }
        match self.outcome {
            Some((first, _)) if first == outcome => {}
            Some((first, _)) => {
                self.warn(Warning::OddResults, at);
                if first == Outcome::Unknown {
                    self.outcome = Some((outcome, at));
                }
            }
            None => self.outcome = Some((outcome, at)),
        }
        Ok(())
    }

    /// Takes a result in another notation. Only a comment can express that both sides lost.
    fn odd_result(&mut self, at: usize, text: &str) -> Result<(), Reject> {
        self.warn(Warning::OddResults, at);
        if both_lost(text) && !self.both_lost {
            self.comment(at, text)?;
        }
        self.result(at, result_of(text).unwrap_or(Outcome::Unknown))
    }

    /// Turns the current variation, which cannot be played, into a comment. The mainline rejects the game, or ends.
    fn unplayable(&mut self, reject: Reject) -> Result<(), Reject> {
        if self.tree.depth() == 0 {
            return if self.ends_at_fault { self.end_before(reject) } else { Err(reject) };
        }
        let Reject { reason, at } = reject;
        let why = RejectReason::InVariation(Box::new(reason));
        self.warnings.mark_with(Warning::BrokenVariations, at, why);
        self.skip_variation(at);
        let end = self.tokens.position();
        let (start, before) = self.tree.close().ok_or(Reject { reason: RejectReason::Unaccounted, at })?;
        self.annotations.cut_back(before);
        let text = self.text.get(start..end).unwrap_or_default();
        self.kept(start, text, Warning::BrokenVariations)
    }

    /// Skips the rest of the current variation.
    fn skip_variation(&mut self, at: usize) {
        // The current word may itself have been the start of a variation.
        let mut depth = usize::from(self.text.get(at) == Some(&b'(')) + 1;
        while depth > 0 {
            match self.tokens.next() {
                Some((_, Token::Open)) => depth += 1,
                Some((_, Token::Close)) => depth -= 1,
                Some(_) => {}
                None => return,
            }
        }
    }
}
