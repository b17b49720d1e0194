//! Standard output and standard error, colour and progress bars; and output files.

use std::{
    fmt::{self, Display},
    io::{self, BufRead, BufWriter, IsTerminal, StdoutLock, Write},
    ops::ControlFlow,
    path::{Path, PathBuf},
    time::Duration,
};

use clap::Args;
use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use terminal_size::{Width, terminal_size_of};

use super::{ExitStatus, advice::advice};
use crate::{
    files::{FileError, Output, OutputFolder, Protected},
    import::ImportError,
    present::{
        PresentError,
        list::{ListOptions, Markup, TextStyle},
    },
    printable,
    query::Context,
};

/// Where a command writes its output.
#[derive(Debug, Args)]
pub(super) struct OutputArgs {
    /// Write to this file when the output is complete [default: standard output]. Without --format, the extension
    /// (.csv, .svg and so on) selects the format
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    /// Overwrite FILE if it exists; archives are never overwritten
    #[arg(short, long, requires = "output", help_heading = "Output")]
    force: bool,
}

impl OutputArgs {
    pub(super) fn open(&self, protected: &Protected) -> anyhow::Result<Output> {
        match &self.output {
            Some(path) => self.open_at(path, protected),
            None => Ok(Output::stdout(protected)?),
        }
    }

    /// Whether a file or a directory is written, which does not wait for a reader as a pipe does.
    pub(super) fn is_file(&self) -> bool {
        self.output.as_ref().is_some_and(|path| !path.exists() || path.is_file() || path.is_dir())
    }

    /// The file, if one was given.
    pub(super) fn path(&self) -> Option<&Path> {
        self.output.as_deref()
    }

    /// The directory, if one was given instead of a file.
    pub(super) fn folder(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| OutputFolder::is_named(path))
    }

    /// Opens a file that the output is written to, or one in its directory.
    pub(super) fn open_at(&self, path: &Path, protected: &Protected) -> anyhow::Result<Output> {
        Output::create(path, self.force, protected).map_err(|error| or_force(error, self.force))
    }

    /// Whether the output goes to a terminal.
    pub(super) fn is_terminal(&self) -> bool {
        self.output.is_none() && io::stdout().is_terminal()
    }

    /// How to print lists.
    pub(super) fn list_options(&self) -> ListOptions {
        if self.output.is_some() { ListOptions::default() } else { list_options() }
    }

    /// How to print text.
    pub(super) fn text_style(&self) -> TextStyle {
        let colour = self.output.is_none() && in_colour();
        TextStyle { colour, width: self.list_options().width, markup: Markup::None }
    }

    /// A progress bar for the output, shown if standard error is a terminal and the output is not written to one.
    pub(super) fn progress(&self) -> ProgressBar {
        if !io::stderr().is_terminal() || self.is_terminal() {
            return ProgressBar::hidden();
        }
        let style = ProgressStyle::with_template("{spinner} {bytes} written, {bytes_per_sec}");
        ProgressBar::no_length().with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
    }
}

/// Suggests --force where it would help.
pub(super) fn or_force(error: FileError, force: bool) -> anyhow::Error {
    match error {
        FileError::Exists(_) if !force => anyhow::anyhow!("{error}, or use --force to overwrite it"),
        error => error.into(),
    }
}

/// Whether an error only means that the reader of standard output has closed the pipe (`plybook games | head`).
pub(super) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    /// Windows may report "pipe not connected", which has no kind in std. No other system uses this error number.
    const PIPE_NOT_CONNECTED: i32 = 233;
    let of = |error: &io::Error| {
        error.kind() == io::ErrorKind::BrokenPipe || error.raw_os_error() == Some(PIPE_NOT_CONNECTED)
    };
    // If the pipe with the rejected games of an import is closed, they are lost; that is an error.
    let is_of_import = error.chain().any(|cause| cause.is::<ImportError>());
    !is_of_import
        && error.chain().any(|cause| match (cause.downcast_ref(), cause.downcast_ref()) {
            (Some(FileError::Io { error, .. }), _) | (_, Some(PresentError::Write(error))) => of(error),
            _ => cause.downcast_ref().is_some_and(of),
        })
}

/// The result of printing. A closed pipe changes neither the messages on standard error nor the exit code.
pub(super) fn printed(done: anyhow::Result<()>) -> anyhow::Result<()> {
    done.or_else(|error| if is_closed_pipe(&error) { Ok(()) } else { Err(error) })
}

/// Buffered standard output for text, which escapes control characters, so that data cannot take over the terminal.
/// A value that could contain a line break must be escaped by its writer.
pub(super) fn stdout() -> EscapedStdout {
    EscapedStdout(raw_stdout())
}

/// Buffered standard output for data: every byte is written unchanged.
pub(super) fn raw_stdout() -> BufWriter<StdoutLock<'static>> {
    BufWriter::new(io::stdout().lock())
}

/// See [`stdout`].
pub(super) struct EscapedStdout(BufWriter<StdoutLock<'static>>);

impl Write for EscapedStdout {
    /// Expects complete strings, as `write!` passes them.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write_all(printable::lines(&String::from_utf8_lossy(bytes)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Prints a text that consists of complete lines on standard output.
pub(super) fn print(text: impl Display) -> io::Result<()> {
    let mut out = stdout();
    writeln!(out, "{text}")?;
    out.flush()
}

/// Converts each line of standard input and prints the result. An error is reported with its line number, and
/// `instead` is printed; the exit code tells that an error occurred.
pub(super) fn each_line(
    mut out: impl Write,
    instead: &str,
    mut each: impl FnMut(&str) -> anyhow::Result<String>,
) -> anyhow::Result<ExitStatus> {
    let mut done = ExitStatus::Complete;
    for (number, line) in (1..).zip(io::stdin().lock().lines()) {
        match each(&line?) {
            Ok(text) => out.write_all(text.as_bytes())?,
            Err(error) => {
                out.write_all(instead.as_bytes())?;
                out.flush()?;
                tell_error(format_args!("line {number}: "), &error);
                done = ExitStatus::Partial;
            }
        }
    }
    out.flush()?;
    Ok(done)
}

/// Reports a message on standard error, in one line.
pub(super) fn tell(message: impl Display) {
    // If this fails, there is no way to report it.
    let _ = writeln!(io::stderr(), "plybook: {}", printable::line(&message.to_string()));
}

/// An error and its causes, each once: the text of many errors contains that of their cause.
fn with_causes(error: &anyhow::Error) -> String {
    error.chain().skip(1).map(ToString::to_string).fold(error.to_string(), |text, cause| {
        if text.contains(&cause) { text } else { format!("{text}: {cause}") }
    })
}

/// Reports an error with advice; `of` names the input that it is about, if there are several.
pub(super) fn tell_error(of: impl Display, error: &anyhow::Error) {
    tell(format_args!("{of}{}{}", with_causes(error), advice(error)));
}

/// How to print lists on standard output; on a terminal, rows are cut to its width.
pub(super) fn list_options() -> ListOptions {
    let size = io::stdout().is_terminal().then(|| terminal_size_of(io::stdout())).flatten();
    ListOptions { width: size.map(|(Width(columns), _)| columns.into()), ..ListOptions::default() }
}

/// Whether standard output may contain colours: it is a terminal, and NO_COLOR is not set.
pub(super) fn in_colour() -> bool {
    io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// The escape sequences for reverse video, with brackets.
pub(super) const REVERSED: [&str; 2] = ["\x1b[1;7m[", "]\x1b[0m"];

/// Writes a value as JSON, indented.
pub(super) fn json(out: &mut dyn Write, value: &impl serde::Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)
}

/// A progress bar for a number of games, on standard error if that is a terminal.
pub(super) fn games_bar(games: u64) -> ProgressBar {
    bar(games, "games")
}

/// A progress bar on standard error, if that is a terminal.
pub(super) fn bar(length: u64, unit: &str) -> ProgressBar {
    let template = format!("{{wide_bar}} {{human_pos}} of {{human_len}} {unit}{{left}}");
    on_stderr(ProgressBar::new(length), &template)
}

/// A watch that shows how many games are done and never stops. Dropping it clears the bar.
pub(super) fn watch(bar: ProgressBar) -> impl Fn(u64) -> ControlFlow<()> {
    move |games| {
        bar.set_position(games);
        ControlFlow::Continue(())
    }
}

/// The same if the number of all games becomes known, or changes.
pub(super) fn watch_all(bar: ProgressBar) -> impl FnMut(u64, u64) -> ControlFlow<()> {
    move |games, all| {
        bar.set_length(all);
        bar.set_position(games);
        ControlFlow::Continue(())
    }
}

/// Runs a query with a bar that shows how many games are done, and clears it.
pub(super) fn with_bar<T>(bar: ProgressBar, context: Context<'_>, query: impl FnOnce(Context<'_>) -> T) -> T {
    let watch = watch(bar);
    query(context.watched_by(&|progress| watch(progress.games)))
}

/// A counter of games on standard error, if the total is unknown.
pub(super) fn games_counter() -> ProgressBar {
    on_stderr(ProgressBar::no_length(), "{spinner} {human_pos} games")
}

fn on_stderr(bar: ProgressBar, template: &str) -> ProgressBar {
    if io::stderr().is_terminal() { bar.with_style(progress_style(template)) } else { ProgressBar::hidden() }
}

/// The style of a progress bar. If the template contains `{left}`, the time left is shown once it can be estimated.
pub(super) fn progress_style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    style.with_key("left", |state: &ProgressState, text: &mut dyn fmt::Write| {
        if can_be_estimated(state.elapsed(), state.pos(), state.len()) {
            // This text is only for display.
            let _ = write!(text, ", {:#} left", HumanDuration(state.eta()));
        }
    })
}

/// Whether the time left can be estimated from the speed so far. The first games are slow, because their data is
/// read from disk.
fn can_be_estimated(elapsed: Duration, done: u64, of: Option<u64>) -> bool {
    const FIRST: Duration = Duration::from_secs(3);
    elapsed >= FIRST && of.is_some_and(|of| done >= of / 50)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pipe_that_windows_calls_not_connected_is_closed() {
        let is_closed = |code| {
            let error = io::Error::from_raw_os_error(code);
            is_closed_pipe(&PresentError::Write(error).into())
        };
        assert!(is_closed(233));
        // The errors for a full disk on Unix and Windows.
        assert!(!is_closed(28) && !is_closed(112));
    }

    #[test]
    fn no_time_is_estimated_in_the_first_seconds_or_from_the_first_games() {
        let can = |seconds, done, of| can_be_estimated(Duration::from_secs(seconds), done, of);
        assert!(!can(1, 90, Some(100)) && !can(2, 50, Some(100)));
        assert!(!can(60, 1, Some(100)) && !can(60, 50, None));
        assert!(can(3, 2, Some(100)) && can(600, 99, Some(100)));
    }
}
