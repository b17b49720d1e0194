//! Reading games back.

use rusqlite::{Connection, OptionalExtension, Row, types::ValueRef};
use shakmaty::{fen::Fen, variant::VariantPosition};

use super::{
    Archive, ArchiveError, CodecId, Filter, GameId, GameKind,
    batches::Wanted,
    columns::{ReadColumns, bits, result_of, round_text},
    filter::SOURCE,
    layout::{Stored, read_tags},
};
use crate::{
    chess::{Annotations, Tags, Variant},
    codec::{
        DecodeError, annotation,
        game::{GameMoves, index},
    },
    counts::PLIES,
    rules::{LegalMoves, Outcome, Rules},
};

/// A game of an archive: its tags, and its moves still as one integer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredGame {
    /// Its number in the archive.
    pub id: GameId,
    /// Which game it is one of.
    pub kind: GameKind,
    /// How the moves are encoded.
    pub codec: CodecId,
    /// The moves and the end: the integer's little-endian bytes.
    pub moves: Vec<u8>,
    /// The number of plies.
    pub plies: usize,
    /// The result that the PGN or the record gave.
    pub result: Outcome,
    /// All tag pairs, as they were.
    pub tags: Tags,
    /// The FEN of a set-up start position.
    pub setup: Option<String>,
    /// The annotations, encoded; empty if there are none.
    pub marks: Vec<u8>,
}

/// The moves of a game of an archive, still as one integer, and what they are played from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredMoves {
    /// Its number in the archive.
    pub id: GameId,
    /// The variant.
    pub variant: Variant,
    /// The moves and the end: the integer's little-endian bytes.
    pub moves: Vec<u8>,
    /// The FEN of a set-up start position.
    pub setup: Option<String>,
}

impl StoredMoves {
    /// The start position.
    ///
    /// # Errors
    /// The stored FEN is damaged.
    pub fn start(&self) -> Result<VariantPosition, GameError> {
        start_of(self.id, self.variant, self.setup.as_deref())
    }
}

fn start_of(id: GameId, variant: Variant, setup: Option<&str>) -> Result<VariantPosition, GameError> {
    let Some(fen) = setup else { return Ok(variant.start()) };
    let fen: Option<Fen> = fen.trim().parse().ok();
    fen.and_then(|fen| variant.position(&fen).ok()).ok_or(GameError::Setup { id })
}

/// Why a stored game cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// The moves are damaged.
    #[error("game {id}: the stored moves are damaged: {error}")]
    Moves {
        /// The game.
        id: GameId,
        /// What is wrong.
        error: DecodeError,
    },
    /// The annotations are damaged.
    #[error("game {id}: the stored annotations are damaged: {error}")]
    Annotations {
        /// The game.
        id: GameId,
        /// What is wrong.
        error: DecodeError,
    },
    /// The game is one of chess, and was taken for one of Xelto.
    #[error("game {id} is a game of chess, not of Xelto")]
    NotXelto {
        /// The game.
        id: GameId,
    },
    /// The game is one of Xelto, and was taken for one of chess.
    #[error("game {id} is a game of Xelto, not of chess")]
    NotChess {
        /// The game.
        id: GameId,
    },
    /// The tag pairs do not make the record of a game of Xelto.
    #[error("game {id}: the stored record is damaged: {what}")]
    Record {
        /// The game.
        id: GameId,
        /// What is wrong.
        what: String,
    },
    /// The start position is damaged.
    #[error("game {id}: the stored start position is damaged")]
    Setup {
        /// The game.
        id: GameId,
    },
    /// The End marker and the stored result differ.
    #[error("game {id}: the stored result is not that of the moves")]
    Result {
        /// The game.
        id: GameId,
    },
    /// A codec that this program does not know.
    #[error("game {id}: the moves are stored with codec {codec}, which this plybook does not know")]
    UnknownCodec {
        /// The game.
        id: GameId,
        /// The codec's number.
        codec: u8,
    },
    /// The game has no such ply.
    #[error("game {id} has no ply {asked}: it has {plies} {}, so 0 to {plies} or -1 to -{} will do", PLIES.of(*.plies as u64), .plies + 1)]
    NoSuchPly {
        /// The game.
        id: GameId,
        /// What was asked for.
        asked: String,
        /// The length of the game.
        plies: usize,
    },
}

impl StoredGame {
    /// The variant of chess.
    ///
    /// # Errors
    /// It is no game of chess.
    pub fn variant(&self) -> Result<Variant, GameError> {
        self.kind.variant().ok_or(GameError::NotChess { id: self.id })
    }

    /// The start position of a game of chess.
    ///
    /// # Errors
    /// The stored FEN is damaged, or it is no game of chess.
    pub fn start(&self) -> Result<VariantPosition, GameError> {
        start_of(self.id, self.variant()?, self.setup.as_deref())
    }

    /// Begins a replay of a game of chess from the start.
    ///
    /// # Errors
    /// The stored game is damaged, or is none of chess.
    pub fn decoder(&self) -> Result<index::Decoder<VariantPosition>, GameError> {
        self.decoder_from(self.start()?)
    }

    /// Begins a replay from a start position of whatever game it is.
    pub(crate) fn decoder_from<P: Rules>(&self, start: P) -> Result<index::Decoder<P>, GameError> {
        if self.codec != CodecId::INDEX {
            return Err(GameError::UnknownCodec { id: self.id, codec: self.codec.0 });
        }
        index::Decoder::new(start, &self.moves).map_err(|error| self.damaged(error))
    }

    /// Start position, all moves and the outcome of a game of chess: the result that the PGN gave.
    ///
    /// # Errors
    /// The stored game is damaged, or is none of chess.
    pub fn line(&self) -> Result<GameMoves<VariantPosition>, GameError> {
        self.line_from(self.start()?)
    }

    /// The game that is played from a start position.
    pub(super) fn line_from<P: Rules>(&self, start: P) -> Result<GameMoves<P>, GameError> {
        let mut decoder = self.decoder_from(start.clone())?;
        let mut moves = Vec::with_capacity(self.plies.min(1024));
        let end = loop {
            match decoder.step().map_err(|error| self.damaged(error))? {
                index::Step::Move(m) => moves.push(m),
                index::Step::End(outcome) => break outcome,
            }
        };
        // Only where the board ended the game may the PGN have said something else.
        if end != self.result && decoder.position().legal().count() > 0 {
            return Err(GameError::Result { id: self.id });
        }
        Ok(GameMoves { start, moves, outcome: self.result })
    }

    /// The comments, glyphs and variations, on the moves of [`line`](StoredGame::line).
    ///
    /// # Errors
    /// They are damaged.
    pub fn annotations(&self, line: &GameMoves<VariantPosition>) -> Result<Annotations, GameError> {
        if self.marks.is_empty() {
            return Ok(Annotations::default());
        }
        annotation::decode(&self.marks, &line.start, &line.moves)
            .map_err(|error| GameError::Annotations { id: self.id, error })
    }

    /// About how many bytes it takes in memory.
    pub(super) fn bytes(&self) -> usize {
        let setup = self.setup.as_ref().map_or(0, String::len);
        size_of::<StoredGame>() + self.moves.len() + self.marks.len() + setup + self.tags.memory()
    }

    /// The bits of the integer.
    pub fn bits(&self) -> u64 {
        bits(&self.moves)
    }

    pub(crate) fn damaged(&self, error: DecodeError) -> GameError {
        GameError::Moves { id: self.id, error }
    }
}

/// The columns of [`read_game`], and the tables they are in besides those of a filter.
pub(super) const COLUMNS: &str = "
    game.id, game.moves, game.plies, game.result, form.codec, form.variant, form.layout, form.kinds,
    white.name, black.name, event.name, site.name, section.tags,
    game.round, section.date, game.white_elo, game.black_elo, game.eco, game.tags, annotation.marks";
pub(super) const TABLES: &str = "
    LEFT JOIN form ON form.id = section.form
    LEFT JOIN player AS white ON white.id = game.white
    LEFT JOIN player AS black ON black.id = game.black
    LEFT JOIN event ON event.id = section.event
    LEFT JOIN site ON site.id = section.site
    LEFT JOIN annotation ON annotation.game = game.id";

/// A row as a game; `Err` with the id if the row makes no sense.
pub(super) fn read_game(db: &Connection, row: &Row<'_>) -> rusqlite::Result<Result<StoredGame, GameId>> {
    let id = row.get(0)?;
    Ok(sensible(db, row, id)?.ok_or(id))
}

fn sensible(db: &Connection, row: &Row<'_>, id: GameId) -> rusqlite::Result<Option<StoredGame>> {
    let Some(kind) = GameKind::from_id(row.get(5)?) else { return Ok(None) };
    let result = result_of(row.get(3)?);
    let columns = ReadColumns {
        kind,
        result,
        white: row.get(8)?,
        black: row.get(9)?,
        event: row.get(10)?,
        site: row.get(11)?,
        round: round_of(row.get_ref(13)?),
        date: row.get(14)?,
        white_elo: row.get(15)?,
        black_elo: row.get(16)?,
        eco: row.get(17)?,
    };
    let (layout, kinds): (String, String) = (row.get(6)?, row.get(7)?);
    let (common, own): (Option<String>, Option<String>) = (row.get(12)?, row.get(18)?);
    let stored = Stored { layout: &layout, kinds: &kinds, common: common.as_deref(), own: own.as_deref() };
    let shared = |id: i64| {
        let mut text = db.prepare_cached("SELECT text FROM value WHERE id = ?1").ok()?;
        text.query_row([id], |row| row.get(0)).ok()
    };
    let Some(tags) = read_tags(&columns, &stored, shared) else {
        return Ok(None);
    };
    Ok(Some(StoredGame {
        id,
        kind,
        codec: CodecId(row.get(4)?),
        moves: row.get(1)?,
        plies: usize::try_from(row.get::<_, i64>(2)?).unwrap_or(0),
        result,
        setup: tags.get("FEN").filter(|fen| !fen.trim().is_empty()).map(str::to_owned),
        tags,
        marks: row.get::<_, Option<Vec<u8>>>(19)?.unwrap_or_default(),
    }))
}

/// A stored round as text.
pub(super) fn round_of(value: ValueRef<'_>) -> Option<String> {
    match value {
        ValueRef::Integer(number) => Some(round_text(number)),
        ValueRef::Text(text) => Some(String::from_utf8_lossy(text).into_owned()),
        _ => None,
    }
}

impl Archive {
    /// A game by its id.
    ///
    /// # Errors
    /// There is no such game, or the file is damaged.
    pub fn game(&self, id: GameId) -> Result<StoredGame, ArchiveError> {
        let read = || {
            let sql = format!("SELECT {COLUMNS} FROM {SOURCE} {TABLES} WHERE game.id = ?1");
            self.db.prepare_cached(&sql)?.query_row([id], |row| read_game(&self.db, row)).optional()
        };
        match read().map_err(|error| self.error(error))? {
            Some(Ok(game)) => Ok(game),
            Some(Err(id)) => {
                Err(ArchiveError::Damaged { id, what: "its tags do not fit their layout".to_owned() })
            }
            None => Err(self.no_such_game(id)),
        }
    }

    fn no_such_game(&self, id: GameId) -> ArchiveError {
        let range =
            self.db.query_row("SELECT min(id), max(id) FROM game", [], |row| Ok((row.get(0)?, row.get(1)?)));
        match range {
            Ok((Some(first), Some(last))) => ArchiveError::NoSuchGame { id, first, last },
            Ok(_) => ArchiveError::Empty(id),
            Err(error) => self.error(error),
        }
    }

    /// Hands every game that passes a filter to `each`, in the filter's order, until it says stop (false).
    /// A game that cannot be read is handed over as its error.
    ///
    /// # Errors
    /// SQLite's, or a filter that makes no sense.
    pub fn for_each_game(
        &self,
        filter: &Filter,
        each: impl FnMut(Result<StoredGame, ArchiveError>) -> bool,
    ) -> Result<(), ArchiveError> {
        let read = |db: &Connection, row: &Row<'_>| {
            let id = row.get(0)?;
            let damaged = |what: String| ArchiveError::Damaged { id, what };
            Ok(Some(match read_game(db, row) {
                Ok(game) => game.map_err(|_| damaged("its tags do not fit their layout".to_owned())),
                Err(error) => Err(damaged(error.to_string())),
            }))
        };
        let bytes = |game: &Result<StoredGame, _>| game.as_ref().map_or(0, StoredGame::bytes);
        self.in_batches(filter, &Wanted { columns: COLUMNS, tables: TABLES, read: &read, bytes }, each)
    }

    /// Hands the moves of every game that passes a filter to `each`: all that a replay needs, and quick to read.
    ///
    /// # Errors
    /// SQLite's.
    pub fn for_each_moves(
        &self,
        filter: &Filter,
        mut each: impl FnMut(StoredMoves),
    ) -> Result<(), ArchiveError> {
        let read = |_: &Connection, row: &Row<'_>| {
            let id = row.get(0)?;
            let Some(variant) = Variant::from_id(row.get(2)?) else { return Ok(None) };
            let setup = if row.get(3)? { self.setup(id) } else { None };
            Ok(Some(StoredMoves { id, variant, moves: row.get(1)?, setup }))
        };
        let wanted = Wanted {
            columns: "game.id, game.moves, form.variant, instr(form.layout, '\"FEN\"') > 0",
            tables: "JOIN form ON form.id = section.form",
            read: &read,
            bytes: |game: &StoredMoves| size_of::<StoredMoves>() + game.moves.len(),
        };
        self.in_batches(filter, &wanted, |moves| {
            each(moves);
            true
        })
    }

    /// The start position of a game that has its own: no position at all if the game is damaged.
    fn setup(&self, id: GameId) -> Option<String> {
        self.game(id).map_or_else(|_| Some(String::new()), |game| game.setup)
    }
}
