//! Reads a game from its record in the index, its names and its data.

use plybook_chess::{
    chess::{QuickChess, Tags, Variant},
    rules::Rules,
};
use plybook_pgn::{Game, Observer, ReadOptions, Reject, Warning, Warnings, note_tag_values, variant_of_fen};
use shakmaty::variant::VariantPosition;

use crate::{
    bytes::Bytes,
    index::GameRecord,
    movetext::{self, Movetext, Openings},
    start::Start,
    tags::{Irregularity, Reading, bad_data},
};

/// The bit of the start byte for a position that was set up.
const SET_UP: u8 = 1;

/// Reads games one after another.
#[derive(Debug)]
pub struct GameReader {
    options: ReadOptions,
    openings: Openings,
}

/// A game, and what is unusual about its data.
#[derive(Debug)]
pub struct ScidGame {
    /// The game.
    pub game: Game,
    /// What is unusual.
    pub irregularities: Vec<Irregularity>,
}

impl GameReader {
    /// A reader with these options. The letters of pieces and the variant are not used.
    pub fn new(options: ReadOptions) -> GameReader {
        GameReader { options, openings: Openings::from(()) }
    }

    /// Reads a game, and passes its mainline to an observer if it starts from the usual position.
    ///
    /// # Errors
    /// What is wrong with it, and at which byte of its data.
    pub fn read(
        &mut self,
        record: &GameRecord,
        names: [&str; 5],
        data: &[u8],
        observer: &mut impl Observer<QuickChess>,
    ) -> Result<ScidGame, Reject> {
        observer.forget();
        let mut reading = Reading::new(self.options.encoding);
        let mut data = Bytes::new(data);
        reading.read_tags(&mut data)?;
        reading.add_tags(record, names);
        let at = data.at();
        let flags = data.byte().ok_or_else(|| bad_data("the data ends before the moves", at))?;
        let set_up = flags & SET_UP != 0;
        if set_up {
            let fen = data.until_zero().ok_or_else(|| bad_data("the FEN has no end", at))?;
            let fen = reading.text(fen, at);
            reading.tags.push("FEN", &fen);
        }
        let start = Start::of(&reading.tags, record.is_chess960);
        let Start { variant, position, pieces } = start.map_err(|reason| Reject { reason, at })?;
        reading.add_variant(variant, record.is_chess960);
        let mut game = match &position {
            VariantPosition::Chess(start) if !set_up => {
                let start = QuickChess::from(start);
                let read =
                    movetext::read(data, start, pieces, &mut reading, Some(&mut self.openings), observer);
                game_of(read.inspect_err(|_| observer.forget())?, record)
            }
            _ => game_of(movetext::read(data, position, pieces, &mut reading, None, &mut ())?, record),
        };
        let Reading { tags, warnings, irregularities, .. } = reading;
        (game.tags, game.variant, game.set_up) = (tags, variant, set_up);
        game.warnings += warnings;
        note_tag_values(&mut game, "");
        Ok(ScidGame { game: self.options.judge(game)?, irregularities })
    }
}

impl Reading {
    /// Adds the variant's tag if nothing else says it, and notes a wrong mark.
    fn add_variant(&mut self, variant: Variant, is_marked_chess960: bool) {
        let is_named = self.tags.get("Variant").is_some_and(|name| !name.is_empty());
        if variant == Variant::Chess960 && !is_named && variant_of_fen(&self.tags) != variant {
            self.tags.push("Variant", variant.name());
            self.warnings.add(Warning::VariantGiven);
        }
        if variant == Variant::Standard && is_marked_chess960 {
            self.note(Irregularity::MarkedChess960);
        }
    }
}

/// A game without its tags.
fn game_of<P: Rules>(read: Movetext<P>, record: &GameRecord) -> Game {
    let Movetext { moves, steps, annotations, last, position } = read;
    let outcome = record.outcome;
    let mut warnings = Warnings::default();
    if last.count == 0 && position.board_outcome() != outcome {
        warnings.add(Warning::ResultContradictsBoard);
    }
    let (tags, variant, set_up, raw) = (Tags::default(), Variant::default(), false, None);
    Game { tags, variant, set_up, moves, steps, last, outcome, annotations, raw, warnings }
}
