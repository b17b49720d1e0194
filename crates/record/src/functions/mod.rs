//! Chess functions on the values of stored rows, for SQL and other integrations: one list, without SQLite.
//!
//! [`FUNCTIONS`] lists them all. An integration passes the arguments of a function as [`Value`]s and gets an
//! [`Answer`]. Functions of games take the column `moves` of the view `games`, which also encodes how to read the moves
//! if that is unusual.
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
//! They accept any input, in time and memory bounded by [`limits`](plybook_chess::limits). The result of a `NULL`
//! argument is `NULL`, except for the start position and the variant, where `NULL` means the default.

mod arguments;
mod continuation;
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

/// The type of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReturnType {
    /// An integer.
    Integer,
    /// A floating-point number.
    Real,
    /// Text.
    Text,
}

/// A function.
#[derive(Debug)]
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// The names of its arguments; the optional ones are last.
    pub arguments: &'static [&'static str],
    /// The number of optional arguments.
    pub optional: usize,
    /// The type of its result, unless that is `NULL`.
    pub gives: ReturnType,
    /// What it returns, on one line.
    pub about: &'static str,
    call: fn(&Arguments<'_>) -> Result<Answer, FunctionError>,
}

impl Function {
    /// Calls the function.
    ///
    /// # Errors
    /// There are too few or too many arguments, or one is invalid; the error explains which.
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

/// The arguments of a function, and how many of them are optional.
struct Parameters {
    arguments: &'static [&'static str],
    optional: usize,
}

const OF_GAME: Parameters = Parameters { arguments: &["moves", "start", "variant"], optional: 2 };
const OF_PLY: Parameters = Parameters { arguments: &["moves", "ply", "start", "variant"], optional: 2 };

const fn text(
    name: &'static str,
    Parameters { arguments, optional }: Parameters,
    about: &'static str,
    call: fn(&Arguments<'_>) -> Result<Answer, FunctionError>,
) -> Function {
    Function { name, arguments, optional, gives: ReturnType::Text, about, call }
}

const fn integer(
    name: &'static str,
    parameters: Parameters,
    about: &'static str,
    call: fn(&Arguments<'_>) -> Result<Answer, FunctionError>,
) -> Function {
    Function { gives: ReturnType::Integer, ..text(name, parameters, about, call) }
}

const fn real(
    name: &'static str,
    parameters: Parameters,
    about: &'static str,
    call: fn(&Arguments<'_>) -> Result<Answer, FunctionError>,
) -> Function {
    Function { gives: ReturnType::Real, ..text(name, parameters, about, call) }
}

/// All functions.
pub static FUNCTIONS: &[Function] = &[
    text("fen", OF_PLY, "the position after a ply as a FEN; NULL after the end", games::fen),
    text(
        "san",
        OF_PLY,
        "the move played just before a ply, as in Nf3; NULL at ply 0 and after the end",
        games::san,
    ),
    text(
        "uci",
        OF_PLY,
        "the move played just before a ply, as in g1f3; NULL at ply 0 and after the end",
        games::uci,
    ),
    text(
        "movetext",
        OF_GAME,
        "all moves with move numbers and the result, as PGN movetext on one line",
        games::movetext,
    ),
    real(
        "move_bits",
        OF_PLY,
        "how surprising the move played just before a ply is, in bits; NULL at ply 0 and after the end",
        games::move_bits,
    ),
    text("board", OF_PLY, "the position after a ply as a text diagram; NULL after the end", games::board),
    integer("plies", OF_GAME, "the number of plies", games::plies),
    text(
        "result",
        OF_GAME,
        "1-0, 0-1, 1/2-1/2 or *; NULL if the moves do not determine the result",
        games::result,
    ),
    integer(
        "reaches",
        Parameters { arguments: &["moves", "fen", "start", "variant"], optional: 2 },
        "the first ply at which a game reaches a position; NULL if it never does",
        games::reaches,
    ),
    text(
        "eco_name",
        Parameters { arguments: &["code, FEN or moves", "start", "variant"], optional: 2 },
        "the opening name of an ECO code, a position or a game; NULL if it has no name",
        names::eco_name,
    ),
    text(
        "material",
        Parameters { arguments: &["fen"], optional: 0 },
        "the material of both sides, White first, as in KRPP KRP",
        names::material,
    ),
    integer(
        "position_key",
        Parameters { arguments: &["moves or FEN", "ply or variant", "start", "variant"], optional: 3 },
        "the 64-bit key of a position as a signed integer, as used by the index; takes a game and a ply, or a FEN; NULL after the end",
        names::position_key,
    ),
    integer(
        "same_player",
        Parameters { arguments: &["name", "pattern"], optional: 0 },
        "1 if a name matches a pattern as with --player, otherwise 0",
        names::same_player,
    ),
];

#[cfg(test)]
mod tests;
