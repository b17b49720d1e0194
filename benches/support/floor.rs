//! The parse floor: pgn-reader and shakmaty read PGN and prove every move of the mainlines legal, on one
//! thread, and store nothing. It is the yardstick for imports: no index, no encoding, no database.

use std::{fs::File, hint::black_box, ops::ControlFlow, path::Path};

use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

/// With pgn-reader's own limit a long tag line fails or not by where it lies in the buffer.
const TAG_LINE: usize = 8192;

/// What was read.
#[derive(Clone, Copy, Default)]
pub struct Tally {
    pub games: u64,
    pub plies: u64,
    /// Games with a move or a start position that is not legal.
    pub faults: u64,
}

/// Reads a file of PGN from its first byte to its last.
pub fn parse(path: &Path) -> Tally {
    let file = File::open(path).expect("the file was written a moment ago");
    let mut reader = Reader::build(file).set_supported_tag_line_length(TAG_LINE).finish();
    let mut tally = Tally::default();
    reader.visit_all_games(&mut tally).expect("the file can be read");
    tally
}

impl Visitor for Tally {
    type Tags = Chess;
    type Movetext = Chess;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), Chess> {
        self.games += 1;
        ControlFlow::Continue(Chess::new())
    }

    fn tag(&mut self, start: &mut Chess, name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        if name == b"FEN" {
            match position(value.as_bytes()) {
                Some(position) => *start = position,
                None => return self.fault(),
            }
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, start: Chess) -> ControlFlow<(), Chess> {
        ControlFlow::Continue(start)
    }

    fn san(&mut self, position: &mut Chess, san: SanPlus) -> ControlFlow<()> {
        match san.san.to_move(position) {
            Ok(m) => position.play_unchecked(m),
            Err(_) => return self.fault(),
        }
        self.plies += 1;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, position: Chess) {
        black_box(position);
    }
}

impl Tally {
    fn fault(&mut self) -> ControlFlow<()> {
        self.faults += 1;
        ControlFlow::Break(())
    }
}

/// The position of a FEN tag, with castling as in standard chess or Chess960.
fn position(fen: &[u8]) -> Option<Chess> {
    Fen::from_ascii(fen).ok()?.into_position(CastlingMode::Chess960).ok()
}
