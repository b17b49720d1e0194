//! A complete game record: headers, moves, a continuation that was not played, the result.

use std::{collections::HashMap, fmt};

use super::Written;
use crate::{Ending, Move, Position, Ruleset};
use plybook_chess::rules::{Outcome, Rules};

/// A game from the start position. Use `parse` to read it and `Display` to write it, with one move per line.
///
/// ```
/// use plybook_xelto::notation::Record;
///
/// let text = "\
/// arxe : seren arbazard
/// sorn : tikno verkotan
/// 1.b5vio
/// 2.s5lin
/// 3.b4fav
/// sorn vast vol hacma ok 4 ito.
/// ";
/// let record: Record = text.parse()?;
/// assert_eq!(record.header("sorn"), Some("tikno verkotan"));
/// assert_eq!(record.to_string(), text);
///
/// let error = "1.b5vio\n2.s5vio".parse::<Record>().unwrap_err();
/// assert_eq!(error.to_string(), "line 2, ply 2: s5vio is not legal: vio belongs to the other side");
/// # Ok::<(), plybook_xelto::notation::RecordError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The header lines, in order; each name once.
    pub headers: Vec<Header>,
    /// The rules in use.
    pub ruleset: Ruleset,
    /// The moves that were played, each legal and in canonical form.
    pub moves: Vec<Move>,
    /// Moves that would have followed: the part `以下 … まで。`
    pub continuation: Vec<Move>,
    /// The result sentence.
    pub result: Option<Ending>,
}

impl Record {
    /// The position before the first move.
    pub fn start(&self) -> Position {
        Position::start().under(self.ruleset)
    }

    /// The start position, and the position after each move.
    pub fn positions(&self) -> impl Iterator<Item = Position> {
        let start = self.start();
        let after = self.moves.iter().scan(start.clone(), |position, &m| {
            position.play(m);
            Some(position.clone())
        });
        std::iter::once(start).chain(after)
    }

    /// The position after the last move.
    pub fn last_position(&self) -> Position {
        let mut position = self.start();
        self.moves.iter().for_each(|&m| position.play(m));
        position
    }

    /// The continuation as numbered moves; `None` if there is none.
    pub fn continuation_words(&self) -> Option<String> {
        let mut position = self.last_position();
        let words = (self.moves.len() + 1..).zip(&self.continuation).map(|(number, &m)| {
            let word = format!("{number}.{}", Written::from_move(&position, m));
            position.play(m);
            word
        });
        let words: Vec<String> = words.collect();
        (!words.is_empty()).then(|| words.join(" "))
    }

    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|header| header.name == name).map(|header| header.value.as_str())
    }

    /// The outcome on the board, or else in the result sentence. A continuation was not played, so it does not decide
    /// the game.
    pub fn outcome(&self) -> Outcome {
        match (self.last_position().board_outcome(), self.result) {
            (Outcome::Unknown, Some(result)) => result.outcome(),
            (board, _) => board,
        }
    }

    /// The first ply after which a position occurs for the fourth time. It is reported but has no effect: no source
    /// says who wins by repetition, or when.
    pub fn fourth_occurrence(&self) -> Option<usize> {
        let mut seen = HashMap::new();
        self.positions().position(|position| {
            let times = seen.entry(position).or_insert(0);
            *times += 1;
            *times == 4
        })
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for header in &self.headers {
            writeln!(f, "{header}")?;
        }
        let mut position = self.start();
        for (number, &m) in (1..).zip(&self.moves) {
            writeln!(f, "{number}.{}", Written::from_move(&position, m))?;
            position.play(m);
        }
        if let Some(words) = self.continuation_words() {
            write!(f, "以下 {words}\nまで。\n")?;
        }
        self.result.map_or(Ok(()), |result| writeln!(f, "{result}"))
    }
}

/// A header line, `name : value`. The sources have `arxe` and `sorn`; others are kept unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    name: String,
    value: String,
}

impl Header {
    /// A header. `None` if the name does not consist of ASCII letters and digits starting with a letter, or if the
    /// value has line breaks or surrounding spaces: it would not be read back unchanged.
    pub fn new(name: &str, value: &str) -> Option<Header> {
        let named = name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric());
        let kept = value.trim() == value && !value.contains(['\n', '\r']);
        (named && kept).then(|| Header { name: name.to_owned(), value: value.to_owned() })
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The value.
    pub fn value(&self) -> &str {
        &self.value
    }

    /// Parses a line; `None` if it is not a header.
    pub(super) fn read(line: &str) -> Option<Header> {
        let (name, value) = line.split_once(':')?;
        Header::new(name.trim_end(), value.trim())
    }
}

impl fmt::Display for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} : {}", self.name, self.value)
    }
}
