//! The moves of a game on a page.

use super::{address::Address, messages::Messages};
use crate::present::movetext::MovetextMove;

/// The address of the position after a move.
pub(super) fn link(m: &MovetextMove, address: &Address) -> Address {
    let bare = address.without(&["ply", "at"]);
    if m.is_variation { bare.with("at", m.node) } else { bare.with("ply", m.ply) }
}

/// Arrows and circles in the form that the script reads.
pub(super) fn listed(shapes: &[crate::present::board_picture::Shape]) -> String {
    shapes.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

/// The value of a mate, and the limit of all other evaluations.
const MATE: i32 = 10_000;

/// An evaluation in hundredths of a pawn for White, from `0.17`, `-1.2,24` (with a depth) or `#-3`.
pub(super) fn centipawns(text: &str) -> Option<i32> {
    let text = text.split([',', ' ']).next()?;
    if let Some(mate) = text.strip_prefix('#') {
        return Some(if mate.starts_with('-') { -MATE } else { MATE });
    }
    let pawns: f64 = text.parse().ok().filter(|pawns: &f64| pawns.is_finite())?;
    Some((100.0 * pawns).round().clamp(f64::from(-MATE), f64::from(MATE)) as i32)
}

/// The symbol of a glyph and its meaning; rare ones have only a generic name.
pub(super) fn nag(nag: u16, words: &'static Messages) -> (String, &'static str) {
    let other = words.nag_other;
    let (sign, title) = match nag {
        1 => ("!", words.nag_good),
        2 => ("?", words.nag_mistake),
        3 => ("!!", words.nag_brilliant),
        4 => ("??", words.nag_blunder),
        5 => ("!?", words.nag_interesting),
        6 => ("?!", words.nag_dubious),
        7 => ("□", words.nag_only),
        10 => ("=", words.nag_equal),
        11 | 12 => ("=", other),
        13 => ("∞", words.nag_unclear),
        14 => ("⩲", words.nag_white_slightly),
        15 => ("⩱", words.nag_black_slightly),
        16 => ("±", words.nag_white_better),
        17 => ("∓", words.nag_black_better),
        18 => ("+−", words.nag_white_winning),
        19 => ("−+", words.nag_black_winning),
        22 | 23 => ("⨀", other),
        32 | 33 => ("⟳", other),
        36 | 37 => ("↑", other),
        40 | 41 => ("→", other),
        44 | 45 => ("=∞", other),
        132 | 133 => ("⇆", other),
        138 | 139 => ("⊕", other),
        140 => ("∆", other),
        146 => ("N", words.nag_novelty),
        _ => return (format!("${nag}"), other),
    };
    (sign.to_owned(), title)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_are_hundredths_of_a_pawn() {
        for (text, centi) in [
            ("0.17", Some(17)),
            ("-1.2,24", Some(-120)),
            ("#3", Some(10_000)),
            ("#-3", Some(-10_000)),
            ("1e300", Some(10_000)),
            ("inf", None),
            ("NaN", None),
            ("", None),
            ("x", None),
        ] {
            assert_eq!(centipawns(text), centi, "{text}");
        }
    }
}
