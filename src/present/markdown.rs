//! The parts of a text in Markdown, as rendered by GitHub.

use std::io::{self, Write};

use crate::printable;

/// A text that Markdown renders unchanged: on one line, with special characters escaped.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in printable::line(text).chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '&' | '|' | '~') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// The head of a table: the names of its columns, and which of them are numbers.
pub(super) fn table_head<'a>(
    out: &mut dyn Write,
    columns: impl Iterator<Item = (&'a str, bool)> + Clone,
) -> io::Result<()> {
    table_row(out, columns.clone().map(|(name, _)| name))?;
    let rule = columns.map(|(_, right)| if right { "---:" } else { "---" });
    writeln!(out, "| {} |", rule.collect::<Vec<_>>().join(" | "))
}

/// A row of a table.
pub(super) fn table_row<'a>(out: &mut dyn Write, cells: impl Iterator<Item = &'a str>) -> io::Result<()> {
    let mut row = String::from("|");
    for text in cells {
        row.push(' ');
        row.push_str(&cell(text));
        row.push_str(" |");
    }
    row.push('\n');
    out.write_all(row.as_bytes())
}

/// The text of a cell. Leading spaces are kept, since they indent rows.
fn cell(text: &str) -> String {
    let rest = text.trim_start_matches(' ');
    "\u{a0}".repeat(text.len() - rest.len()) + &escaped(rest)
}

/// An item of a nested list; the first item of the outermost list has an empty line before it.
pub(super) fn item(out: &mut dyn Write, depth: usize, strong: &str, text: &str) -> io::Result<()> {
    let gap = if strong.is_empty() || text.is_empty() { "" } else { " " };
    let strong = if strong.is_empty() { String::new() } else { format!("**{}**", escaped(strong)) };
    writeln!(out, "{}- {strong}{gap}{}", "  ".repeat(depth), escaped(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_breaks_the_table_or_the_page() {
        for (text, shown) in [
            ("1/2-1/2", "1/2-1/2"),
            ("a|b\nc", "a\\|b\\\\u{a}c"),
            ("<b>&amp;*_[x](y)`~", "\\<b\\>\\&amp;\\*\\_\\[x\\](y)\\`\\~"),
            ("C:\\x", "C:\\\\x"),
        ] {
            assert_eq!(escaped(text), shown);
        }
    }
}
