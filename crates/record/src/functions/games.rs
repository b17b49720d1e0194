//! Functions of the moves of a game.

use std::{
    fmt::Write as _,
    ops::ControlFlow::{Break, Continue},
};

use shakmaty::uci::UciMove;

use super::{Answer, Arguments, FunctionError, moves::with_game};
use plybook_chess::{
    chess::{BoardStyle, Color, Position, SanSuffix, SearchPosition, Variant, board as drawn},
    rules::Outcome,
};

type Answered = Result<Answer, FunctionError>;

/// The position after a ply.
pub(super) fn fen(arguments: &Arguments<'_>) -> Answered {
    with_game!(arguments.moves(2)?, |game| game.at(arguments.ply(1)?)?.map(|position| crate::fen(&position)))
}

/// The move just before a ply, in SAN.
pub(super) fn san(arguments: &Arguments<'_>) -> Answered {
    with_game!(arguments.moves(2)?, |game| {
        game.move_to(arguments.ply(1)?)?.map(|(mut before, m)| before.play_san(m).to_string())
    })
}

/// The move just before a ply, in UCI notation.
pub(super) fn uci(arguments: &Arguments<'_>) -> Answered {
    let spelled = |m, mode| UciMove::from_move(m, mode).to_string();
    with_game!(arguments.moves(2)?, |game| {
        game.move_to(arguments.ply(1)?)?.map(|(before, m)| spelled(m, before.castles().mode()))
    })
}

/// The bits of the move just before a ply: see [`MoveMeter`].
pub(super) fn move_bits(arguments: &Arguments<'_>) -> Answered {
    with_game!(arguments.moves(2)?, |game| game.move_bits(arguments.ply(1)?)?)
}

/// The moves with their numbers, and the result.
pub(super) fn movetext(arguments: &Arguments<'_>) -> Answered {
    with_game!(arguments.moves(1)?, |game| {
        let (mut text, mut before) = (String::new(), game.start.clone());
        let outcome = game.run(|_, led| {
            if let Some(m) = led {
                match Position::turn(&before) {
                    Color::White => _ = write!(text, "{}. ", before.fullmoves()),
                    Color::Black if text.is_empty() => _ = write!(text, "{}... ", before.fullmoves()),
                    Color::Black => {}
                }
                _ = write!(text, "{} ", before.play_san(m));
            }
            Continue(())
        })?;
        text.push_str(outcome.map_or("*", |outcome| outcome.as_str()));
        Some(text)
    })
}

/// The position after a ply as a text diagram.
pub(super) fn board(arguments: &Arguments<'_>) -> Answered {
    let style = BoardStyle { ascii: true, ..BoardStyle::default() };
    with_game!(arguments.moves(2)?, |game| {
        game.at(arguments.ply(1)?)?.map(|position| drawn(&position, None, style))
    })
}

/// The number of plies.
pub(super) fn plies(arguments: &Arguments<'_>) -> Answered {
    with_game!(arguments.moves(1)?, |game| Some(game.ended()?.0))
}

/// How the game ended.
pub(super) fn result(arguments: &Arguments<'_>) -> Answered {
    with_game!(arguments.moves(1)?, |game| {
        let (_, outcome) = game.ended()?;
        let is_known = game.codec.info().outcome || outcome != Outcome::Unknown;
        is_known.then(|| outcome.as_str().to_owned())
    })
}

/// The first ply at which the game reaches a position.
pub(super) fn reaches(arguments: &Arguments<'_>) -> Answered {
    let moves @ Some(_) = arguments.moves(2)? else { return Ok(Answer::Null) };
    let variant = arguments.variant(3)?.unwrap_or_default();
    let target = SearchPosition::exact(&arguments.position(1, variant)?);
    let pieces_come_back = !matches!(variant, Variant::Standard | Variant::Chess960);
    with_game!(moves, |game| {
        let (mut ply, mut found) = (0, None);
        game.run(|position, _| {
            if target.is_at(position) {
                found = Some(ply);
            }
            ply += 1;
            let is_over = found.is_some() || !pieces_come_back && target.is_behind(position);
            if is_over { Break(()) } else { Continue(()) }
        })?;
        found
    })
}
