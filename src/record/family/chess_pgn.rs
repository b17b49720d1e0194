//! Games of chess as PGN.

use crate::{
    chess::{Move, NullMove, SanSuffix, VariantPosition},
    codec::game::GameMoves,
    pgn::{GameWriter, write_game},
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
    if game.marks.is_empty() {
        return write_plain(start, game, out);
    }
    let GameMoves { start, moves, outcome } = game.line_from(start)?;
    let annotations = game.annotations_on(|| start.clone().into(), &moves)?;
    write_game(out, &game.tags, &start, &moves, &annotations, outcome);
    Ok(())
}

/// Without annotations it is written while it is decoded; nothing is left of a game that turns out to be damaged.
fn write_plain<P>(start: P, game: &StoredGame, out: &mut String) -> Result<(), GameError>
where
    P: Rules<Move = Move> + SanSuffix + NullMove,
{
    let before = out.len();
    let mut writer = GameWriter::new(out, &game.tags, &start, game.result);
    let played = game.play(start, |m, after| writer.played(m, after));
    match played {
        Ok(()) => writer.end(),
        Err(_) => out.truncate(before),
    }
    played
}
