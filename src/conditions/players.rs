//! The conditions on players and their results that depend on each other.

use super::{
    FilterText,
    condition::{Choice, Given},
    draft::Draft,
};
use crate::{
    chess::Color,
    request::{RequestError, UnclearWinner, outcome},
    rules::{KnownOutcome, Outcome},
};

/// The colours.
pub(super) fn sides() -> Vec<Choice> {
    vec![
        Choice { value: "white", label: ["White", "Weiß"] },
        Choice { value: "black", label: ["Black", "Schwarz"] },
    ]
}

/// Parses a colour.
pub(super) fn colour(text: &str) -> Result<Color, RequestError> {
    text.parse().map_err(|_| RequestError::Colour(text.to_owned()))
}

/// The requested colour of the player.
fn colour_of(text: &FilterText) -> Result<Option<Color>, RequestError> {
    text.get("colour").map(colour).transpose()
}

/// A player of the game. If the colour is known, this sets the name of that side.
pub(super) fn player(given: &Given<'_>, draft: &mut Draft) -> Result<(), RequestError> {
    let rows = &mut draft.rows;
    given.name(&mut rows.player)?;
    if let Some(colour) = colour_of(given.text)? {
        if given.text.has(colour.fold_wb("white", "black")) {
            return Err(RequestError::TwoNames(colour));
        }
        *colour.fold_wb(&mut rows.white, &mut rows.black) = rows.player.take();
    }
    Ok(())
}

/// The results.
pub(super) fn results() -> Vec<Choice> {
    let same = |value| Choice { value, label: [value, value] };
    let mut results = ["1-0", "1/2-1/2", "0-1", "*"].map(same).to_vec();
    let won = ["won (player or material)", "gewonnen (Spieler oder Material)"];
    let lost = ["lost (player or material)", "verloren (Spieler oder Material)"];
    results.extend([Choice { value: "won", label: won }, Choice { value: "lost", label: lost }]);
    results
}

/// The result: as in PGN, or won and lost from the point of view of a player or side.
pub(super) fn result(given: &Given<'_>, draft: &mut Draft) -> Result<(), RequestError> {
    let won = match given.text() {
        "won" => true,
        "lost" => false,
        text => {
            let result = outcome(text).map_err(|_| RequestError::Result(text.to_owned()))?;
            draft.rows.add_result(result);
            return Ok(());
        }
    };
    let result_of =
        |color: Color| Outcome::Known(KnownOutcome::Decisive { winner: if won { color } else { !color } });
    let colour = colour_of(given.text)?.filter(|_| given.text.has("player"));
    let player = given.text.has("player") && colour.is_none();
    let [white, black] = [("white", Color::White), ("black", Color::Black)]
        .map(|(name, side)| given.text.has(name) || colour == Some(side));
    let unclear = |why| Err(RequestError::WhoWon(why));
    match (player, white, black, given.text.has("material")) {
        // The player, with either colour.
        (true, _, _, false) => draft.rows.player_results = Some(Color::ALL.map(result_of)),
        // The only side with a named player.
        (false, true, false, false) => draft.rows.add_result(result_of(Color::White)),
        (false, false, true, false) => draft.rows.add_result(result_of(Color::Black)),
        // The first side of the material.
        (false, false, false, true) => draft.won = Some(won),
        (false, false, false, false) => return unclear(UnclearWinner::Nobody),
        (false, true, true, false) => return unclear(UnclearWinner::BothPlayers),
        (.., true) => return unclear(UnclearWinner::PlayerAndMaterial),
    }
    Ok(())
}
