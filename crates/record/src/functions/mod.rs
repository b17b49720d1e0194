//! Chess functions over the values of stored rows, for SQL and for other guests: one list, without SQLite.
//!
//! [`FUNCTIONS`] has them all. A guest gives each its arguments as [`Value`]s and gets an [`Answer`]; it needs to know no
//! more. What takes games takes the column `moves` of the view `games`, which says how it is written where that is not
//! the usual way.
//!
//! ```
//! use plybook_record::functions::{Answer, Value, function};
//!
//! let fen = function("fen").unwrap();
//! let moves = 8_712_609_247_u64.to_le_bytes();
//! let after_e4 = fen.call(&[Value::Blob(&moves[..5]), Value::Integer(1)])?;
//! assert_eq!(after_e4, Answer::Text("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1".to_owned()));
//! assert_eq!(fen.call(&[Value::Blob(&moves[..5]), Value::Integer(99)])?, Answer::Null);
//! # Ok::<(), plybook_record::functions::FunctionError>(())
//! ```
//!
//! They give an answer for any input, in time and memory that [`limits`](plybook_chess::limits) bound. `NULL` given is `NULL` back,
//! but for the start position and the variant, where it stands for the usual ones.

mod arguments;
mod continuation;
mod fen;
mod games;
mod moves;
mod names;
mod positions;
mod value;

pub use self::{
    continuation::Continuation,
    moves::{moves_for_functions, suffix as moves_suffix},
    positions::{GamePosition, GamePositions},
    value::{Answer, FunctionError, Value},
};

use self::arguments::Arguments;

/// What answers a function gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Numbers.
    Integer,
    /// Texts.
    Text,
}

/// A function.
#[derive(Debug)]
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// The names of its arguments; the optional ones last.
    pub arguments: &'static [&'static str],
    /// How many of them may be left out.
    pub optional: usize,
    /// What its answer is where it is not `NULL`.
    pub gives: Kind,
    /// What it gives, in a line.
    pub about: &'static str,
    call: fn(&Arguments<'_>) -> Result<Answer, FunctionError>,
}

impl Function {
    /// The function of some values.
    ///
    /// # Errors
    /// They are too few or too many, or they are not what it takes: the error says why.
    pub fn call(&self, values: &[Value<'_>]) -> Result<Answer, FunctionError> {
        let most = self.arguments.len();
        if !(most - self.optional..=most).contains(&values.len()) {
            return Err(FunctionError::new(format!(
                "wrong number of arguments; use {}({})",
                self.name,
                self.arguments.join(", ")
            )));
        }
        let is_null = |value: &Value<'_>| matches!(value, Value::Null);
        if values.iter().take(most - self.optional).any(is_null) {
            return Ok(Answer::Null);
        }
        (self.call)(&Arguments::new(values)).map_err(|error| error.of(self.name))
    }
}

/// The function with a name.
pub fn function(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|function| function.name == name)
}

const MOVES: &[&str] = &["moves", "start", "variant"];
const MOVES_AND_PLY: &[&str] = &["moves", "ply", "start", "variant"];

/// All functions.
pub static FUNCTIONS: &[Function] = &[
    Function {
        name: "fen",
        arguments: MOVES_AND_PLY,
        optional: 2,
        gives: Kind::Text,
        about: "the position after a ply as a FEN; NULL after the end",
        call: games::fen,
    },
    Function {
        name: "san",
        arguments: MOVES_AND_PLY,
        optional: 2,
        gives: Kind::Text,
        about: "the move played just before a ply, as in Nf3; NULL at ply 0 and after the end",
        call: games::san,
    },
    Function {
        name: "uci",
        arguments: MOVES_AND_PLY,
        optional: 2,
        gives: Kind::Text,
        about: "the move played just before a ply, as in g1f3; NULL at ply 0 and after the end",
        call: games::uci,
    },
    Function {
        name: "movetext",
        arguments: MOVES,
        optional: 2,
        gives: Kind::Text,
        about: "all moves with move numbers and the result, as PGN movetext on one line",
        call: games::movetext,
    },
    Function {
        name: "board",
        arguments: MOVES_AND_PLY,
        optional: 2,
        gives: Kind::Text,
        about: "the position after a ply as a text diagram; NULL after the end",
        call: games::board,
    },
    Function {
        name: "plies",
        arguments: MOVES,
        optional: 2,
        gives: Kind::Integer,
        about: "the number of plies",
        call: games::plies,
    },
    Function {
        name: "result",
        arguments: MOVES,
        optional: 2,
        gives: Kind::Text,
        about: "1-0, 0-1, 1/2-1/2 or *; NULL if the moves do not determine the result",
        call: games::result,
    },
    Function {
        name: "reaches",
        arguments: &["moves", "fen", "start", "variant"],
        optional: 2,
        gives: Kind::Integer,
        about: "the first ply at which a game reaches a position; NULL if it never does",
        call: games::reaches,
    },
    Function {
        name: "eco_name",
        arguments: &["code, FEN or moves", "start", "variant"],
        optional: 2,
        gives: Kind::Text,
        about: "the opening name of an ECO code, a position or a game; NULL if it has no name",
        call: names::eco_name,
    },
    Function {
        name: "material",
        arguments: &["fen"],
        optional: 0,
        gives: Kind::Text,
        about: "the material of both sides, White first, as in KRPP KRP",
        call: names::material,
    },
    Function {
        name: "position_key",
        arguments: &["moves or FEN", "ply or variant", "start", "variant"],
        optional: 3,
        gives: Kind::Integer,
        about: "the 64-bit key of a position as a signed integer, as used by the index; takes a game and a ply, or a FEN; NULL after the end",
        call: names::position_key,
    },
    Function {
        name: "same_player",
        arguments: &["name", "pattern"],
        optional: 0,
        gives: Kind::Integer,
        about: "1 if a name matches a pattern as with --player, otherwise 0",
        call: names::same_player,
    },
];

#[cfg(test)]
mod tests;
