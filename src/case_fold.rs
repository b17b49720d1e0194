//! Names compared as people compare them: without case or accents, with `*` for any letters.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// A name in lower case without accents: "Đurić, Šahović" becomes "duric, sahovic".
pub fn folded(name: &str) -> String {
    if name.is_ascii() {
        // The usual case: nothing to take apart.
        return name.to_ascii_lowercase();
    }
    let mut text = String::with_capacity(name.len());
    for c in name.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase) {
        match c {
            'ø' => text.push('o'),
            'ł' => text.push('l'),
            'đ' | 'ð' => text.push('d'),
            'ı' => text.push('i'),
            'ß' => text.push_str("ss"),
            'æ' => text.push_str("ae"),
            'œ' => text.push_str("oe"),
            'þ' => text.push_str("th"),
            c => text.push(c),
        }
    }
    text
}

/// Whether a name fits a pattern. `*` stands for any letters. A pattern without `*` fits the whole name, or
/// its beginning up to the end of a word: "kasparov" fits "Kasparov, Garry" but not "Kasparova". In quotation marks it
/// fits the whole name alone, and `*` is a letter like others.
pub fn matches(name: &str, pattern: &str) -> bool {
    Pattern::new(pattern).fits(name)
}

/// A pattern, prepared for many names.
#[derive(Debug)]
pub(crate) struct Pattern {
    folded: String,
    /// What a name that fits begins with: most names do not, and are looked at no further.
    first: Option<u8>,
}

impl Pattern {
    pub(crate) fn new(pattern: &str) -> Pattern {
        let folded = folded(pattern);
        let beginning = whole(&folded).or(folded.split('*').next());
        Pattern { first: beginning.and_then(|beginning| beginning.bytes().next()), folded }
    }

    /// Whether a name fits, as [`matches`] says.
    pub(crate) fn fits(&self, name: &str) -> bool {
        let letter = name.bytes().next().filter(u8::is_ascii);
        if let (Some(letter), Some(first)) = (letter, self.first)
            && letter.to_ascii_lowercase() != first
        {
            return false;
        }
        let (name, pattern) = (folded(name), self.folded.as_str());
        if let Some(whole) = whole(pattern) {
            return name == whole;
        }
        if pattern.contains('*') {
            return fits(&name, pattern);
        }
        let rest = name.strip_prefix(pattern);
        let whole_words = rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
        whole_words && (name.is_empty() || !pattern.is_empty())
    }
}

/// The name in quotation marks.
fn whole(pattern: &str) -> Option<&str> {
    pattern.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'))
}

/// `*` matching: each piece between stars is taken at its first place; the last one at the end.
fn fits(name: &str, pattern: &str) -> bool {
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let Some(last) = pieces.next_back() else { return rest.is_empty() };
    for piece in pieces {
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_begins_otherwise_is_looked_at_no_further_and_does_not_fit() {
        let texts = [
            "", "a", "A", "á", "a\u{301}", "\u{301}a", "b", "*", "\"", "\"a", "\"a\"", "a*", "*a", "\"*\"",
            "Ø", "o", "ß", "s", "б", "Б",
        ];
        for pattern in texts {
            for name in texts {
                let whole = Pattern { first: None, ..Pattern::new(pattern) };
                assert_eq!(matches(name, pattern), whole.fits(name), "{name:?} {pattern:?}");
            }
        }
    }

    #[test]
    fn names_match_without_case_or_accents() {
        for (name, pattern) in [
            ("Kasparov, Garry", "kasparov"),
            ("Kasparov, Garry", "KASPAROV, GARRY"),
            ("Réti, Richard", "reti"),
            ("Reti, Richard", "réti"),
            ("Grünfeld, Ernst", "grunfeld*"),
            ("Łukasz", "lukasz"),
            ("Strauß", "strauss"),
            ("Kasparov, Garry", "*garry"),
            ("Kasparov, Garry", "k*p*v*y"),
            ("Kasparov", "*"),
            ("Réti, Richard", "\"reti, richard\""),
            ("a*b", "\"A*B\""),
            ("", ""),
        ] {
            assert!(matches(name, pattern), "{name:?} {pattern:?}");
        }
        for (name, pattern) in [
            ("Kasparova", "kasparov"),
            ("Kasparov, Garry", "garry"),
            ("Kasparov", "*x*"),
            ("Kasparov", "kas*sov"),
            ("Kasparov", ""),
            ("ab", "ab*b"),
            ("Kasparov, Garry", "\"kasparov\""),
            ("Kasparov, Garry", "\"kas*\""),
            ("Kasparov, Garry", "\""),
        ] {
            assert!(!matches(name, pattern), "{name:?} {pattern:?}");
        }
    }
}
