//! Games of Xelto in an archive: from a record to a row and back.

use shakmaty::Chess;
use twox_hash::XxHash3_64;

#[cfg(feature = "pgn")]
use super::TextOptions;
use super::{
    Family,
    xelto_tags::{self, tags_of, with_tags},
};
use crate::{GameError, GameKind, Ply, Record, StoredGame, TagLayoutCache, fingerprint::tag_bytes};
use plybook_chess::{
    chess::Tags,
    codec::{
        CodecId, EncodeError,
        game::{GameMoves, steps_of},
    },
    rules::Outcome,
};
use plybook_xelto::{
    Position, Ruleset,
    codec::{XELTO_CODECS, by_name, game_moves, move14},
    notation,
};

/// Xelto.
#[derive(Debug)]
pub(crate) struct XeltoFamily;

impl Family for XeltoFamily {
    fn name(&self) -> &'static str {
        "Xelto"
    }

    fn kinds(&self) -> Vec<GameKind> {
        vec![GameKind::Xelto]
    }

    fn kind_of(&self, name: &str) -> Option<GameKind> {
        let is_xelto = name.eq_ignore_ascii_case("xelto") || name == "シェルト";
        is_xelto.then_some(GameKind::Xelto)
    }

    fn record_format(&self) -> Option<&'static str> {
        Some("xelto")
    }

    fn column<'a>(&self, tag: &'a str) -> &'a str {
        xelto_tags::column(tag)
    }

    fn is_repeated(&self, tags: &Tags, place: usize, name: &str) -> bool {
        tags.iter().take(place).any(|(other, _)| self.column(other) == self.column(name))
    }

    fn resolve(&self, game: &StoredGame, ply: Ply) -> Result<Option<usize>, GameError> {
        // The sides alternate from the same first move on.
        Ok(ply.resolve(&Chess::new(), game.plies))
    }

    fn replay_fingerprint(&self, game: &StoredGame) -> Result<(u64, usize), GameError> {
        let record = game.xelto()?;
        Ok((xelto_fingerprint(&game.tags, &record.moves, game.result), record.moves.len()))
    }

    fn codecs(&self) -> Vec<&'static str> {
        XELTO_CODECS.iter().map(|codec| codec.name).collect()
    }

    fn bits(&self, game: &StoredGame, codecs: &[&str]) -> Result<Vec<Option<u64>>, GameError> {
        let moves = game_moves(&game.xelto()?);
        Ok(codecs.iter().map(|name| (by_name(name)?.bits)(&moves).ok()).collect())
    }

    #[cfg(feature = "pgn")]
    fn write(&self, game: &StoredGame, _: &TextOptions, out: &mut String) -> Result<(), GameError> {
        out.push_str(&format!("{}\n", game.xelto()?));
        Ok(())
    }
}

/// 64 bits over all tag pairs (which include the continuation and the end of the game), the moves and the result, like
/// [`fingerprint`](crate::fingerprint) for chess.
///
/// # Stability
/// Stored in archives: it never changes.
pub fn xelto_fingerprint(tags: &Tags, moves: &[plybook_xelto::Move], result: Outcome) -> u64 {
    let mut bytes = tag_bytes(GameKind::Xelto, tags, moves.len());
    bytes.extend(moves.iter().flat_map(|&m| move14::code(m).to_le_bytes()));
    bytes.extend(result.as_str().as_bytes());
    XxHash3_64::oneshot(&bytes)
}

impl Record {
    /// Prepares a game of Xelto.
    ///
    /// # Errors
    /// Its moves are not legal, or it is played by unusual rules.
    pub fn of_xelto(
        record: &notation::Record,
        codec: CodecId,
        layouts: &mut TagLayoutCache,
    ) -> Result<Record, EncodeError> {
        if record.ruleset != Ruleset::default() {
            return Err(EncodeError::CannotHold("the archive", "unusual rules of Xelto"));
        }
        let game = game_moves(record);
        let (steps, last) = steps_of(&game, game.moves.len())?;
        let tags = tags_of(record);
        let (layout, columns, values) = layouts.assign(codec, GameKind::Xelto, &tags, game.outcome);
        Ok(Record {
            layout,
            moves: codec.compose(steps, game.outcome, last)?,
            plies: game.moves.len(),
            result: game.outcome,
            fingerprint: xelto_fingerprint(&tags, &game.moves, game.outcome),
            tags,
            columns,
            values,
            marks: Vec::new(),
            original: None,
        })
    }
}

impl StoredGame {
    /// The record of a game of Xelto: headers, moves, continuation, result.
    ///
    /// # Errors
    /// The stored game is damaged, or is not Xelto.
    pub fn xelto(&self) -> Result<notation::Record, GameError> {
        if self.kind != GameKind::Xelto {
            return Err(self.is_not(&XeltoFamily));
        }
        let GameMoves { moves, .. } = self.line_from(Position::start())?;
        let record = notation::Record { moves, ..notation::Record::default() };
        let record = with_tags(record, &self.tags);
        record.map_err(|what| GameError::Record(self.id, what))
    }
}
