//! The progress of an import, on standard error.

use std::{io::IsTerminal, time::Duration};

use indicatif::{ProgressBar, ProgressStyle};

use crate::{
    cli::terminal::progress_style,
    counts::{GAMES, thousands},
    import::{IndexProgress, Progress},
    printable,
};

/// A progress bar; hidden with --quiet or if standard error is not a terminal.
pub(in crate::cli) fn bar(quiet: bool) -> ProgressBar {
    if quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(0).with_style(style(false));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// Shows games/s, MB/s and the time left.
pub(in crate::cli) fn show(bar: &ProgressBar, progress: &Progress) {
    if bar.is_hidden() {
        return;
    }
    if let Some(IndexProgress { games, of }) = progress.index {
        return show_index(bar, games, of);
    }
    if bar.length() != progress.total_bytes {
        bar.set_length(progress.total_bytes.unwrap_or(0));
        bar.set_style(style(progress.total_bytes.is_some()));
    }
    let seconds = bar.elapsed().as_secs_f64().max(1e-3);
    bar.set_position(progress.bytes);
    bar.set_message(format!(
        "{}, {} games/s, {:.0} MB/s, {}",
        GAMES.count(progress.games),
        thousands((progress.games as f64 / seconds) as u64),
        progress.unpacked as f64 / 1e6 / seconds,
        printable::line(&progress.source)
    ));
}

/// Shows the progress of indexing on the same bar, after the import is complete.
fn show_index(bar: &ProgressBar, games: u64, of: u64) {
    if bar.length() != Some(of) || bar.position() > games {
        bar.set_style(progress_style("index {wide_bar} {human_pos} of {human_len} games{left}"));
        bar.reset();
        bar.set_length(of);
    }
    bar.set_position(games);
}

/// The message is cut at the end of the line.
fn style(length_known: bool) -> ProgressStyle {
    progress_style(match length_known {
        true => "{bar:14} {percent}%{left}: {wide_msg}",
        false => "{spinner} {elapsed}: {wide_msg}",
    })
}
