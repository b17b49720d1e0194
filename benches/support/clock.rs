//! Wall-clock and CPU time of a piece of work, and what a number of measurements say together.

use std::{fs, time::Instant};

/// Ticks a second of the times in `/proc`. Linux has used 100 there for every machine that matters, whatever
/// its kernel counts in; asking it would take a crate.
const TICKS: f64 = 100.0;

/// What a piece of work took, in seconds.
#[derive(Clone, Copy, Debug)]
pub struct Taken {
    pub wall: f64,
    /// Of all threads together, user and system; `None` where there is no `/proc`. Counted in 10 ms, so only
    /// sums over much work mean anything.
    pub cpu: Option<f64>,
}

/// Does a piece of work so many times; gives what once took on average, and the last result.
pub fn timed<T>(times: u32, mut work: impl FnMut(u32) -> T) -> (Taken, T) {
    let (cpu, begin) = (cpu_seconds(), Instant::now());
    let mut last = work(0);
    for n in 1..times {
        last = work(n);
    }
    let (wall, times) = (begin.elapsed().as_secs_f64(), f64::from(times));
    let cpu = cpu_seconds().zip(cpu).map(|(after, before)| (after - before) / times);
    (Taken { wall: wall / times, cpu }, last)
}

/// CPU seconds this process has used so far, with its threads that have ended.
fn cpu_seconds() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The name, which may hold blanks, ends with the last parenthesis. After it come 11 fields, then the
    // user and the system ticks.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut ticks = fields.split_whitespace().skip(11).map(|field| field.parse::<f64>().ok());
    Some((ticks.next()?? + ticks.next()??) / TICKS)
}

/// Median, least and greatest of some figures.
#[derive(Clone, Copy, Debug)]
pub struct Spread {
    pub median: f64,
    pub least: f64,
    pub greatest: f64,
}

impl Spread {
    /// Of at least one figure.
    pub fn of(figures: impl IntoIterator<Item = f64>) -> Spread {
        let mut figures: Vec<f64> = figures.into_iter().collect();
        figures.sort_unstable_by(f64::total_cmp);
        let (low, high) = (figures[(figures.len() - 1) / 2], figures[figures.len() / 2]);
        Spread { median: (low + high) / 2.0, least: figures[0], greatest: figures[figures.len() - 1] }
    }
}
