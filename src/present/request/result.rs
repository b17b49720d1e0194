//! Results in words: as PGN writes them, or won and lost by the player or the side that a filter is about.

use shakmaty::{Color, KnownOutcome};

use super::{FilterText, RequestError, filter::read, names::outcome};
use crate::rules::Outcome;

/// What a filter asks of results.
#[derive(Clone, Copy)]
pub(super) enum AskedResult {
    /// This result.
    Is(Outcome),
    /// The player has won, or else lost, whichever colour.
    OfPlayer { won: bool },
    /// The first side of the material has won, or else lost.
    OfMaterial { won: bool },
}

impl AskedResult {
    /// The result, if it is the same in all games; and that of a player with White, and with Black.
    pub(super) fn conditions(self) -> (Option<Outcome>, Option<[Outcome; 2]>) {
        match self {
            AskedResult::Is(result) => (Some(result), None),
            AskedResult::OfPlayer { won } => (None, Some(Color::ALL.map(|color| result_of(color, won)))),
            AskedResult::OfMaterial { .. } => (None, None),
        }
    }
}

/// The result of games that a side has won, or else lost.
fn result_of(color: Color, won: bool) -> Outcome {
    let winner = if won { color } else { !color };
    Outcome::Known(KnownOutcome::Decisive { winner })
}

impl FilterText {
    /// What is asked of results.
    ///
    /// # Errors
    /// The text is no result, or it is not clear who is to have won.
    pub(super) fn asked_result(&self) -> Result<Option<AskedResult>, RequestError> {
        read(&self.result, |text| match text {
            "won" => self.result_of_somebody(true),
            "lost" => self.result_of_somebody(false),
            text => outcome(text).map(AskedResult::Is).map_err(|_| RequestError::Result(text.to_owned())),
        })
    }

    fn result_of_somebody(&self, won: bool) -> Result<AskedResult, RequestError> {
        let [player, white, black] = self.players()?.map(|name| name.is_some());
        match (player, white, black, !self.material.is_empty()) {
            (true, _, _, false) => Ok(AskedResult::OfPlayer { won }),
            (false, true, false, false) => Ok(AskedResult::Is(result_of(Color::White, won))),
            (false, false, true, false) => Ok(AskedResult::Is(result_of(Color::Black, won))),
            (false, false, false, true) => Ok(AskedResult::OfMaterial { won }),
            (false, false, false, false) => Err(RequestError::WhoWon(NOBODY)),
            (false, true, true, false) => Err(RequestError::WhoWon(BOTH_PLAYERS)),
            (.., true) => Err(RequestError::WhoWon(PLAYER_AND_MATERIAL)),
        }
    }
}

const NOBODY: &str = "give one of them, or write 1-0 or 0-1";
const BOTH_PLAYERS: &str = "both players are named, so write 1-0 or 0-1";
const PLAYER_AND_MATERIAL: &str = "both are given, so leave one out, or write 1-0 or 0-1";
