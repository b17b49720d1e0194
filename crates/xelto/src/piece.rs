//! The 29 pieces, each with a unique name.

use std::{fmt, str::FromStr};

use super::Side;

/// A piece, in the order of the apostles (*stated*), Teems last. All encodings depend on this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[rustfmt::skip]
#[allow(missing_docs, reason = "the names of the game need no explanation")]
pub enum Piece {
    Dia, Vio, Lis, Gil, Ful, Dyu, Mel, Ral, Zan, Pal, Mik, Fav, Ruj, Ser,
    Rav, Tan, Lin, Rez, Jil, Din, Ket, Len, Lax, Nen, Pin, Mat, Kun, Mir,
    /// テームス, Teems, which belongs to neither side.
    Tem,
}

#[rustfmt::skip]
const NAMES: [&str; Piece::COUNT] = [
    "dia", "vio", "lis", "gil", "ful", "dyu", "mel", "ral", "zan", "pal", "mik", "fav", "ruj", "ser",
    "rav", "tan", "lin", "rez", "jil", "din", "ket", "len", "lax", "nen", "pin", "mat", "kun", "mir",
    "tem",
];

impl Piece {
    /// The number of pieces.
    pub const COUNT: usize = 29;

    /// Every piece, in order.
    #[rustfmt::skip]
    pub const ALL: [Piece; Piece::COUNT] = {
        use Piece::*;
        [
            Dia, Vio, Lis, Gil, Ful, Dyu, Mel, Ral, Zan, Pal, Mik, Fav, Ruj, Ser,
            Rav, Tan, Lin, Rez, Jil, Din, Ket, Len, Lax, Nen, Pin, Mat, Kun, Mir, Tem,
        ]
    };

    /// The 0-based index in the order.
    pub const fn id(self) -> u8 {
        self as u8
    }

    /// The piece with an id.
    pub fn from_id(id: u8) -> Option<Piece> {
        Piece::ALL.get(usize::from(id)).copied()
    }

    /// The three-letter name.
    pub fn name(self) -> &'static str {
        NAMES[usize::from(self.id())]
    }

    /// The permanent owner of the piece: a captured piece never changes sides.
    pub const fn owner(self) -> Option<Side> {
        match self.id() {
            0..14 => Some(Side::Arxe),
            14..28 => Some(Side::Sorn),
            _ => None,
        }
    }

    /// The kind of the piece.
    pub const fn kind(self) -> PieceType {
        use Piece::*;
        match self {
            Pal | Ruj | Din | Tan => PieceType::Tate,
            Ful | Gil | Rez | Jil => PieceType::Yoko,
            Mik | Zan | Kun | Lax => PieceType::Naname,
            Fav | Mat => PieceType::Tou,
            Dyu | Ral | Rav | Len => PieceType::Iro,
            Lis | Vio | Nen | Lin => PieceType::Chou,
            Mel | Dia | Pin | Ket => PieceType::Tobira,
            Ser | Mir => PieceType::Tsuki,
            Tem => PieceType::Eien,
        }
    }

    /// The pieces of one side, in order.
    pub fn of(side: Side) -> impl Iterator<Item = Piece> {
        Piece::ALL.into_iter().filter(move |piece| piece.owner() == Some(side))
    }

    /// The moon of one side.
    pub const fn moon(side: Side) -> Piece {
        match side {
            Side::Arxe => Piece::Ser,
            Side::Sorn => Piece::Mir,
        }
    }

    /// The demons of one side (魔駒). *Stated*: there are four per side. *Forced*: with any kinds other than colours
    /// and doors, at least one record would continue after its end.
    pub const fn demons(side: Side) -> [Piece; 4] {
        match side {
            Side::Arxe => [Piece::Dia, Piece::Dyu, Piece::Mel, Piece::Ral],
            Side::Sorn => [Piece::Rav, Piece::Ket, Piece::Len, Piece::Pin],
        }
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Piece {
    type Err = UnknownPiece;

    fn from_str(name: &str) -> Result<Piece, UnknownPiece> {
        let piece = Piece::ALL.into_iter().find(|piece| piece.name() == name);
        piece.ok_or_else(|| UnknownPiece(name.to_owned()))
    }
}

/// An unknown piece name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a piece")]
pub struct UnknownPiece(pub String);

/// The kind of a piece; both sides have the same kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PieceType {
    /// 縦, vertical: a front guard.
    Tate,
    /// 横, horizontal: a front guard.
    Yoko,
    /// 斜, diagonal: a front guard.
    Naname,
    /// 塔, tower: a front guard.
    Tou,
    /// 色, colour: a demon.
    Iro,
    /// 跳, jump.
    Chou,
    /// 扉, door: a demon.
    Tobira,
    /// 月, moon: a side that loses it has lost.
    Tsuki,
    /// 永: Teems.
    Eien,
}

impl PieceType {
    /// Whether this is one of the front guards (前衛), which can be turned and can move in pairs. *Stated*.
    pub const fn is_front(self) -> bool {
        matches!(self, PieceType::Tate | PieceType::Yoko | PieceType::Naname | PieceType::Tou)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_agree() {
        for (id, piece) in (0..).zip(Piece::ALL) {
            assert_eq!(piece.id(), id);
            assert_eq!(Piece::from_id(id), Some(piece));
            assert_eq!(piece.name(), format!("{piece:?}").to_lowercase());
            assert_eq!(piece.name().parse(), Ok(piece));
        }
        assert_eq!(Piece::from_id(29), None);
        for side in Side::ALL {
            assert_eq!(Piece::of(side).count(), 14);
            assert_eq!(Piece::of(side).filter(|piece| piece.kind().is_front()).count(), 7);
            let is_demon = |piece: &Piece| matches!(piece.kind(), PieceType::Iro | PieceType::Tobira);
            let demons: Vec<_> = Piece::of(side).filter(is_demon).collect();
            assert!(Piece::demons(side).iter().all(|piece| demons.contains(piece)));
            assert_eq!(demons.len(), 4);
            assert_eq!(Piece::moon(side).kind(), PieceType::Tsuki);
            assert_eq!(Piece::moon(side).owner(), Some(side));
        }
    }
}
