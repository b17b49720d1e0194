//! PGN, read with the parser's reader.

use std::mem;

use super::SourceFormat;
use crate::{
    import::parse::{Item, Items, Locator, Parser, rejected_at},
    pgn::{Boundaries, GameText, PgnBoundaries, Reject, RejectReason, ends_with_result},
    record::Record,
};

/// PGN.
#[derive(Debug)]
pub(super) struct Pgn;

impl SourceFormat for Pgn {
    fn file_ending(&self) -> &'static str {
        ".pgn"
    }

    fn is_begun(&self, _: &[u8]) -> bool {
        true
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

    fn parse(&self, parser: &mut Parser, game: &GameText, text: &[u8], items: &mut Items<'_>) {
        let mut locator = Locator::new(game, text);
        let mut games = parser.reader.read_observed(text, &mut parser.recording);
        while let Some((bytes, game)) = games.next() {
            let location = locator.at(bytes.start);
            let item = match game {
                Ok(mut game) => {
                    let warnings = mem::take(&mut game.warnings);
                    let warning_locations = warnings
                        .places()
                        .into_iter()
                        .map(|(warning, at)| (warning, locator.at(bytes.start + at)))
                        .collect();
                    let places = games.observer.add(&game);
                    match Record::of_pgn(game, parser.codec, &mut parser.layouts) {
                        Ok(record) => {
                            let game = Ok(items.games.add(&record));
                            Item { location, warnings, warning_locations, places, game }
                        }
                        Err(error) => {
                            let reason = RejectReason::Unstorable(error.to_string());
                            rejected_at(location, location, text.get(bytes), reason)
                        }
                    }
                }
                Err(Reject { reason, at }) => {
                    rejected_at(location, locator.at(bytes.start + at), text.get(bytes), reason)
                }
            };
            items.push(item);
        }
    }
}
