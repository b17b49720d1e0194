//! How a game continues from a position, for explorers.

use std::ops::ControlFlow::{Break, Continue};

use shakmaty::uci::UciMove;

use super::{FunctionError, Value, arguments::Arguments, moves::with_game};
use plybook_chess::{
    chess::{Position, SanSuffix, SearchPosition, Variant},
    rules::Outcome,
};

/// How a game continues from a position: with the move that it plays there the last time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Continuation {
    /// The move in SAN; `None` if the game never moves from the position.
    pub san: Option<String>,
    /// The move in UCI notation.
    pub uci: Option<String>,
    /// The result of the game.
    pub outcome: Outcome,
}

impl Continuation {
    /// The continuation of a game from a position: takes its moves, a FEN, and optionally its start position and
    /// variant. `None` if the game does not reach the position or is not chess, or if its moves or the FEN are `NULL`.
    ///
    /// # Errors
    /// The arguments are invalid.
    ///
    /// ```
    /// use plybook_record::functions::{Continuation, Value};
    ///
    /// let game = 8_712_609_247_u64.to_le_bytes();
    /// let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    /// let continuation = Continuation::new(&[Value::Blob(&game[..5]), Value::Text(start)])?.unwrap();
    /// assert_eq!(continuation.san.as_deref(), Some("e4"));
    /// # Ok::<(), plybook_record::functions::FunctionError>(())
    /// ```
    pub fn new(values: &[Value<'_>]) -> Result<Option<Continuation>, FunctionError> {
        let arguments = Arguments::new(values);
        if [0, 1].iter().any(|&place| arguments.get(place) == Value::Null) {
            return Ok(None);
        }
        let moves @ Some(_) = arguments.moves(2)? else { return Ok(None) };
        let variant = arguments.variant(3)?.unwrap_or_default();
        let target = SearchPosition::exact(&arguments.position(1, variant)?);
        let pieces_come_back = !matches!(variant, Variant::Standard | Variant::Chess960);
        with_game!(moves, |game| {
            let (mut here, mut continued) = (None, None);
            let outcome = game.run(|position, led| {
                if let Some((before, m)) = here.take().zip(led) {
                    continued = Some((before, m));
                }
                if target.is_at(position) {
                    here = Some(position.clone());
                }
                let is_missed = here.is_none() && continued.is_none();
                let is_over = is_missed && !pieces_come_back && target.is_behind(position);
                if is_over { Break(()) } else { Continue(()) }
            })?;
            let outcome = outcome.unwrap_or(Outcome::Unknown);
            let played = continued.map(|(mut before, m)| {
                let uci = UciMove::from_move(m, before.castles().mode()).to_string();
                Continuation { san: Some(before.play_san(m).to_string()), uci: Some(uci), outcome }
            });
            played.or_else(|| here.map(|_| Continuation { san: None, uci: None, outcome }))
        })
    }
}
