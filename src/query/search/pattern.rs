//! Patterns: the allowed contents of squares, and how they are matched.

use std::ops::Not;

use crate::{
    chess::{Board, Color, Piece, Role, Square},
    trail::{MOST, Material, Moment, Pawns, ROLES},
};

/// The allowed contents of a square: any of some pieces, or empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SquareContent(u16);

const EMPTY: u16 = 1 << 12;

impl SquareContent {
    /// Anything, including empty.
    pub const ANY: SquareContent = SquareContent(2 * EMPTY - 1);

    /// Empty.
    pub const EMPTY: SquareContent = SquareContent(EMPTY);

    /// One piece.
    pub fn piece(piece: Piece) -> SquareContent {
        SquareContent(1 << number(piece))
    }

    /// Either of two contents.
    #[must_use]
    pub fn or(self, other: SquareContent) -> SquareContent {
        SquareContent(self.0 | other.0)
    }

    fn allows(self, piece: Piece) -> bool {
        self.0 >> number(piece) & 1 == 1
    }

    /// The same with the colours swapped.
    fn mirrored(self) -> SquareContent {
        SquareContent(self.0 >> 6 & 0x3f | (self.0 & 0x3f) << 6 | self.0 & EMPTY)
    }
}

/// Anything else.
impl Not for SquareContent {
    type Output = SquareContent;

    fn not(self) -> SquareContent {
        SquareContent(SquareContent::ANY.0 & !self.0)
    }
}

fn number(piece: Piece) -> u32 {
    piece.color.fold_wb(0, 6) + piece.role as u32 - 1
}

fn pieces() -> impl Iterator<Item = Piece> {
    Color::ALL.into_iter().flat_map(|color| Role::ALL.map(|role| role.of(color)))
}

/// The allowed contents of a rank, square by square from the a file.
pub type RankContent = [SquareContent; 8];

/// A pattern: the allowed contents of each rank, from the first, in one of several ways.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    ways: [Vec<RankContent>; 8],
    /// The conditions, all of which must hold; each can be met in one of several ways.
    ranks: Vec<Vec<RankChoice>>,
    /// The minimum and maximum material.
    least: Material,
    most: Material,
}

/// One way for one or more ranks to match.
#[derive(Clone, Debug, PartialEq, Eq)]
struct RankChoice {
    pawns: PawnCondition,
    /// Squares on which a piece must be.
    required: Vec<(Piece, u64)>,
    /// Squares on which a piece must not be.
    forbidden: Vec<(Piece, u64)>,
    /// Squares that must not be empty.
    filled: u64,
    /// Whether it is only about pawns.
    is_of_pawns: bool,
}

/// What must be true of the pawns.
// It is tested before anything else, for it takes a few instructions, and most positions fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PawnCondition {
    /// Squares without White's and Black's pawns.
    without: Pawns,
    /// Squares with a pawn.
    with: u64,
}

impl PawnCondition {
    /// Nothing.
    const NONE: PawnCondition = PawnCondition { without: Pawns { white: 0, black: 0 }, with: 0 };

    /// Whether it is met.
    #[inline]
    pub fn is_met(self, pawns: Pawns) -> bool {
        pawns.white & self.without.white == 0
            && pawns.black & self.without.black == 0
            && self.with & !(pawns.white | pawns.black) == 0
    }

    /// What all conditions together say.
    pub fn all(conditions: impl Iterator<Item = PawnCondition>) -> PawnCondition {
        conditions.fold(PawnCondition::NONE, |all, one| all.joined(one, |a, b| a | b))
    }

    /// What is true if one of some conditions is met, whichever it is.
    pub fn one_of(conditions: impl Iterator<Item = PawnCondition>) -> PawnCondition {
        conditions.reduce(|all, one| all.joined(one, |a, b| a & b)).unwrap_or(PawnCondition::NONE)
    }

    fn joined(self, other: PawnCondition, join: impl Fn(u64, u64) -> u64) -> PawnCondition {
        PawnCondition {
            without: Pawns {
                white: join(self.without.white, other.without.white),
                black: join(self.without.black, other.without.black),
            },
            with: join(self.with, other.with),
        }
    }
}

/// Whether something is on the board, according to a trail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Match {
    /// No.
    No,
    /// Possibly.
    Maybe,
    /// Yes.
    Yes,
}

impl Pattern {
    /// A pattern of ranks, from the first, each of which matches in one of some ways.
    pub fn new(ways: [Vec<RankContent>; 8]) -> Pattern {
        let asking = (0..).zip(&ways).filter(|(_, ways)| !ways.contains(&[SquareContent::ANY; 8]));
        // All ranks with only one way are tested together.
        let (one, several): (Vec<_>, Vec<_>) = asking.partition(|(_, ways)| ways.len() == 1);
        let one: Vec<(u32, RankContent)> = one.into_iter().map(|(rank, ways)| (rank, ways[0])).collect();
        let one = (!one.is_empty()).then(|| vec![RankChoice::new(&one)]);
        let several = several
            .into_iter()
            .map(|(rank, ways)| ways.iter().map(|content| RankChoice::new(&[(rank, *content)])).collect());
        let ranks = one.into_iter().chain(several).collect();
        let [least, most] = [bound(&ways, true), bound(&ways, false)];
        Pattern { ways, ranks, least, most }
    }

    /// The pattern of exactly this board.
    pub fn of(board: &Board) -> Pattern {
        let content =
            |square: Square| board.piece_at(square).map_or(SquareContent::EMPTY, SquareContent::piece);
        Pattern::new(std::array::from_fn(|rank| {
            vec![std::array::from_fn(|file| content(Square::new((8 * rank + file) as u32)))]
        }))
    }

    /// The same with the colours swapped and the board turned upside down.
    #[must_use]
    pub fn mirrored(&self) -> Pattern {
        let mut ways = self.ways.clone();
        ways.reverse();
        for content in ways.iter_mut().flatten().flatten() {
            *content = content.mirrored();
        }
        Pattern::new(ways)
    }

    /// Whether a board matches.
    pub fn is_on(&self, board: &Board) -> bool {
        self.ranks.iter().all(|ways| ways.iter().any(|way| way.is_on(board)))
    }

    /// The minimum and maximum material required.
    pub(super) fn material(&self) -> (Material, Material) {
        (self.least, self.most)
    }

    /// What must be true of the pawns.
    pub(super) fn pawns(&self) -> PawnCondition {
        let of = |ways: &Vec<RankChoice>| PawnCondition::one_of(ways.iter().map(|way| way.pawns));
        PawnCondition::all(self.ranks.iter().map(of))
    }

    /// Whether it matches in a moment of a trail.
    #[inline]
    pub(super) fn matches(&self, moment: &Moment) -> Match {
        if moment.material.is_between(self.least, self.most) {
            self.matches_pawns(moment.pawns)
        } else {
            Match::No
        }
    }

    /// Whether it matches with these pawns.
    #[inline]
    fn matches_pawns(&self, pawns: Pawns) -> Match {
        let of = |ways: &Vec<RankChoice>| {
            ways.iter().map(|way| way.matches_pawns(pawns)).max().unwrap_or(Match::No)
        };
        self.ranks.iter().map(of).min().unwrap_or(Match::Yes)
    }
}

impl RankChoice {
    fn new(ranks: &[(u32, RankContent)]) -> RankChoice {
        let contents = || ranks.iter().flat_map(|(rank, content)| (8 * rank..).zip(content));
        let squares = |is: &dyn Fn(SquareContent) -> bool| -> u64 {
            contents().filter(|(_, content)| is(**content)).map(|(square, _)| 1 << square).sum()
        };
        let is_one = |content: SquareContent| content.0.is_power_of_two() && content != SquareContent::EMPTY;
        let with = |piece: Piece| squares(&|content| content == SquareContent::piece(piece));
        let without = |piece: Piece| squares(&|content| !content.allows(piece));
        let without_if_several =
            |piece: Piece| squares(&|content| !content.allows(piece) && !is_one(content));
        let of_pieces = |squares_of: &dyn Fn(Piece) -> u64| -> Vec<(Piece, u64)> {
            pieces().map(|piece| (piece, squares_of(piece))).filter(|(_, squares)| *squares != 0).collect()
        };
        let [white, black] = [Color::White, Color::Black].map(|color| Role::Pawn.of(color));
        let pawn = SquareContent::piece(white).or(SquareContent::piece(black));
        let others = |content: SquareContent| content.0 & !pawn.0;
        RankChoice {
            pawns: PawnCondition {
                without: Pawns { white: without(white), black: without(black) },
                with: squares(&|content| others(content) == 0),
            },
            required: of_pieces(&with),
            forbidden: of_pieces(&without_if_several),
            filled: squares(&|content| content.0 & EMPTY == 0 && !is_one(content)),
            is_of_pawns: contents().all(|(_, content)| [0, (!pawn).0].contains(&others(*content))),
        }
    }

    fn is_on(&self, board: &Board) -> bool {
        let lacks = |piece: &Piece, squares: u64| squares & !u64::from(board.by_piece(*piece)) != 0;
        self.filled & !u64::from(board.occupied()) == 0
            && !self.required.iter().any(|(piece, squares)| lacks(piece, *squares))
            && self.forbidden.iter().all(|(piece, squares)| u64::from(board.by_piece(*piece)) & squares == 0)
    }

    #[inline]
    fn matches_pawns(&self, pawns: Pawns) -> Match {
        match (self.pawns.is_met(pawns), self.is_of_pawns) {
            (false, _) => Match::No,
            (true, false) => Match::Maybe,
            (true, true) => Match::Yes,
        }
    }
}

/// The minimum or maximum number of pieces.
fn bound(ways: &[Vec<RankContent>; 8], is_least: bool) -> Material {
    let mut material = Material::default();
    for color in Color::ALL {
        for piece in ROLES.map(|role| role.of(color)) {
            let needs = |content: &&SquareContent| **content == SquareContent::piece(piece);
            let allows = |content: &&SquareContent| content.allows(piece);
            let counts = |content: &RankContent| match is_least {
                true => content.iter().filter(needs).count(),
                false => content.iter().filter(allows).count(),
            };
            let of = |ways: &Vec<RankContent>| {
                let counts = ways.iter().map(counts);
                if is_least { counts.min() } else { counts.max() }.unwrap_or(0)
            };
            let count: usize = ways.iter().map(of).sum();
            material = material.with(color, piece.role, count.min(MOST.into()) as u8);
        }
    }
    material
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Chess, Position};

    fn ranks(of: impl Fn(usize) -> Vec<RankContent>) -> Pattern {
        Pattern::new(std::array::from_fn(of))
    }

    const ANY: SquareContent = SquareContent::ANY;

    #[test]
    fn a_pattern_is_what_stands_on_its_squares() {
        let pawn = SquareContent::piece(Role::Pawn.of(Color::White));
        let start = Chess::default();
        let second = |content: RankContent| ranks(|rank| vec![if rank == 1 { content } else { [ANY; 8] }]);
        let all = second([pawn; 8]);
        assert!(all.is_on(start.board()) && !all.mirrored().is_on(&Board::empty()));
        assert_eq!(all.matches_pawns(Pawns::STANDARD), Match::Yes);
        assert_eq!(all.material().0.count(Color::White, Role::Pawn), 8);
        assert_eq!(all.material().1.count(Color::Black, Role::Pawn), 31);
        assert!(all.mirrored().is_on(start.board()));
        let none = second([!pawn; 8]);
        assert!(!none.is_on(start.board()));
        assert_eq!(none.matches_pawns(Pawns::STANDARD), Match::No);
        let king = SquareContent::piece(Role::King.of(Color::White));
        let first =
            ranks(|rank| vec![if rank == 0 { [ANY, ANY, ANY, ANY, king, ANY, ANY, ANY] } else { [ANY; 8] }]);
        assert!(first.is_on(start.board()));
        assert_eq!(first.matches_pawns(Pawns::STANDARD), Match::Maybe);
        assert!(!first.mirrored().is_on(&{
            let mut board = start.board().clone();
            board.discard_piece_at(shakmaty::Square::E8);
            board
        }));
    }

    #[test]
    fn one_of_several_ways_is_enough() {
        let pawn = SquareContent::piece(Role::Pawn.of(Color::White));
        let at = |file: usize| std::array::from_fn(|square| if square == file { pawn } else { !pawn });
        let pattern = ranks(|rank| if rank == 3 { vec![at(0), at(3)] } else { vec![[ANY; 8]] });
        let pawns = |white| Pawns { white, black: 0 };
        assert_eq!(pattern.matches_pawns(pawns(1 << 24)), Match::Yes);
        assert_eq!(pattern.matches_pawns(pawns(1 << 27)), Match::Yes);
        assert_eq!(pattern.matches_pawns(pawns(1 << 24 | 1 << 27)), Match::No);
        assert_eq!(pattern.material().0.count(Color::White, Role::Pawn), 1);
    }
}
