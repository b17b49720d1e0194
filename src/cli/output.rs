//! Where output goes, and whether it may be in colour.

use std::{
    fs::File,
    io::{self, BufWriter, IsTerminal, Write},
    path::Path,
};

use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};

/// Whether an error is only a reader that has gone (`plybook games | head`).
pub(super) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}

/// Standard output, buffered.
pub(super) fn stdout() -> BufWriter<io::StdoutLock<'static>> {
    BufWriter::new(io::stdout().lock())
}

/// A file, or standard output for none or `-`.
pub(super) fn file_or_stdout(path: Option<&Path>) -> anyhow::Result<Box<dyn Write>> {
    match path {
        Some(path) if path.as_os_str() != "-" => {
            let file = File::create(path).with_context(|| path.display().to_string())?;
            Ok(Box::new(BufWriter::new(file)))
        }
        _ => Ok(Box::new(stdout())),
    }
}

/// Whether standard output may be in colour: a terminal, and NO_COLOR is not set.
pub(super) fn in_colour() -> bool {
    io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Prints a value as JSON, indented.
pub(super) fn json(value: &impl serde::Serialize) -> anyhow::Result<()> {
    let mut out = stdout();
    serde_json::to_writer_pretty(&mut out, value)?;
    writeln!(out)?;
    Ok(out.flush()?)
}

/// A progress bar over so many games on standard error, if that is a terminal.
pub(super) fn games_bar(games: u64) -> ProgressBar {
    bar(games, "games")
}

/// A progress bar on standard error, where that is a terminal.
pub(super) fn bar(length: u64, unit: &str) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let template = format!("{{wide_bar}} {{human_pos}} of {{human_len}} {unit}, {{eta}} left");
    let style = ProgressStyle::with_template(&template);
    ProgressBar::new(length).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// A bar of blocks, `width` long for a value of `most`.
pub(super) fn blocks(value: u64, most: u64, width: u64) -> String {
    "█".repeat(usize::try_from((value * width).div_ceil(most.max(1))).unwrap_or(0))
}

/// A whole number with its thousands apart: 297,158.
pub(super) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of games: 1 game, 297,158 games.
pub(super) fn games(number: u64) -> String {
    format!("{} {}", thousands(number), if number == 1 { "game" } else { "games" })
}

#[cfg(test)]
mod tests {
    #[test]
    fn thousands_are_apart() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (297_158, "297,158")] {
            assert_eq!(super::thousands(number), text);
        }
    }
}
