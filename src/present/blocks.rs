//! The parts of a text, plain or as Markdown: title, lines, and tables under headings.

use std::io::{self, Write};

use super::{
    explore::coloured,
    list::{TextStyle, aligned},
    markdown,
};
use crate::{
    counts::{GAMES, thousands},
    printable,
    report::PlayerName,
};

impl TextStyle {
    /// The first line of a text.
    pub(super) fn title(self, out: &mut dyn Write, text: &str) -> io::Result<()> {
        if self.markdown { markdown::heading(out, 1, text) } else { self.line(out, text) }
    }

    /// A separate line.
    pub(super) fn line(self, out: &mut dyn Write, text: &str) -> io::Result<()> {
        if self.markdown {
            markdown::paragraph(out, text)
        } else {
            writeln!(out, "{}", printable::line(text))
        }
    }

    /// Related lines, each indented.
    pub(super) fn items(self, out: &mut dyn Write, items: &[String]) -> io::Result<()> {
        if !self.markdown {
            return items.iter().try_for_each(|item| writeln!(out, "  {}", printable::line(item)));
        }
        if !items.is_empty() {
            writeln!(out)?;
        }
        items.iter().try_for_each(|item| markdown::item(out, 0, "", item))
    }

    /// The heading of a part of the text, after an empty line.
    pub(super) fn heading(self, out: &mut dyn Write, text: &str) -> io::Result<()> {
        if self.markdown { markdown::heading(out, 2, text) } else { writeln!(out, "\n{text}") }
    }

    /// A table; `right` says which columns are numbers. Bars are the last column and have no heading; Markdown omits
    /// them, and in plain text they are the only coloured cells.
    pub(super) fn table(
        self,
        out: &mut dyn Write,
        head: &[&str],
        right: &[bool],
        rows: &[Vec<String>],
    ) -> io::Result<()> {
        if !self.markdown {
            if !self.colour || head.last() != Some(&"") {
                return aligned(out, head, right, rows);
            }
            let mut text = Vec::new();
            aligned(&mut text, head, right, rows)?;
            return out.write_all(coloured(&String::from_utf8_lossy(&text)).as_bytes());
        }
        let shown = head.iter().rposition(|name| !name.is_empty()).map_or(0, |last| last + 1);
        let rows: Vec<Vec<String>> =
            rows.iter().map(|row| row.iter().take(shown).cloned().collect()).collect();
        markdown::table(out, &head[..shown], right.get(..shown).unwrap_or(right), &rows)
    }
}

/// Names with the number of games of each, and how many more names there are.
pub(super) fn name_items(names: &[PlayerName], more: u64) -> Vec<String> {
    let of = |name: &PlayerName| format!("{}: {}", name.name, GAMES.count(name.games));
    let more = (more > 0).then(|| format!("and {} more names", thousands(more)));
    names.iter().map(of).chain(more).collect()
}
