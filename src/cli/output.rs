//! Where output goes, and whether it may be in colour.

use std::{
    fmt::Display,
    io::{self, BufWriter, IsTerminal, StdoutLock, Write},
    path::PathBuf,
};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use crate::{
    files::{FileError, Output, Protected},
    printable,
};

/// Where a command writes.
#[derive(Debug, Args)]
pub(super) struct OutputArgs {
    /// Write to this file, which gets its name when it is whole [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace FILE if it exists; an archive is never replaced
    #[arg(short, long, requires = "output")]
    force: bool,
}

impl OutputArgs {
    pub(super) fn open(&self, protected: &Protected) -> anyhow::Result<Output> {
        let opened = match &self.output {
            Some(path) => Output::create(path, self.force, protected),
            None => Output::stdout(protected),
        };
        opened.map_err(|error| or_force(error, self.force))
    }
}

/// Tells of --force where it would have helped.
pub(super) fn or_force(error: FileError, force: bool) -> anyhow::Error {
    match error {
        FileError::Exists(_) if !force => anyhow::anyhow!("{error}, or --force to replace it"),
        error => error.into(),
    }
}

/// Whether an error is only a reader that has gone (`plybook games | head`).
pub(super) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let of = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| match cause.downcast_ref() {
        Some(FileError::Io { error, .. }) => of(error),
        _ => cause.downcast_ref().is_some_and(of),
    })
}

/// What came of printing. A reader that has gone does not change what there was to say, nor the exit code.
pub(super) fn printed(done: anyhow::Result<()>) -> anyhow::Result<()> {
    done.or_else(|error| if is_closed_pipe(&error) { Ok(()) } else { Err(error) })
}

/// Standard output for people, buffered: whatever is written, nothing takes the terminal over. A value that
/// could hold a line break is escaped by its writer.
pub(super) fn stdout() -> Text {
    Text(raw_stdout())
}

/// Standard output for programs, buffered: every byte as it is.
pub(super) fn raw_stdout() -> BufWriter<StdoutLock<'static>> {
    BufWriter::new(io::stdout().lock())
}

/// See [`stdout`].
pub(super) struct Text(BufWriter<StdoutLock<'static>>);

impl Text {
    /// Writes a text with plybook's own colours.
    pub(super) fn styled(&mut self, text: &str) -> io::Result<()> {
        self.0.write_all(text.as_bytes())
    }
}

impl Write for Text {
    /// Takes whole texts only, as `write!` hands them over.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write_all(printable::lines(&String::from_utf8_lossy(bytes)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Tells something on standard error, in one line.
pub(super) fn tell(message: impl Display) {
    // Nobody is left to be told if that fails.
    let _ = writeln!(io::stderr(), "plybook: {}", printable::line(&message.to_string()));
}

/// Tells what is wrong with the arguments, which it repeats; or prints the help or version that was asked for.
pub(super) fn usage(error: &clap::Error) {
    use clap::error::ErrorKind::{DisplayHelp, DisplayHelpOnMissingArgumentOrSubcommand, DisplayVersion};
    // As in `tell`.
    let _ = match error.kind() {
        DisplayHelp | DisplayVersion | DisplayHelpOnMissingArgumentOrSubcommand => error.print(),
        _ => io::stderr().write_all(printable::lines(&error.render().to_string()).as_bytes()),
    };
}

/// Whether standard output may be in colour: a terminal, and NO_COLOR is not set.
pub(super) fn in_colour() -> bool {
    io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Prints a value as JSON, indented.
pub(super) fn json(value: &impl serde::Serialize) -> anyhow::Result<()> {
    let mut out = raw_stdout();
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
