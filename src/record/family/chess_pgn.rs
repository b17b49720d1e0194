//! Games of chess as PGN.

use crate::{
    chess::{Move, NullMove, SanSuffix, VariantPosition},
    codec::game::GameMoves,
    pgn::write_game,
    record::{GameError, StoredGame},
    rules::Rules,
};

/// Appends a game.
pub(super) fn write(game: &StoredGame, out: &mut String) -> Result<(), GameError> {
    match game.start()? {
        // The usual case, without the cost of the variants.
        VariantPosition::Chess(start) => write_from(start, game, out),
        start => write_from(start, game, out),
    }
}

fn write_from<P>(start: P, game: &StoredGame, out: &mut String) -> Result<(), GameError>
where
    P: Rules<Move = Move> + SanSuffix + NullMove + Into<VariantPosition>,
{
    let GameMoves { start, moves, outcome } = game.line_from(start)?;
    let annotations = game.annotations_on(|| start.clone().into(), &moves)?;
    write_game(out, &game.tags, &start, &moves, &annotations, outcome);
    Ok(())
}
