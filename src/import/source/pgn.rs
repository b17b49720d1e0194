//! PGN, read with the parser's reader.

use super::locator::Locator;
use crate::{
    import::{Games, games::GamePlace, text_format::TextFormat},
    pgn::{Boundaries, GameText, PgnBoundaries, Reader, Reject, ends_with_result},
};

/// PGN.
#[derive(Debug)]
pub(super) struct Pgn;

impl TextFormat for Pgn {
    fn endings(&self) -> &'static [&'static str] {
        &[".pgn"]
    }

    /// What no other format recognizes is read as PGN.
    fn is_begun(&self, _: &[u8]) -> bool {
        true
    }

    fn refusal(&self) -> Option<&'static str> {
        None
    }

    fn boundaries(&self) -> Box<dyn Boundaries> {
        Box::new(PgnBoundaries::default())
    }

    fn is_terminated(&self, text: &[u8]) -> bool {
        ends_with_result(text)
    }

    fn is_another(&self, tail: &[u8], next: &[u8]) -> bool {
        next.trim_ascii_start().starts_with(b"[") && self.is_terminated(tail)
    }

    fn parse(&self, reader: &mut Reader, game: &GameText, text: &[u8], games: &mut Games<'_>) {
        let mut locator = Locator::new(game, text);
        let mut read = reader.read_observed(text, games);
        while let Some((bytes, game)) = read.next() {
            let location = locator.at(bytes.start);
            let place = GamePlace { location, text: text.get(bytes.clone()).unwrap_or_default() };
            match game {
                Ok(game) => read.observer.chess(place, game, |at| locator.at(bytes.start + at)),
                Err(Reject { reason, at }) => {
                    read.observer.reject(place, locator.at(bytes.start + at), reason);
                }
            }
        }
    }
}
