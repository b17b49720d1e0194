//! The rows of the positions of a game.

use shakmaty::{Color, EnPassantMode, Position, uci::UciMove};

use super::{PositionForm, Rows};
use crate::{
    chess::{Annotation, Annotations, Keyed, VariantPosition, whole_key},
    codec::position::nibble_state::NIBBLE_STATE,
    columns::{
        Cell, Column,
        ColumnType::{FixedBytes, Integer, Key, Real, Text},
    },
    pgn::comment_commands,
    position_index::MoveCode,
    record::{StoredGame, clock_seconds, fen},
};

const COLUMNS: [Column; 9] = [
    Column { name: "game_id", holds: Integer },
    Column { name: "ply", holds: Integer },
    Column { name: "fen", holds: Text },
    Column { name: "move", holds: Text },
    Column { name: "move_code", holds: Integer },
    Column { name: "result", holds: Text },
    Column { name: "clock", holds: Real },
    Column { name: "eval", holds: Integer },
    Column { name: "mate", holds: Integer },
];

/// The index of the position among the columns.
const POSITION: usize = 2;

/// The size of a packed position in bytes.
const PACKED: u8 = 33;

pub(super) fn columns(form: PositionForm, keys: bool) -> Vec<Column> {
    let mut columns = COLUMNS.to_vec();
    if form == PositionForm::Packed {
        columns[POSITION] = Column { name: "position", holds: FixedBytes(PACKED) };
    }
    columns.extend(keys.then_some(Column { name: "key", holds: Key }));
    columns
}

/// The data in the comments after a move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Said {
    /// The time left to the player who has moved, in seconds.
    clock: Option<f64>,
    /// The evaluation of an engine, in centipawns from White's point of view.
    eval: Option<i64>,
    /// The number of moves to mate; negative if Black mates.
    mate: Option<i64>,
}

/// The rows of a game, from the start position to the last.
pub(super) fn rows(game: &StoredGame, form: PositionForm, keys: bool) -> Rows {
    if game.variant().is_err() {
        return Ok(Vec::new());
    }
    let line = game.line()?;
    let said = all_said(&game.annotations(&line)?, line.start.turn(), line.moves.len());
    let is_chess = matches!(line.start, VariantPosition::Chess(_));
    let mut position = line.start;
    let mode = position.castles().mode();
    let mut rows = Vec::with_capacity(said.len());
    for (ply, said) in said.into_iter().enumerate() {
        let m = line.moves.get(ply).copied();
        let code = m.filter(|_| is_chess).map(|m| i64::from(MoveCode::of(m).number()));
        let mut row = vec![
            Cell::Integer(game.id),
            Cell::Integer(i64::try_from(ply).unwrap_or(i64::MAX)),
            match form {
                PositionForm::Fen => Cell::Text(fen(&position)),
                PositionForm::Packed if is_chess => packed(&position),
                PositionForm::Packed => Cell::Null,
            },
            m.map(|m| UciMove::from_move(m, mode).to_string()).into(),
            code.into(),
            Cell::Text(game.result.as_str().to_owned()),
            said.clock.into(),
            said.eval.into(),
            said.mate.into(),
        ];
        row.extend(keys.then(|| Cell::Integer(key_of(&position))));
        rows.push(row);
        if let Some(m) = m {
            position.play_unchecked(m);
        }
    }
    Ok(rows)
}

/// The key of a position, as in the SQL function `position_key`.
fn key_of(position: &VariantPosition) -> i64 {
    whole_key(position.key(), position.castles().castling_rights()).cast_signed()
}

/// A position as bytes; null if the encoding cannot represent it, which does not occur in games.
fn packed(position: &VariantPosition) -> Cell {
    let bits = NIBBLE_STATE.encode(&position.to_setup(EnPassantMode::Always));
    bits.map_or(Cell::Null, |bits| Cell::Bytes(bits.bytes().to_vec()))
}

/// The data for each position: from the comments after the move that led to it, except those in variations.
fn all_said(annotations: &Annotations, first: Color, plies: usize) -> Vec<Said> {
    // What follows a null move does not belong to a position of the game.
    let mut said = vec![Said::default(); plies + 1];
    for (ply, annotation) in annotations.mainline() {
        if let (Annotation::Comment(text), Some(said)) = (annotation, said.get_mut(ply)) {
            said.add(text, if ply % 2 == 1 { first } else { !first });
        }
    }
    said
}

impl Said {
    /// Adds the data of a comment; the last of several values counts.
    fn add(&mut self, comment: &str, mover: Color) {
        for command in comment_commands(comment, mover).1 {
            match command.name {
                "clk" => self.clock = clock_seconds(&command.value).or(self.clock),
                "eval" => match command.value.strip_prefix('#') {
                    Some(moves) => self.mate = without_depth(moves).parse().ok().or(self.mate),
                    None => self.eval = hundredths(&command.value).or(self.eval),
                },
                _ => {}
            }
        }
    }
}

/// Parses pawns as centipawns: `0.17`, or `0.17,20` with the depth.
fn hundredths(eval: &str) -> Option<i64> {
    let pawns: f64 = without_depth(eval).parse().ok()?;
    (pawns.abs() < 1e9).then(|| (100.0 * pawns).round() as i64)
}

fn without_depth(eval: &str) -> &str {
    eval.split_once(',').map_or(eval, |(value, _)| value).trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_and_evaluations_are_read_as_numbers() {
        let said = |comment: &str| {
            let mut said = Said::default();
            said.add(comment, Color::White);
            (said.clock, said.eval, said.mate)
        };
        for (comment, expected) in [
            ("[%clk 0:09:58]", (Some(598.0), None, None)),
            ("[%eval 0.17] [%clk 1:40:58.5]", (Some(6058.5), Some(17), None)),
            ("good [%eval -12.345,18]", (None, Some(-1235), None)),
            ("[%eval 17,23]", (None, Some(17), None)),
            ("[%eval #3,12]", (None, None, Some(3))),
            ("[%eval #-2,20]", (None, None, Some(-2))),
            ("[%eval #-3] [%clk 59]", (Some(59.0), None, Some(-3))),
            ("[%clk 1:2:3:4] [%eval nan] [%clk -0:01] [%eval #]", (None, None, None)),
            ("[%eval 1.00] [%eval 0.29]", (None, Some(29), None)),
        ] {
            assert_eq!(said(comment), expected, "{comment}");
        }
    }
}
