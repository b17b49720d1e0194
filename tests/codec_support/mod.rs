//! What several tests and benchmarks share: pseudo-random numbers, random games, and the games of a corpus.

#![allow(dead_code, unreachable_pub, clippy::unwrap_used)] // each user takes its part

use std::{fs::File, io::BufReader, ops::ControlFlow, path::PathBuf};

use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use plybook_chess::{
    chess::{Chess, Move, Position, Setup},
    rules::{LegalMoves, Rules},
};
use shakmaty::EnPassantMode;

/// A tiny generator of pseudo-random numbers (xorshift64), so that the walks are the same everywhere.
pub struct Random(pub u64);

impl Random {
    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(n).unwrap()).unwrap()
    }

    /// One of the legal moves of a position; none when the game is over.
    pub fn legal_move<P: Rules>(&mut self, position: &P) -> Option<P::Move> {
        let legal = position.legal();
        let count = usize::try_from(legal.count()).unwrap();
        (count > 0).then(|| legal.nth(u32::try_from(self.below(count)).unwrap()).unwrap())
    }
}

/// A position as FEN has it, with the en passant square after every double step.
pub fn setup_of<P: Position>(position: &P) -> Setup {
    position.to_setup(EnPassantMode::Always)
}

/// Whether `cargo bench` runs the program, and not a test run over all targets.
pub fn is_bench() -> bool {
    std::env::args().any(|argument| argument == "--bench")
}

/// The file of master games in the folder that `PLYBOOK_CORPUS` names (`../shared/data` if it names none).
pub fn master_games() -> Option<PathBuf> {
    let folder = std::env::var("PLYBOOK_CORPUS")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data").to_owned());
    Some(PathBuf::from(folder).join("otb.pgn.zst")).filter(|path| path.exists())
}

/// Plays every `step`-th game of a file of standard chess from the `first` on, until `game` has enough.
pub fn for_games(
    path: &PathBuf,
    step: usize,
    first: usize,
    game: &mut dyn FnMut(&[Move]) -> ControlFlow<()>,
) {
    let file = zstd::Decoder::new(File::open(path).unwrap()).unwrap();
    let mut reader = Reader::new(BufReader::new(file));
    let mut games = Games { step, seen: 0, first, game };
    while let Ok(Some(ControlFlow::Continue(()))) = reader.read_game(&mut games) {}
}

/// Calls `position` for the start and every position of a game.
pub fn for_positions(moves: &[Move], position: &mut dyn FnMut(&Chess)) {
    let mut chess = Chess::default();
    position(&chess);
    for &m in moves {
        chess.play_unchecked(m);
        position(&chess);
    }
}

struct Games<'a> {
    step: usize,
    first: usize,
    seen: usize,
    game: &'a mut dyn FnMut(&[Move]) -> ControlFlow<()>,
}

impl Visitor for Games<'_> {
    type Tags = bool;
    type Movetext = (Chess, Vec<Move>);
    type Output = ControlFlow<()>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, bool> {
        ControlFlow::Continue(true)
    }

    fn tag(&mut self, standard: &mut bool, name: &[u8], _: RawTag<'_>) -> ControlFlow<Self::Output> {
        *standard &= name != b"FEN";
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, standard: bool) -> ControlFlow<Self::Output, Self::Movetext> {
        let wanted = self.seen % self.step == self.first % self.step;
        self.seen += 1;
        if standard && wanted {
            ControlFlow::Continue((Chess::default(), Vec::new()))
        } else {
            ControlFlow::Break(ControlFlow::Continue(()))
        }
    }

    fn san(&mut self, (position, moves): &mut Self::Movetext, san: SanPlus) -> ControlFlow<Self::Output> {
        let Ok(m) = san.san.to_move(position) else { return ControlFlow::Break(ControlFlow::Continue(())) };
        position.play_unchecked(m);
        moves.push(m);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (_, moves): Self::Movetext) -> ControlFlow<()> {
        (self.game)(&moves)
    }
}
