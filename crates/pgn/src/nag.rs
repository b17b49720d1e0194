//! Annotators' signs that have a number: `+-`, `∓`, `N`, … They are stored as that number.

/// The numeric annotation glyph for a word of a movetext, according to the table in the PGN standard and its common
/// extension.
pub(super) fn glyph(word: &str) -> Option<u16> {
    Some(match word {
        "□" | "[]" => 7,
        "=" => 10,
        "∞" => 13,
        "⩲" | "+=" | "+/=" => 14,
        "⩱" | "=+" | "=/+" => 15,
        "±" | "+/-" | "+/−" => 16,
        "∓" | "-/+" | "−/+" => 17,
        "+-" | "+−" | "+–" => 18,
        "-+" | "−+" | "–+" => 19,
        "⨀" | "⊙" => 22,
        "○" => 26,
        "⟳" => 32,
        "↑" => 36,
        "→" => 40,
        "=∞" | "=/∞" => 44,
        "⇆" => 132,
        "⊕" => 138,
        "∆" | "Δ" | "△" => 140,
        "∇" => 141,
        "⌓" => 142,
        "<=" => 143,
        "==" => 144,
        "RR" => 145,
        "N" => 146,
        "D" => 220,
        "‼" => 3,
        "⁇" => 4,
        "⁉" => 5,
        "⁈" => 6,
        _ => return None,
    })
}
