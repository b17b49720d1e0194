//! The shortest game to a position: found by search, or stored in an archive.

use std::io::{self, Write};

use serde::Serialize;
use shakmaty::{san::SanPlus, uci::UciMove};

use super::{Result, numbered::from_first_move};
use crate::{
    archive::Archive,
    chess::{Chess, Move, Outcome},
    codec::game::{GameMoves, index},
    counts::{PLIES, thousands},
    proofgame::{self, Reason, Target},
    query::GameReaching,
    record::GameId,
    request::{PositionText, PresentError, RequestError, fen_of},
};

/// Parses the target position: a FEN or its leading fields, moves, or a position of a stored game. The archive is read
/// only if the text refers to one of its games. `exact_ep` takes the en passant field literally.
///
/// # Errors
/// The text is not a valid or reachable position, or `archive` fails.
pub fn target<'a, E: From<PresentError>>(
    text: &str,
    exact_ep: bool,
    archive: impl FnOnce() -> Result<&'a Archive, E>,
) -> Result<Target, E> {
    let is_fen = text.contains('/') || !text.starts_with(|c: char| c.is_ascii_alphanumeric());
    let fen = if is_fen {
        text.to_owned()
    } else {
        let setup = text.parse::<PositionText>().map_err(PresentError::from)?.setup(archive)?;
        fen_of(setup).map_err(PresentError::from)?
    };
    let read = if exact_ep { Target::as_written } else { str::parse };
    Ok(read(&fen).map_err(RequestError::from).map_err(PresentError::from)?)
}

/// The moves of a game from the initial position, in SAN.
fn san(moves: &[Move]) -> Vec<String> {
    let mut position = Chess::new();
    moves.iter().map(|&m| SanPlus::from_move_and_play_unchecked(&mut position, m).to_string()).collect()
}

/// The result of a search for the shortest game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ProofGame {
    /// Whether a game was found.
    pub found: bool,
    /// Its plies.
    pub plies: Option<usize>,
    /// Its moves in SAN.
    pub moves: Option<Vec<String>>,
    /// Its moves in UCI notation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uci: Option<Vec<String>>,
    /// The game as one decimal integer.
    pub integer: Option<String>,
    /// Whether it is proved that no shorter game, or no game at all, exists.
    pub proved: bool,
    /// If none was found: no game with fewer plies than this exists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub none_shorter_than: Option<usize>,
    /// Why no game was found: `timeout`, `max-plies` or `unreachable`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
    /// The shortest stored game with the position, if an archive was searched; `Some(None)` if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stored: Option<Option<ReachingGame>>,
}

impl ProofGame {
    /// The result of a search.
    ///
    /// # Errors
    /// The game exceeds the maximum length.
    pub fn new(outcome: &proofgame::Outcome) -> Result<ProofGame> {
        Ok(match outcome {
            proofgame::Outcome::Found { moves, proved } => {
                let line = GameMoves { start: Chess::new(), moves: moves.clone(), outcome: Outcome::Unknown };
                let uci = moves.iter().map(|&m| UciMove::from_standard(m).to_string());
                ProofGame {
                    found: true,
                    plies: Some(moves.len()),
                    moves: Some(san(moves)),
                    uci: Some(uci.collect()),
                    integer: Some(index::encode(&line)?.to_integer().to_string()),
                    proved: *proved,
                    ..ProofGame::default()
                }
            }
            proofgame::Outcome::NotFound { searched_to, reason } => ProofGame {
                proved: *reason == Reason::Unreachable,
                none_shorter_than: Some(*searched_to),
                reason: Some(match reason {
                    Reason::Timeout => "timeout",
                    Reason::MaxPlies => "max-plies",
                    Reason::Unreachable => "unreachable",
                }),
                ..ProofGame::default()
            },
        })
    }

    /// Writes the game, or why there is none, as text.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let searched_to = self.none_shorter_than.unwrap_or(0);
        let (limit, why) = match self.reason {
            None => return self.write_game(out),
            Some("unreachable") => return writeln!(out, "no legal game reaches this position"),
            Some("timeout") => (searched_to, "the time limit was reached"),
            Some(_) => (searched_to.saturating_sub(1), "the maximum length was reached"),
        };
        let limit = PLIES.count(limit as u64);
        writeln!(out, "not found within {limit} ({why}); no game shorter than {searched_to} plies exists")
    }

    fn write_game(&self, out: &mut dyn Write) -> io::Result<()> {
        let moves = self.moves.as_deref().unwrap_or_default();
        let claim = if self.proved { "no shorter game exists" } else { "a shorter game may exist" };
        writeln!(out, "{}; {claim}", PLIES.count(moves.len() as u64))?;
        writeln!(out, "{}", from_first_move(moves))?;
        writeln!(out, "integer {}", self.integer.as_deref().unwrap_or_default())
    }
}

/// A stored game up to a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReachingGame {
    /// The game.
    pub game: GameId,
    /// The ply of the position.
    pub plies: usize,
    /// The moves before it, in SAN.
    pub moves: Vec<String>,
}

impl ReachingGame {
    /// A stored game that was found.
    pub fn new(found: &GameReaching) -> ReachingGame {
        ReachingGame { game: found.game, plies: found.moves.len(), moves: san(&found.moves) }
    }

    /// The game as text.
    pub fn text(&self) -> String {
        let plies = PLIES.count(self.plies as u64);
        format!("stored: game {} after {plies}: {}", self.game, from_first_move(&self.moves))
    }
}

/// The progress of a search, as text.
pub(crate) fn progress_text(progress: proofgame::Progress) -> String {
    format!("games of {}, {} positions", PLIES.count(progress.plies as u64), thousands(progress.nodes))
}
