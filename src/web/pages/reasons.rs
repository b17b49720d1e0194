//! Errors in conditions, in the reader's language.

use super::language::Language;
use crate::{
    conditions::FilterText,
    query::Search,
    request::RequestError,
    web::{Failure, Result},
};

/// The search conditions of a filter, or what is wrong with one of them.
pub(super) fn search(filter: &FilterText, language: Language) -> Result<Option<Search>> {
    let failed = |error: RequestError| Failure::BadRequest(answer(&error, language));
    filter.search().map_err(failed)
}

fn answer(error: &RequestError, language: Language) -> String {
    let words = language.words();
    match error {
        RequestError::Pattern { text, why } => {
            format!("{} {text:?}: {}", words.no_pattern, words.reason(why))
        }
        RequestError::Material { text, why } => {
            format!("{} {text:?}: {}", words.no_material, words.reason(why))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(filter: FilterText, language: Language) -> String {
        let Err(Failure::BadRequest(why)) = search(&filter, language) else { panic!("{filter:?}") };
        why
    }

    #[test]
    fn every_reason_exists_in_both_languages() {
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
            let reason = |answer: &str| answer.rsplit_once("\": ").unwrap().1.to_owned();
            assert_ne!(reason(&english), reason(&german), "{english}");
            reasons.insert(reason(&german));
        }
        assert_eq!(reasons.len(), Language::German.words().reasons(), "{reasons:?}");
    }

    #[test]
    fn a_condition_that_needs_a_missing_one_is_an_error() {
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
