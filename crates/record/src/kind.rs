//! The game that is played: chess, a variant, or another game.

use std::fmt;

use super::Family;
use plybook_chess::chess::Variant;

/// The game that is played. Chess and its variants have the numbers of [`Variant`], Xelto has 9.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameKind {
    /// Chess, or one of its variants.
    Chess(Variant),
    /// [Xelto](plybook_xelto).
    Xelto,
}

/// The stored number of Xelto.
const XELTO: u8 = 9;

impl GameKind {
    /// The number, the name and the family.
    fn row(self) -> (u8, &'static str, Family) {
        match self {
            GameKind::Chess(variant) => (variant.id(), variant.name(), Family::Chess),
            GameKind::Xelto => (XELTO, "Xelto", Family::Xelto),
        }
    }

    /// Every kind, in the order of the stored numbers.
    pub fn all() -> impl Iterator<Item = GameKind> {
        Variant::ALL.into_iter().map(GameKind::Chess).chain([GameKind::Xelto])
    }

    /// The number that archives store in `tag_layout.variant`. Numbers are never reused.
    pub fn id(self) -> u8 {
        self.row().0
    }

    /// The kind with a stored number.
    pub fn from_id(id: u8) -> Option<GameKind> {
        if id == XELTO { Some(GameKind::Xelto) } else { Variant::from_id(id).map(GameKind::Chess) }
    }

    /// The usual name, as the `Variant` tag gives it.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// The name of a kind; `?` for one of a newer version.
    pub fn name_or_unknown(kind: Option<GameKind>) -> &'static str {
        kind.map_or("?", GameKind::name)
    }

    /// Its family.
    pub fn family(self) -> Family {
        self.row().2
    }

    /// Parses a name, including alternative spellings; `None` for a game that plybook does not support.
    pub fn from_name(name: &str) -> Option<GameKind> {
        match name.trim() {
            "シェルト" => Some(GameKind::Xelto),
            name if name.eq_ignore_ascii_case("xelto") => Some(GameKind::Xelto),
            name => Variant::from_name(name).map(GameKind::Chess),
        }
    }

    /// The variant of chess, if it is one.
    pub const fn variant(self) -> Option<Variant> {
        match self {
            GameKind::Chess(variant) => Some(variant),
            _ => None,
        }
    }
}

impl fmt::Display for GameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_are_unique() {
        let kinds: Vec<GameKind> = GameKind::all().collect();
        for &kind in &kinds {
            assert_eq!(GameKind::from_id(kind.id()), Some(kind));
            assert_eq!(GameKind::from_name(kind.name()), Some(kind));
        }
        assert_eq!((GameKind::Xelto.id(), GameKind::from_id(255)), (9, None));
        assert_eq!(GameKind::from_name("bughouse"), None);
    }
}
