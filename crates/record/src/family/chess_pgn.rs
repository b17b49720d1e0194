//! Writing games of chess as PGN.

use super::TextOptions;
use crate::{GameError, StoredGame, fen};
use plybook_chess::{
    chess::{Annotation, Annotations, Move, NullMove, Position, QuickChess, SanSuffix, VariantPosition},
    codec::game::GameMoves,
    rules::Rules,
};
use plybook_pgn::{GameWriter, write_game};

/// Appends a game.
pub(super) fn write(game: &StoredGame, options: &TextOptions, out: &mut String) -> Result<(), GameError> {
    let has_only_moves = game.marks.is_empty() && game.plies > 0;
    let is_plain = has_only_moves && options.to_ply.is_none() && !options.fen_comments;
    match game.start()? {
        // The usual cases, which avoid the cost of supporting variants.
        VariantPosition::Chess(start) if is_plain => {
            write_plain(QuickChess::from(&start), game, options, out)
        }
        VariantPosition::Chess(start) => write_annotated(start, game, options, out),
        start if is_plain => write_plain(start, game, options, out),
        start => write_annotated(start, game, options, out),
    }
}

fn write_annotated<P>(
    start: P,
    game: &StoredGame,
    options: &TextOptions,
    out: &mut String,
) -> Result<(), GameError>
where
    P: Rules<Move = Move> + SanSuffix + NullMove + Into<VariantPosition>,
{
    let GameMoves { start, mut moves, outcome } = game.line_from(start)?;
    let mut annotations = game.annotations_on(|| start.clone().into(), &moves)?;
    if let Some(ply) = options.to_ply {
        moves.truncate(ply.within(&start.clone().into(), moves.len()));
    }
    if options.to_ply.is_some() || options.fen_comments {
        let last = moves.len();
        let fens = if options.fen_comments { fens_after(start.clone().into(), &moves) } else { Vec::new() };
        annotations = up_to(&annotations, last, &fens);
    }
    write_game(out, &game.tags, options.order, &start, &moves, &annotations, outcome);
    Ok(())
}

/// The FEN after each move.
fn fens_after(mut position: VariantPosition, moves: &[Move]) -> Vec<String> {
    let after = |m: &Move| {
        position.play_unchecked(*m);
        fen(&position)
    };
    moves.iter().map(after).collect()
}

/// The annotations on the moves up to a ply; with FENs, each move also gets its FEN after the glyphs.
fn up_to(annotations: &Annotations, last: usize, fens: &[String]) -> Annotations {
    let mut some = Annotations::default();
    let mut annotations = annotations.iter().take_while(|(ply, _)| *ply <= last).peekable();
    for ply in 0..=last {
        while let Some((_, glyph)) =
            annotations.next_if(|(at, annotation)| *at == ply && matches!(annotation, Annotation::Nag(_)))
        {
            some.push(ply, glyph);
        }
        if let Some(fen) = ply.checked_sub(1).and_then(|ply| fens.get(ply)) {
            some.push(ply, Annotation::Comment(fen));
        }
        while let Some((_, annotation)) = annotations.next_if(|(at, _)| *at == ply) {
            some.push(ply, annotation);
        }
    }
    some
}

/// Games without annotations are written while they are decoded; if a game turns out to be damaged, its output is
/// removed.
fn write_plain<P>(
    start: P,
    game: &StoredGame,
    options: &TextOptions,
    out: &mut String,
) -> Result<(), GameError>
where
    P: Rules<Move = Move> + SanSuffix,
{
    let before = out.len();
    let mut writer = GameWriter::new(out, &game.tags, options.order, &start, game.result);
    // SAN depends on the position before the move and the one after it: the code that plays it need not keep both.
    let played = game.play(start, |position, m| writer.played(position.play_san(m)));
    match played {
        Ok(()) => writer.end(),
        Err(_) => out.truncate(before),
    }
    played
}
