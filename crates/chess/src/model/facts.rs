//! Facts about each legal move of a position: what it captures, attacks, defends, leaves in danger and repeats. Each
//! fact is a column with one number per move. The facts that need a lookup are found move by move; all others are
//! computed from these for many moves at a time, with vectors.

use fearless_simd::Simd;
use shakmaty::Color;

use super::{
    common::Common,
    history::{History, Played, Repetitions},
    squares::{OFFSETS, PAWN, ROLES, aligned, bit, has, own_attacks_of, pawns_around},
    view::View,
};
use crate::chess::Step;

/// The maximum number of moves. A position that can be reached in a game has at most 218.
pub const MOST_MOVES: usize = 224;

/// A number for each move.
pub(super) type Column = [u16; MOST_MOVES];

/// A set of squares for each move.
type SetColumn = [u64; MOST_MOVES];

macro_rules! columns {
    ($($(#[$doc:meta])* $name:ident: $column:ty,)*) => {
        /// Facts about each legal move.
        #[derive(Clone)]
        pub(super) struct Facts {
            /// The number of moves.
            pub count: usize,
            $($(#[$doc])* pub $name: $column,)*
        }

        impl Default for Facts {
            fn default() -> Facts {
                Facts { count: 0, $($name: [0; MOST_MOVES],)* }
            }
        }
    };
}

columns! {
    role: Column,
    from: Column,
    to: Column,
    /// The role of the captured piece plus 1; 0 if there is none.
    captured: Column,
    /// The number of the move: see [`move_id`].
    id: Column,
    /// The piece and its target as one number.
    piece_to: Column,
    /// What is captured, and how the target is attacked and supported, as one number.
    exchange: Column,
    /// The slot in the line of a context: the target, and whether the piece is a knight, rook or king.
    slot: Column,
    /// The class of the least valuable enemy piece that attacks the target.
    attacker: Column,
    /// Whether another own piece defends the target.
    support: Column,
    /// 0 for no check; 1 for a check from a square that is not attacked; 2 for one from an attacked square; 3 for a
    /// discovered check.
    check: Column,
    /// The state of the piece before the move.
    state: Column,
    /// The target and the origin relative to the opponent's last target, and the target relative to the mover's own last
    /// target.
    to_from_last: Column,
    from_from_last: Column,
    to_from_own: Column,
    /// Whether the mover's last move was by the same piece.
    same_piece: Column,
    /// The pawns around the target and the origin.
    own_pawns_to: Column,
    enemy_pawns_to: Column,
    own_pawns_from: Column,
    enemy_pawns_from: Column,
    /// The roles, the number and the highest class of the enemy pieces that the piece threatens from the target.
    threatened_roles: Column,
    threatened: Column,
    threatened_class: Column,
    /// The highest class of the enemy pieces that now have a second attacker, and of the pinned ones that are attacked.
    double_attack_class: Column,
    pinned_class: Column,
    /// The number of squares that the piece can move to from the target, and a class of that number from the origin.
    mobility: Column,
    mobility_before: Column,
    /// The number of squares around the enemy king that are attacked from the target.
    king_zone: Column,
    /// The highest class of the endangered own pieces that the move defends, that lose their only defender, whose attacker
    /// is captured, and that remain endangered.
    defended_class: Column,
    abandoned_class: Column,
    relieved_class: Column,
    remaining_class: Column,
    /// The highest class that own sliders attack through the origin once it is empty, and that enemy sliders attack.
    opened_class: Column,
    exposed_class: Column,
    /// Whether the piece still blocks the line of that enemy slider.
    still_shields: Column,
    /// The number of pieces of each side that attack the target, at most three.
    enemy_attacks: Column,
    own_attacks: Column,
    /// The distances of target and origin from the kings.
    to_enemy_king: Column,
    from_enemy_king: Column,
    to_king: Column,
    from_king: Column,
    /// Which sides have pawns on the files of target and origin.
    file_to: Column,
    file_from: Column,
    /// Whether enemy pawns can ever attack the target, own pawns defend it, and pawns block the file ahead.
    outpost: Column,
    /// How often the resulting position has occurred in the game, at most twice.
    repetitions: Column,
    /// Whether the move takes back the mover's last move.
    undoes: Column,
    /// The squares attacked from the target.
    attacked: SetColumn,
    /// The pieces of which `remaining_class`, `abandoned_class` and `relieved_class` are the highest classes.
    remaining: SetColumn,
    abandoned: SetColumn,
    relieved: SetColumn,
    /// The enemy pieces that the piece threatens from the target.
    threats: SetColumn,
    /// The squares that are attacked from the target but not from the origin.
    newly_attacked: SetColumn,
}

/// A move as the mover sees it.
struct SeenMove {
    role: usize,
    from: usize,
    to: usize,
    captured: usize,
    /// The role that the piece has afterwards.
    becomes: usize,
    is_castling: bool,
}

impl SeenMove {
    #[inline(always)]
    fn new(step: Step, view: &View) -> SeenMove {
        /// The captured role plus 1, by the piece on the target; castling may go to the square of an own rook.
        const CAPTURED: [u8; 2 * ROLES + 1] = [0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 0];
        let (from, to) = (usize::from(step.from) ^ view.flip, usize::from(step.to) ^ view.flip);
        let role = usize::from(view.piece[from]);
        let captured = usize::from(CAPTURED[usize::from(view.piece[to])]);
        let is_en_passant = role == PAWN && captured == 0 && (from ^ to) & 7 != 0;
        SeenMove {
            role,
            from,
            to,
            captured: captured + usize::from(is_en_passant),
            becomes: step.promotion.map_or(role, |role| usize::from(role) - 1),
            is_castling: step.castles.is_some(),
        }
    }
}

impl Facts {
    /// Replaces all facts by those about the legal moves of a position.
    #[inline(always)]
    pub(super) fn observe<S: Simd>(&mut self, simd: S, view: &View, history: &History, steps: &[Step]) {
        let common = Common::new(simd, view, history);
        self.count = steps.len().min(MOST_MOVES);
        let (mut origin, mut seen) = (Origin::default(), usize::MAX);
        for (index, &step) in steps.iter().enumerate().take(MOST_MOVES) {
            let step = SeenMove::new(step, view);
            if step.from != seen {
                (origin, seen) = (Origin::new(step.from, &common), step.from);
            }
            self.observe_step(index, &step, &origin, &common);
        }
        self.observe_repetitions(view, history);
        self.observe_sets(&common);
        self.observe_squares(&common);
    }

    /// The facts about one move that need lookups.
    #[inline(always)]
    fn observe_step(&mut self, i: usize, step: &SeenMove, origin: &Origin, common: &Common<'_>) {
        let View { own, enemy, occupied, reach, enemy_king, .. } = common.view;
        let &SeenMove { role, from, to, captured, becomes, .. } = step;
        let (origin_set, target) = (bit(from), bit(to));
        let squares = &common.squares;
        let attacker = squares.attacker[to];
        let attacked = own_attacks_of(becomes, to, occupied ^ origin_set);
        // A pawn's push and castling do not attack the target themselves.
        let attacks_target = !(role == PAWN && captured == 0 || step.is_castling);
        let check = if common.checks_from[becomes] & target != 0 {
            1 + u16::from(attacker > 0)
        } else if origin.discovers && !aligned(from, to, *enemy_king) {
            3
        } else {
            0
        };
        self.role[i] = role as u16;
        self.from[i] = from as u16;
        self.to[i] = to as u16;
        self.captured[i] = captured as u16;
        self.id[i] = super::move_id::move_id(role, from, to, becomes) as u16;
        self.attacker[i] = u16::from(attacker);
        self.support[i] = u16::from(squares.own_attacks[to] > u8::from(attacks_target));
        self.check[i] = check;
        self.state[i] = origin.state;
        self.own_pawns_to[i] = pawns_around(own.pieces[PAWN], to) as u16;
        self.enemy_pawns_to[i] = pawns_around(enemy.pieces[PAWN], to) as u16;
        self.own_pawns_from[i] = origin.own_pawns;
        self.enemy_pawns_from[i] = origin.enemy_pawns;
        self.mobility_before[i] = origin.mobility;
        self.opened_class[i] = origin.opened_class;
        self.exposed_class[i] = origin.exposed_class;
        let slider = origin.exposed_to;
        let still_shields = origin.exposed_class > 0 && (slider == to || aligned(slider, from, to));
        self.still_shields[i] = u16::from(still_shields);
        self.enemy_attacks[i] = u16::from(squares.enemy_attacks[to]);
        self.own_attacks[i] = u16::from(squares.own_attacks[to]);
        self.file_to[i] = u16::from(squares.files[to & 7]);
        self.file_from[i] = u16::from(squares.files[from & 7]);
        self.outpost[i] = u16::from(squares.outpost[to]);

        self.attacked[i] = attacked;
        self.threats[i] = attacked & (enemy.more_valuable_than(becomes) | common.loose);
        self.newly_attacked[i] = attacked & !reach[from];
        self.abandoned[i] = origin.defended_alone & !target & !attacked;
        let freed = if captured > 0 { reach[to] } else { 0 };
        self.relieved[i] = freed & common.endangered & !origin_set;
        self.remaining[i] = common.endangered
            & !origin_set
            & !(attacked & common.hanging)
            & !freed
            & !common.blocks.by(target);
    }

    /// How often the resulting positions have occurred.
    #[inline(always)]
    fn observe_repetitions(&mut self, view: &View, history: &History) {
        self.repetitions[..self.count].fill(0);
        // It takes two moves of each side to repeat a position.
        if history.quiet_plies < 3 {
            return;
        }
        let repetitions = Repetitions::new(history, Color::from_white(view.flip == 0));
        for i in 0..self.count {
            let [role, from, to] = [self.role[i], self.from[i], self.to[i]].map(usize::from);
            if role != PAWN && self.captured[i] == 0 {
                self.repetitions[i] = repetitions.count(role, from, to).min(2) as u16;
            }
        }
    }

    /// The number of moves, rounded up to full vectors. The numbers after the last move have no meaning.
    #[inline(always)]
    pub(super) fn lanes(&self) -> usize {
        self.count.next_multiple_of(16).min(MOST_MOVES)
    }

    /// The facts that follow from sets of squares.
    #[inline(always)]
    fn observe_sets(&mut self, common: &Common<'_>) {
        let View { own, enemy, .. } = common.view;
        for i in 0..self.lanes() {
            let threats = self.threats[i];
            let roles =
                |roles: u64, role: usize| roles | u64::from(threats & enemy.pieces[role] != 0) << role;
            self.threatened_roles[i] = (0..ROLES).fold(0, roles) as u16;
        }
        for i in 0..self.lanes() {
            self.threatened[i] = self.threats[i].count_ones().min(3) as u16;
            self.mobility[i] = (self.attacked[i] & !own.all).count_ones() as u16;
            self.king_zone[i] = (self.attacked[i] & common.king_zone).count_ones().min(5) as u16;
        }
        let twice = enemy.all & own.attacked[0] & !enemy.attacked[1];
        for i in 0..self.lanes() {
            self.threatened_class[i] = enemy.class_in(self.threats[i]);
            self.double_attack_class[i] = enemy.class_in(self.newly_attacked[i] & twice);
            self.pinned_class[i] = enemy.class_in(self.attacked[i] & common.pinned);
        }
        for i in 0..self.lanes() {
            self.abandoned_class[i] = own.class_in(self.abandoned[i]);
        }
        // Often nothing is in danger.
        if common.endangered == 0 {
            for column in [&mut self.defended_class, &mut self.relieved_class, &mut self.remaining_class] {
                column[..self.count].fill(0);
            }
            return;
        }
        for i in 0..self.lanes() {
            self.defended_class[i] = own.class_in(self.attacked[i] & common.endangered);
            self.relieved_class[i] = own.class_in(self.relieved[i]);
            self.remaining_class[i] = own.class_in(self.remaining[i]);
        }
    }

    /// The facts that follow from origin and target.
    #[inline(always)]
    fn observe_squares(&mut self, common: &Common<'_>) {
        let Common { view, last, own_last, .. } = common;
        let (king, enemy_king) = (view.king as u16, view.enemy_king as u16);
        // Without an earlier move, everything is relative to the corner.
        let target = |played: Option<Played>| played.map_or(0, |played| grid(played.to as u16));
        let (last, own) = (target(*last), target(*own_last));
        let undone = own_last
            .map_or((u16::MAX, u16::MAX, u16::MAX), |own| (own.to as u16, own.from as u16, own.role as u16));
        for i in 0..self.lanes() {
            let (from, to, role) = (self.from[i], self.to[i], self.role[i]);
            self.piece_to[i] = role * 64 + to;
            self.slot[i] = (role & 1) * 64 + to;
            let exchange = (role * 6 + self.captured[i]) * 6 + self.attacker[i];
            self.exchange[i] = (exchange * 2 + self.support[i]) * 4 + self.check[i];
            self.to_from_last[i] = grid(to) + MIDDLE - last;
            self.from_from_last[i] = grid(from) + MIDDLE - last;
            self.to_from_own[i] = grid(to) + MIDDLE - own;
            self.same_piece[i] = u16::from(from == undone.0);
            self.undoes[i] = u16::from((from == undone.0) & (to == undone.1) & (role == undone.2));
            self.to_enemy_king[i] = distance(to, enemy_king);
            self.from_enemy_king[i] = distance(from, enemy_king);
            self.to_king[i] = distance(to, king);
            self.from_king[i] = distance(from, king);
        }
    }
}

/// The index of a square in a grid of 15 by 15.
#[inline(always)]
fn grid(square: u16) -> u16 {
    (square >> 3) * 15 + (square & 7)
}

/// The middle of the grid.
const MIDDLE: u16 = OFFSETS as u16 / 2;

/// The number of king moves between two squares.
#[inline(always)]
fn distance(a: u16, b: u16) -> u16 {
    (a >> 3).abs_diff(b >> 3).max((a & 7).abs_diff(b & 7))
}

/// Facts about the origin, shared by all moves from it.
#[derive(Default)]
struct Origin {
    state: u16,
    own_pawns: u16,
    enemy_pawns: u16,
    mobility: u16,
    opened_class: u16,
    exposed_class: u16,
    exposed_to: usize,
    discovers: bool,
    /// Own attacked pieces that only this piece defends.
    defended_alone: u64,
}

impl Origin {
    #[inline(always)]
    fn new(from: usize, common: &Common<'_>) -> Origin {
        let view = common.view;
        Origin {
            state: view.state(from) as u16,
            own_pawns: pawns_around(view.own.pieces[PAWN], from) as u16,
            enemy_pawns: pawns_around(view.enemy.pieces[PAWN], from) as u16,
            mobility: class_of_mobility(view.reach[from] & !view.own.all),
            opened_class: u16::from(common.opened_class[from]),
            exposed_class: u16::from(common.exposed_class[from]),
            exposed_to: usize::from(common.exposed_to[from]),
            discovers: has(common.check_blockers, from) > 0,
            defended_alone: view.reach[from] & common.defended_once,
        }
    }
}

/// A class of mobility, 0 to 7, from the number of squares.
#[inline(always)]
fn class_of_mobility(squares: u64) -> u16 {
    match squares.count_ones() {
        count @ 0..=3 => count as u16,
        4 => 3,
        5..=6 => 4,
        7..=9 => 5,
        10..=13 => 6,
        _ => 7,
    }
}
