//! Chess and its variants.

use super::Family;
#[cfg(feature = "pgn")]
use super::TextOptions;
use crate::{GameError, GameKind, Ply, StoredGame, fingerprint};
use plybook_chess::{
    chess::Variant,
    codec::game::{self, GAME_CODECS},
};

/// Chess and its variants.
#[derive(Debug)]
pub(crate) struct ChessFamily;

impl Family for ChessFamily {
    fn name(&self) -> &'static str {
        "chess"
    }

    fn kinds(&self) -> Vec<GameKind> {
        Variant::ALL.map(GameKind::Chess).to_vec()
    }

    fn kind_of(&self, name: &str) -> Option<GameKind> {
        Variant::from_name(name).map(GameKind::Chess)
    }

    fn resolve(&self, game: &StoredGame, ply: Ply) -> Result<Option<usize>, GameError> {
        Ok(ply.resolve(&game.start()?, game.plies))
    }

    fn replay_fingerprint(&self, game: &StoredGame) -> Result<(u64, usize), GameError> {
        let line = game.line()?;
        let annotations = game.annotations(&line)?;
        let hash = fingerprint(game.variant()?, &game.tags, &line.moves, game.result, &annotations);
        Ok((hash, line.moves.len()))
    }

    fn codecs(&self) -> Vec<&'static str> {
        GAME_CODECS.iter().map(|codec| codec.name).collect()
    }

    fn bits(&self, game: &StoredGame, codecs: &[&str]) -> Result<Vec<Option<u64>>, GameError> {
        let line = game.line()?;
        let known: Vec<_> = codecs.iter().filter_map(|name| game::by_name(name)).collect();
        let codes = game::encode_all(&line, &known);
        Ok(codes.into_iter().map(|code| Some(code.ok()?.bits.len() as u64)).collect())
    }

    #[cfg(feature = "pgn")]
    fn write(&self, game: &StoredGame, options: &TextOptions, out: &mut String) -> Result<(), GameError> {
        super::chess_pgn::write(game, options, out)
    }
}
