//! Tables of weights for moves: each is addressed by a few facts about the move and the position.

use shakmaty::Color;

use super::{
    facts::{Column, Facts},
    history::History,
    inputs::class_of_ply,
    move_id::MOVES,
    squares::{OFFSETS, ROLES},
    view::{CLASSES, STATES, View},
};
use crate::bits::mix;

/// Facts about the position that tables combine with those about each move.
#[derive(Clone, Copy)]
pub(super) struct Whole {
    in_check: u16,
    phase: u16,
    ply: u16,
    /// Whether the opponent's last move captured.
    captured: u16,
    endangered: u16,
}

impl Whole {
    #[inline(always)]
    pub(super) fn new(view: &View, history: &History) -> Whole {
        Whole {
            in_check: view.in_check as u16,
            phase: view.phase as u16,
            ply: class_of_ply(history.ply()).min(31) as u16,
            captured: u16::from(history.last(1, view.flip).is_some_and(|last| last.captured > 0)),
            endangered: u16::from(view.endangered() != 0),
        }
    }
}

/// 1 if a number is not 0, otherwise 0.
#[inline(always)]
fn nonzero(number: u16) -> u16 {
    u16::from(number > 0)
}

macro_rules! tables {
    (|$f:ident, $w:ident, $i:ident| $(#[$doc:meta] $name:ident[$size:expr] = $index:expr;)*) => {
        /// The tables.
        #[derive(Clone, Copy)]
        #[allow(non_camel_case_types, missing_docs)]
        pub(super) enum Table { $(#[$doc] $name,)* }

        /// The number of weights in each table.
        pub(super) const SIZES: &[usize] = &[$($size,)*];
        /// The number of tables.
        pub(super) const TABLES: usize = SIZES.len();
        /// Their names.
        pub const NAMES: &[&str] = &[$(stringify!($name),)*];

        /// Replaces a table's column by the index of each move in it, for each table.
        #[inline(always)]
        pub(super) fn indices(facts: &Facts, whole: Whole, columns: &mut [Column; TABLES]) {
            let lanes = facts.lanes();
            let ($f, $w) = (facts, whole);
            $(
                let column = &mut columns[Table::$name as usize];
                for $i in 0..lanes {
                    column[$i] = $index;
                }
            )*
        }
    };
}

const R: usize = ROLES;

tables! {
    |f, w, i|
    /// The move.
    id[MOVES] = f.id[i];
    /// The exchange on the target, whether the mover is in check, and the state of the piece before the move.
    exchange[EXCHANGES * 2 * STATES] = (f.exchange[i] * 2 + w.in_check) * STATES as u16 + f.state[i];
    /// The target relative to the opponent's last target.
    to_from_last[LAST_OFFSETS] = (f.role[i] * OFFSETS as u16 + f.to_from_last[i]) * 2 + w.captured;
    /// The origin relative to the opponent's last target.
    from_from_last[R * OFFSETS] = f.role[i] * OFFSETS as u16 + f.from_from_last[i];
    /// The target relative to the mover's own last target.
    to_from_own[R * OFFSETS * 2] = (f.role[i] * OFFSETS as u16 + f.to_from_own[i]) * 2 + f.same_piece[i];
    /// Own pawns around the target.
    own_pawns_to[R * 512] = f.role[i] * 512 + f.own_pawns_to[i];
    /// Enemy pawns around the target.
    enemy_pawns_to[R * 512] = f.role[i] * 512 + f.enemy_pawns_to[i];
    /// Own pawns around the origin.
    own_pawns_from[R * 512] = f.role[i] * 512 + f.own_pawns_from[i];
    /// Enemy pawns around the origin.
    enemy_pawns_from[R * 512] = f.role[i] * 512 + f.enemy_pawns_from[i];
    /// What is threatened from the target.
    threats[R * 64 * 4 * 2] =
        ((f.role[i] * 64 + f.threatened_roles[i]) * 4 + f.threatened[i]) * 2 + nonzero(f.attacker[i]);
    /// The rank of the target, by ply.
    advance[32 * R * 2 * 8] = ((w.ply * 6 + f.role[i]) * 2 + nonzero(f.captured[i])) * 8 + (f.to[i] >> 3);
    /// The mobility before and after.
    mobility[28 * 8 * R * 4] = ((f.mobility[i] * 8 + f.mobility_before[i]) * 6 + f.role[i]) * 4 + w.phase;
    /// Attacks on pinned pieces, around the king, and together with others.
    attacks[6 * CLASSES * CLASSES * R * 2] =
        (((f.king_zone[i] * 6 + f.double_attack_class[i]) * 6 + f.pinned_class[i]) * 6 + f.role[i]) * 2 + nonzero(f.attacker[i]);
    /// What is defended.
    defence[CLASSES * R * 2 * 2 * 2] =
        (((f.defended_class[i] * 6 + f.role[i]) * 2 + nonzero(f.attacker[i])) * 2 + f.support[i]) * 2 + w.endangered;
    /// What remains endangered after the move, and what it threatens.
    danger[CLASSES * CLASSES * R * 6 * 2] =
        (((f.remaining_class[i] * 6 + f.threatened_class[i]) * 6 + f.role[i]) * 6 + f.captured[i]) * 2 + nonzero(f.check[i]);
    /// What leaving the origin opens, exposes and abandons.
    uncovering[CLASSES * CLASSES * CLASSES * 2 * R * 2 * 2] =
        (((((f.abandoned_class[i] * 6 + f.opened_class[i]) * 6 + f.exposed_class[i]) * 2 + f.still_shields[i]) * 6
            + f.role[i]) * 2 + nonzero(f.captured[i])) * 2 + nonzero(f.check[i]);
    /// How often both sides attack the target, and what the capture frees.
    balance[R * 6 * 4 * 4 * 2 * CLASSES] =
        ((((f.role[i] * 6 + f.captured[i]) * 4 + f.enemy_attacks[i]) * 4 + f.own_attacks[i]) * 2 + w.endangered) * 6
            + f.relieved_class[i];
    /// The distances to the enemy king.
    to_enemy_king[8 * 8 * R * 4] =
        ((f.to_enemy_king[i] * 8 + f.from_enemy_king[i]) * 6 + f.role[i]) * 4 + w.phase;
    /// The distances to the mover's king.
    to_king[8 * 8 * R * 4] = ((f.to_king[i] * 8 + f.from_king[i]) * 6 + f.role[i]) * 4 + w.phase;
    /// Open files, outposts and passed pawns.
    files[4 * 4 * 8 * 8 * R * 2] =
        ((((f.file_to[i] * 4 + f.file_from[i]) * 8 + f.outpost[i]) * 8 + (f.to[i] >> 3)) * 6 + f.role[i]) * 2
            + (w.phase >> 1);
    /// Repeated positions.
    repetition[3 * 2 * R] = (f.repetitions[i] * 2 + f.undoes[i]) * 6 + f.role[i];
}

/// Weights in the line of a context, one per slot of a move.
pub(super) const LINE: usize = 128;
/// The lines of a context that is the piece and target of an earlier move.
const PIECES_TO: usize = 64 * ROLES;
/// The lines of a context that is addressed by a hash.
const HASHED: usize = 1 << 13;
/// The lines of each context: the last three moves, each by itself; the last two together; the pawns; the mover's other pieces;
/// early in a game, the complete position.
pub(super) const CONTEXTS: [usize; 7] = [PIECES_TO, PIECES_TO, PIECES_TO, HASHED, HASHED, HASHED, HASHED];
/// The number of hashed contexts, which are the last.
pub(super) const HASHED_CONTEXTS: usize = 4;
/// The last ply at which the whole position is a context.
const BOOK: usize = 30;

/// The line of each context, if there is one.
#[inline(always)]
pub(super) fn lines(view: &View, history: &History) -> [Option<usize>; CONTEXTS.len()] {
    let last = [1, 2, 3].map(|back| history.last(back, view.flip));
    let [first, second, third] = last.map(|played| Some(played?.piece_to()));
    let keys = history.keys(Color::from_white(view.flip == 0));
    let [one, two, _] =
        last.map(|played| played.map_or(0, |played| 1 + played.piece_to() * 64 + played.from) as u64);
    let hashed = |key: u64| (mix(key) >> 40) as usize % HASHED;
    [
        first,
        second,
        third,
        Some(hashed(one << 32 | two)),
        Some(hashed(keys.pawns)),
        Some(hashed(keys.non_pawns)),
        (history.ply() < BOOK).then_some(hashed(keys.all)),
    ]
}

/// The number of rows of exchanges, and of targets relative to the opponent's last target.
pub(super) const EXCHANGES: usize = R * 6 * 6 * 2 * 4;
pub(super) const LAST_OFFSETS: usize = R * OFFSETS * 2;
