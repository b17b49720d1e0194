//! Xelto (シェルト), the second game of the sources: two sides, arxe and sorn, with fourteen pieces each and one piece
//! that belongs to neither, on a board of 7×7 squares.
//!
//! # How certain the rules are
//!
//! The official rules are not available. The rules here were reconstructed from two published game records and their
//! author's remarks. Both records can be replayed with them to the last ply. Still, the rules are not all equally
//! certain, so the items of this module say which of these they are:
//!
//! * *stated*: a source says so: the squares, the pieces and their owners, the start position, the five kinds of move,
//!   no drops, at most one mounted piece per side, the two ways to win;
//! * *forced*: no source says so, but the records (or published positions) are not legal without it: how most pieces
//!   move, what happens to a mount, which pieces are demons;
//! * *inferred*: it is consistent with everything, but nothing requires it: the range of the vertical and horizontal
//!   guards, the moves of turned guards other than the diagonal ones, leading away from the follower, points, and that
//!   a moon may be left where it can be captured;
//! * *chosen*: no source says anything, so a choice was made here: what happens to a piece that Teems captures from
//!   its own side ([`Ruleset::tem_takes_own`]), and how long Teems stays turned (until it is turned again).
//!
//! # Files
//!
//! [`Square`], [`Piece`] and [`PieceLocation`] are the basic types, [`Position`] is a board with its complete state, [`Move`]
//! one of the five kinds of move, [`Moves`] the legal ones in canonical order. [`notation`] reads and writes moves and
//! complete records; [`Diagram`] draws a position as text.
//!
//! ```
//! use plybook_xelto::{Position, notation::Written};
//!
//! let mut position = Position::start();
//! let written: Written = "b3mik&i3ful".parse()?;
//! assert!(written.to_move(&position).is_err(), "ful is on i2");
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
mod piece_location;
mod position;
mod side;
mod square;
mod squares;

pub use diagram::Diagram;
pub use ending::{Ending, EndingError, Reason};
pub use legal::Moves;
pub use moves::{Motion, Move};
pub use piece::{Piece, PieceType, UnknownPiece};
pub use piece_location::{PieceLocation, Pieces};
pub use position::{Position, Ruleset, SetupError};
pub use side::Side;
pub use square::{Direction, Square, UnknownSquare, Vector};
pub use squares::Squares;
