//! Facts about a position that all of its moves share: pinned and endangered pieces, and what leaving a square opens or
//! exposes.

use fearless_simd::Simd;
use shakmaty::attacks;

use super::{
    history::{History, Played},
    per_square::Squares,
    squares::{
        BISHOP, KING, PAWN, QUEEN, ROLES, ROOK, attacks_of, between, bit, each, enemy_pawn_attacks, square,
    },
    view::{Side, View},
};

/// Facts about a position that all of its moves share.
pub(super) struct Common<'a> {
    pub view: &'a View,
    pub last: Option<Played>,
    pub own_last: Option<Played>,
    /// The squares from which each role gives check.
    pub checks_from: [u64; ROLES],
    /// Own pieces that give a discovered check by leaving the line to the enemy king.
    pub check_blockers: u64,
    /// Enemy pieces other than pawns that are pinned to their king.
    pub pinned: u64,
    pub king_zone: u64,
    /// Undefended enemy pieces.
    pub loose: u64,
    /// Endangered own pieces (see [`View::endangered`]), and those of them that are undefended.
    pub endangered: u64,
    pub hanging: u64,
    /// Own attacked pieces other than the king that exactly one own piece defends.
    pub defended_once: u64,
    /// Where a piece can block the attacks on endangered pieces.
    pub blocks: Blocks,
    /// The highest class of the pieces that own sliders attack, and that enemy sliders attack, once each square is empty.
    pub opened_class: [u8; 64],
    pub exposed_class: [u8; 64],
    /// The enemy slider of `exposed_class`.
    pub exposed_to: [u8; 64],
    /// Facts about each square.
    pub squares: Squares,
}

/// The squares between sliders and the endangered pieces that they attack; at most eight such lines.
#[derive(Default)]
pub(super) struct Blocks {
    count: usize,
    squares: [u64; 8],
    pieces: [u64; 8],
}

impl Blocks {
    /// The endangered pieces whose attack a piece on a square blocks.
    #[inline(always)]
    pub(super) fn by(&self, to: u64) -> u64 {
        let blocks = self.squares.iter().zip(&self.pieces).take(self.count);
        blocks.fold(0, |all, (&squares, &piece)| if squares & to != 0 { all | piece } else { all })
    }
}

impl<'a> Common<'a> {
    #[inline(always)]
    pub(super) fn new<S: Simd>(simd: S, view: &'a View, history: &History) -> Common<'a> {
        let View { own, enemy, occupied, enemy_king, .. } = *view;
        let (straight, diagonal) =
            (attacks_of(ROOK, enemy_king, occupied), attacks_of(BISHOP, enemy_king, occupied));
        let endangered = view.endangered();
        let [once, twice, _] = own.attacked;
        let mut common = Common {
            view,
            squares: Squares::new(simd, view),
            last: history.last(1, view.flip),
            own_last: history.last(2, view.flip),
            checks_from: [
                enemy_pawn_attacks(bit(enemy_king)).into_iter().fold(0, |all, set| all | set),
                attacks::knight_attacks(square(enemy_king)).0,
                diagonal,
                straight,
                straight | diagonal,
                0,
            ],
            check_blockers: 0,
            pinned: 0,
            king_zone: attacks::king_attacks(square(enemy_king)).0 | bit(enemy_king),
            loose: enemy.all & !enemy.attacked[0],
            endangered,
            hanging: endangered & view.undefended,
            defended_once: own.all & !own.pieces[KING] & enemy.attacked[0] & once & !twice,
            blocks: Blocks::default(),
            opened_class: [0; 64],
            exposed_class: [0; 64],
            exposed_to: [64; 64],
        };
        common.find_lines_to_enemy_king();
        common.find_blocks();
        common.find_opened_lines();
        common.find_exposed_lines();
        common
    }

    #[inline(always)]
    fn find_lines_to_enemy_king(&mut self) {
        let View { own, enemy, occupied, enemy_king, .. } = *self.view;
        let [_, _, bishops, rooks, queens, _] = own.pieces;
        let rays = |role| attacks_of(role, enemy_king, 0);
        for slider in each(rays(ROOK) & (rooks | queens) | rays(BISHOP) & (bishops | queens)) {
            let pieces = between(slider, enemy_king) & occupied;
            if pieces.count_ones() == 1 {
                self.check_blockers |= pieces & own.all;
                self.pinned |= pieces & enemy.all & !enemy.pieces[PAWN];
            }
        }
    }

    #[inline(always)]
    fn find_blocks(&mut self) {
        if self.endangered == 0 {
            return;
        }
        let View { ref enemy, ref reach, .. } = *self.view;
        let blocks = &mut self.blocks;
        for slider in each(sliders(enemy)) {
            for piece in each(reach[slider] & self.endangered) {
                let squares = between(slider, piece);
                if squares != 0 && blocks.count < blocks.squares.len() {
                    blocks.squares[blocks.count] = squares;
                    blocks.pieces[blocks.count] = bit(piece);
                    blocks.count += 1;
                }
            }
        }
    }

    /// What own sliders attack when an own piece leaves their line: more valuable pieces, and undefended ones.
    #[inline(always)]
    fn find_opened_lines(&mut self) {
        let View { ref own, ref enemy, ref reach, ref piece, occupied, .. } = *self.view;
        for slider in each(sliders(own)) {
            let role = usize::from(piece[slider]);
            for from in each(reach[slider] & own.all) {
                let behind = attacks_of(role, slider, occupied ^ bit(from)) & !reach[slider] & enemy.all;
                let class = enemy.class_in(behind & (enemy.more_valuable_than(role) | self.loose)) as u8;
                self.opened_class[from] = self.opened_class[from].max(class);
            }
        }
    }

    /// What enemy sliders attack when an own piece leaves their line.
    #[inline(always)]
    fn find_exposed_lines(&mut self) {
        let View { ref own, ref enemy, ref reach, ref piece, occupied, .. } = *self.view;
        let loose = own.all & !own.attacked[0];
        for slider in each(sliders(enemy)) {
            let role = usize::from(piece[slider]) - ROLES;
            for from in each(reach[slider] & own.all & !own.pieces[KING]) {
                let behind = attacks_of(role, slider, occupied ^ bit(from)) & !reach[slider] & own.all;
                if behind == 0 {
                    continue;
                }
                let class = own.class_in(behind & (own.more_valuable_than(role) | loose)) as u8;
                if class > self.exposed_class[from] {
                    self.exposed_class[from] = class;
                    self.exposed_to[from] = slider as u8;
                }
            }
        }
    }
}

/// The bishops, rooks and queens of a side.
#[inline(always)]
fn sliders(side: &Side) -> u64 {
    side.pieces[BISHOP] | side.pieces[ROOK] | side.pieces[QUEEN]
}
