//! Handles a word of a movetext: a move, a null move, a glyph, or several of them without spaces between them; or
//! finds the reason why it is none of these.

use shakmaty::san::San;

use super::FullReader;
use crate::{
    lenient_san::{self, FoundMove, NoMatch, is_suffix, nonstandard_san},
    lexer::Token,
    nag::glyph,
    reject::{MoveWord, Reject, RejectReason},
    resolve::{Resolve, over_disambiguated},
    result::glued_result,
    split_words::{self, WordPart},
    warning::Warning,
};
use plybook_chess::{
    chess::{Annotation, NullMove, Position, Resolved, SortedMoves},
    limits::MAX_PLIES,
    rules::{LegalMoves, MoveIndex, Outcome},
};

impl<P: Resolve + Position + NullMove> FullReader<'_, P> {
    pub(super) fn word(&mut self, at: usize, word: &[u8]) -> Result<(), Reject> {
        // It may be castling, but the Result tag says the same.
        if word == b"0-0" && self.both_lost && self.tree.depth() == 0 && self.nothing_follows() {
            return self.odd_result(at, "0-0");
        }
        let Err(no_match) = self.single(at, word)? else { return Ok(()) };
        if let Some((m, result)) = glued_result(word)
            && self.single(at, m)?.is_ok()
        {
            self.warn(Warning::GluedMoves, at);
            return self.glued_result(at + m.len(), &String::from_utf8_lossy(result));
        }
        let text = String::from_utf8_lossy(word);
        if text == "0-0" && self.tree.depth() == 0 && self.nothing_follows() {
            return self.odd_result(at, &text);
        }
        match self.glued(at, &text)? {
            true => Ok(()),
            false => self.unresolved_word(at, word, no_match),
        }
    }

    /// Takes a result that follows a move without a space.
    fn glued_result(&mut self, at: usize, text: &str) -> Result<(), Reject> {
        match Outcome::from_ascii(text.as_bytes()) {
            Ok(outcome) => self.result(at, outcome),
            Err(_) => self.odd_result(at, text),
        }
    }

    /// Whether no more moves follow.
    fn nothing_follows(&self) -> bool {
        !self.tokens.clone().any(|(_, token)| matches!(token, Token::Word(_) | Token::Number(_)))
    }

    /// Takes a word that is one move, glyph or sign; otherwise returns why it is none of them.
    fn single(&mut self, at: usize, word: &[u8]) -> Result<Result<(), NoMatch>, Reject> {
        let san = San::from_ascii(word);
        if let Ok(san) = san
            && self.letters.is_english()
            && let Some(found) = self.resolve(at, san)
        {
            if let Some(warning) = nonstandard_san(word) {
                self.warn(warning, at);
            }
            return self.play(at, found).map(Ok);
        }
        let text = String::from_utf8_lossy(word);
        if let Some(nag) = glyph(&text) {
            self.warn(Warning::OddGlyphs, at);
            return self.push(at, Annotation::Nag(nag)).map(Ok);
        }
        if is_null(&text) && !self.is_cut_result(at, word) {
            if is_odd_null(&text) {
                self.warn(Warning::OddNullMoves, at);
            }
            return self.null_move(at, word).map(Ok);
        }
        if self.tree.has_last_move() && is_suffix(&text) {
            self.warn(Warning::OddSuffixes, at);
            return Ok(Ok(()));
        }
        match self.loose(&text) {
            Ok(found) => self.play_found(at, found).map(Ok),
            Err(no_match) => Ok(Err(no_match)),
        }
    }

    /// Whether a word is the dash of a result that was cut: `1-`.
    fn is_cut_result(&self, at: usize, word: &[u8]) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.text.get(before));
        !word.starts_with(b"--") && word.starts_with(b"-") && before.is_some_and(u8::is_ascii_digit)
    }

    /// The move that a SAN word denotes.
    fn resolve(&mut self, at: usize, san: San) -> Option<Resolved> {
        let found = self.tree.position().resolve(san)?;
        if let Some(warning) = over_disambiguated(san, self.tree.position()) {
            self.warn(warning, at);
        }
        Some(found)
    }

    fn loose(&mut self, word: &str) -> Result<FoundMove, NoMatch> {
        let legal = SortedMoves::new(self.tree.position());
        let found = lenient_san::find(word, self.letters, legal.as_slice());
        if found != Err(NoMatch::Ambiguous) || self.tree.depth() > 0 {
            return found;
        }
        let mut all_matches = lenient_san::all_matches(word, self.letters, legal.as_slice());
        match self.choices.next() {
            Some(&choice) if choice < all_matches.len() => {
                Ok(FoundMove { m: all_matches.swap_remove(choice), warnings: vec![Warning::AmbiguousMoves] })
            }
            _ => {
                self.ways = all_matches.len();
                found
            }
        }
    }

    fn play_found(&mut self, at: usize, found: FoundMove) -> Result<(), Reject> {
        for warning in found.warnings {
            self.warn(warning, at);
        }
        let (m, legal) = (found.m, self.tree.position().legal());
        let unaccounted = Reject { reason: RejectReason::Unaccounted, at };
        let index = legal.index_of(m).ok_or(unaccounted)?;
        self.play(at, Resolved::new(m, index, legal.count()))
    }

    fn play(&mut self, at: usize, found: Resolved) -> Result<(), Reject> {
        let (m, index, count) = (found.m(), found.index(), found.count());
        if self.tree.depth() == 0 && self.tree.plies() - self.first >= MAX_PLIES {
            return Err(Reject { reason: RejectReason::TooLong, at: 0 });
        }
        if self.in_game() {
            self.steps.push(MoveIndex { index, count });
            self.moves.push(m);
        } else {
            self.push(at, Annotation::Move(m))?;
        }
        self.tree.play(m);
        Ok(())
    }

    /// Whether the current line is the game's mainline, not a variation or the part after a null move.
    fn in_game(&self) -> bool {
        self.tree.depth() == 0 && self.end.is_none()
    }

    /// A word that is not the next move.
    fn no_move(&self, word: &[u8]) -> MoveWord {
        let word: String = String::from_utf8_lossy(word).chars().take(40).collect();
        MoveWord::new(self.tree.position(), word)
    }

    /// Takes a null move. It is stored as an annotation, and so is everything after it in its line.
    fn null_move(&mut self, at: usize, word: &[u8]) -> Result<(), Reject> {
        let last = self.in_game().then(|| self.tree.position().clone());
        let can_move = self.tree.position().legal().count() > 0;
        if !can_move || self.tree.null_move().is_none() {
            return self.unplayable(Reject { reason: RejectReason::NullMove(self.no_move(word)), at });
        }
        if last.is_some() {
            self.warnings.mark(Warning::NullMoves, at);
            self.push(at, Annotation::Continue)?;
            self.end = last;
        }
        self.push(at, Annotation::Null)
    }

    /// Splits a word that consists of several moves, numbers or glyphs without spaces. Returns false, and plays
    /// nothing, if it does not.
    fn glued(&mut self, at: usize, word: &str) -> Result<bool, Reject> {
        let Some(parts) = split_words::parts(self.tree.position(), word, self.letters) else {
            return Ok(false);
        };
        self.warn(Warning::GluedMoves, at);
        for part in parts {
            match part {
                WordPart::Move(found) => self.play_found(at, found)?,
                WordPart::Number(number) => self.number(at, number),
                WordPart::Glyph(nag) => self.push(at, Annotation::Nag(nag))?,
            }
        }
        Ok(true)
    }

    /// Handles a word that could not be understood.
    fn unresolved_word(&mut self, at: usize, word: &[u8], no_match: NoMatch) -> Result<(), Reject> {
        if word.starts_with(b"[") {
            let line = self.text.get(at..).unwrap_or_default();
            let line = line.split(|byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or_default();
            let reason = RejectReason::bad_tag(&String::from_utf8_lossy(line));
            return self.unplayable(Reject { reason, at });
        }
        let san = San::from_ascii(word);
        let drop = matches!(san, Ok(San::Put { .. })) && self.tree.position().pockets().is_none();
        let word = self.no_move(word);
        let reason = match no_match {
            _ if drop => RejectReason::Drop(word),
            NoMatch::NotAMove if san.is_err() || !self.letters.is_english() => {
                RejectReason::UnknownWord(word)
            }
            NoMatch::NotAMove | NoMatch::Illegal => RejectReason::IllegalMove(word),
            NoMatch::Ambiguous => RejectReason::AmbiguousMove(word),
        };
        self.unplayable(Reject { reason, at })
    }
}

/// Words for a null move.
fn is_null(word: &str) -> bool {
    matches!(word, "--" | "Z0" | "z0" | "null" | "pass" | "0000" | "@@@@" | "<>" | "\u{2014}")
        || is_odd_null(word)
}

/// Words for a null move that are not usual.
fn is_odd_null(word: &str) -> bool {
    matches!(word, "---" | "----" | "-" | "\u{2013}" | "\u{2212}" | "NULL" | "Null" | "Z1" | "z1")
}
