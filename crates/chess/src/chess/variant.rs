//! The variants that plybook stores, with the names that PGN files use for them.

use shakmaty::{
    Bitboard, CastlingMode, Color, File, Position, PositionError, Rank, Setup, Square,
    fen::Fen,
    variant::{Variant as Rules, VariantPosition},
};

/// Defines the enum and its table; each variant is one line.
macro_rules! variants {
    ($($(#[$doc:meta])* $variant:ident = $id:literal, $rules:ident, $name:literal, $key:literal, $openings:literal, $spellings:expr;)*) => {
        /// A chess variant. The discriminants are stored in archives and never change.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Variant {
            $($(#[$doc])* $variant = $id,)*
        }

        impl Variant {
            /// Every variant, in the order of the stored numbers.
            pub const ALL: [Variant; [$($id),*].len()] = [$(Variant::$variant),*];

            /// The variant with a stored number.
            pub const fn from_id(id: u8) -> Option<Variant> {
                match id {
                    $($id => Some(Variant::$variant),)*
                    _ => None,
                }
            }

            const fn row(self) -> Row {
                match self {
                    $(Variant::$variant => Row {
                        rules: Rules::$rules,
                        name: $name,
                        key: $key,
                        has_openings: $openings,
                        spellings: &$spellings,
                    },)*
                }
            }
        }
    };
}

/// The properties of a variant.
struct Row {
    /// The rules that shakmaty uses for it.
    rules: Rules,
    /// The usual name, as in the `Variant` tag of PGN.
    name: &'static str,
    /// The name used by web servers and the script of the web page.
    key: &'static str,
    /// Whether its games start like chess games, so that openings have the same names.
    has_openings: bool,
    /// The spellings in use, in lower-case letters and digits without separators.
    spellings: &'static [&'static str],
}

// The number 9 is taken: archives use it for Xelto.
variants! {
    /// Standard chess, also from a set-up position.
    #[default]
    Standard = 0, Chess, "Standard", "standard", true, ["standard", "", "chess", "normal", "fromposition"];
    /// Chess960 (Fischer random chess).
    Chess960 = 1, Chess, "Chess960", "chess960", false, ["chess960", "fischerandom", "fischerrandom", "frc", "freestyle", "960", "wildfr"];
    /// Atomic chess.
    Atomic = 2, Atomic, "Atomic", "atomic", false, ["atomic", "atomicchess"];
    /// Antichess (losing chess).
    Antichess = 3, Antichess, "Antichess", "antichess", false, ["antichess"];
    /// King of the hill.
    KingOfTheHill = 4, KingOfTheHill, "King of the Hill", "kingOfTheHill", true, ["kingofthehill", "koth"];
    /// Three-check.
    ThreeCheck = 5, ThreeCheck, "Three-check", "threeCheck", true, ["threecheck", "3check"];
    /// Crazyhouse.
    Crazyhouse = 6, Crazyhouse, "Crazyhouse", "crazyhouse", true, ["crazyhouse", "zh"];
    /// Racing kings.
    RacingKings = 7, RacingKings, "Racing Kings", "racingKings", false, ["racingkings", "racingking"];
    /// Horde.
    Horde = 8, Horde, "Horde", "horde", false, ["horde"];
}

impl Variant {
    /// Whether there is a model of how people play it: see [`codec::game::model`](crate::codec::game::model).
    pub const fn has_model(self) -> bool {
        matches!(self, Variant::Standard | Variant::Chess960)
    }

    /// The number stored in archives.
    pub const fn id(self) -> u8 {
        self as u8
    }

    /// The usual name, as in the `Variant` tag of PGN.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// The name used by web servers and the script of the web page: `kingOfTheHill`.
    pub const fn key(self) -> &'static str {
        self.row().key
    }

    /// The variant with this key.
    pub fn from_key(key: &str) -> Option<Variant> {
        Variant::ALL.into_iter().find(|variant| variant.key() == key)
    }

    /// Whether its games start like chess games, so that openings have the same names.
    pub const fn has_openings(self) -> bool {
        self.row().has_openings
    }

    /// Parses a `Variant` tag, including common spellings; `None` for an unsupported variant.
    pub fn from_name(name: &str) -> Option<Variant> {
        let letters: String =
            name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
        Variant::ALL.into_iter().find(|variant| variant.row().spellings.contains(&letters.as_str()))
    }

    /// The variant of a position; for Chess960, which has the rules of chess, this is standard chess.
    pub fn of(position: &VariantPosition) -> Variant {
        let is_meant = |variant: &Variant| variant.row().rules == position.variant();
        Variant::ALL.into_iter().find(is_meant).unwrap_or_default()
    }

    /// The usual start position. (For Chess960, which has 960, it is position 518, that of standard chess.)
    pub fn start(self) -> VariantPosition {
        VariantPosition::new(self.row().rules)
    }

    /// Chess960 if a FEN has castling rights that no game of standard chess can have; otherwise standard chess.
    ///
    /// Wrong rights are a common slip in FENs of standard games. So all rights must be possible, with the kings on one
    /// file. If that is their file in standard chess, the rights must name files, or no pawn has moved.
    pub fn of_fen(text: &str, fen: &Fen) -> Variant {
        let setup = fen.as_setup();
        let has_rights = |color: &Color| (setup.castling_rights & color.backrank()).any();
        let mut homes =
            Color::ALL.into_iter().filter(has_rights).filter_map(|color| setup.board.king_of(color));
        let home = homes.next().map(Square::file);
        let is_meant = || {
            let rights = text.split_whitespace().nth(2).unwrap_or_default();
            let names_files = rights.contains(|right: char| matches!(right.to_ascii_lowercase(), 'b'..='g'));
            let has_all_pawns =
                setup.board.pawns() == Bitboard::from(Rank::Second) | Bitboard::from(Rank::Seventh);
            home != Some(File::E) || has_all_pawns || names_files
        };
        let is_possible = || {
            let position = Variant::Chess960.position(fen);
            position.is_ok_and(|position| position.castles().castling_rights() == setup.castling_rights)
        };
        let needs_chess960 =
            CastlingMode::detect(setup).is_chess960() && homes.all(|king| Some(king.file()) == home);
        match needs_chess960 && is_meant() && is_possible() {
            true => Variant::Chess960,
            false => Variant::Standard,
        }
    }

    /// A position of this variant from a FEN.
    ///
    /// Castling rights that require a king or rook on a non-standard square are read as Chess960 rights. An en passant
    /// square without a pawn to capture and impossible castling rights are dropped, because they have no effect;
    /// unusual material is allowed.
    ///
    /// # Errors
    /// The position violates the rules of the variant (for example, a king is missing).
    #[allow(clippy::result_large_err, reason = "the error is shakmaty's, and holds the position")]
    pub fn position(self, fen: &Fen) -> Result<VariantPosition, PositionError<VariantPosition>> {
        self.position_of(fen.as_setup().clone())
    }

    /// Like [`position`](Self::position), from a parsed FEN.
    ///
    /// # Errors
    /// As for [`position`](Self::position).
    #[allow(clippy::result_large_err, reason = "the error is shakmaty's, and holds the position")]
    pub fn position_of(self, setup: Setup) -> Result<VariantPosition, PositionError<VariantPosition>> {
        let mode = match self {
            Variant::Chess960 => CastlingMode::Chess960,
            _ => CastlingMode::detect(&setup),
        };
        VariantPosition::from_setup(self.row().rules, setup, mode)
            .or_else(PositionError::ignore_invalid_castling_rights)
            .or_else(PositionError::ignore_invalid_ep_square)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn castling_rights_that_no_standard_game_can_have_are_chess960() {
        let variant = |text: &str| Variant::of_fen(text, &text.parse().unwrap());
        for text in [
            "bqnrnkrb/pppppppp/8/8/8/8/PPPPPPPP/BQNRNKRB w KQkq - 0 1",
            "qrnknbbr/pppppppp/8/8/8/8/PPPPPPPP/QRNKNBBR w HBhb - 0 1",
            "nrbbkqrn/pppppppp/8/8/8/8/PPPPPPPP/NRBBKQRN w KQkq - 0 1",
            "4k3/8/8/8/8/8/8/1R2K3 w B - 0 1",
            "4k3/8/8/8/8/8/8/R4K2 w Q - 0 1",
        ] {
            assert_eq!(variant(text), Variant::Chess960, "{text}");
        }
        for text in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
            "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
            // Rights that were forgotten after a rook or a king had moved.
            "4k3/8/8/8/8/8/8/4K1R1 w K - 0 1",
            "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1",
            "r4rk1/8/8/8/8/8/8/R4RK1 w KQkq - 0 1",
            "r4k1r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            "8/8/8/4k3/8/8/8/4K3 w - - 0 1",
        ] {
            assert_eq!(variant(text), Variant::Standard, "{text}");
        }
    }

    #[test]
    fn numbers_and_names_map_back_to_variants() {
        for variant in Variant::ALL {
            assert_eq!(Variant::from_id(variant.id()), Some(variant));
            for name in variant.row().spellings.iter().chain([&variant.name()]) {
                assert_eq!(Variant::from_name(name), Some(variant), "{name}");
            }
        }
        // Archives use it for another game.
        assert_eq!(Variant::from_id(9), None);
        assert_eq!(Variant::from_name("bughouse"), None);
    }
}
