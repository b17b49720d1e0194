//! A stored game, or one of its positions.

mod chess;
mod move_bits;
mod xelto;

use std::{
    collections::HashMap,
    fmt::Debug,
    io::{self, Write},
};

use serde::{Serialize, Serializer, ser::SerializeMap};

use super::{
    PresentError, RequestError, Result,
    movetext::{Movetext, MovetextComment, MovetextItem, MovetextMove, PlyChoice},
};
use crate::{
    archive::Archive,
    bits::mixed_radix::MixedRadix,
    chess::{BoardStyle, Tags},
    limits::MAX_SHOWN_INTEGER,
    record::{GameId, GameKind, Ply, StoredGame, TextOptions},
};
pub use chess::{ChessPly, LastMove};
pub(crate) use chess::{ChessReplay, GameHeading, heading};
pub(crate) use move_bits::{SURPRISING, is_surprising};
pub use xelto::XeltoPly;
use xelto::XeltoReplay;
pub(crate) use xelto::write_xelto_board;

/// The version of [`GameAnswer`] as JSON: docs/serve.md describes it.
pub const GAME_SCHEMA: u32 = 1;

/// A game, shown at a ply. Its JSON form is used by `plybook show`, the server and Python.
#[derive(Clone, Debug, PartialEq, Serialize)]
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
    /// How surprising each move up to the ply is, in bits, if that is requested: see
    /// [`move_bits`](StoredGame::move_bits).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub move_bits: Option<Vec<f64>>,
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
pub(crate) fn replay(archive: &Archive, id: GameId, ply: Option<Ply>) -> Result<Box<dyn Replay>> {
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
pub fn answer(archive: &Archive, id: GameId, ply: Option<Ply>) -> Result<GameAnswer> {
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
        move_bits: None,
        tags: game.tags,
        source,
        number_in_source,
    })
}

/// The same with the bits of each move up to the ply.
///
/// # Errors
/// The same as [`answer`]; or the game is not chess.
pub fn answer_with_bits(archive: &Archive, id: GameId, ply: Option<Ply>) -> Result<GameAnswer> {
    let game = replay(archive, id, ply)?;
    let chess = game.chess().ok_or_else(|| RequestError::NotChess(game.kind().name().to_owned()))?;
    let bits = chess.bits_of_moves()?.iter().map(|bits| (bits * 100.0).round() / 100.0).collect();
    Ok(GameAnswer { move_bits: Some(bits), ..answer(archive, id, ply)? })
}

fn tree(game: &StoredGame) -> Result<Option<TreeLine>> {
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

/// A game of an archive as PGN, ending in a line break.
///
/// # Errors
/// The game does not exist, it has no PGN form, or it is damaged.
pub fn pgn(archive: &Archive, id: GameId) -> Result<String> {
    let game = archive.checked_game(id)?;
    let family = game.kind.family();
    if !family.has_pgn() {
        return Err(RequestError::NotChess(game.kind.name().to_owned()).into());
    }
    let mut text = String::new();
    family.write(&game, &TextOptions::default(), &mut text)?;
    text.truncate(text.trim_end().len());
    text.push('\n');
    Ok(text)
}

/// A line of moves. Annotations before the first move belong to the line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TreeLine {
    /// Comments before the first move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<String>,
    /// Glyphs before the first move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nags: Vec<u16>,
    /// The moves.
    pub moves: Vec<TreeMove>,
    /// Variations before the first move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<TreeLine>,
    /// A result at the end of a variation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<&'static str>,
}

/// A move and its annotations.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TreeMove {
    /// The ply of the position after it.
    pub ply: usize,
    /// In SAN; `--` for a null move.
    pub san: String,
    /// In UCI notation; `0000` for a null move.
    pub uci: String,
    /// The position after it.
    pub fen: String,
    /// Numeric annotation glyphs: 1 for `!`, 2 for `?`, …
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nags: Vec<u16>,
    /// The comments, unchanged.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<String>,
    /// The clock, from a comment: `0:09:58`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<String>,
    /// The engine evaluation, from a comment: `0.17`, `#-3`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub eval: Option<String>,
    /// Alternatives to this move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<TreeLine>,
}

impl TreeLine {
    /// The moves of a game with their annotations.
    fn new(text: Movetext) -> TreeLine {
        let (mut line, mut outer) = (TreeLine::default(), Vec::new());
        for item in text.items {
            match item {
                MovetextItem::Open => outer.push(std::mem::take(&mut line)),
                MovetextItem::Close => {
                    let variation = std::mem::replace(&mut line, outer.pop().unwrap_or_default());
                    match line.moves.last_mut() {
                        Some(last) => last.variations.push(variation),
                        None => line.variations.push(variation),
                    }
                }
                MovetextItem::Move(m) => line.moves.push(TreeMove::new(m)),
                MovetextItem::Comment(comment) => line.comment(comment),
                MovetextItem::Nag(nag) => match line.moves.last_mut() {
                    Some(last) => last.nags.push(nag),
                    None => line.nags.push(nag),
                },
                MovetextItem::Result(result) => line.result = Some(result),
            }
        }
        line
    }

    fn comment(&mut self, MovetextComment { text, clock, eval, .. }: MovetextComment) {
        let Some(last) = self.moves.last_mut() else { return self.comments.push(text) };
        last.comments.push(text);
        last.clock = last.clock.take().or(clock);
        last.eval = last.eval.take().or(eval);
    }
}

impl TreeMove {
    fn new(m: MovetextMove) -> TreeMove {
        let uci = if m.uci.is_empty() { "0000".to_owned() } else { m.uci };
        TreeMove { ply: m.ply, san: m.san, uci, fen: m.fen, ..TreeMove::default() }
    }
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
