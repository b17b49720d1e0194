//! The legal moves of a position, generated in canonical order, without sorting.
//!
//! A moon may be left or moved where it can be captured (*inferred*): such a move is legal, but loses.

use arrayvec::ArrayVec;

use super::{Direction, Motion, Move, Piece, PieceLocation, Position, Side, Square, Squares, movement};
use plybook_chess::rules::LegalMoves;

/// More than any position can have, so that an index fits into a byte. The seven front guards have at most 20 targets
/// together, the rear guards 76, Teems 14. With at most 4 more for Teems as a front guard, 24 targets can be reached
/// with one of 4 neighbours. Add 8 turns and 14 pieces to mount: 228.
const MAX_MOVES: usize = 256;

/// The legal moves of one position, in canonical order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moves(ArrayVec<Move, MAX_MOVES>);

impl Moves {
    /// The moves, in canonical order.
    pub fn as_slice(&self) -> &[Move] {
        &self.0
    }

    /// Whether a move, in its canonical form, is among them.
    pub fn contains(&self, m: Move) -> bool {
        self.0.binary_search(&m).is_ok()
    }
}

impl LegalMoves for Moves {
    type Move = Move;

    fn count(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap_or(u32::MAX)
    }

    fn index_of(&self, m: Move) -> Option<u32> {
        u32::try_from(self.0.binary_search(&m).ok()?).ok()
    }

    fn nth(&self, index: u32) -> Option<Move> {
        self.0.get(usize::try_from(index).ok()?).copied()
    }
}

impl Position {
    /// The legal moves; empty if the game is over.
    pub fn legal_moves(&self) -> Moves {
        let mut moves = Moves::default();
        if self.ending().is_none() {
            let survey = Survey::new(self);
            Piece::ALL.into_iter().for_each(|piece| survey.moves_of(piece, &mut moves.0));
        }
        moves
    }

    /// The canonical form of a legal move: the move itself, unless both pieces of a pair can lead and it names the
    /// other one. `None` if the move is not legal.
    pub fn canonical(&self, m: Move) -> Option<Move> {
        self.canonical_among(&self.legal_moves(), m)
    }

    /// Like [`canonical`](Position::canonical), if the legal moves of this position are already available.
    pub(crate) fn canonical_among(&self, legal: &Moves, m: Move) -> Option<Move> {
        if legal.contains(m) {
            return Some(m);
        }
        let (Motion::To(to), Some(beside)) = (m.motion, m.company) else { return None };
        let from = self.square(m.piece)?;
        let follower = self.at(from.offset(beside.vector())?)?;
        let twin = Move::pair(follower, to.offset(beside.vector())?, beside.opposite());
        let leads = Survey::new(self).free_reach(m.piece, from).contains(to);
        (leads && legal.contains(twin)).then_some(twin)
    }
}

/// The neighbours of a leader that may accompany it, and to which of its targets.
type Company = ArrayVec<(Direction, Squares), 4>;

/// A position as seen by the side to move, with frequently used data.
struct Survey<'a> {
    position: &'a Position,
    mover: Side,
    mount: Option<Piece>,
    own: Squares,
    empty: Squares,
    /// Squares of the pieces that can be turned and can move in pairs.
    fronts: Squares,
}

impl<'a> Survey<'a> {
    fn new(position: &'a Position) -> Survey<'a> {
        let mover = position.mover();
        let mount = position.mount(mover);
        let (mut own, mut occupied, mut fronts) = (Squares::NONE, Squares::NONE, Squares::NONE);
        for piece in Piece::ALL {
            let Some(square) = position.square(piece) else { continue };
            occupied.insert(square);
            if piece.owner() == Some(mover) {
                own.insert(square);
            }
            if acts_as_front(piece, mover, mount) {
                fronts.insert(square);
            }
        }
        Survey { position, mover, mount, own, empty: !occupied, fronts }
    }

    /// All legal moves that name this piece, in order.
    fn moves_of(&self, piece: Piece, moves: &mut ArrayVec<Move, MAX_MOVES>) {
        let theirs = piece.owner() == Some(!self.mover);
        match self.position.place(piece) {
            PieceLocation::On(from) if !theirs => self.board_moves(piece, from, moves),
            PieceLocation::Hand if theirs => moves.push(Move::mount(piece)),
            PieceLocation::Mounted if theirs => moves.push(Move::unmount(piece)),
            _ => {}
        }
    }

    fn board_moves(&self, piece: Piece, from: Square, moves: &mut ArrayVec<Move, MAX_MOVES>) {
        let front = self.fronts.contains(from);
        let targets = self.targets(piece, from);
        let company = if front { self.company(piece, from, targets & self.empty) } else { Company::new() };
        for to in targets {
            moves.push(Move::step(piece, to));
            for &(beside, together) in &company {
                if together.contains(to) {
                    moves.push(Move::pair(piece, to, beside));
                }
            }
        }
        if front {
            moves.push(Move::turn(piece));
        }
    }

    /// For each neighbour of a leader, the empty targets to which the leader may take it.
    ///
    /// The follower moves by the same offset, whatever its own movement; its target square must be empty, or be the
    /// square that the leader leaves (*inferred*: the sources leave this case open). A leader cannot move towards its
    /// follower, which blocks it. If the follower comes first in order and could lead the same move, it does.
    fn company(&self, leader: Piece, from: Square, targets: Squares) -> Company {
        let mut company = Company::new();
        for beside in Direction::ALL {
            let Some(next) = from.offset(beside.vector()).filter(|&next| self.fronts.contains(next)) else {
                continue;
            };
            let smaller = self.position.at(next).filter(|&follower| follower < leader);
            let led = smaller.map_or(Squares::NONE, |follower| self.free_reach(follower, next));
            let goals = (self.empty | Squares::of(from)) & !led;
            company.push((beside, targets & goals.shifted(beside.opposite().vector())));
        }
        company
    }

    /// The squares that a piece reaches, including occupied ones. Teems moves like the piece that its mover has
    /// mounted.
    fn reach(&self, piece: Piece, from: Square) -> Squares {
        let rider = if piece == Piece::Tem { self.mount } else { Some(piece) };
        rider.map_or(Squares::NONE, |rider| {
            movement::reach(rider.kind(), self.position.is_turned(piece), from, self.empty)
        })
    }

    fn free_reach(&self, piece: Piece, from: Square) -> Squares {
        self.reach(piece, from) & self.empty
    }

    /// The squares that a piece may move to by itself.
    fn targets(&self, piece: Piece, from: Square) -> Squares {
        let spared = if piece == Piece::Tem && self.position.ruleset().tem_takes_own {
            self.position.square(Piece::moon(self.mover)).map_or(Squares::NONE, Squares::of)
        } else {
            self.own
        };
        self.reach(piece, from) & !spared
    }
}

/// Whether a piece on the board can be turned and can move in pairs: the mover's front guards, and Teems while the
/// mover has a front guard mounted. *Stated*; that Teems can be turned only with such a mount is *chosen*.
fn acts_as_front(piece: Piece, mover: Side, mount: Option<Piece>) -> bool {
    match piece.owner() {
        Some(owner) => owner == mover && piece.kind().is_front(),
        None => mount.is_some_and(|mount| mount.kind().is_front()),
    }
}
