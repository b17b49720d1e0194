//! Reads the games of archives, and decides which of them are held out of the training.

use std::{collections::HashSet, path::Path};

use anyhow::Result;
use plybook::{
    archive::Archive,
    bits::mix,
    chess::{Color, VariantPosition},
    codec::game::{index, steps_of},
    conditions::FilterText,
    query::Context,
    record::StoredGame,
};

/// What a game is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Training.
    Training,
    /// Every 15th game.
    Fifteenth,
    /// All games of the years 2021 to 2023.
    LaterYears,
    /// All games of some players.
    NewPlayers,
}

impl Part {
    /// The parts that are measured.
    pub const MEASURED: [Part; 3] = [Part::Fifteenth, Part::LaterYears, Part::NewPlayers];

    /// Its name in the output.
    pub fn name(self) -> &'static str {
        match self {
            Part::Training => "training",
            Part::Fifteenth => "every 15th game",
            Part::LaterYears => "2021 to 2023",
            Part::NewPlayers => "new players",
        }
    }
}

/// A game of standard chess.
#[derive(Clone, Debug)]
pub struct Game {
    /// The index of each move among the legal moves.
    pub steps: Vec<u8>,
    /// What it is used for.
    pub part: Part,
    /// The index of its result for the side to move after the last move: a loss, a draw, unfinished, a win.
    pub result: usize,
}

/// One player in this many is held out.
const PLAYERS: u64 = 200;

/// Which games may be used for training.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// All but those of 2021 to 2023.
    WithoutLaterYears,
    /// Those of all years.
    AllYears,
}

/// Reads games of standard chess from the usual start position. Of several games with the same moves, in any archives,
/// only the first is kept.
pub struct GameReader<'a> {
    /// The games must meet these conditions.
    pub conditions: &'a FilterText,
    /// The moves of all games so far.
    pub seen: HashSet<Vec<u8>>,
}

impl GameReader<'_> {
    /// The games of an archive, by id.
    pub fn read(&mut self, path: &Path, selection: Selection) -> Result<Vec<Game>> {
        let archive = Archive::open(path)?;
        let filter = self.conditions.filter(Context::new(&archive))?;
        let mut games = Vec::new();
        for game in archive.games(&filter) {
            let game = game?;
            if let Some(steps) = steps_of_game(&game)?
                && self.seen.insert(steps.clone())
            {
                let turn = Color::from_white(steps.len() % 2 == 0);
                let result = index::ends(game.result, turn) - 1;
                games.push(Game { steps, part: part_of(&game, selection), result });
            }
        }
        Ok(games)
    }
}

/// The move indices of a game of standard chess; `None` for another game, and for one without moves.
fn steps_of_game(game: &StoredGame) -> Result<Option<Vec<u8>>> {
    let line = game.line()?;
    if game.setup.is_some() || !matches!(line.start, VariantPosition::Chess(_)) || line.moves.is_empty() {
        return Ok(None);
    }
    let (steps, _) = steps_of(&line, line.moves.len())?;
    Ok(Some(steps.iter().map(|step| u8::try_from(step.index)).collect::<Result<_, _>>()?))
}

/// What a game is used for. This depends on the game only, not on the conditions, so that the same games are held out of
/// every training.
fn part_of(game: &StoredGame, selection: Selection) -> Part {
    let year = game.tags.get("Date").and_then(|date| date.get(..4)?.parse::<u16>().ok());
    let is_new = ["White", "Black"].iter().any(|tag| game.tags.get(tag).is_some_and(is_held_out));
    match year {
        Some(2021..=2023) if selection == Selection::WithoutLaterYears => Part::LaterYears,
        _ if game.id % 15 == 8 => Part::Fifteenth,
        _ if is_new => Part::NewPlayers,
        _ => Part::Training,
    }
}

fn is_held_out(player: &str) -> bool {
    player.bytes().fold(0, |hash, byte| mix(hash ^ u64::from(byte))) % PLAYERS == 0
}
