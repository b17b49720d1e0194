//! Exports games of chess as lines for engines: moves in UCI notation, positions as FEN or EPD.

use shakmaty::{EnPassantMode, fen::Epd, san::SanPlus, uci::UciMove};

use crate::{
    chess::{Move, Position, VariantPosition},
    record::{GameError, Ply, StoredGame, fen},
};

/// The format of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineForm {
    /// One line per game: the arguments of `position` in UCI, such as `startpos moves e2e4 e7e5`.
    Uci,
    /// One line per game: the last position as FEN.
    Fen,
    /// One line per position: EPD with the move played (`sm`), the result (`c9`) and `id "GAME:PLY"`.
    Epd,
}

impl LineForm {
    /// Appends a game up to a ply, or to its end if it is shorter.
    ///
    /// # Errors
    /// The game is damaged.
    pub(super) fn write(
        self,
        game: &StoredGame,
        to_ply: Option<Ply>,
        out: &mut String,
    ) -> Result<(), GameError> {
        let mut line = game.line()?;
        if let Some(ply) = to_ply {
            line.moves.truncate(ply.within(&line.start, line.moves.len()));
        }
        let mut position = line.start.clone();
        match self {
            LineForm::Uci => {
                match &game.setup {
                    None => out.push_str("startpos"),
                    Some(_) => out.push_str(&format!("fen {}", fen(&position))),
                }
                let mode = position.castles().mode();
                let moves = line.moves.iter().map(|m| format!(" {}", UciMove::from_move(*m, mode)));
                out.extend((!line.moves.is_empty()).then(|| " moves".to_owned()).into_iter().chain(moves));
            }
            LineForm::Fen => {
                line.moves.iter().for_each(|m| position.play_unchecked(*m));
                out.push_str(&fen(&position));
            }
            LineForm::Epd => write_epd(game, position, &line.moves, out),
        }
        out.push('\n');
        Ok(())
    }
}

fn write_epd(game: &StoredGame, mut position: VariantPosition, moves: &[Move], out: &mut String) {
    let mut moves = moves.iter();
    for ply in 0.. {
        let next = moves.next();
        out.push_str(&Epd::from_position(&position, EnPassantMode::Always).to_string());
        if let Some(m) = next {
            let san = SanPlus::from_move_and_play_unchecked(&mut position, *m);
            out.push_str(&format!(" sm {san};"));
        }
        out.push_str(&format!(" c9 \"{}\"; id \"{}:{ply}\";", game.result, game.id));
        if next.is_none() {
            break;
        }
        out.push('\n');
    }
}
