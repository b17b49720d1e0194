//! Parses patterns: the contents of squares, rank by rank; and where a pattern may match: as written, and with
//! `any_file` also on other files and mirrored.

use shakmaty::{Color, Piece};

use crate::{
    limits::MAX_PATTERN_WAYS,
    query::{Pattern, RankContent, SquareContent, StepWay},
    request::{PatternError, RequestError},
};

/// An element of a rank.
#[derive(Clone, Copy)]
enum Token {
    Square(SquareContent),
    /// A number of empty squares.
    Empty(u32),
    /// Any number of squares with any contents.
    Run,
}

/// Parses a pattern, with an optional side to move. It consists of ranks 8 to 1 as in a FEN: a letter is a piece, a
/// digit is a number of empty squares, `?` is anything, `[NB]` is one of several pieces, `[^P]` is anything else (`.`
/// in brackets is an empty square), and `*` is any number of squares with any contents. The side to move, `w` or `b`,
/// may follow after a space; further fields of a FEN are ignored.
///
/// Moves it to another place; `None` if part of it would leave the board.
///
/// # Errors
/// The text is not a valid pattern.
pub(super) fn placed(text: &str, place: Placement) -> Result<Option<StepWay>, RequestError> {
    let (ranks, turn) = read(text)?;
    let ways = ranks.map(|rank| rank.placed(place));
    let is_there = ways.iter().all(|ways| !ways.is_empty());
    let way = || StepWay { material: Vec::new(), patterns: vec![Pattern::new(ways)], turn };
    Ok(is_there.then(way))
}

/// Parses the ranks, from the first to the eighth, and the side to move if given.
fn read(text: &str) -> Result<([Rank; 8], Option<Color>), RequestError> {
    let error = |why| RequestError::Pattern { text: text.to_owned(), why };
    let mut words = text.split_whitespace();
    let board = words.next().ok_or_else(|| error(PatternError::Empty))?;
    let turn = match words.next() {
        None | Some("-") => None,
        Some(turn) => Some(side(turn).map_err(|_| error(PatternError::Turn))?),
    };
    let ranks: Vec<&str> = board.split('/').collect();
    let ranks: [&str; 8] = ranks.try_into().map_err(|_| error(PatternError::Ranks))?;
    let mut read: [Rank; 8] = Default::default();
    for (text, rank) in ranks.into_iter().rev().zip(&mut read) {
        let tokens = tokens(text).map_err(error)?;
        let is_run = |token: Option<&Token>| matches!(token, Some(Token::Run));
        rank.is_anywhere = is_run(tokens.first()) && is_run(tokens.last());
        let ways = &mut rank.ways;
        lay_out(&tokens, &mut Vec::new(), ways);
        if ways.is_empty() {
            return Err(error(PatternError::Squares));
        }
        if ways.len() > MAX_PATTERN_WAYS {
            return Err(error(PatternError::Layouts));
        }
    }
    Ok((read, turn))
}

fn tokens(rank: &str) -> Result<Vec<Token>, PatternError> {
    let (mut tokens, mut letters) = (Vec::new(), rank.chars());
    while let Some(letter) = letters.next() {
        tokens.push(match letter {
            '*' => Token::Run,
            '?' => Token::Square(SquareContent::ANY),
            '1'..='8' => Token::Empty(letter.to_digit(10).unwrap_or(0)),
            '[' => Token::Square(one_of(&mut letters)?),
            letter => Token::Square(content(letter)?),
        });
    }
    // `**` is the same as `*`. Without this, the number of layouts would explode.
    tokens.dedup_by(|one, before| matches!((one, before), (Token::Run, Token::Run)));
    if tokens.len() > 15 { Err(PatternError::LongRank) } else { Ok(tokens) }
}

/// Parses the rest of an expression in brackets.
fn one_of(letters: &mut std::str::Chars<'_>) -> Result<SquareContent, PatternError> {
    let (mut all, mut is_negated) = (None, false);
    for letter in letters {
        match letter {
            ']' => {
                let all: SquareContent = all.ok_or(PatternError::EmptyBrackets)?;
                return Ok(if is_negated { !all } else { all });
            }
            '^' if all.is_none() && !is_negated => is_negated = true,
            letter => {
                let content = content(letter)?;
                all = Some(all.map_or(content, |all: SquareContent| all.or(content)));
            }
        }
    }
    Err(PatternError::OpenBracket)
}

fn content(letter: char) -> Result<SquareContent, PatternError> {
    match letter {
        '.' => Ok(SquareContent::EMPTY),
        letter => Piece::from_char(letter).map(SquareContent::piece).ok_or(PatternError::Piece),
    }
}

/// Adds the layouts that a rank may have; stops soon after the limit.
//
// Patterns also come from URLs. Without the limit, a short text such as `*?*?*?*?` repeated would take exponential time.
fn lay_out(tokens: &[Token], begun: &mut Vec<SquareContent>, ways: &mut Vec<RankContent>) {
    if begun.len() > 8 || ways.len() > MAX_PATTERN_WAYS {
        return;
    }
    let before = begun.len();
    match tokens.split_first() {
        None => ways.extend(RankContent::try_from(begun.as_slice())),
        Some((Token::Square(content), rest)) => {
            begun.push(*content);
            lay_out(rest, begun, ways);
        }
        Some((Token::Empty(count), rest)) => {
            begun.extend((0..*count).map(|_| SquareContent::EMPTY));
            lay_out(rest, begun, ways);
        }
        Some((Token::Run, rest)) => {
            while begun.len() <= 8 {
                lay_out(rest, begun, ways);
                begun.push(SquareContent::ANY);
            }
        }
    }
    begun.truncate(before);
}

/// Parses the side to move.
pub(super) fn side(text: &str) -> Result<Color, RequestError> {
    match text {
        "w" | "white" => Ok(Color::White),
        "b" | "black" => Ok(Color::Black),
        _ => Err(RequestError::Colour(text.to_owned())),
    }
}

/// A placement of a pattern on the board.
#[derive(Clone, Copy)]
pub(super) struct Placement {
    /// Mirrored left to right: the a file becomes the h file.
    is_mirrored: bool,
    /// The number of files by which it is shifted to the right.
    files: isize,
}

/// A rank of a pattern: the layouts that it matches.
#[derive(Default)]
struct Rank {
    ways: Vec<RankContent>,
    /// Whether it begins and ends with `*`, so that it matches the same positions at any placement.
    is_anywhere: bool,
}

impl Placement {
    /// The placement as written.
    pub(super) const WRITTEN: Placement = Placement { is_mirrored: false, files: 0 };

    pub(super) fn is_written(self) -> bool {
        !self.is_mirrored && self.files == 0
    }

    /// All other placements.
    pub(super) fn others() -> impl Iterator<Item = Placement> {
        let places = |is_mirrored| (-7..=7).map(move |files| Placement { is_mirrored, files });
        [false, true].into_iter().flat_map(places).filter(|place| !place.is_written())
    }
}

impl Rank {
    /// The layouts at another placement; empty if the pattern would leave the board.
    fn placed(&self, place: Placement) -> Vec<RankContent> {
        let mut ways = self.ways.clone();
        if place.is_mirrored {
            ways.iter_mut().for_each(|way| way.reverse());
            // Mirrored twice, a symmetric pattern becomes equal to the original, in the same order.
            ways.reverse();
        }
        match self.is_anywhere {
            true => ways,
            false => ways.into_iter().filter_map(|way| shifted(way, place.files)).collect(),
        }
    }
}

/// Shifts a layout; `None` if a square other than `?` would leave the board.
fn shifted(content: RankContent, files: isize) -> Option<RankContent> {
    let mut shifted = [SquareContent::ANY; 8];
    for (file, content) in (0usize..).zip(content).filter(|(_, content)| *content != SquareContent::ANY) {
        *shifted.get_mut(file.checked_add_signed(files)?)? = content;
    }
    Some(shifted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Fen;

    fn pattern(text: &str) -> Result<Option<StepWay>, RequestError> {
        placed(text, Placement::WRITTEN)
    }

    fn is_on(text: &str, fen: &str) -> bool {
        let board = fen.parse::<Fen>().unwrap().into_setup().board;
        pattern(text).unwrap().unwrap().patterns.iter().all(|pattern| pattern.is_on(&board))
    }

    #[test]
    fn every_sign_of_a_pattern_says_what_stands_there() {
        let fen = "r3k2r/8/3n4/8/2BP4/8/PP3PPP/R3K2R w KQkq - 0 1";
        for text in [
            "*/*/*/*/*/*/*/*",
            "r3k2r/8/3n4/8/2BP4/8/PP3PPP/R3K2R",
            "r3k2r/8/3n4/8/2BP4/8/PP3PPP/R3K2R b - - 5 9",
            "*/*/3[nb]4/*/*P*/*/*/*",
            "?3?2?/*/*/*/[.]?B*/*/PP*PPP/*",
            "*/*/*/*/2[^P][^.]4/*/*/*",
            "*k*/*/*/*/*BP*/*/*/R*K*R",
            "*/8/*n*/8/**P**/8/*/*",
        ] {
            assert!(is_on(text, fen), "{text}");
        }
        for text in [
            "*/*/*/*/*PP*/*/*/*",
            "r3k2r/8/3n4/8/2BP4/8/PPP2PPP/R3K2R",
            "*/*/3[^n]4/*/*/*/*/*",
            "*/*/*/*/2[^B]*/*/*/*",
            "*/*/*/*/?[P.]P*/*/*/*",
            "*q*/*/*/*/*/*/*/*",
        ] {
            assert!(!is_on(text, fen), "{text}");
        }
    }

    #[test]
    fn what_is_no_pattern_is_told() {
        for text in [
            "",
            "8/8",
            "8/8/8/8/8/8/8/9",
            "8/8/8/8/8/8/8/7",
            "8/8/8/8/8/8/8/PPPPPPPPP",
            "8/8/8/8/8/8/8/[]7",
            "8/8/8/8/8/8/8/[^]7",
            "8/8/8/8/8/8/8/[P7",
            "8/8/8/8/8/8/8/x7",
            "8/8/8/8/8/8/8/8/8",
            "8/8/8/8/8/8/8/8 x",
            "8/8/8/8/8/8/8/*?*?*?*?*?*?*?*?*?*",
            "8/8/8/8/8/8/8/\u{1f600}7",
        ] {
            assert!(pattern(text).is_err(), "{text}");
        }
        let many = format!("8/8/8/8/8/8/8/{}", "*?".repeat(10_000));
        assert!(pattern(&many).is_err());
    }

    /// The number of placements of a pattern.
    fn places(text: &str) -> usize {
        let mut all: Vec<StepWay> = Vec::new();
        for place in std::iter::once(Placement::WRITTEN).chain(Placement::others()) {
            all.extend(placed(text, place).unwrap().filter(|way| !all.contains(way)));
        }
        all.len()
    }

    #[test]
    fn a_pattern_is_moved_as_far_as_it_is_on_the_board() {
        for (text, expected) in [
            ("*/*/*/*/???P*/*/*/*", 8),
            ("*/*/*/*/???PP*/*/*/*", 7),
            ("*/*/*/*/???Pp*/*/*/*", 14),
            ("*/*/*/*/????????/*/*/*", 1),
            ("*/*/*/*/*P*/*/*/*", 1),
            ("*/*/*/*/*Pp*/*/*/*", 2),
            ("[^k]K[^k]*/*P*/*/*/*/*/*/*", 6),
            // Fixed to a file at the edge.
            ("R*/*[k.][k.]/P*r*/*/*/*/*/*", 2),
            ("*/*/*/*/P*P/*/*/*", 1),
            ("*/*/*/*/3P4/*/*/*", 2),
        ] {
            assert_eq!(places(text), expected, "{text}");
        }
    }
}
