//! The start position of a game.

use plybook_chess::chess::{Tags, Variant};
use plybook_pgn::{RejectReason, start_position, variant_of_fen};
use shakmaty::{Position, fen::Fen, variant::VariantPosition};

use crate::pieces::Pieces;

/// A start position, and what follows from it.
pub struct Start {
    pub variant: Variant,
    pub position: VariantPosition,
    pub pieces: Pieces,
}

impl Start {
    /// The start position of a game with these tags; with a FEN tag, the one that was set up.
    pub fn of(tags: &Tags, is_marked_chess960: bool) -> Result<Start, RejectReason> {
        let name = tags.get("Variant").unwrap_or_default();
        let named = Variant::from_name(name).ok_or_else(|| RejectReason::UnknownVariant(name.to_owned()))?;
        let fen = tags.get("FEN");
        let variant = match fen {
            Some(_) if !name.is_empty() => named,
            Some(fen) if is_marked_chess960 && has_chess960_rights(fen) => Variant::Chess960,
            Some(_) => variant_of_fen(tags),
            None => named,
        };
        let position = fen.map_or_else(|| Ok(variant.start()), |fen| start_position(variant, fen))?;
        let pieces = match fen {
            Some(_) => Pieces::of(position.board()),
            None => Some(Pieces::standard()),
        };
        let pieces = pieces.ok_or_else(|| {
            let problem = "each side must have one king and at most 16 pieces".to_owned();
            RejectReason::ImpossiblePosition(fen.unwrap_or_default().to_owned(), problem)
        })?;
        Ok(Start { variant, position, pieces })
    }
}

/// Whether all castling rights of a position are possible in Chess960.
// Scid also sets the mark for rights that no rook or king fits.
fn has_chess960_rights(fen: &str) -> bool {
    let Ok(fen) = fen.trim().parse::<Fen>() else { return false };
    let position = Variant::Chess960.position(&fen);
    position.is_ok_and(|position| position.castles().castling_rights() == fen.as_setup().castling_rights)
}
