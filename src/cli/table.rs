//! Tables for people and for programs.

use std::{borrow::Cow, io::Write};

/// Prints aligned columns. `right` says which columns are numbers.
pub(super) fn aligned(
    out: &mut dyn Write,
    head: &[&str],
    right: &[bool],
    rows: &[Vec<String>],
) -> std::io::Result<()> {
    let mut widths: Vec<usize> = head.iter().map(|cell| width(cell)).collect();
    for row in rows {
        for (column, cell) in widths.iter_mut().zip(row) {
            *column = (*column).max(width(cell));
        }
    }
    let head: Vec<String> = head.iter().map(|cell| (*cell).to_owned()).collect();
    for row in std::iter::once(&head).chain(rows) {
        let mut line = String::new();
        for ((cell, width_wanted), right) in row.iter().zip(&widths).zip(right) {
            let padding = " ".repeat(width_wanted.saturating_sub(width(cell)));
            let (before, after) = if *right { (padding, String::new()) } else { (String::new(), padding) };
            line.push_str(&before);
            line.push_str(cell);
            line.push_str(&after);
            line.push_str("  ");
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

fn width(cell: &str) -> usize {
    cell.chars().count()
}

/// A text cut to a width, with an ellipsis.
pub(super) fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

/// A cell of CSV (RFC 4180).
pub(super) fn csv(cell: &str) -> Cow<'_, str> {
    if cell.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\"")).into()
    } else {
        cell.into()
    }
}

/// Prints a line of CSV.
pub(super) fn csv_line(out: &mut dyn Write, cells: &[&str]) -> std::io::Result<()> {
    let cells: Vec<_> = cells.iter().map(|cell| csv(cell)).collect();
    writeln!(out, "{}", cells.join(","))
}

/// Prints a head and rows as CSV.
pub(super) fn csv_all(out: &mut dyn Write, head: &[&str], rows: &[Vec<String>]) -> std::io::Result<()> {
    csv_line(out, head)?;
    for row in rows {
        csv_line(out, &row.iter().map(String::as_str).collect::<Vec<_>>())?;
    }
    Ok(())
}
