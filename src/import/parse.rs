//! Parses and encodes a batch of games: the work that is done on all cores.

use std::{
    mem,
    ops::Range,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Mutex, MutexGuard, PoisonError},
};

use super::{form::Form, records::parse_record};
use crate::{
    archive::{Forms, Record},
    pgn::{Batch, Notes, Piece, Place, ReadOptions, Reader, Reason, Reject},
};

/// A game of a batch: its place (but for its number in the source) and what became of it.
#[derive(Debug)]
pub(super) struct Item {
    pub place: Place,
    pub game: Result<Record, Rejected>,
    pub notes: Notes,
}

/// A game that cannot be stored, with its bytes.
#[derive(Debug)]
pub(super) struct Rejected {
    pub reason: Reason,
    /// Where in the source the trouble is.
    pub trouble: Place,
    pub text: Vec<u8>,
}

/// The parsers that are not at work. What a parser has learned and set aside serves batch after batch.
#[derive(Debug)]
pub(super) struct Parsers {
    options: ReadOptions,
    idle: Mutex<Vec<Reader>>,
}

impl Parsers {
    pub(super) fn new(options: ReadOptions) -> Parsers {
        Parsers { options, idle: Mutex::default() }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Reader>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn reader(&self) -> Reader {
        Reader::with_options(self.options)
    }

    /// Parses every game of a batch, in order. A panic rejects the game it happened in.
    pub(super) fn parse(&self, batch: &Batch, form: Form) -> Vec<Item> {
        let idle = self.idle().pop();
        let (mut reader, mut forms) = (idle.unwrap_or_else(|| self.reader()), Forms::default());
        let mut items = Vec::with_capacity(batch.pieces.len());
        for piece in &batch.pieces {
            let text = batch.text.get(piece.range.clone()).unwrap_or_default();
            if piece.cut_short {
                items.push(rejected(piece, text, 0..text.len(), Reject { reason: Reason::TooLarge, at: 0 }));
                continue;
            }
            let before = items.len();
            let parsed = catch_unwind(AssertUnwindSafe(|| match form {
                Form::Pgn => parse_piece(&mut reader, &mut forms, piece, text, &mut items),
                Form::Xelto => items.push(parse_record(piece, text, &mut forms)),
            }));
            if parsed.is_err() {
                reader = self.reader();
                items.truncate(before);
                items.push(rejected(piece, text, 0..text.len(), Reject { reason: Reason::Panic, at: 0 }));
            }
        }
        self.idle().push(reader);
        items
    }
}

fn parse_piece(reader: &mut Reader, forms: &mut Forms, piece: &Piece, text: &[u8], items: &mut Vec<Item>) {
    reader.read(text, |start, end, game| {
        items.push(match game {
            Ok(mut game) => {
                let (place, notes) = (place_of(piece, text, start), mem::take(&mut game.notes));
                match Record::new(game, forms) {
                    Ok(record) => Item { place, notes, game: Ok(record) },
                    Err(error) => {
                        let reason = Reason::Unstorable(error.to_string());
                        rejected(piece, text, start..end, Reject { reason, at: 0 })
                    }
                }
            }
            Err(reject) => rejected(piece, text, start..end, reject),
        });
    });
}

/// The place of a byte of a piece.
fn place_of(piece: &Piece, text: &[u8], at: usize) -> Place {
    let lines = text.get(..at).unwrap_or(text);
    let lines = if lines.contains(&b'\n') {
        memchr::memchr_iter(b'\n', lines)
    } else {
        memchr::memchr_iter(b'\r', lines)
    };
    Place { game: 0, line: piece.line + lines.count() as u64, byte: piece.byte + at as u64 }
}

/// A game of a piece that cannot be stored; `part` is where its text stands in the piece.
pub(super) fn rejected(piece: &Piece, text: &[u8], part: Range<usize>, reject: Reject) -> Item {
    let trouble = place_of(piece, text, part.start + reject.at);
    let place = place_of(piece, text, part.start);
    let own = text.get(part).unwrap_or(text).to_vec();
    let game = Err(Rejected { reason: reject.reason, trouble, text: own });
    Item { place, game, notes: Notes::default() }
}
