//! Generates random games: the same seed gives the same games on every machine, in constant memory. They are for
//! benchmarks with collections larger than any real one.
//!
//! Openings, lengths, event sizes, years, and how often players recur follow a real collection. After the opening,
//! moves are drawn by plausibility, without any calculation, so the games are not good chess.
//!
//! A game depends only on the seed, the number of its event and its number in the event, so events can be generated in
//! any order, on any number of threads.

mod event;
mod openings;
mod people;
mod play;
mod random;
#[cfg(test)]
#[allow(clippy::panic)]
mod tests;

use shakmaty::KnownOutcome;

use crate::{
    chess::{Annotations, Chess, Color, Move, Outcome, Position, Tags},
    pgn::{TagOrder, write_game},
};

use event::{Event, Pairing};
use openings::Openings;
use random::Random;

/// The number of plies in real games, by sixty-fourths.
const PLIES: [u64; 65] = [
    1, 23, 28, 32, 35, 38, 41, 43, 45, 47, 49, 51, 53, 55, 56, 58, 59, 60, 61, 63, 64, 65, 66, 68, 69, 70,
    71, 73, 74, 75, 76, 77, 79, 80, 80, 81, 82, 83, 84, 85, 87, 88, 90, 91, 93, 95, 97, 99, 101, 103, 105,
    107, 109, 112, 114, 117, 120, 123, 127, 132, 137, 145, 155, 173, 300,
];

/// Generates games.
///
/// ```
/// use plybook::generate::Generator;
///
/// let generator = Generator::new(1);
/// let mut pgn = String::new();
/// generator.write_event(0, u64::MAX, &mut pgn);
/// assert!(pgn.starts_with("[Event \""));
/// ```
#[derive(Debug)]
pub struct Generator {
    seed: u64,
    openings: Openings,
}

impl Generator {
    /// Creates a generator with a seed.
    pub fn new(seed: u64) -> Generator {
        Generator { seed, openings: Openings::new() }
    }

    /// The number of games of an event; at least 1.
    pub fn games_of(&self, event: u64) -> u64 {
        Event::games(&mut Random::new(self.seed, event)).max(1)
    }

    /// Appends at most `most` games of an event as PGN.
    pub fn write_event(&self, number: u64, most: u64, out: &mut String) {
        let mut random = Random::new(self.seed, number);
        let event = Event::new(&mut random);
        for game in 0..event.games.max(1).min(most) {
            if let Some(pairing) = event.pairing(game) {
                self.write_game(&event, &pairing, &mut random, out);
            }
        }
    }

    fn write_game(&self, event: &Event, pairing: &Pairing<'_>, random: &mut Random, out: &mut String) {
        let (moves, outcome, eco) = self.play(random);
        let elo = |rating: Option<u64>| rating.map_or_else(String::new, |rating| rating.to_string());
        let tags: Tags = [
            ("Event", event.name.as_str()),
            ("Site", &event.site),
            ("Date", &pairing.date),
            ("Round", &pairing.round),
            ("White", &pairing.white.name),
            ("Black", &pairing.black.name),
            ("Result", outcome.as_str()),
            ("WhiteElo", &elo(pairing.white.rating)),
            ("BlackElo", &elo(pairing.black.rating)),
            ("ECO", eco),
        ]
        .into_iter()
        .collect();
        let (order, start) = (TagOrder::RosterFirst, Chess::default());
        write_game(out, &tags, order, &start, &moves, &Annotations::default(), outcome);
    }

    fn play(&self, random: &mut Random) -> (Vec<Move>, Outcome, &'static str) {
        let mut plies = random.quantile(&PLIES) as usize;
        let line = self.openings.draw(random).cloned().unwrap_or_default();
        let (mut moves, mut position) = (line.moves, line.position);
        if moves.len() > plies {
            moves.truncate(plies);
            position = Chess::default();
            moves.iter().for_each(|&m| position.play_unchecked(m));
        }
        let mut agreed = None;
        loop {
            if moves.len() >= plies && agreed.is_none() {
                let outcome = agree(&position, random);
                agreed = Some(outcome);
                // The loser resigns after the opponent's move.
                if outcome.winner() == Some(position.turn()) && random.percent(93) {
                    plies = moves.len() + 1;
                }
            }
            if moves.len() >= plies || position.is_insufficient_material() {
                break;
            }
            // Without legal moves, it is checkmate or stalemate.
            let Some(m) = play::choose(&position, moves.len(), random) else { break };
            position.play_unchecked(m);
            moves.push(m);
        }
        let outcome = match position.outcome() {
            Outcome::Unknown => agreed.unwrap_or(Outcome::Unknown),
            known => known,
        };
        (moves, outcome, line.eco)
    }
}

/// The result that the players agree on: usually a win of the side with more material.
fn agree(position: &Chess, random: &mut Random) -> Outcome {
    let [white, black] = [Color::White, Color::Black].map(|side| play::material(position.board(), side));
    let drawn = match white.abs_diff(black) {
        0 | 1 => 75,
        2 => 40,
        _ => 15,
    };
    Outcome::Known(if random.percent(drawn) {
        KnownOutcome::Draw
    } else {
        let white_wins = if white == black { random.percent(57) } else { white > black };
        KnownOutcome::Decisive { winner: Color::from_white(white_wins) }
    })
}
