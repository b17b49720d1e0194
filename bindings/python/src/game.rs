//! A game, and any position of it.

use plybook::{
    chess::{Move, Position, SanSuffix, UciMove, Variant, VariantPosition},
    codec::game::GameMoves,
    record::{Ply, StoredGame, TextOptions, fen},
};
use pyo3::{
    exceptions::{PyImportError, PyValueError},
    prelude::*,
    types::PyDict,
};

use crate::error::exception;

/// A game in an archive.
#[pyclass(frozen, module = "plybook")]
#[derive(Debug)]
pub struct Game {
    stored: StoredGame,
}

impl From<StoredGame> for Game {
    fn from(stored: StoredGame) -> Game {
        Game { stored }
    }
}

/// A position in a game: a number of half-moves, negative from the end, or a text such as `12w`.
#[derive(FromPyObject)]
pub enum PlyArgument {
    /// A number of half-moves.
    Number(i64),
    /// A text.
    Text(String),
}

impl PlyArgument {
    pub fn ply(&self) -> PyResult<Ply> {
        let count = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        match self {
            PlyArgument::Number(number) if *number < 0 => Ok(Ply::FromEnd(count(number.unsigned_abs()))),
            PlyArgument::Number(number) => Ok(Ply::After(count(number.unsigned_abs()))),
            PlyArgument::Text(text) => {
                text.parse().map_err(|error| PyValueError::new_err(format!("{error}")))
            }
        }
    }
}

#[pymethods]
impl Game {
    /// The id of the game in the archive.
    #[getter]
    fn id(&self) -> i64 {
        self.stored.id
    }

    /// The chess variant, as named in PGN, or "Xelto".
    #[getter]
    fn variant(&self) -> &'static str {
        self.stored.kind.name()
    }

    /// White's name, if it is known.
    #[getter]
    fn white(&self) -> Option<&str> {
        self.stored.tags.get("White")
    }

    /// Black's name, if it is known.
    #[getter]
    fn black(&self) -> Option<&str> {
        self.stored.tags.get("Black")
    }

    /// The result: "1-0", "0-1", "1/2-1/2" or "*".
    #[getter]
    fn result(&self) -> &'static str {
        self.stored.result.as_str()
    }

    /// The number of half-moves.
    #[getter]
    fn plies(&self) -> usize {
        self.stored.plies
    }

    /// The tag pairs in their order. If a name occurs twice, the first value.
    #[getter]
    fn tags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tags = PyDict::new(py);
        for (name, value) in self.stored.tags.iter() {
            if !tags.contains(name)? {
                tags.set_item(name, value)?;
            }
        }
        Ok(tags)
    }

    /// The moves in SAN.
    #[getter]
    fn moves(&self) -> PyResult<Vec<String>> {
        let GameMoves { start, moves, .. } = self.stored.line().map_err(exception)?;
        Ok(match start {
            VariantPosition::Chess(start) => san(start, &moves),
            start => san(start, &moves),
        })
    }

    /// The moves in UCI notation.
    #[getter]
    fn uci(&self) -> PyResult<Vec<String>> {
        let GameMoves { start, moves, .. } = self.stored.line().map_err(exception)?;
        let mode = start.castles().mode();
        Ok(moves.into_iter().map(|m| UciMove::from_move(m, mode).to_string()).collect())
    }

    /// How surprising each move is, in bits.
    #[getter]
    fn move_bits(&self) -> PyResult<Vec<f64>> {
        self.stored.move_bits().map_err(exception)
    }

    /// Returns the position after a number of half-moves, as FEN: 0 is the start, -1 the last position, -2 the one
    /// before it; "12w" is the position after White's twelfth move.
    #[pyo3(signature = (ply=PlyArgument::Number(-1)), text_signature = "($self, ply=-1)")]
    fn fen(&self, ply: PlyArgument) -> PyResult<String> {
        Ok(fen(&self.position(ply.ply()?)?))
    }

    /// Returns the position after a number of half-moves as a python-chess board, with the moves up to it on its stack.
    #[pyo3(signature = (ply=PlyArgument::Number(-1)), text_signature = "($self, ply=-1)")]
    fn board<'py>(&self, py: Python<'py>, ply: PlyArgument) -> PyResult<Bound<'py, PyAny>> {
        let plies = self.stored.ply(ply.ply()?).map_err(exception)?;
        let board = self.start_board(py)?;
        let push = board.getattr("push_uci")?;
        for m in self.uci()?.into_iter().take(plies) {
            push.call1((m,))?;
        }
        Ok(board)
    }

    /// Returns the complete game as PGN, with comments, glyphs and variations.
    fn pgn(&self) -> PyResult<String> {
        self.stored.variant().map_err(exception)?;
        let mut text = String::new();
        self.stored
            .kind
            .family()
            .write(&self.stored, &TextOptions::default(), &mut text)
            .map_err(exception)?;
        text.truncate(text.trim_end().len());
        text.push('\n');
        Ok(text)
    }

    fn __repr__(&self) -> String {
        let name = |tag| self.stored.tags.get(tag).unwrap_or("?");
        let StoredGame { id, plies, result, .. } = &self.stored;
        let (white, black) = (name("White"), name("Black"));
        format!("<plybook.Game {id}: {white:?} - {black:?} {}, {plies} plies>", result.as_str())
    }
}

impl Game {
    fn position(&self, ply: Ply) -> PyResult<VariantPosition> {
        self.stored.position_at(ply).map_err(exception)
    }

    /// A python-chess board with the start position.
    fn start_board<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let variant = self.stored.variant().map_err(exception)?;
        let missing = |error: PyErr| {
            let text = format!("boards require python-chess (pip install chess): {error}");
            if error.is_instance_of::<PyImportError>(py) { PyImportError::new_err(text) } else { error }
        };
        let fen = fen(&self.stored.start().map_err(exception)?);
        if matches!(variant, Variant::Standard | Variant::Chess960) {
            let keywords = PyDict::new(py);
            keywords.set_item("chess960", variant == Variant::Chess960)?;
            return py.import("chess").map_err(missing)?.call_method("Board", (fen,), Some(&keywords));
        }
        let variants = py.import("chess.variant").map_err(missing)?;
        variants.call_method1("find_variant", (variant.name(),))?.call1((fen,))
    }
}

/// The SAN of moves.
fn san<P: SanSuffix>(mut position: P, moves: &[Move]) -> Vec<String> {
    moves.iter().map(|m| position.play_san(*m).to_string()).collect()
}
