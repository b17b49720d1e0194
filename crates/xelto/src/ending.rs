//! How games end, and the sentence for it: `arxe vast vol hacma ok 3 ito.`

use std::{fmt, str::FromStr};

use super::{Piece, Position, Side};
use plybook_chess::rules::Outcome;

/// Who has won, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ending {
    /// The winner.
    pub winner: Side,
    /// The reason for the win.
    pub reason: Reason,
    /// Points (`ito`), at most [`MAX_POINTS`](Self::MAX_POINTS).
    pub points: Option<u8>,
}

/// The reason for a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The opponent's moon was captured: `rsiila` (ルシーラ), in later records `xeltsoldes`.
    Moon,
    /// The last of the opponent's four demons left the board: `hacma` (ハルマ), later `artansoldes`.
    Demons,
    /// A repetition of positions, `teomsast` (千日手), which has a winner. No source says which side wins, or after how
    /// many repetitions: plybook keeps the word but never decides this itself.
    Repetition,
}

impl Reason {
    /// All words for reasons. The first word of each reason is the one that is written.
    const WORDS: [(&str, Reason); 5] = [
        ("rsiila", Reason::Moon),
        ("hacma", Reason::Demons),
        ("teomsast", Reason::Repetition),
        ("xeltsoldes", Reason::Moon),
        ("artansoldes", Reason::Demons),
    ];

    /// The word in a result sentence.
    pub fn word(self) -> &'static str {
        Reason::WORDS.into_iter().find(|(_, reason)| *reason == self).map_or("", |(word, _)| word)
    }

    fn from_word(word: &str) -> Option<Reason> {
        Reason::WORDS.into_iter().find_map(|(other, reason)| (other == word).then_some(reason))
    }
}

impl Ending {
    /// A side has four demons, so nobody can have more points.
    pub const MAX_POINTS: u8 = 4;

    /// The outcome as stored by codecs.
    pub fn outcome(self) -> Outcome {
        self.winner.wins()
    }
}

impl Position {
    /// How the board has ended the game; `None` if it has not.
    ///
    /// Points are awarded in a win by demons: as many as the winner has demons left (*inferred*). In a position where
    /// both sides have lost, which cannot occur in a game, the side that moved last has won.
    pub fn ending(&self) -> Option<Ending> {
        [self.mover(), !self.mover()].into_iter().find_map(|loser| self.loss(loser))
    }

    fn loss(&self, loser: Side) -> Option<Ending> {
        let winner = !loser;
        if self.square(Piece::moon(loser)).is_none() {
            return Some(Ending { winner, reason: Reason::Moon, points: None });
        }
        let demons = |side| Piece::demons(side).into_iter().filter(|&demon| self.square(demon).is_some());
        if demons(loser).next().is_some() {
            return None;
        }
        let points = u8::try_from(demons(winner).count()).ok();
        Some(Ending { winner, reason: Reason::Demons, points })
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} vast vol {}", self.winner, self.reason.word())?;
        if let Some(points) = self.points {
            write!(f, " ok {points} ito")?;
        }
        f.write_str(".")
    }
}

/// Parses a result sentence, including the later words.
///
/// ```
/// use plybook_xelto::{Ending, Reason, Side};
///
/// let ending: Ending = "arxe vast vol artansoldes ok 3 ito.".parse()?;
/// assert_eq!(ending, Ending { winner: Side::Arxe, reason: Reason::Demons, points: Some(3) });
/// assert_eq!(ending.to_string(), "arxe vast vol hacma ok 3 ito.");
/// # Ok::<(), plybook_xelto::EndingError>(())
/// ```
impl FromStr for Ending {
    type Err = EndingError;

    fn from_str(sentence: &str) -> Result<Ending, EndingError> {
        let words: Vec<&str> =
            sentence.strip_suffix('.').ok_or(EndingError::NoFullStop)?.split_whitespace().collect();
        let (winner, reason, points) = match words[..] {
            [winner, "vast", "vol", reason] => (winner, reason, None),
            [winner, "vast", "vol", reason, "ok", points, "ito"] => (winner, reason, Some(points)),
            _ => return Err(EndingError::NoSentence),
        };
        Ok(Ending {
            winner: Side::from_name(winner).ok_or_else(|| EndingError::Player(winner.to_owned()))?,
            reason: Reason::from_word(reason).ok_or_else(|| EndingError::Reason(reason.to_owned()))?,
            points: points.map(read_points).transpose()?,
        })
    }
}

fn read_points(text: &str) -> Result<u8, EndingError> {
    (0..=Ending::MAX_POINTS)
        .find(|points| points.to_string() == text)
        .ok_or_else(|| EndingError::Points(text.to_owned()))
}

/// Why a sentence is not a result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EndingError {
    /// The full stop is missing.
    #[error("the result must end with a full stop")]
    NoFullStop,
    /// It does not have the form `arxe vast vol hacma ok 3 ito.`
    #[error("invalid result; expected the form \"arxe vast vol hacma ok 3 ito.\"")]
    NoSentence,
    /// The winner is neither arxe nor sorn.
    #[error("invalid winner {0:?}; expected arxe or sorn")]
    Player(String),
    /// An unknown reason for a win.
    #[error("unknown reason for a win: {0:?}")]
    Reason(String),
    /// An invalid number of points.
    #[error("invalid number of points {0:?}; expected 0 to {max}", max = Ending::MAX_POINTS)]
    Points(String),
}
