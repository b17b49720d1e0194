//! How many pieces of each kind are on the board.

use plybook_chess::chess::{Board, Color, Role};

/// Bits of a count. The highest one is always 0, so that all counts can be compared in one operation.
// Ten counts of six bits fit into one word: applying a change is an addition, and comparing all counts with a range
// is two subtractions. A search by material does both for every change of every game.
const WIDTH: u32 = 6;

/// The highest count of a kind of piece; higher numbers are capped.
pub const MOST: u8 = 31;

/// The counted roles, in the order of the counts.
pub const ROLES: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// The highest bit of every count.
const GUARDS: u64 = {
    let (mut guards, mut count) = (0, 0);
    while count < 2 * ROLES.len() as u32 {
        guards |= 1 << (count * WIDTH + WIDTH - 1);
        count += 1;
    }
    guards
};

/// The number of pieces of each colour and role, except for kings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Material(u64);

impl Material {
    /// The start of every game of standard chess: eight pawns, two knights, bishops and rooks, and a queen each.
    pub const STANDARD: Material = {
        let side = 8 | 2 << WIDTH | 2 << (2 * WIDTH) | 2 << (3 * WIDTH) | 1 << (4 * WIDTH);
        Material(side | side << (5 * WIDTH))
    };

    /// The material on a board.
    pub fn of(board: &Board) -> Material {
        let mut material = Material::default();
        for color in Color::ALL {
            for role in ROLES {
                let count = board.by_piece(role.of(color)).count().min(MOST.into()) as u64;
                material.0 |= count << shift(color, role);
            }
        }
        material
    }

    /// The number of pieces of a colour and role; 0 for kings.
    pub fn count(self, color: Color, role: Role) -> u8 {
        if role == Role::King { 0 } else { (self.0 >> shift(color, role)) as u8 & MOST }
    }

    /// The number of pieces, except for kings.
    pub fn pieces(self) -> u8 {
        let counts = Color::ALL.into_iter().flat_map(|color| ROLES.map(|role| self.count(color, role)));
        counts.fold(0, u8::saturating_add)
    }

    /// The same with another count for a colour and role; kings are not counted.
    #[must_use]
    pub fn with(self, color: Color, role: Role, count: u8) -> Material {
        if role == Role::King {
            return self;
        }
        let shift = shift(color, role);
        Material(self.0 & !(u64::from(MOST) << shift) | u64::from(count.min(MOST)) << shift)
    }

    /// The same with the colours swapped.
    #[must_use]
    pub fn mirrored(self) -> Material {
        let side = 5 * WIDTH;
        Material(self.0 >> side | (self.0 & ((1 << side) - 1)) << side)
    }

    /// One piece of a colour and role, to [add](Self::plus) or [take away](Self::minus).
    #[inline]
    pub fn one(color: Color, role: Role) -> Material {
        Material(if role == Role::King { 0 } else { 1 << shift(color, role) })
    }

    /// The sum; counts must not exceed [`MOST`].
    #[inline]
    #[must_use]
    pub fn plus(self, other: Material) -> Material {
        Material(self.0.wrapping_add(other.0))
    }

    /// The difference; counts must not become negative.
    #[inline]
    #[must_use]
    pub fn minus(self, other: Material) -> Material {
        Material(self.0.wrapping_sub(other.0))
    }

    /// Whether each count is between those of two others, inclusive.
    #[inline]
    pub fn is_between(self, least: Material, most: Material) -> bool {
        // A count that is too small borrows the bit above it.
        ((self.0 | GUARDS).wrapping_sub(least.0)) & ((most.0 | GUARDS).wrapping_sub(self.0)) & GUARDS
            == GUARDS
    }
}

#[inline]
fn shift(color: Color, role: Role) -> u32 {
    (color.fold_wb(0, 5) + role as u32 - Role::Pawn as u32) * WIDTH
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn material_matches_the_board() {
        let board = Board::default();
        assert_eq!(Material::of(&board), Material::STANDARD);
        assert_eq!(Material::STANDARD.mirrored(), Material::STANDARD);
        let fewer = Material::STANDARD.minus(Material::one(Color::Black, Role::Rook));
        assert_eq!((fewer.count(Color::Black, Role::Rook), fewer.count(Color::White, Role::Rook)), (1, 2));
        assert_eq!(fewer.mirrored().count(Color::White, Role::Rook), 1);
        assert_eq!(fewer.with(Color::Black, Role::Rook, 2), Material::STANDARD);
        assert_eq!(fewer.plus(Material::one(Color::Black, Role::Rook)), Material::STANDARD);
    }

    #[test]
    fn ranges_compare_each_count() {
        let counts = |seed: u64| {
            let mut material = Material::default();
            for (place, (color, role)) in
                Color::ALL.into_iter().flat_map(|color| ROLES.map(|role| (color, role))).enumerate()
            {
                material = material.with(color, role, (seed >> (6 * place)) as u8 % 3 * 15);
            }
            material
        };
        let each = || Color::ALL.into_iter().flat_map(|color| ROLES.map(move |role| (color, role)));
        let mut seed = 1u64;
        let mut inside = 0;
        for _ in 0..20_000 {
            seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            let (material, least) = (counts(seed), counts(seed.rotate_left(17) & seed));
            let most = counts(seed.rotate_left(40) | seed);
            let expected = each().all(|(color, role)| {
                let count = material.count(color, role);
                least.count(color, role) <= count && count <= most.count(color, role)
            });
            assert_eq!(material.is_between(least, most), expected);
            inside += u32::from(material.is_between(least.with(Color::White, Role::Pawn, 0), material));
        }
        assert!(inside > 0);
    }
}
