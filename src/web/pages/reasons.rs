//! What is wrong with a condition, in the reader's language.

use super::language::Language;
use crate::{conditions::FilterText, request::RequestError, web::Failure};

/// Whether all conditions on what happens in games can be understood.
pub(super) fn check(filter: &FilterText, language: Language) -> Result<(), Failure> {
    let failed = |error: RequestError| Failure::BadRequest(told(&error, language));
    filter.search().map(drop).map_err(failed)
}

fn told(error: &RequestError, language: Language) -> String {
    let words = language.words();
    match error {
        RequestError::Pattern { text, why } => {
            format!("{} {text:?}: {}", words.no_pattern, said(language, why))
        }
        RequestError::Material { text, why } => {
            format!("{} {text:?}: {}", words.no_material, said(language, why))
        }
        RequestError::WhoWon(_) => words.who_won.to_owned(),
        RequestError::Unused("min-plies", _) => words.min_plies_alone.to_owned(),
        RequestError::Unused("any-file", _) => words.any_file_alone.to_owned(),
        RequestError::Unused("then", _) => words.then_alone.to_owned(),
        RequestError::Unused("within", _) => words.within_alone.to_owned(),
        RequestError::Unused(..) => words.facts_of_chess.to_owned(),
        other => other.to_string(),
    }
}

/// A reason that errors give in English.
fn said(language: Language, english: &'static str) -> &'static str {
    match language {
        Language::English => english,
        Language::German => {
            GERMAN.iter().find(|(known, _)| *known == english).map_or(english, |(_, german)| german)
        }
    }
}

const GERMAN: [(&str, &str); 16] = [
    ("it is empty", "es ist leer"),
    ("after the ranks comes w or b, the side to move", "hinter den Reihen steht w oder b, die Seite am Zug"),
    ("it has not eight ranks with / between them", "es hat nicht acht Reihen mit / dazwischen"),
    ("a rank has not eight squares", "eine Reihe hat nicht acht Felder"),
    ("a rank has more than eight squares", "eine Reihe hat mehr als acht Felder"),
    ("there is nothing in brackets", "in den Klammern steht nichts"),
    ("a bracket is not closed", "eine Klammer ist nicht geschlossen"),
    (
        "there stands something that is no piece; pieces are PNBRQK and pnbrqk",
        "da steht etwas, das keine Figur ist; Figuren sind PNBRQK und pnbrqk",
    ),
    (
        "it has not two sides with a blank between them, as in 'KRPPP KRPP'",
        "es hat nicht zwei Seiten mit einem Leerzeichen dazwischen wie in 'KRPPP KRPP'",
    ),
    ("both sides have one colour", "beide Seiten haben dieselbe Farbe"),
    ("a colour is w: or b:", "eine Farbe ist w: oder b:"),
    (
        "there stands something that is no piece; pieces are K, Q, R, B, N and P",
        "da steht etwas, das keine Figur ist; Figuren sind K, Q, R, B, N und P",
    ),
    ("no side has so many pieces", "keine Seite hat so viele Figuren"),
    ("a side has one king", "eine Seite hat einen König"),
    (
        "in braces stand one or two numbers, as in P{2} or P{0,8}",
        "in geschweiften Klammern stehen eine oder zwei Zahlen wie in P{2} oder P{0,8}",
    ),
    (
        "the first number in braces is larger than the second",
        "die erste Zahl in geschweiften Klammern ist größer als die zweite",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(filter: FilterText, language: Language) -> String {
        let Err(Failure::BadRequest(why)) = check(&filter, language) else { panic!("{filter:?}") };
        why
    }

    #[test]
    fn every_reason_is_told_in_both_languages() {
        let patterns = [
            " ",
            "8/8",
            "*/*/*/*/*/*/*/7",
            "*/*/*/*/*/*/*/PPPPPPPPPPPPPPPPPP",
            "*/*/*/*/*/*/*/[]",
            "*/*/*/*/*/*/*/[P",
            "*/*/*/*/*/*/*/x*",
            "*/*/*/*/*/*/*/* z",
        ];
        let materials = [
            "K",
            "w:K w:K",
            "x:K K",
            "KX K",
            "PPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPP K",
            "KK K",
            "KP{} K",
            "KP{3,1} K",
        ];
        let of = |name, text| FilterText::of([(name, text)]).unwrap();
        let mut reasons = std::collections::BTreeSet::new();
        let patterns = patterns.map(|text| of("pattern", text));
        for filter in patterns.into_iter().chain(materials.map(|text| of("material", text))) {
            let [english, german] =
                [Language::English, Language::German].map(|language| wrong(filter.clone(), language));
            let reason = |told: &str| told.rsplit_once("\": ").unwrap().1.to_owned();
            assert_ne!(reason(&english), reason(&german), "{english}");
            reasons.insert(reason(&german));
        }
        assert_eq!(reasons.len(), GERMAN.len(), "{reasons:?}");
    }

    #[test]
    fn a_condition_about_another_one_that_is_missing_is_told() {
        let any = "*/*/*/*/*/*/*/*";
        for filter in [
            vec![("min_plies", "3")],
            vec![("then", any)],
            vec![("pattern", any), ("within", "3")],
            vec![("en_passant", "yes"), ("variant", "Atomic")],
            vec![("result", "won")],
            vec![("any_file", "yes")],
        ] {
            let filter = FilterText::of(filter).unwrap();
            assert_ne!(wrong(filter.clone(), Language::English), wrong(filter, Language::German));
        }
    }
}
