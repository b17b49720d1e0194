//! A ply of a game as users write it: a ply number, a move number, or counted from the end.

use std::{fmt, str::FromStr};

use shakmaty::{Color, Position};

/// A ply of a game. Ply 0 is the start position, ply n the position after n half-moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ply {
    /// After this many half-moves.
    After(usize),
    /// Counted from the end: 1 is the last position, 2 the one before it (written `-1`, `-2`).
    FromEnd(usize),
    /// After a side's move with this full-move number (written `12w`, `12b`).
    Move(u32, Color),
}

/// The text is not a valid ply.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not a valid ply: write 23 (after 23 half-moves), 12w or 12b (after that move), or -1 (the last position)"
)]
pub struct PlyError(pub String);

impl FromStr for Ply {
    type Err = PlyError;

    fn from_str(text: &str) -> Result<Ply, PlyError> {
        let error = || PlyError(text.to_owned());
        let number = |digits: &str| {
            let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
            plain.then(|| digits.parse::<u32>().ok()).flatten().ok_or_else(error)
        };
        let count = |digits| number(digits).map(|number| usize::try_from(number).unwrap_or(usize::MAX));
        if let Some(digits) = text.strip_prefix('-') {
            return count(digits)
                .and_then(|count| if count > 0 { Ok(Ply::FromEnd(count)) } else { Err(error()) });
        }
        if let Some(digits) = text.strip_suffix(['w', 'W']) {
            return Ok(Ply::Move(number(digits)?, Color::White));
        }
        if let Some(digits) = text.strip_suffix(['b', 'B']) {
            return Ok(Ply::Move(number(digits)?, Color::Black));
        }
        count(text).map(Ply::After)
    }
}

impl fmt::Display for Ply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ply::After(plies) => write!(f, "{plies}"),
            Ply::FromEnd(plies) => write!(f, "-{plies}"),
            Ply::Move(number, side) => write!(f, "{number}{}", side.char()),
        }
    }
}

impl Ply {
    /// The number of half-moves played, in a game with this start position and length; `None` if it has no such ply.
    pub fn resolve<P: Position>(self, start: &P, plies: usize) -> Option<usize> {
        let ply = match self {
            Ply::After(ply) => ply,
            Ply::FromEnd(back) => (plies + 1).checked_sub(back)?,
            Ply::Move(number, side) => {
                let halves = |number: u32, side: Color| 2 * i64::from(number) + side.fold_wb(1, 2);
                // The half-move before the first one counts as 0.
                let before = halves(start.fullmoves().get(), start.turn()) - 1;
                let ply = halves(number, side) - before;
                usize::try_from(ply).ok().filter(|ply| *ply > 0)?
            }
        };
        (ply <= plies).then_some(ply)
    }

    /// The move after which a game with this start position has this many half-moves; `None` at its start.
    pub fn of_move<P: Position>(start: &P, ply: usize) -> Option<Ply> {
        let first = 2 * u64::from(start.fullmoves().get()) - start.turn().fold_wb(2, 1);
        let last = first.checked_add(u64::try_from(ply.checked_sub(1)?).ok()?)?;
        Some(Ply::Move(u32::try_from(last / 2 + 1).ok()?, Color::from_white(last.is_multiple_of(2))))
    }

    /// The same, but limited to the start and the end of the game.
    pub fn within<P: Position>(self, start: &P, plies: usize) -> usize {
        let before_start = match self {
            Ply::After(_) => false,
            Ply::FromEnd(_) => true,
            Ply::Move(number, _) => number < start.fullmoves().get(),
        };
        self.resolve(start, plies).unwrap_or(if before_start { 0 } else { plies })
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, fen::Fen};

    use super::*;

    fn ply(text: &str, plies: usize) -> Option<usize> {
        text.parse::<Ply>().unwrap().resolve(&Chess::new(), plies)
    }

    #[test]
    fn plies_are_parsed() {
        assert_eq!(ply("0", 10), Some(0));
        assert_eq!(ply("10", 10), Some(10));
        assert_eq!(ply("11", 10), None);
        assert_eq!(ply("-1", 10), Some(10));
        assert_eq!(ply("-11", 10), Some(0));
        assert_eq!(ply("-12", 10), None);
        assert_eq!(ply("1w", 10), Some(1));
        assert_eq!(ply("5b", 10), Some(10));
        assert_eq!(ply("6w", 10), None);
        assert_eq!(ply("0b", 10), None);
        for bad in ["", "-", "-0", "x", "1x", "w", "1.5", "+1", "99999999999"] {
            assert!(bad.parse::<Ply>().is_err(), "{bad}");
        }
    }

    #[test]
    fn move_numbers_count_from_the_start_position() {
        let fen: Fen = "4k3/8/8/8/8/8/8/4K2R b - - 0 30".parse().unwrap();
        let start: Chess = fen.into_position(CastlingMode::Standard).unwrap();
        let ply = |text: &str| text.parse::<Ply>().unwrap().resolve(&start, 4);
        assert_eq!(ply("30b"), Some(1));
        assert_eq!(ply("31w"), Some(2));
        assert_eq!(ply("30w"), None);
        for (ply, text) in [(1, "30b"), (2, "31w"), (4, "32w")] {
            assert_eq!(Ply::of_move(&start, ply).map(|m| m.to_string()), Some(text.to_owned()));
        }
        assert_eq!(Ply::of_move(&start, 0), None);
        assert_eq!(Ply::of_move(&Chess::new(), 12), Some(Ply::Move(6, Color::Black)));
    }
}
