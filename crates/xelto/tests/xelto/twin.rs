//! Compares the legal moves of Xelto with a slow implementation that checks for every conceivable move whether the
//! rules allow it. It implements every rule independently and shares no table with the fast generator.

use crate::random::Random;
use plybook_chess::rules::LegalMoves;
use plybook_xelto::{
    Direction, Motion, Move, Piece, PieceLocation, PieceType, Position, Square, codec::move14,
};

/// Whether a kind of piece moves by that offset, and the squares that it passes.
fn goes(kind: PieceType, turned: bool, from: Square, to: Square) -> Option<Vec<Square>> {
    let way = from.way_to(to);
    let (mut down, mut right) = (way.rows, way.columns);
    if turned && matches!(kind, PieceType::Tate | PieceType::Yoko | PieceType::Tou) {
        (down, right) = (right, down);
    }
    let (far, near) = (down.abs().max(right.abs()), down.abs().min(right.abs()));
    let (straight, diagonal) = (near == 0 && far > 0, near == far && far > 0);
    let allowed = match kind {
        PieceType::Tate => right == 0 && far == 1,
        PieceType::Yoko => down == 0 && far == 1,
        PieceType::Naname if turned => straight && far == 1,
        PieceType::Naname => diagonal && far == 1,
        PieceType::Tou => right == 0 && (far == 1 || far == 2),
        PieceType::Iro => straight,
        PieceType::Chou => (far, near) == (2, 1),
        PieceType::Tobira => diagonal || (down == 0 && far == 1),
        PieceType::Tsuki => far == 1,
        PieceType::Eien => false,
    };
    allowed.then(|| if kind == PieceType::Chou { Vec::new() } else { between(from, to) })
}

/// The squares strictly between two squares on one line.
fn between(from: Square, to: Square) -> Vec<Square> {
    let way = from.way_to(to);
    let steps = way.rows.abs().max(way.columns.abs());
    let at = |step: i8| {
        let row = from.row().checked_add_signed(way.rows / steps * step)?;
        Square::new(row, from.column().checked_add_signed(way.columns / steps * step)?)
    };
    (1..steps).map(|step| at(step).unwrap()).collect()
}

fn reaches(position: &Position, piece: Piece, to: Square) -> bool {
    let kind = match piece {
        Piece::Tem => position.mount(position.mover()).map(Piece::kind),
        _ => Some(piece.kind()),
    };
    let passed = position.square(piece).zip(kind);
    let passed = passed.and_then(|(from, kind)| goes(kind, position.is_turned(piece), from, to));
    passed.is_some_and(|passed| passed.iter().all(|&square| position.at(square).is_none()))
}

fn is_front(position: &Position, piece: Piece) -> bool {
    match piece {
        Piece::Tem => position.mount(position.mover()).is_some_and(|mount| mount.kind().is_front()),
        _ => piece.owner() == Some(position.mover()) && piece.kind().is_front(),
    }
}

fn may_land(position: &Position, piece: Piece, to: Square) -> bool {
    match position.at(to) {
        None => true,
        Some(other) if other.owner() == Some(position.mover()) => {
            piece == Piece::Tem && other.kind() != PieceType::Tsuki && position.ruleset().tem_takes_own
        }
        Some(_) => true,
    }
}

fn may_lead(position: &Position, leader: Piece, to: Square, beside: Direction) -> bool {
    let Some(from) = position.square(leader) else { return false };
    let Some(next) = from.offset(beside.vector()) else { return false };
    let Some(goal) = to.offset(beside.vector()) else { return false };
    let Some(follower) = position.at(next) else { return false };
    // Moving towards the follower is the only forbidden direction; it is also the only way onto its square.
    let way = from.way_to(to);
    let towards =
        way.rows.signum() == beside.vector().rows && way.columns.signum() == beside.vector().columns;
    is_front(position, leader)
        && is_front(position, follower)
        && !towards
        && reaches(position, leader, to)
        && position.at(to).is_none()
        && (goal == from || position.at(goal).is_none())
}

fn is_canonical_pair(position: &Position, leader: Piece, to: Square, beside: Direction) -> bool {
    if !may_lead(position, leader, to, beside) {
        return false;
    }
    let from = position.square(leader).unwrap();
    let follower = position.at(from.offset(beside.vector()).unwrap()).unwrap();
    let goal = to.offset(beside.vector()).unwrap();
    leader < follower || !may_lead(position, follower, goal, beside.opposite())
}

fn is_allowed(position: &Position, m: Move) -> bool {
    let mover = position.mover();
    let mine = m.piece.owner() != Some(!mover);
    match (m.motion, m.company) {
        (Motion::To(to), None) => mine && reaches(position, m.piece, to) && may_land(position, m.piece, to),
        (Motion::To(to), Some(beside)) => is_canonical_pair(position, m.piece, to, beside),
        (Motion::Turn, None) => position.square(m.piece).is_some() && is_front(position, m.piece),
        (Motion::Mount, None) => !mine && position.place(m.piece) == PieceLocation::Hand,
        (Motion::Unmount, None) => !mine && position.place(m.piece) == PieceLocation::Mounted,
        _ => false,
    }
}

#[test]
fn the_generator_equals_the_slow_implementation() {
    let conceivable: Vec<Move> = (0..=u16::MAX).filter_map(move14::from_code).collect();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut positions = 0;
    for _ in 0..60 {
        let mut position = Position::start();
        for m in random.game(120) {
            let twin: Vec<Move> = conceivable.iter().copied().filter(|&m| is_allowed(&position, m)).collect();
            assert_eq!(position.legal_moves().as_slice(), twin, "{position:?}");
            position.play(m);
            positions += 1;
        }
        assert_eq!(position.legal_moves().count() == 0, position.ending().is_some());
    }
    assert!(positions > 2_000, "only {positions} positions were seen");
}
