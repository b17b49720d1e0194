//! The result: as in PGN, or won and lost from the point of view of a player or side.

use super::condition::{Choice, Condition, FormSection, Given, Heading, ValueType};
use super::{FilterText, colour::colour_of, draft::Draft};
use crate::{
    chess::Color,
    request::{RequestError, outcome},
    rules::{KnownOutcome, Outcome},
};

pub(super) const CONDITION: Condition = Condition {
    more: "won and lost are relative to --player, with either colour, or to --white or --black if only one of them is given. With --material they are relative to the first side: 'KRP KR' with won finds games that the side with the pawn won.",
    value: "RESULT",
    place: FormSection::Games,
    offers: results,
    ..Condition::new(
        "result",
        ValueType::Text,
        Heading::Games,
        "Result: 1-0, 0-1, 1/2-1/2 (or draw), *, won or lost",
        ["Result", "Ergebnis"],
        ask,
    )
};

fn results() -> Vec<Choice> {
    let same = |value| Choice { value, label: [value, value] };
    let mut results = ["1-0", "1/2-1/2", "0-1", "*"].map(same).to_vec();
    results.push(Choice {
        value: "won",
        label: ["won (player or material)", "gewonnen (Spieler oder Material)"],
    });
    results.push(Choice {
        value: "lost",
        label: ["lost (player or material)", "verloren (Spieler oder Material)"],
    });
    results
}

fn ask(given: &Given<'_>, draft: &mut Draft) -> Result<(), RequestError> {
    let won = match given.text() {
        "won" => true,
        "lost" => false,
        text => {
            let result = outcome(text).map_err(|_| RequestError::Result(text.to_owned()))?;
            draft.rows.add_result(result);
            return Ok(());
        }
    };
    match winner(given.text)? {
        Somebody::Player => draft.rows.player_results = Some(Color::ALL.map(|color| result_of(color, won))),
        Somebody::Side(color) => draft.rows.add_result(result_of(color, won)),
        Somebody::Material => draft.positions.won = Some(won),
    }
    Ok(())
}

/// The side that has won or lost.
enum Somebody {
    /// The player, with either colour.
    Player,
    /// The only side with a named player.
    Side(Color),
    /// The first side of the material.
    Material,
}

fn winner(text: &FilterText) -> Result<Somebody, RequestError> {
    let colour = colour_of(text)?.filter(|_| text.has("player"));
    let player = text.has("player") && colour.is_none();
    let [white, black] = [("white", Color::White), ("black", Color::Black)]
        .map(|(name, side)| text.has(name) || colour == Some(side));
    match (player, white, black, text.has("material")) {
        (true, _, _, false) => Ok(Somebody::Player),
        (false, true, false, false) => Ok(Somebody::Side(Color::White)),
        (false, false, true, false) => Ok(Somebody::Side(Color::Black)),
        (false, false, false, true) => Ok(Somebody::Material),
        (false, false, false, false) => Err(RequestError::WhoWon(NOBODY)),
        (false, true, true, false) => Err(RequestError::WhoWon(BOTH_PLAYERS)),
        (.., true) => Err(RequestError::WhoWon(PLAYER_AND_MATERIAL)),
    }
}

/// The result of games that a side has won or lost.
fn result_of(color: Color, won: bool) -> Outcome {
    Outcome::Known(KnownOutcome::Decisive { winner: if won { color } else { !color } })
}

const NOBODY: &str = "give one of these, or use 1-0 or 0-1";
const BOTH_PLAYERS: &str = "both players are named, so use 1-0 or 0-1";
const PLAYER_AND_MATERIAL: &str = "both are given, so omit one, or use 1-0 or 0-1";
