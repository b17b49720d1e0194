//! The title of a game on one line: its players, or its event, because studies and compositions often have no players.

use super::StoredGame;

/// The title of a game with these tags: `White – Black`, with `?` for an unknown one. If both names are missing, it is
/// the event; if that is missing too, the site; and `?` if everything is missing.
///
/// ```
/// use plybook_record::title;
/// assert_eq!(title(Some("Adams, M"), Some("?"), Some("Paris"), None), "Adams, M – ?");
/// assert_eq!(title(None, Some(""), Some("Rook endings: Lucena"), None), "Rook endings: Lucena");
/// ```
pub fn title(white: Option<&str>, black: Option<&str>, event: Option<&str>, site: Option<&str>) -> String {
    match [white, black].map(known) {
        [None, None] => known(event).or(known(site)).unwrap_or("?").to_owned(),
        [white, black] => format!("{} – {}", white.unwrap_or("?"), black.unwrap_or("?")),
    }
}

/// A meaningful value: `?`, `-` and an empty text mean unknown.
fn known(value: Option<&str>) -> Option<&str> {
    value.filter(|value| !matches!(value.trim(), "" | "?" | "-"))
}

impl StoredGame {
    /// Its [title].
    pub fn title(&self) -> String {
        let family = self.kind.family();
        let [white, black, event, site] =
            ["White", "Black", "Event", "Site"].map(|name| family.value(&self.tags, name));
        title(white, black, event, site)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_without_names_are_titled_by_event_or_site() {
        for ([white, black, event, site], expected) in [
            (["A", "B", "E", "S"], "A – B"),
            (["A", "", "E", "S"], "A – ?"),
            (["?", "B", "E", "S"], "? – B"),
            (["?", "-", "E", "S"], "E"),
            (["", " ", "?", "S"], "S"),
            (["?", "", "-", "?"], "?"),
        ] {
            assert_eq!(title(Some(white), Some(black), Some(event), Some(site)), expected);
        }
        assert_eq!(title(None, None, None, None), "?");
    }
}
