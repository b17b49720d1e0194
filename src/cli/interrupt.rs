//! Handling of Ctrl-C, SIGTERM and SIGHUP: the exit code is 130, and temporary files are removed. And of a limit on file
//! sizes: it is an error like a full disk.

use std::{
    process::exit,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use crate::files::discard_unfinished;

/// The exit code of an interrupted command, following shell convention.
pub(super) const STOPPED: i32 = 130;

/// Lets a write beyond a limit on file sizes fail, instead of ending the process by SIGXFSZ.
pub(super) fn report_size_limit() {
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}

/// The next signal ends the process.
pub(super) fn end_at_once() {
    // This fails if the parent process ignores signals (nohup); then they stay ignored.
    let _ = ctrlc::try_set_handler(end);
}

/// The next signal ends the process after a call of `tidy`.
pub(super) fn end_after(tidy: impl Fn() + Send + 'static) {
    let _ = ctrlc::try_set_handler(move || {
        tidy();
        end();
    });
}

/// The first signal requests a stop; the second ends the process.
pub(super) fn ask_first(cancel: Arc<AtomicBool>) {
    let _ = ctrlc::set_handler(move || {
        if cancel.swap(true, Ordering::Relaxed) {
            end();
        }
    });
}

/// The first signal calls `stop`; the second ends the process without waiting for it.
#[cfg(feature = "web")]
pub(super) fn stop_first(stop: impl Fn() + Send + 'static) {
    let asked = AtomicBool::new(false);
    let _ = ctrlc::set_handler(move || {
        if asked.swap(true, Ordering::Relaxed) {
            end();
        }
        stop();
    });
}

fn end() {
    discard_unfinished();
    exit(STOPPED);
}
