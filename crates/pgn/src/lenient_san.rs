//! Reads moves that people and programs write in forms other than SAN: `0-0`, `Ng1-f3`, `e7e8q`, `exd6 e.p.`, `e8(Q)`,
//! `♘f3`, `nf3`. A word is parsed into its parts, which must match exactly one legal move.

use plybook_chess::chess::{CastlingSide, Color, File, Move, Rank, Role, Square};

use super::{
    piece_letters::{PieceLetters, figurine},
    warning::Warning,
};

/// A move that was found, and what was irregular about its word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FoundMove {
    pub m: Move,
    pub warnings: Vec<Warning>,
}

/// Why a word is not a valid move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoMatch {
    /// It does not look like a move.
    NotAMove,
    /// It matches no legal move.
    Illegal,
    /// It matches several legal moves.
    Ambiguous,
}

/// Finds the legal move that a word describes.
// Strict SAN is tried first and handles nearly all words. This path compares with a list of all legal moves, which is
// slow but simple: it accepts whatever describes exactly one move, so no notation needs its own rules about legality.
// shakmaty cannot be used here: it rejects a capture without `x` and a superfluous `x`, and pgn-reader drops words
// that it does not know without a report.
pub(super) fn find(word: &str, letters: PieceLetters, legal: &[Move]) -> Result<FoundMove, NoMatch> {
    let mut parsed = ParsedMove::default();
    let text = parsed.in_ascii(word, letters);
    let text = parsed.without_suffixes(&text);
    if let Some(side) = castling(text) {
        parsed.odd(Warning::CastlingZeros, text != side_text(side));
        return parsed.only(legal, |m| m.castling_side() == Some(side));
    }
    let readings = parsed.readings_of(text).ok_or(NoMatch::NotAMove)?;
    parsed.odd(Warning::LongMoves, parsed.file.is_some() && parsed.rank.is_some());
    let found = parsed.only(legal, |m| readings.iter().flatten().any(|reading| parsed.fits(reading, m)));
    match found {
        Ok(found) => Ok(parsed.with_warnings_of(found, legal)),
        Err(NoMatch::Illegal) => parsed.ignoring_origin(&readings, legal),
        Err(no_match) => Err(no_match),
    }
}

/// All legal moves that match a word, unless it is castling.
pub(super) fn all_matches(word: &str, letters: PieceLetters, legal: &[Move]) -> Vec<Move> {
    let mut parsed = ParsedMove::default();
    let text = parsed.in_ascii(word, letters);
    let text = parsed.without_suffixes(&text);
    let Some(readings) = parsed.readings_of(text) else { return Vec::new() };
    let fits = |m: &&Move| readings.iter().flatten().any(|reading| parsed.fits(reading, m));
    legal.iter().filter(fits).copied().collect()
}

/// The irregularity of a word that shakmaty accepts as SAN: `a8=q`, `Pe4`.
pub(super) fn nonstandard_san(word: &[u8]) -> Option<Warning> {
    match word {
        [b'P', b'a'..=b'h', ..] => Some(Warning::LongMoves),
        [.., b'a'..=b'z'] | [.., b'a'..=b'z', b'+' | b'#'] => Some(Warning::OddPromotions),
        _ => None,
    }
}

/// Whether a word has the form of a move; with automatic detection, in any language.
pub(super) fn looks_like_move(word: &str, letters: PieceLetters) -> bool {
    let formed = |letters| find(word, letters, &[]) != Err(NoMatch::NotAMove);
    formed(letters) || letters == PieceLetters::Auto && PieceLetters::others().any(formed)
}

/// The parts of a move that a word gives.
#[derive(Clone, Debug, Default)]
struct ParsedMove {
    warnings: Vec<Warning>,
    file: Option<File>,
    rank: Option<Rank>,
    capture: bool,
    to: Option<Square>,
    /// For a pawn capture such as `ed`, all that is given of the target square.
    to_file: Option<File>,
    promotion: Option<Role>,
    /// Whether the word begins with a `b` that may mean a bishop.
    small_b: bool,
}

/// A possible piece (any piece if both squares are given) and the file it must come from.
#[derive(Clone, Copy, Debug)]
struct Reading {
    role: Option<Role>,
    file: Option<File>,
}

/// The two readings of a word such as `bc4`: a bishop move, and a capture by the b-pawn.
type Readings = [Option<Reading>; 2];

impl ParsedMove {
    fn odd(&mut self, warning: Warning, is_odd: bool) {
        if is_odd && !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// The word with English piece letters and ASCII signs.
    fn in_ascii(&mut self, word: &str, letters: PieceLetters) -> String {
        let mut text = String::with_capacity(word.len());
        let mut rest = word;
        while let Some(c) = rest.chars().next() {
            let mut length = c.len_utf8();
            match (letters.role(rest), figurine(c)) {
                (Some((role, letter)), _) if !letters.is_english() => {
                    self.odd(Warning::ForeignLetters, true);
                    text.push(role.upper_char());
                    length = letter;
                }
                (_, Some(role)) => {
                    self.odd(Warning::Figurines, true);
                    text.extend((role != Role::Pawn).then(|| role.upper_char()));
                }
                // In this language, English letters that it does not use are not pieces.
                _ if !letters.is_english() && "KQRBNP".contains(c) => text.push('?'),
                _ => self.plain_sign(c, &mut text),
            }
            rest = rest.get(length..).unwrap_or_default();
        }
        text
    }

    fn plain_sign(&mut self, c: char, text: &mut String) {
        match c {
            '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{ad}' | '\u{fe63}' | '\u{ff0d}' => {
                self.odd(Warning::OddDashes, true);
                text.push('-');
            }
            '×' | '✕' | '✖' | '✗' | ':' | 'X' => {
                self.odd(Warning::OddCaptures, true);
                text.push('x');
            }
            '†' => text.push_str("++"),
            '‡' => text.push_str("##"),
            '\u{feff}' | '\u{200b}'..='\u{200f}' | '\u{202f}' | '\u{2000}'..='\u{200a}' | '\u{2060}' => {
                self.odd(Warning::OddBlanks, true);
            }
            // A variation selector: whether a figurine is drawn in colour.
            '\u{fe0e}' | '\u{fe0f}' => {}
            _ => text.push(c),
        }
    }

    /// Removes what follows a move.
    fn without_suffixes<'a>(&mut self, text: &'a str) -> &'a str {
        let mut rest = text;
        let mut signs = 0;
        loop {
            let sign = rest.strip_suffix(['+', '#']);
            let word = SUFFIXES.iter().find_map(|suffix| rest.strip_suffix(suffix));
            let Some(shorter) = sign.or(word).filter(|shorter| shorter.len() > 1) else { break };
            signs += usize::from(sign.is_some());
            self.odd(Warning::OddSuffixes, sign.is_none() || signs > 1);
            rest = shorter;
        }
        rest
    }

    /// Removes the promotion piece: `=Q`, `=q`, `Q`, `(Q)`, `/Q`, `=(Q)`, and UCI's `q`.
    fn without_promotion<'a>(&mut self, text: &'a str) -> &'a str {
        let inner = text.strip_suffix(')').unwrap_or(text);
        let role = inner.chars().last().filter(char::is_ascii).and_then(Role::from_char);
        let Some(role) = role.filter(|role| *role != Role::Pawn) else { return text };
        let before = inner.get(..inner.len() - 1).unwrap_or_default();
        let rest = before.trim_end_matches(['=', '/', '(']);
        if !rest.ends_with(['1', '8']) {
            return text;
        }
        self.promotion = Some(role);
        let lower = inner.ends_with(|c: char| c.is_ascii_lowercase());
        let uci = lower && rest.len() == 4 && before == rest;
        self.odd(
            Warning::OddPromotions,
            !uci && (lower || text.strip_prefix(rest) != Some(&format!("={}", role.upper_char()))),
        );
        rest
    }

    fn readings_of(&mut self, text: &str) -> Option<Readings> {
        let text = self.without_promotion(text);
        self.readings(text).or_else(|| self.files(text))
    }

    /// Reads a pawn capture that gives only the files: `ed`, `exd`.
    // Needed separately because there is no target square, which all other notations except castling have.
    fn files(&mut self, text: &str) -> Option<Readings> {
        let (&[from, to] | &[from, b'x', to]) = text.as_bytes() else { return None };
        let file = |byte: u8| File::from_char(char::from(byte)).filter(|_| byte.is_ascii_lowercase());
        let (from, to) = (file(from)?, file(to)?);
        self.to_file = Some(to);
        self.odd(Warning::OddCaptures, true);
        let reading = Reading { role: Some(Role::Pawn), file: Some(from) };
        (from.distance(to) == 1).then_some([Some(reading), None])
    }

    /// Reads the squares and the piece: `[piece][file][rank][x or -]square`.
    fn readings(&mut self, text: &str) -> Option<Readings> {
        let (before, to) = text.split_at_checked(text.len().checked_sub(2)?)?;
        self.to = Some(to.to_ascii_lowercase().parse().ok()?);
        self.odd(Warning::LowerCase, to.starts_with(|c: char| c.is_ascii_uppercase()));
        let (before, sign) = match before.strip_suffix('x') {
            Some(rest) => (rest, true),
            None => (before.strip_suffix('-').unwrap_or(before), false),
        };
        self.capture = sign;
        self.odd(Warning::LongMoves, before.len() > 1 && text.contains('-'));
        let mut origin = before;
        let piece = origin.chars().next().filter(|&c| piece_letter(c, origin));
        if piece.is_some() {
            origin = origin.get(1..)?;
        }
        if let Some(rank) = origin.chars().last().and_then(Rank::from_char) {
            self.rank = Some(rank);
            origin = origin.get(..origin.len() - 1)?;
        }
        if let Some(c) = origin.chars().last() {
            self.file = Some(File::from_char(c.to_ascii_lowercase())?);
            self.odd(Warning::LowerCase, c.is_ascii_uppercase());
            origin = origin.get(..origin.len() - 1)?;
        }
        origin.is_empty().then(|| self.roles(piece))
    }

    fn roles(&mut self, piece: Option<char>) -> Readings {
        let both_squares = self.file.is_some() && self.rank.is_some();
        let reading = |role, file| Some(Reading { role, file });
        match piece {
            // `bc4` is read both ways and decided by legality. Preferring one reading would reject correct games of
            // the other kind.
            Some('b') => {
                self.small_b = true;
                [
                    reading(Some(Role::Bishop), self.file),
                    (self.file.is_none() && self.rank.is_none())
                        .then_some(Reading { role: Some(Role::Pawn), file: Some(File::B) }),
                ]
            }
            Some(letter) => {
                self.odd(Warning::LowerCase, letter.is_ascii_lowercase());
                self.odd(Warning::LongMoves, letter.eq_ignore_ascii_case(&'p'));
                [reading(Role::from_char(letter), self.file), None]
            }
            None if both_squares => [reading(None, self.file), None],
            None => [reading(Some(Role::Pawn), self.file), None],
        }
    }

    fn fits(&self, reading: &Reading, m: &Move) -> bool {
        if let Move::Castle { king, rook } = *m {
            let color = Color::from_white(king.rank() == Rank::First);
            let to = m.castling_side().map(|side| side.king_to(color));
            return self.file == Some(king.file())
                && self.rank == Some(king.rank())
                && reading.role.is_none_or(|role| role == Role::King)
                && (self.to == to || self.to == Some(rook));
        }
        let to = match self.to_file {
            Some(file) => m.is_capture() && file == m.to().file(),
            None => self.to == Some(m.to()),
        };
        to && m.promotion() == self.promotion
            && reading.role.is_none_or(|role| role == m.role())
            && m.from().is_some_and(|from| {
                reading.file.is_none_or(|file| file == from.file())
                    && self.rank.is_none_or(|rank| rank == from.rank())
            })
    }

    /// The single legal move that matches. (A king move takes precedence over castling that ends on the same square.)
    fn only(&self, legal: &[Move], wanted: impl Fn(&Move) -> bool) -> Result<FoundMove, NoMatch> {
        let found = |m: Move| FoundMove { m, warnings: self.warnings.clone() };
        let mut all_matches = legal.iter().filter(|m| wanted(m));
        match (all_matches.next(), all_matches.next(), all_matches.next()) {
            (Some(m), None, _) => Ok(found(*m)),
            (Some(a), Some(b), None) if a.is_castle() != b.is_castle() => {
                Ok(found(if a.is_castle() { *b } else { *a }))
            }
            (None, ..) => Err(NoMatch::Illegal),
            _ => Err(NoMatch::Ambiguous),
        }
    }

    /// Adds the warnings that depend on the position.
    fn with_warnings_of(&self, found: FoundMove, legal: &[Move]) -> FoundMove {
        let (mut parsed, m) = (self.clone(), found.m);
        let both = self.file.is_some() && self.rank.is_some();
        let unsaid = both && !self.capture;
        parsed.odd(Warning::OddCaptures, self.capture != m.is_capture() && !unsaid);
        parsed.odd(Warning::LowerCase, self.small_b && m.role() == Role::Bishop);
        let origin = self.file.is_some() || self.rank.is_some();
        let same = |other: &&Move| {
            other.role() == m.role() && other.to() == m.to() && other.promotion() == m.promotion()
        };
        let alone = legal.iter().filter(same).count() == 1;
        let superfluous = alone && m.role() != Role::Pawn || m.role() == Role::Pawn && !m.is_capture();
        parsed.odd(Warning::OddDisambiguations, origin && !both && superfluous);
        FoundMove { m, warnings: parsed.warnings }
    }

    /// The only piece of its kind that can reach the target, even though the word gives another origin.
    // A wrong origin is an error of the writing program if the piece and the target leave only one move. Pawns are
    // excluded: their file is part of the move, not a disambiguation.
    fn ignoring_origin(&self, readings: &Readings, legal: &[Move]) -> Result<FoundMove, NoMatch> {
        let [Some(Reading { role: Some(role), .. }), None] = *readings else { return Err(NoMatch::Illegal) };
        if role == Role::Pawn || self.file.is_some() == self.rank.is_some() {
            return Err(NoMatch::Illegal);
        }
        let fits = |m: &Move| !m.is_castle() && m.role() == role && Some(m.to()) == self.to;
        let mut found = self.only(legal, |m| fits(m) && m.from().is_some())?;
        found.warnings.push(Warning::OddDisambiguations);
        Ok(found)
    }
}

/// Suffixes of a move other than `+` and `#`; longer ones first.
const SUFFIXES: [&str; 7] = ["e.p.", "e.p", "ep", "mate", "dbl", "dis", "ch"];

/// Whether a word belongs to the move before it: `e.p.`, `ch`, `mate`, `++`.
pub(super) fn is_suffix(word: &str) -> bool {
    matches!(word, "+" | "++" | "#" | "##" | "†" | "‡" | "††" | "e" | "p")
        || SUFFIXES.contains(&word)
        || matches!(word, "dbl.ch" | "dis.ch" | "check" | "checkmate" | "matt" | "#mate")
}

/// The side of a castling move in any notation.
fn castling(text: &str) -> Option<CastlingSide> {
    let zeros = text.chars().filter(|c| matches!(c, 'o' | 'O' | '0')).count();
    let dashes = text.chars().filter(|c| *c == '-').count();
    if text.chars().count() != zeros + dashes || text.starts_with('-') || text.ends_with('-') {
        return None;
    }
    match (zeros, dashes) {
        (2, 0 | 1) => Some(CastlingSide::KingSide),
        (3, 0 | 2) => Some(CastlingSide::QueenSide),
        _ => None,
    }
}

fn side_text(side: CastlingSide) -> &'static str {
    if side.is_king_side() { "O-O" } else { "O-O-O" }
}

/// Whether the first letter of an origin is a piece: a lower-case `b` may be a file.
fn piece_letter(c: char, origin: &str) -> bool {
    match c {
        'K' | 'Q' | 'R' | 'B' | 'N' | 'P' | 'k' | 'q' | 'r' | 'n' | 'p' => true,
        'b' => !origin.get(1..).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
