//! What reports read of games: players, event, site and result.

use rusqlite::Row;

use crate::archive::read::{
    LAYOUT,
    game::{moves, read_moves},
    listed::Listed,
    paging::Selected,
};
use plybook_record::{GameMetadata, StoredMoves, result_of};

/// A game for reports. Names are row ids, to be [resolved](crate::archive::Names::of) once; `None` if the tag is
/// missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedGame {
    /// Number, result, ratings, date.
    pub facts: GameMetadata,
    /// White.
    pub white: Option<i64>,
    /// Black.
    pub black: Option<i64>,
    /// The event.
    pub event: Option<i64>,
    /// The site; for a URL without its last segment.
    pub site: Option<i64>,
    /// The number of plies.
    pub plies: u32,
}

/// The columns of [`read`].
macro_rules! played {
    () => {
        "game.result, game.white_elo, game.black_elo, section.date, game.white, game.black, section.event, section.site, game.plies"
    };
}

/// Converts a row to a game; its columns begin at `from`.
fn read(row: &Row<'_>, from: usize) -> rusqlite::Result<PlayedGame> {
    let elo =
        |at: usize| Ok::<_, rusqlite::Error>(row.get::<_, Option<u32>>(from + at)?.filter(|elo| *elo > 0));
    Ok(PlayedGame {
        facts: GameMetadata {
            id: row.get(0)?,
            result: result_of(row.get(from)?),
            white_elo: elo(1)?,
            black_elo: elo(2)?,
            date: row.get::<_, Option<u32>>(from + 3)?.unwrap_or(0),
        },
        white: row.get(from + 4)?,
        black: row.get(from + 5)?,
        event: row.get(from + 6)?,
        site: row.get(from + 7)?,
        plies: u32::try_from(row.get::<_, i64>(from + 8)?).unwrap_or(0),
    })
}

impl Listed for PlayedGame {
    const WANTED: Selected<PlayedGame> = Selected {
        columns: concat!("game.id, ", played!()),
        tables: "",
        read: |_, row| read(row, 1).map(Some),
        bytes: |_| 0,
    };
}

/// With the moves if the game is chess.
impl Listed for (PlayedGame, Option<StoredMoves>) {
    const WANTED: Selected<Self> = Selected {
        columns: concat!(moves!(), ", ", played!()),
        tables: LAYOUT,
        read: |archive, row| Ok(Some((read(row, 7)?, read_moves(archive, row)?))),
        bytes: |(_, moves)| moves.as_ref().map_or(0, StoredMoves::memory),
    };
}
