//! Links from names to the pages of players, events and openings.

use super::{Address, Page};

impl Page {
    /// The page of a name: of a `player`, an `event` or an `opening`.
    pub(super) fn name_link(&self, kind: &str, name: &str) -> Address {
        name_link(&self.address, kind, name).unwrap_or_else(|| self.link("/games").of_name(kind, name))
    }
}

/// The page of a name, in the language of an address; `None` if no path can have the name.
pub(super) fn name_link(address: &Address, kind: &str, name: &str) -> Option<Address> {
    // Browsers remove such a step from a path even if it is encoded.
    let is_step = !matches!(name, "" | "." | "..");
    is_step.then(|| address.to(format!("/{kind}/{}", encoded(name)), &["lang"]))
}

/// A name as one step of a path. A slash is encoded too: proxies would otherwise merge two.
fn encoded(name: &str) -> String {
    // What is encoded for a form differs from a path in spaces only.
    form_urlencoded::byte_serialize(name.as_bytes())
        .map(|part| if part == "+" { "%20" } else { part })
        .collect()
}

/// The pattern that matches exactly one name.
pub(super) fn exact(name: &str) -> String {
    if !name.contains('"') || !name.contains(';') {
        return format!("\"{name}\"");
    }
    // A semicolon could end the pattern, since quotation marks of the name count too. So a star replaces it, and the
    // pattern must not look like one in quotation marks.
    let open = name.replace(';', "*");
    open.strip_prefix('"').map_or(open.clone(), |rest| format!("*{rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::matches;

    #[test]
    fn a_name_is_one_step_of_a_path_whatever_it_contains() {
        let evil = "a/b//c \"'<>?#%;+\r\n\u{202e}ü..";
        let path = encoded(evil);
        assert!(path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"%-._*".contains(&byte)), "{path}");
        let read =
            form_urlencoded::parse(format!("n={path}").as_bytes()).next().map(|(_, name)| name.into_owned());
        assert_eq!(read.as_deref(), Some(evil));
    }

    #[test]
    fn the_exact_pattern_of_a_name_matches_it() {
        for name in ["Morphy, Paul", "a \"b\" c", "a; b", "\"a; b\"; \"", "*", "?", "\"", "Müller"] {
            assert!(matches(name, &exact(name)), "{name}");
        }
        assert!(!matches("Morphy, Paul Charles", &exact("Morphy, Paul")));
    }
}
