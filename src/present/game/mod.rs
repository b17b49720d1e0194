//! A stored game, or one of its positions.

mod chess;
mod pgn;
mod tree;
mod xelto;

use std::{
    collections::HashMap,
    fmt::Debug,
    io::{self, Write},
};

use serde::{Serialize, Serializer, ser::SerializeMap};

pub(crate) use chess::ChessReplay;
pub use chess::{ChessPly, LastMove};
pub use pgn::pgn;
pub use tree::{TreeLine, TreeMove};
pub use xelto::XeltoPly;
pub(crate) use xelto::write_xelto_board;

use xelto::XeltoReplay;

use super::{
    PresentError, RequestError,
    movetext::{Movetext, PlyChoice},
};
use crate::chess::BoardStyle;
use crate::{
    archive::Archive,
    bits::mixed_radix::MixedRadix,
    chess::Tags,
    limits::MAX_SHOWN_INTEGER,
    record::{GameId, GameKind, Ply, StoredGame},
};

/// The version of [`GameAnswer`] as JSON: docs/serve.md describes it.
pub const GAME_SCHEMA: u32 = 1;

/// A game, shown at a ply. Its JSON form is used by `plybook show`, the server and Python.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GameAnswer {
    /// [`GAME_SCHEMA`].
    pub schema: u32,
    /// Its id.
    pub id: GameId,
    /// The title in one line: see [`title`](crate::record::title).
    pub title: String,
    /// The variant of chess, or "Xelto".
    pub variant: &'static str,
    /// All tag pairs. In JSON an object in their order; a name that occurs several times has a list of values.
    #[serde(serialize_with = "tag_object")]
    pub tags: Tags,
    /// The result, as written in PGN.
    pub result: &'static str,
    /// The number of plies of the game.
    pub plies: usize,
    /// The game at the ply that is shown.
    #[serde(flatten)]
    pub shown: ShownPly,
    /// The complete chess game as a tree: all moves, variations, comments and glyphs. `None` for other games, and for
    /// those that exceed the size limit of this form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree: Option<TreeLine>,
    /// The moves and the end as they are stored: one decimal integer. `None` if it has more than [`MAX_SHOWN_INTEGER`]
    /// bytes; `plybook game encode` writes integers of any size.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub integer: Option<String>,
    /// The size of the integer in bits.
    pub bits: u64,
    /// The source that the game was imported from.
    pub source: Option<String>,
    /// Its 1-based number there.
    pub number_in_source: Option<u64>,
}

/// A game at the ply that is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum ShownPly {
    /// Of chess or a variant.
    Chess(ChessPly),
    /// Of Xelto.
    Xelto(XeltoPly),
}

/// A stored game, replayed to a ply: what games of every family can show.
pub(crate) trait Replay: Debug + Send + Sync {
    /// The kind of game.
    fn kind(&self) -> GameKind;

    /// The moves up to the ply, in the notation of the game: SAN in chess.
    fn moves(&self) -> &[String];

    /// Writes the players and the event as text.
    ///
    /// # Errors
    /// It cannot be written.
    fn write_players(&self, out: &mut dyn Write) -> io::Result<()>;

    /// Writes the players and the moves up to the ply with their annotations.
    ///
    /// # Errors
    /// It cannot be written.
    fn write_moves(&self, out: &mut dyn Write) -> io::Result<()>;

    /// Writes the players, the board and the last move.
    ///
    /// # Errors
    /// It cannot be written.
    fn write_text(&self, out: &mut dyn Write, style: BoardStyle) -> io::Result<()>;

    /// What only games of chess and its variants can show.
    fn chess(&self) -> Option<&ChessReplay> {
        None
    }

    /// The game, and its state at the ply.
    fn into_shown(self: Box<Self>) -> (StoredGame, ShownPly);
}

/// Replays a game of an archive to a ply; without a ply, to its end.
///
/// # Errors
/// The archive has no such game, the game has no such ply, or it is damaged.
pub(crate) fn replay(
    archive: &Archive,
    id: GameId,
    ply: Option<Ply>,
) -> Result<Box<dyn Replay>, PresentError> {
    let (game, ply) = (archive.checked_game(id)?, ply.unwrap_or(Ply::FromEnd(1)));
    Ok(match game.kind {
        GameKind::Xelto => Box::new(XeltoReplay::new(game, ply)?),
        GameKind::Chess(_) => Box::new(ChessReplay::new(game, ply)?),
    })
}

/// A game of an archive as data, at a ply or at its end.
///
/// ```
/// # use plybook::{archive::Archive, import::{Options, import_paths}, present::game};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games.db");
/// # import_paths(&path, &["data/famous.pgn".into()], &Options::default())?;
/// let archive = Archive::open(&path)?;
/// let game = game::answer(&archive, 1, Some("12w".parse()?))?;
/// println!("{}", serde_json::to_string(&game)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The archive has no such game, the game has no such ply, or it is damaged.
pub fn answer(archive: &Archive, id: GameId, ply: Option<Ply>) -> Result<GameAnswer, PresentError> {
    let (game, shown) = replay(archive, id, ply)?.into_shown();
    let (source, number_in_source) =
        archive.origin(game.id)?.map(|origin| (origin.source, origin.number)).unzip();
    Ok(GameAnswer {
        schema: GAME_SCHEMA,
        id: game.id,
        title: game.title(),
        variant: game.kind.name(),
        result: game.result.as_str(),
        plies: game.plies,
        shown,
        tree: tree(&game)?,
        integer: (game.moves.len() <= MAX_SHOWN_INTEGER)
            .then(|| MixedRadix::from_bytes_le(&game.moves).to_integer().to_string()),
        bits: game.bits(),
        tags: game.tags,
        source,
        number_in_source,
    })
}

fn tree(game: &StoredGame) -> Result<Option<TreeLine>, PresentError> {
    match Movetext::new(game, PlyChoice::Ply(0)) {
        Ok(text) => Ok(Some(TreeLine::new(text))),
        Err(PresentError::Request(RequestError::LargeGame(_) | RequestError::NotChess(_))) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The value of a tag, if it is not missing or empty.
fn tag<'a>(game: &'a StoredGame, name: &str) -> Option<&'a str> {
    game.tags.get(name).filter(|value| !value.is_empty())
}

fn tag_object<S: Serializer>(tags: &Tags, serializer: S) -> Result<S::Ok, S::Error> {
    let mut values: HashMap<&str, Vec<&str>> = HashMap::new();
    tags.iter().for_each(|(name, value)| values.entry(name).or_default().push(value));
    let mut map = serializer.serialize_map(Some(values.len()))?;
    for (name, _) in tags.iter() {
        match values.remove(name).as_deref() {
            Some([value]) => map.serialize_entry(name, value)?,
            Some(values) => map.serialize_entry(name, values)?,
            None => {}
        }
    }
    map.end()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::{Options, import_paths};

    #[test]
    fn a_game_is_shown_as_text_pgn_and_image() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.db");
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/data/famous.pgn");
        import_paths(&path, &[source.into()], &Options::default()).unwrap();
        let replay = replay(&Archive::open(&path).unwrap(), 1, None).unwrap();
        let chess = replay.chess().unwrap();
        let mut board = Vec::new();
        replay.write_text(&mut board, BoardStyle::default()).unwrap();
        let board = String::from_utf8(board).unwrap();
        assert!(board.contains(&chess.fen()) && chess.pgn().contains(replay.moves()[0].as_str()));
        let pieces = chess.fen().split(' ').next().unwrap().matches(char::is_alphabetic).count();
        assert_eq!(chess.picture().svg().matches("<use ").count(), pieces);
    }
}
