//! The variants plybook stores, by the names that PGN files use for them.

use shakmaty::{
    CastlingMode, Chess, PositionError,
    fen::Fen,
    variant::{Variant as Rules, VariantPosition},
};

/// A chess variant. The discriminants are stored in archives and never change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Variant {
    /// Standard chess, also from a set-up position.
    #[default]
    Standard = 0,
    /// Chess960 (Fischer random chess).
    Chess960 = 1,
    /// Atomic chess.
    Atomic = 2,
    /// Antichess (losing chess).
    Antichess = 3,
    /// King of the hill.
    KingOfTheHill = 4,
    /// Three-check.
    ThreeCheck = 5,
    /// Crazyhouse.
    Crazyhouse = 6,
    /// Racing kings.
    RacingKings = 7,
    /// Horde.
    Horde = 8,
}

impl Variant {
    /// Every variant, in the order of the stored numbers.
    pub const ALL: [Variant; 9] = [
        Variant::Standard,
        Variant::Chess960,
        Variant::Atomic,
        Variant::Antichess,
        Variant::KingOfTheHill,
        Variant::ThreeCheck,
        Variant::Crazyhouse,
        Variant::RacingKings,
        Variant::Horde,
    ];

    /// The number that archives store.
    pub const fn id(self) -> u8 {
        self as u8
    }

    /// The variant with a stored number.
    pub fn from_id(id: u8) -> Option<Variant> {
        Variant::ALL.get(usize::from(id)).copied()
    }

    /// The usual name, as the `Variant` tag of a PGN gives it.
    pub const fn name(self) -> &'static str {
        match self {
            Variant::Standard => "Standard",
            Variant::Chess960 => "Chess960",
            Variant::Atomic => "Atomic",
            Variant::Antichess => "Antichess",
            Variant::KingOfTheHill => "King of the Hill",
            Variant::ThreeCheck => "Three-check",
            Variant::Crazyhouse => "Crazyhouse",
            Variant::RacingKings => "Racing Kings",
            Variant::Horde => "Horde",
        }
    }

    /// Reads a `Variant` tag, with the spellings in use; `None` for a variant plybook does not know.
    pub fn from_name(name: &str) -> Option<Variant> {
        let letters: String =
            name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
        Some(match letters.as_str() {
            "" | "standard" | "chess" | "normal" | "fromposition" => Variant::Standard,
            "chess960" | "fischerandom" | "fischerrandom" | "frc" | "freestyle" | "960" => Variant::Chess960,
            "atomic" | "atomicchess" => Variant::Atomic,
            "antichess" => Variant::Antichess,
            "kingofthehill" | "koth" => Variant::KingOfTheHill,
            "threecheck" | "3check" => Variant::ThreeCheck,
            "crazyhouse" | "zh" => Variant::Crazyhouse,
            "racingkings" | "racingking" => Variant::RacingKings,
            "horde" => Variant::Horde,
            _ => return None,
        })
    }

    /// The rules that shakmaty plays it by.
    const fn rules(self) -> Rules {
        match self {
            Variant::Standard | Variant::Chess960 => Rules::Chess,
            Variant::Atomic => Rules::Atomic,
            Variant::Antichess => Rules::Antichess,
            Variant::KingOfTheHill => Rules::KingOfTheHill,
            Variant::ThreeCheck => Rules::ThreeCheck,
            Variant::Crazyhouse => Rules::Crazyhouse,
            Variant::RacingKings => Rules::RacingKings,
            Variant::Horde => Rules::Horde,
        }
    }

    /// The usual start position. (For Chess960, which has 960, it is array 518: that of standard chess.)
    pub fn start(self) -> VariantPosition {
        match self {
            Variant::Standard | Variant::Chess960 => VariantPosition::Chess(Chess::new()),
            _ => VariantPosition::new(self.rules()),
        }
    }

    /// A position of this variant from a FEN.
    ///
    /// Castling rights that need a king or rook elsewhere than on its usual square are read as Chess960's.
    /// An en passant square behind no pawn and impossible castling rights are dropped, as nothing on the
    /// board can use them; unusual material is allowed.
    ///
    /// # Errors
    /// The position breaks the rules of the variant (for example a missing king).
    #[allow(clippy::result_large_err, reason = "the error is shakmaty's, and holds the position")]
    pub fn position(self, fen: &Fen) -> Result<VariantPosition, PositionError<VariantPosition>> {
        let setup = fen.as_setup().clone();
        let mode = match self {
            Variant::Chess960 => CastlingMode::Chess960,
            _ => CastlingMode::detect(&setup),
        };
        VariantPosition::from_setup(self.rules(), setup, mode)
            .or_else(PositionError::ignore_invalid_castling_rights)
            .or_else(PositionError::ignore_invalid_ep_square)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
    }
}
