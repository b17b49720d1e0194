//! A chess game with all its annotations, item by item.

use super::{PresentError, RequestError};
use crate::{
    chess::{Annotation, Annotations, VariantPosition},
    codec::game::GameMoves,
    limits::{MAX_TREE_COMMENTS, MAX_TREE_MARKS},
    record::StoredGame,
};

/// A game of chess or a variant with its annotations, up to a size limit.
pub(super) struct AnnotatedGame {
    pub line: GameMoves<VariantPosition>,
    annotations: Annotations,
}

impl AnnotatedGame {
    /// # Errors
    /// It is not a chess game, it is damaged, or it exceeds the size limit.
    pub fn new(game: &StoredGame) -> Result<AnnotatedGame, PresentError> {
        if game.kind.variant().is_none() {
            return Err(RequestError::NotChess(game.kind.name().to_owned()).into());
        }
        let line = game.line()?;
        let annotations = game.annotations(&line)?;
        if annotations.len() > MAX_TREE_MARKS || annotations.text().len() > MAX_TREE_COMMENTS {
            return Err(RequestError::LargeGame(game.id).into());
        }
        Ok(AnnotatedGame { line, annotations })
    }

    /// The moves of the mainline and the annotations, in the order of the movetext.
    pub fn parts(&self) -> impl Iterator<Item = Annotation<'_>> {
        let (mut said, mut ply) = (self.annotations.iter().peekable(), 0);
        std::iter::from_fn(move || {
            if let Some((_, annotation)) = said.next_if(|(at, _)| *at <= ply) {
                return Some(annotation);
            }
            match self.line.moves.get(ply) {
                Some(m) => {
                    ply += 1;
                    Some(Annotation::Move(*m))
                }
                None => said.next().map(|(_, annotation)| annotation),
            }
        })
    }
}
