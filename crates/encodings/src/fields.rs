//! The fields that an encoding stores: L piece layout, T side to move, C castling rights, E en passant, K clocks.

use std::fmt;

use super::board;
use plybook_chess::chess::Setup;

/// The fields of a position that survive a round trip. The layout (L) always does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fields {
    /// T: the side to move.
    pub turn: bool,
    /// C: the castling rights.
    pub castling: bool,
    /// E: the en passant square.
    pub en_passant: EnPassant,
    /// K: half-move clock and full-move number.
    pub clocks: Clocks,
    /// Pockets, promoted pieces and check counters of variants.
    pub variants: bool,
}

/// The en passant squares that are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnPassant {
    /// None.
    Never,
    /// Those with an enemy pawn next to the pawn that could be captured (ignoring pins).
    PseudoLegal,
    /// All, as in FEN: after every double step.
    Always,
}

/// The clocks that are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clocks {
    /// None.
    Never,
    /// Each up to this number; higher ones are reduced to it.
    UpTo(u32),
    /// All.
    Always,
}

impl Fields {
    /// The layout only.
    pub const L: Fields = Fields {
        turn: false,
        castling: false,
        en_passant: EnPassant::Never,
        clocks: Clocks::Never,
        variants: false,
    };

    /// Layout, side to move, castling rights, and en passant as in FEN.
    pub const LTCE: Fields =
        Fields { turn: true, castling: true, en_passant: EnPassant::Always, ..Fields::L };

    /// The position after writing and reading it.
    pub fn keep(&self, setup: &Setup) -> Setup {
        let mut kept = Setup { board: setup.board.clone(), ..Setup::empty() };
        if self.turn {
            kept.turn = setup.turn;
        }
        if self.castling {
            kept.castling_rights = setup.castling_rights;
        }
        kept.ep_square = match self.en_passant {
            EnPassant::Never => None,
            EnPassant::PseudoLegal => setup.ep_square.filter(|_| board::ep_is_ready(setup)),
            EnPassant::Always => setup.ep_square,
        };
        let most = match self.clocks {
            Clocks::Never => None,
            Clocks::UpTo(most) => Some(most),
            Clocks::Always => Some(u32::MAX),
        };
        if let Some(most) = most {
            kept.halfmoves = setup.halfmoves.min(most);
            kept.fullmoves = board::full_moves(setup.fullmoves.get().min(most));
        }
        if self.variants {
            kept.promoted = setup.promoted;
            kept.pockets = setup.pockets;
            kept.remaining_checks = setup.remaining_checks;
        }
        kept
    }
}

/// The letters, such as `LTCE`.
impl fmt::Display for Fields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters = [
            ('L', true),
            ('T', self.turn),
            ('C', self.castling),
            ('E', self.en_passant != EnPassant::Never),
            ('K', self.clocks != Clocks::Never),
        ];
        let text: String = letters.iter().filter(|(_, has)| *has).map(|(letter, _)| letter).collect();
        f.pad(&text)
    }
}
