//! The games of an archive, and which of them are never learned from.

use std::path::Path;

use anyhow::Result;
use plybook::{
    archive::Archive,
    bits::mix,
    chess::{Color, VariantPosition},
    codec::game::{index, steps_of},
    conditions::FilterText,
    query::Context,
};

/// What a game is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Learned from.
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
    /// What it is for.
    pub part: Part,
    /// The number of its result as seen by the side that would be to move: it has lost, a draw, unfinished, it has won.
    pub result: usize,
}

/// Of this many players, one is never trained on.
const PLAYERS: u64 = 200;

/// Which games may be learned from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// Those of 2021 to 2023 may not.
    WithoutLaterYears,
    /// Those of all years.
    AllYears,
}

/// The matching games of standard chess from the usual start, in the order of the archive.
pub fn read(path: &Path, conditions: &FilterText, selection: Selection) -> Result<Vec<Game>> {
    let archive = Archive::open(path)?;
    let mut games = Vec::new();
    for (number, game) in archive.games(&conditions.filter(Context::new(&archive))?).enumerate() {
        let game = game?;
        let line = game.line()?;
        if game.setup.is_some() || !matches!(line.start, VariantPosition::Chess(_)) || line.moves.is_empty() {
            continue;
        }
        let (steps, _) = steps_of(&line, line.moves.len())?;
        let steps = steps.iter().map(|step| u8::try_from(step.index)).collect::<Result<_, _>>()?;
        let year = game.tags.get("Date").and_then(|date| date.get(..4)?.parse::<u16>().ok());
        let is_new = ["White", "Black"].iter().any(|tag| game.tags.get(tag).is_some_and(is_held_out));
        let part = match year {
            Some(2021..=2023) if selection == Selection::WithoutLaterYears => Part::LaterYears,
            _ if number % 15 == 7 => Part::Fifteenth,
            _ if is_new => Part::NewPlayers,
            _ => Part::Training,
        };
        let turn = Color::from_white(line.moves.len() % 2 == 0);
        games.push(Game { steps, part, result: index::ends(game.result, turn) - 1 });
    }
    Ok(games)
}

fn is_held_out(player: &str) -> bool {
    player.bytes().fold(0, |hash, byte| mix(hash ^ u64::from(byte))) % PLAYERS == 0
}
