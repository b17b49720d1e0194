//! Reads the moves of a game: first the main line to its end, then the other moves from each position at which several
//! were stored, the last one first. The result is a tree, because PGN has variations next to the moves they replace.

use plybook_chess::{
    chess::{Move, NullMove, QuickChess, Resolved},
    limits::{MAX_ANNOTATIONS, MAX_PLIES},
    rules::{FinalPosition, LegalMoves, MoveIndex, Outcome, Rules},
};
use plybook_pgn::{MoveWord, Observer, RejectReason};
use shakmaty::Position;

use crate::{
    bytes::Bytes,
    move_code::{long_move, short_move},
    pieces::Pieces,
    tables::{CHESS960, MODE_4, MODE_5, ORDINARY},
};

/// Most positions to which a game may return later.
// Mostly a game has at most one for each of its plies. Each takes 200 bytes, of which somebody could want too many.
const MOST_BRANCHES: usize = 1 << 13;

/// How the moves of a game are stored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveFormat {
    table: &'static [u8; 256],
    /// Whether every move has two bytes, not only those that need them.
    is_long: bool,
    /// Whether the number of moves so far is subtracted after the table, not before it.
    counts_after: bool,
}

impl MoveFormat {
    /// The format of a mode; `None` for one whose table is not known.
    pub(crate) fn of_mode(mode: u8) -> Option<MoveFormat> {
        let (table, is_long, counts_after) = match mode {
            0 => (&ORDINARY, false, false),
            4 => (&MODE_4, false, true),
            5 => (&MODE_5, true, true),
            10 => (&CHESS960, false, true),
            _ => return None,
        };
        Some(MoveFormat { table, is_long, counts_after })
    }
}

/// A move of the tree. Nodes are numbered in the stored order; 0 is the start position.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// The move that leads here; `None` for a null move.
    pub m: Option<Move>,
    pub first_child: Option<usize>,
    pub next_sibling: Option<usize>,
    last_child: Option<usize>,
}

/// The moves of a game.
#[derive(Clone, Debug)]
pub(crate) struct MoveTree {
    pub nodes: Vec<Node>,
    /// The moves of the main line, up to a null move, and their indexes.
    pub moves: Vec<Move>,
    pub steps: Vec<MoveIndex>,
    pub last: FinalPosition,
    /// How the board ended the game, if it did.
    pub board_outcome: Option<Outcome>,
    /// Whether bytes without a known meaning were skipped.
    pub has_unknown: bool,
}

/// Why the moves cannot be read, and the byte of the moves at which that is.
#[derive(Clone, Debug)]
pub(crate) struct BadMoves {
    pub reason: RejectReason,
    pub at: usize,
    /// Whether a side castles that has no right to.
    pub is_castling: bool,
}

#[derive(Clone)]
struct State {
    node: usize,
    ply: usize,
    position: QuickChess,
    pieces: Pieces,
}

/// What a code means.
enum Code {
    Move(Option<Resolved>),
    Null,
    Branch,
    End,
    Unknown,
}

struct TreeReader<'a, O> {
    all: usize,
    bytes: Bytes<'a>,
    state: State,
    branches: Vec<State>,
    /// Moves so far, which encrypt the next one.
    count: u8,
    tree: MoveTree,
    is_main_line: bool,
    observer: O,
}

/// Reads the moves of a game from a start position, and passes those of the main line to an observer.
pub(crate) fn read_moves(
    bytes: &[u8],
    format: MoveFormat,
    start: &QuickChess,
    observer: &mut impl Observer<QuickChess>,
) -> Result<MoveTree, BadMoves> {
    let root = Node { m: None, first_child: None, next_sibling: None, last_child: None };
    let state = State { node: 0, ply: 0, position: start.clone(), pieces: Pieces::of(start.board()) };
    observer.begin(start);
    let mut reader = TreeReader {
        all: bytes.len(),
        bytes: Bytes(bytes),
        state,
        branches: Vec::new(),
        count: 0,
        tree: MoveTree {
            nodes: vec![root],
            moves: Vec::new(),
            steps: Vec::new(),
            last: FinalPosition::of(start),
            board_outcome: None,
            has_unknown: false,
        },
        is_main_line: true,
        observer,
    };
    if format.is_long {
        reader.read_long(format)?
    } else {
        reader.read_short(format)?
    }
    reader.leave_main_line();
    Ok(reader.tree)
}

impl<O: Observer<QuickChess>> TreeReader<'_, &mut O> {
    fn read_short(&mut self, format: MoveFormat) -> Result<(), BadMoves> {
        loop {
            let at = self.at();
            let number = self.byte(format)?;
            let code = match number {
                0 => Code::Null,
                1..=234 => Code::Move(short_move(&self.state.position, &self.state.pieces, number)),
                235 => {
                    let [high, low] = [self.byte(format)?, self.byte(format)?];
                    Code::Move(long_move(&self.state.position, u16::from_be_bytes([high, low])))
                }
                254 => Code::Branch,
                255 => Code::End,
                _ => Code::Unknown,
            };
            let is_castling = matches!(number, 9 | 10);
            if self.take(code, at, u16::from(number), is_castling)? {
                return Ok(());
            }
        }
    }

    fn read_long(&mut self, format: MoveFormat) -> Result<(), BadMoves> {
        while !self.bytes.0.is_empty() {
            let at = self.at();
            let [high, low] = [self.byte(format)?, self.byte(format)?];
            let number = u16::from_be_bytes([high, low]);
            if number & 0x8000 != 0 {
                self.take(Code::Branch, at, number, false)?;
            }
            let code = match number & 0xfff {
                0 => Code::Null,
                _ => Code::Move(long_move(&self.state.position, number)),
            };
            self.take(code, at, number, false)?;
            if number & 0x4000 != 0 && self.take(Code::End, at, number, false)? {
                return Ok(());
            }
        }
        Ok(())
    }

    fn at(&self) -> usize {
        self.all - self.bytes.0.len()
    }

    fn byte(&mut self, format: MoveFormat) -> Result<u8, BadMoves> {
        let at = self.at();
        let byte = self.bytes.u8().ok_or_else(|| self.bad(at, "the moves end without an end mark"))?;
        let [before, after] = if format.counts_after { [0, self.count] } else { [self.count, 0] };
        let value = format.table.get(usize::from(byte.wrapping_sub(before))).copied().unwrap_or_default();
        Ok(value.wrapping_sub(after))
    }

    fn bad(&self, at: usize, what: &str) -> BadMoves {
        let reason = RejectReason::BadRecord(self.state.ply + 1, what.to_owned());
        BadMoves { reason, at, is_castling: false }
    }

    /// Takes a code. Returns whether it ends the game.
    fn take(&mut self, code: Code, at: usize, number: u16, is_castling: bool) -> Result<bool, BadMoves> {
        match code {
            Code::Move(Some(resolved)) => self.play(resolved, at)?,
            Code::Move(None) => {
                let bad = self.bad(at, &format!("the stored move {number} is not legal"));
                return Err(BadMoves { is_castling, ..bad });
            }
            Code::Null => self.pass(at)?,
            Code::Branch if self.branches.len() >= MOST_BRANCHES => {
                return Err(BadMoves { reason: RejectReason::TooManyAnnotations, at, is_castling: false });
            }
            Code::Branch => self.branches.push(self.state.clone()),
            Code::End => {
                self.leave_main_line();
                match self.branches.pop() {
                    Some(state) => self.state = state,
                    None => return Ok(true),
                }
            }
            Code::Unknown => self.tree.has_unknown = true,
        }
        Ok(false)
    }

    fn play(&mut self, resolved: Resolved, at: usize) -> Result<(), BadMoves> {
        let (m, State { position, pieces, .. }) = (resolved.m(), &mut self.state);
        pieces.play(Position::turn(position), m);
        position.make(m);
        if self.is_main_line {
            self.observer.moved(m, position);
            self.tree.moves.push(m);
            self.tree.steps.push(MoveIndex { index: resolved.index(), count: resolved.count() });
        }
        self.add(Some(m), at)
    }

    fn pass(&mut self, at: usize) -> Result<(), BadMoves> {
        let passed = self.state.position.null_move().filter(|_| self.state.position.legal().count() > 0);
        let Some(passed) = passed else {
            let reason = RejectReason::NullMove(MoveWord::new(&self.state.position, "--"));
            return Err(BadMoves { reason, at, is_castling: false });
        };
        self.leave_main_line();
        self.state.position = passed;
        self.add(None, at)
    }

    /// The main line ends here, or before a null move.
    fn leave_main_line(&mut self) {
        if std::mem::take(&mut self.is_main_line) {
            let position = &self.state.position;
            self.tree.last = FinalPosition::of(position);
            self.tree.board_outcome = (self.tree.last.count == 0).then(|| position.board_outcome());
            self.observer.ended(position);
        }
    }

    fn add(&mut self, m: Option<Move>, at: usize) -> Result<(), BadMoves> {
        let too_long = match () {
            () if self.tree.moves.len() > MAX_PLIES => Some(RejectReason::TooLong),
            () if self.tree.nodes.len() > MAX_ANNOTATIONS => Some(RejectReason::TooManyAnnotations),
            () => None,
        };
        if let Some(reason) = too_long {
            return Err(BadMoves { reason, at, is_castling: false });
        }
        let nodes = &mut self.tree.nodes;
        let new = nodes.len();
        nodes.push(Node { m, first_child: None, next_sibling: None, last_child: None });
        let before = nodes.get_mut(self.state.node).and_then(|parent| {
            parent.first_child.get_or_insert(new);
            parent.last_child.replace(new)
        });
        if let Some(sibling) = before.and_then(|before| nodes.get_mut(before)) {
            sibling.next_sibling = Some(new);
        }
        self.state.node = new;
        self.state.ply += 1;
        self.count = self.count.wrapping_add(1);
        Ok(())
    }
}
