//! Being stopped by Ctrl-C or a signal that asks for the end (SIGTERM, SIGHUP): exit code 130, and no unfinished
//! file stays.

use std::{
    process::exit,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use crate::files::discard_unfinished;

/// The exit code of a command that was stopped, as shells have it.
pub(super) const STOPPED: i32 = 130;

/// The next signal ends the process.
pub(super) fn end_at_once() {
    // Who started it with signals ignored (nohup) wants them ignored; then this fails, and nothing changes.
    let _ = ctrlc::try_set_handler(end);
}

/// The next signal ends the process after `tidy` has been called.
pub(super) fn end_after(tidy: impl Fn() + Send + 'static) {
    let _ = ctrlc::try_set_handler(move || {
        tidy();
        end();
    });
}

/// The first signal asks for the end, the second does not wait for it.
pub(super) fn ask_first(cancel: Arc<AtomicBool>) {
    let _ = ctrlc::set_handler(move || {
        if cancel.swap(true, Ordering::Relaxed) {
            end();
        }
    });
}

/// The first signal calls `stop`, the second does not wait for what that does.
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
