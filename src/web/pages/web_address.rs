//! URLs in tags that pages may link.

/// Whether the value of a tag is a URL that the page may link.
pub(super) fn is_link(name: &str, value: &str) -> bool {
    matches!(name, "Site" | "Link") && is_web_address(value)
}

/// Whether the whole text is a web URL.
fn is_web_address(text: &str) -> bool {
    let scheme = text.split_once("://").map(|(scheme, rest)| (scheme.to_ascii_lowercase(), rest));
    let is_known = scheme.is_some_and(|(scheme, rest)| {
        matches!(scheme.as_str(), "http" | "https")
            && rest.starts_with(|c: char| c.is_alphanumeric() || c == '[')
    });
    is_known && !text.contains(|c: char| c.is_whitespace() || c.is_control() || "\"'<>\\`".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_web_urls_become_links() {
        for (text, is_link) in [
            ("https://lichess.org/abcdefgh", true),
            ("HTTP://example.org/?a=b&c=d#e", true),
            ("javascript:alert(1)", false),
            ("javascript://https://x/%0aalert(1)", false),
            ("data:text/html,x", false),
            ("//example.org", false),
            ("https:example.org", false),
            ("https://", false),
            (" https://example.org", false),
            ("https://example.org/ x", false),
            ("https://example.org/\"onclick=x", false),
            ("Paris", false),
        ] {
            assert_eq!(is_web_address(text), is_link, "{text}");
        }
    }
}
