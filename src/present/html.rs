//! HTML documents for people to print, to send and to put on a site: one file with its own style. A document has no
//! script and refers to no other file or host; its policy also forbids them, should text ever become markup.

use crate::printable;

/// The most bytes of a number that stays on one line.
const LONG: usize = 16;

/// The style of a document.
pub(crate) const STYLE: &str = include_str!("document.css");

/// The end of a document.
pub(crate) const END: &str = "</body>\n</html>\n";

/// A document up to its content.
pub(crate) fn begin(title: &str) -> String {
    head(&line(title))
}

fn head(title: &str) -> String {
    let policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"generator\" content=\"plybook\">\n<title>{title}</title>\n<style>\n{}</style>\n</head>\n<body>\n",
        STYLE,
    )
}

/// A document with some content, whose first heading is also its title.
pub(crate) fn document(content: &str) -> String {
    let heading = content.split_once("<h1>").and_then(|(_, rest)| rest.split_once("</h1>"));
    let title = heading.map_or("plybook", |(title, _)| title);
    format!("{}{content}{END}", head(title))
}

/// A text on one line.
pub(crate) fn line(text: &str) -> String {
    escaped(&printable::line(text))
}

/// A text in which an empty line begins a paragraph; programs break the others at 80 columns.
pub(super) fn paragraphs(text: &str) -> String {
    escaped(&printable::lines(text)).replace("\n\n", "<br>")
}

/// The row of a table; each cell has whether it is aligned right. Leading spaces are kept, since they indent rows.
pub(super) fn row<'a>(tag: &str, cells: impl Iterator<Item = (&'a str, bool)>) -> String {
    let cell = |(text, right): (&str, bool)| {
        let rest = text.trim_start_matches(' ');
        let indent = "\u{a0}".repeat(text.len() - rest.len());
        let text = with_numbers(&line(rest));
        // All results of a long match are one word.
        let class = match right {
            true if text.len() > LONG => " class=\"l\"",
            true => " class=\"r\"",
            false => "",
        };
        format!("<{tag}{class}>{indent}{text}</{tag}>")
    };
    format!("<tr>{}</tr>\n", cells.map(cell).collect::<String>())
}

/// A text in which a number with dots and its move stay on one line.
fn with_numbers(text: &str) -> String {
    let is_number = |word: &str| word.ends_with('.') && word.starts_with(|c: char| c.is_ascii_digit());
    let gap = |word: &str| if is_number(word) { "\u{a0}" } else { " " };
    let words = text.split_inclusive(' ').map(|part| match part.strip_suffix(' ') {
        Some(word) => format!("{word}{}", gap(word)),
        None => part.to_owned(),
    });
    words.collect()
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}
