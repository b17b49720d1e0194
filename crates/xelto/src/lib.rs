//! Xelto (シェルト), the second game of the sources: two sides, arxe and sorn, of fourteen pieces each and
//! one piece that belongs to neither, on a board of 7×7 squares.
//!
//! # How certain the rules are
//!
//! The official rules are out of reach. What is here was put together from two published game records and
//! what their author wrote around them. Both records replay under it to the last ply. Still, not every rule
//! is equally sure, so the items of this module say which of these they are:
//!
//! * *stated*: a source says so: the squares, the pieces and their owners, the start position, the five kinds
//!   of move, no drops, at most one mounted piece a side, the two ways to win;
//! * *forced*: no source says so, but the records (or published positions) break without it: how most pieces
//!   move, what happens to a mount, which pieces are demons;
//! * *inferred*: it fits everything and nothing forces it: the range of the vertical and horizontal guards,
//!   what turned guards other than the diagonal ones do, leading away from the follower, points, and that a
//!   moon may be left where it can be taken;
//! * *chosen*: no source says anything, so a choice was made here: what happens to a piece that Teems takes
//!   from its own side ([`Ruleset::tem_takes_own`]), and how long a turn of Teems lasts (until the next).
//!
//! # What is in which file
//!
//! [`Square`], [`Piece`] and [`Place`] are the vocabulary, [`Position`] is a board with all that belongs to
//! it, [`Move`] one of the five kinds of move, [`Moves`] the legal ones in canonical order. [`notation`] reads
//! and writes moves and whole records; [`Diagram`] draws a position as text.
//!
//! ```
//! use plybook_xelto::{Position, notation::Written};
//!
//! let mut position = Position::start();
//! let written: Written = "b3mik&i3ful".parse()?;
//! assert!(written.to_move(&position).is_err(), "ful stands on i2");
//!
//! let written: Written = "b4favmik".parse()?; // the older form
//! let m = written.to_move(&position)?;
//! assert_eq!(Written::from_move(&position, m).to_string(), "b4fav&b3mik");
//! position.play(m);
//! assert_eq!(position.at("b3".parse()?), Some("mik".parse()?));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod codec;
mod diagram;
mod ending;
mod legal;
mod movement;
mod moves;
pub mod notation;
mod piece;
mod place;
mod play;
mod position;
mod rules;
mod side;
mod square;
mod squares;

pub use diagram::Diagram;
pub use ending::{Ending, EndingError, Reason};
pub use legal::Moves;
pub use moves::{Motion, Move};
pub use piece::{Kind, Piece, UnknownPiece};
pub use place::{Pieces, Place};
pub use position::{Position, Ruleset, SetupError};
pub use side::Side;
pub use square::{Direction, Square, UnknownSquare, Vector};
pub use squares::Squares;
