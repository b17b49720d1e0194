//! Functions of names, codes and positions.

use std::{collections::HashMap, sync::LazyLock};

use super::{
    Answer, Arguments, FunctionError, Value,
    moves::{Moves, damaged, with_game},
};
use crate::opening_of_replay;
use plybook_chess::{
    chess::{Color, Fen, Keyed, Role, Variant, whole_key},
    openings::{Opening, OpeningId, Openings},
    player_name,
};

type Answered = Result<Answer, FunctionError>;

/// The opening with the shortest line of each ECO code.
static BY_CODE: LazyLock<HashMap<&str, &Opening>> = LazyLock::new(|| {
    let mut by_code: HashMap<&str, &Opening> = HashMap::new();
    for (_, opening) in Openings::standard().iter() {
        let shortest = by_code.entry(opening.eco).or_insert(opening);
        if opening.plies < shortest.plies {
            *shortest = opening;
        }
    }
    by_code
});

/// The opening name of an ECO code, of a position in FEN, or of the moves of a game.
pub(super) fn eco_name(arguments: &Arguments<'_>) -> Answered {
    let opening = match arguments.get(0) {
        Value::Blob(_) => opening_of_game(arguments)?,
        _ => {
            let text = arguments.text(0, "an ECO code")?.trim();
            if text.contains('/') {
                let position = arguments.position(0, Variant::Standard)?;
                Openings::standard().at(position.key()).and_then(named)
            } else {
                BY_CODE.get(text.to_ascii_uppercase().as_str()).copied()
            }
        }
    };
    Ok(opening.map(|opening| opening.name.to_owned()).into())
}

fn named(id: OpeningId) -> Option<&'static Opening> {
    Openings::standard().get(id)
}

/// The opening of a game; `None` for variants of chess.
fn opening_of_game(arguments: &Arguments<'_>) -> Result<Option<&'static Opening>, FunctionError> {
    let Some(Moves::Chess(game)) = arguments.moves(1)? else { return Ok(None) };
    let replay = game.replay()?;
    Ok(opening_of_replay(replay).map_err(|error| damaged(&error))?.and_then(named))
}

/// The pieces of each side, White first, as one letter per piece.
pub(super) fn material(arguments: &Arguments<'_>) -> Answered {
    let fen: Fen = arguments.fen(0)?;
    let board = &fen.as_setup().board;
    let side = |color: Color| -> String {
        let of = |role: Role| role.upper_char().to_string().repeat(board.by_piece(role.of(color)).count());
        Role::ALL.into_iter().rev().map(of).collect()
    };
    Ok(Answer::Text(format!("{} {}", side(Color::White), side(Color::Black))))
}

/// The key under which the index stores a position: of a FEN, or of the moves of a game after a ply.
pub(super) fn position_key(arguments: &Arguments<'_>) -> Answered {
    if matches!(arguments.get(0), Value::Blob(_)) {
        return key_after_ply(arguments);
    }
    if arguments.count() > 2 {
        return Err(FunctionError::new("with a FEN, the only other argument is the variant"));
    }
    let Some(variant) = arguments.variant(1)? else { return Ok(Answer::Null) };
    Ok(Answer::Integer(key_of(&arguments.position(0, variant)?)))
}

fn key_after_ply(arguments: &Arguments<'_>) -> Answered {
    if arguments.count() < 2 {
        return Err(FunctionError::new("with moves, a ply is required, for example position_key(moves, 20)"));
    }
    let moves = arguments.moves(2)?.filter(|_| arguments.get(1) != Value::Null);
    with_game!(moves, |game| {
        let position = game.at(arguments.ply(1)?)?;
        position.map_or(Answer::Null, |position| Answer::Integer(key_of(&position)))
    })
}

/// The key of a position as a signed integer.
pub(super) fn key_of(position: &impl Keyed) -> i64 {
    whole_key(position.key(), position.castles().castling_rights()) as i64
}

/// Whether a player's name matches a pattern.
pub(super) fn same_player(arguments: &Arguments<'_>) -> Answered {
    let [name, pattern] = [arguments.text(0, "a name")?, arguments.text(1, "a name")?];
    Ok(Answer::Integer(player_name::same_player(name, pattern).into()))
}
