//! The languages of the pages: their texts and number formats.

use axum::http::{HeaderMap, header::ACCEPT_LANGUAGE};

use super::messages::{ENGLISH, GERMAN, Messages};
use crate::{conditions::LANGUAGES, counts::thousands};

/// A language of the pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::web) enum Language {
    English,
    German,
}

impl Language {
    pub(super) const ALL: [Language; 2] = [Language::English, Language::German];

    /// Its index in the [languages of conditions](LANGUAGES).
    pub(super) fn place(self) -> usize {
        self as usize
    }

    /// The tag for `lang` attributes and headers.
    pub(super) fn tag(self) -> &'static str {
        LANGUAGES[self.place()]
    }

    /// Its own name.
    pub(super) fn name(self) -> &'static str {
        ["English", "Deutsch"][self.place()]
    }

    pub(super) fn words(self) -> &'static Messages {
        match self {
            Language::English => &ENGLISH,
            Language::German => &GERMAN,
        }
    }

    /// The language of a tag such as `de-AT`.
    pub(super) fn of_tag(tag: &str) -> Option<Language> {
        let primary = tag.split('-').next().unwrap_or(tag).trim();
        Language::ALL.into_iter().find(|known| known.tag().eq_ignore_ascii_case(primary))
    }

    /// The language that a browser prefers.
    pub(super) fn accepted(headers: &HeaderMap) -> Language {
        let given = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let weighed = given.split(',').filter_map(|part| {
            let (tag, weight) = part.split_once(";q=").unwrap_or((part, "1"));
            let weight = weight.trim().parse::<f32>().ok().filter(|weight| *weight > 0.0)?;
            Some((weight, Language::of_tag(tag.trim())?))
        });
        // The first of equally preferred ones.
        let best = weighed.reduce(|best, next| if next.0 > best.0 { next } else { best });
        best.map_or(Language::English, |(_, language)| language)
    }

    /// A number in the notation of the language, from that of English.
    pub(super) fn notation(self, english: String) -> String {
        let swapped = |sign| match sign {
            '.' => ',',
            ',' => '.',
            other => other,
        };
        if self == Language::English { english } else { english.chars().map(swapped).collect() }
    }

    /// A number in digits.
    pub(super) fn number(self, number: u64) -> String {
        self.notation(thousands(number))
    }

    /// A number of games.
    pub(super) fn games(self, games: u64) -> String {
        let words = self.words();
        match games {
            1 => words.one_game.to_owned(),
            games => format!("{} {}", self.number(games), words.many_games),
        }
    }

    /// A number with one decimal.
    pub(super) fn decimal(self, number: f64) -> String {
        self.notation(format!("{number:.1}"))
    }

    /// A share in percent, with one decimal.
    pub(super) fn percent(self, part: u64, of: u64) -> String {
        self.share(100.0 * part as f64 / of.max(1) as f64)
    }

    /// A number of percent, with one decimal.
    pub(super) fn share(self, percent: f64) -> String {
        self.decimal(percent) + self.percent_sign()
    }

    /// The sign after a number of percent.
    pub(super) fn percent_sign(self) -> &'static str {
        if self == Language::English { "%" } else { " %" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_preferred_language_is_chosen() {
        for (accept, language) in [
            ("", Language::English),
            ("de", Language::German),
            ("DE-at, en;q=0.8", Language::German),
            ("en-GB,de;q=0.9", Language::English),
            ("fr, de;q=0.5, en;q=0.4", Language::German),
            ("en;q=0.1, de;q=0.2", Language::German),
            ("de;q=0", Language::English),
            ("de;q=x", Language::English),
            ("*", Language::English),
            ("den", Language::English),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_LANGUAGE, accept.parse().unwrap());
            assert_eq!(Language::accepted(&headers), language, "{accept}");
        }
        assert_eq!(Language::accepted(&HeaderMap::new()), Language::English);
    }

    #[test]
    fn numbers_follow_the_conventions_of_the_language() {
        assert_eq!(Language::English.games(1234), "1,234 games");
        assert_eq!(Language::German.games(1234), "1.234 Partien");
        assert_eq!(Language::German.percent(1, 3), "33,3 %");
        assert_eq!(
            (Language::English.percent(0, 0), Language::English.games(1)),
            ("0.0%".into(), "1 game".into())
        );
    }
}
