//! The conditions on what happens in games, as fields of a form.

use super::words::Words;

/// Those that a form sets, by their names in addresses.
pub(super) const CONDITIONS: [&str; 15] = [
    "material",
    "pattern",
    "to_move",
    "mirror",
    "any_file",
    "min_plies",
    "then",
    "within",
    "not_pattern",
    "white_castles",
    "black_castles",
    "en_passant",
    "promotes",
    "checks",
    "ends_in",
];

/// Those that are about one position, which is set up on a board.
pub(super) const OF_BOARD: [&str; 5] = ["pattern", "to_move", "mirror", "any_file", "material"];

pub(super) fn label(words: &'static Words, name: &str) -> Option<&'static str> {
    Some(match name {
        "material" => words.material,
        "pattern" => words.pattern,
        "to_move" => words.to_move,
        "mirror" => words.mirror,
        "any_file" => words.any_file,
        "min_plies" => words.min_plies,
        "then" => words.then,
        "within" => words.within,
        "not_pattern" => words.not_pattern,
        "white_castles" => words.white_castles,
        "black_castles" => words.black_castles,
        "en_passant" => words.en_passant,
        "promotes" => words.promotes,
        "checks" => words.checks,
        "ends_in" => words.ends_in,
        _ => return None,
    })
}

pub(super) fn hint(name: &str) -> &'static str {
    match name {
        "material" => "KRP{0,8} KRP{0,8}",
        "pattern" => "*/*/*/*/???P*/*/*/*",
        "then" => "*/*/*/???P*/*/*/*/*",
        "not_pattern" => "*/*/*/*/*/*/*/???[^Q]*",
        "min_plies" | "within" => "10",
        "checks" => "3",
        _ => "",
    }
}

/// What a condition can be, if not any text.
pub(super) fn choices(words: &'static Words, name: &str) -> Vec<(&'static str, &'static str)> {
    match name {
        "to_move" => vec![("white", words.white), ("black", words.black)],
        "white_castles" | "black_castles" => {
            vec![("short", words.castles_short), ("long", words.castles_long), ("no", words.castles_not)]
        }
        "promotes" => vec![
            ("any", words.any_piece),
            ("under", words.no_queen),
            ("queen", words.queen),
            ("rook", words.rook),
            ("bishop", words.bishop),
            ("knight", words.knight),
        ],
        "ends_in" => vec![
            ("mate", words.mate),
            ("stalemate", words.stalemate),
            ("insufficient", words.insufficient),
            ("fifty", words.fifty),
            ("repetition", words.repetition),
        ],
        "mirror" | "any_file" | "en_passant" => vec![("yes", words.yes)],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        present::{FilterText, request},
        web::pages::language::Language,
    };

    #[test]
    fn every_choice_is_one_that_the_search_knows() {
        let words = Language::English.words();
        let offered = |name| choices(words, name).into_iter().map(|(value, _)| value).collect::<Vec<_>>();
        let known = request::ENDS.map(|(name, _)| name);
        assert_eq!(offered("ends_in"), known);
        assert_eq!(offered("white_castles"), request::CASTLED.map(|(name, _)| name));
        assert_eq!(offered("promotes"), request::PROMOTIONS.map(|(name, _)| name));
        for side in offered("to_move") {
            assert!(FilterText { to_move: Some(side.to_owned()), ..FilterText::default() }.search().is_ok());
        }
    }

    #[test]
    fn every_condition_has_its_own_name_and_its_hint_is_an_example() {
        for language in Language::ALL {
            let labels = CONDITIONS.map(|name| label(language.words(), name).unwrap());
            assert!((1..labels.len()).all(|end| !labels[..end].contains(&labels[end])), "{labels:?}");
        }
        assert!(request::material(hint("material")).is_ok());
        for name in ["pattern", "then", "not_pattern"] {
            assert!(request::pattern(hint(name)).is_ok(), "{name}");
        }
    }
}
