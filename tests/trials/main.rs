//! Tests of memory, time, kills and damage. Those that measure or kill run alone.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../common/mod.rs"]
mod common;
#[path = "../index_support/mod.rs"]
mod index_support;

// Tests run in the order of their names, two at a time: those that run alone come first, one after the other, and so
// none of them has to wait for the others.
mod alone {
    mod bounds;
    mod inputs;
    mod kills;
    mod resume;
    mod serve_times;
    mod totals;
    mod waiting;
}
mod beside_others {
    mod crowd;
    mod damage;
    mod edits;
    mod faults;
    mod hostile;
    mod index_trials;
    mod outputs;
    mod packed;
    mod together;
}

use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

static RUNNING: RwLock<()> = RwLock::new(());

/// Keeps all other tests waiting until it is dropped: this one measures memory or time, or kills processes that it has
/// started.
fn alone() -> RwLockWriteGuard<'static, ()> {
    RUNNING.write().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps tests that run alone waiting: this one measures nothing, and can run alongside others like it.
fn beside_others() -> RwLockReadGuard<'static, ()> {
    RUNNING.read().unwrap_or_else(PoisonError::into_inner)
}
