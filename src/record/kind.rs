//! Which game a stored game is one of.

use std::fmt;

use crate::chess::Variant;

/// The game that is played. Chess and its variants have the numbers of [`Variant`]; Xelto has the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameKind {
    /// Chess, or one of its variants.
    Chess(Variant),
    /// [Xelto](crate::xelto).
    Xelto,
}

impl GameKind {
    /// Every kind, in the order of the stored numbers.
    pub fn all() -> impl Iterator<Item = GameKind> {
        Variant::ALL.into_iter().map(GameKind::Chess).chain([GameKind::Xelto])
    }

    /// The number that archives store in `form.variant`. It is never given a second meaning.
    pub const fn id(self) -> u8 {
        match self {
            GameKind::Chess(variant) => variant.id(),
            GameKind::Xelto => 9,
        }
    }

    /// The kind with a stored number.
    pub fn from_id(id: u8) -> Option<GameKind> {
        GameKind::all().find(|kind| kind.id() == id)
    }

    /// The usual name, as the `Variant` tag gives it.
    pub const fn name(self) -> &'static str {
        match self {
            GameKind::Chess(variant) => variant.name(),
            GameKind::Xelto => "Xelto",
        }
    }

    /// Reads a name, with the spellings in use; `None` for a game plybook does not know.
    pub fn from_name(name: &str) -> Option<GameKind> {
        match name.trim() {
            name if name.eq_ignore_ascii_case("xelto") || name == "シェルト" => Some(GameKind::Xelto),
            name => Variant::from_name(name).map(GameKind::Chess),
        }
    }

    /// The variant of chess, if it is one.
    pub const fn variant(self) -> Option<Variant> {
        match self {
            GameKind::Chess(variant) => Some(variant),
            GameKind::Xelto => None,
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
    fn numbers_and_names_are_told_apart() {
        let kinds: Vec<GameKind> = GameKind::all().collect();
        for (id, &kind) in (0..).zip(&kinds) {
            assert_eq!((kind.id(), GameKind::from_id(id)), (id, Some(kind)));
            assert_eq!(GameKind::from_name(kind.name()), Some(kind));
        }
        assert_eq!(GameKind::from_id(10), None);
        assert_eq!(GameKind::from_name("bughouse"), None);
    }
}
