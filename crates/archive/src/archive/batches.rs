//! Processing games in batches: one thread reads them, and helps with the work when the other threads are busy.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{
        atomic::{AtomicUsize, Ordering::Relaxed},
        mpsc::channel,
    },
    time::Duration,
};

use super::Result;

/// Games in a batch.
const BATCH: usize = 256;

/// Calls `work` for batches of games on all cores, and `join` on this thread for each result, in any order.
///
/// # Errors
/// The first error of the games or of `join`.
pub fn in_batches<T: Send, R: Send>(
    mut games: impl Iterator<Item = Result<T>>,
    work: impl Fn(Vec<T>) -> R + Sync,
    mut join: impl FnMut(R) -> Result<()>,
) -> Result<()> {
    let (done, results) = channel();
    let (most, under_way) = (2 * rayon::current_num_threads(), AtomicUsize::new(0));
    let read: Result<_> = rayon::in_place_scope(|scope| {
        loop {
            let batch: Vec<T> = games.by_ref().take(BATCH).collect::<Result<_, _>>()?;
            if batch.is_empty() {
                return Ok(());
            }
            let (work, under_way, done) = (&work, &under_way, done.clone());
            let task = move || {
                let _ = done.send(work(batch));
                under_way.fetch_sub(1, Relaxed);
            };
            if under_way.fetch_add(1, Relaxed) < most {
                scope.spawn(move |_| task());
            } else {
                // Waiting for the other threads could deadlock if they wait for this one, so it does part of the work.
                task();
            }
            results.try_iter().try_for_each(&mut join)?;
        }
    });
    drop(done);
    read?;
    results.iter().try_for_each(join)
}

/// Bytes after which a batch is full.
const BATCH_BYTES: usize = 128 << 10;

/// Batches per thread that may be finished before the oldest one.
// Enough to keep all threads busy while the oldest batch is slow; without a limit, all results after a slow batch
// would be held in memory.
const EARLY: usize = 2;

/// Most bytes of all games in flight, unless a single batch is larger.
// In bytes, because 256 games can be 20 KB or 4 GB.
const MOST_BYTES: usize = 8 << 20;

/// How long to wait before checking for other work.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// The same, but `join` receives the results in the order of the games. `memory` estimates the bytes of a game: a few
/// large ones are processed one after the other. The first game is a batch of its own and is joined before the second
/// one is read, because it may be the only one needed.
pub fn in_batches_in_order<T: Send, R: Send, G, E: From<G>>(
    mut games: impl Iterator<Item = Result<T, G>>,
    memory: impl Fn(&T) -> usize,
    work: impl Fn(Vec<T>) -> R + Sync,
    mut join: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let (done, results) = channel();
    let threads = rayon::current_num_threads();
    let (mut begun, mut joined, mut early) = (0usize, 0usize, BTreeMap::new());
    // The bytes of each batch in flight, oldest first.
    let mut held = VecDeque::new();
    rayon::in_place_scope(|scope| -> Result<(), E> {
        loop {
            let (mut batch, mut bytes) = (Vec::new(), 0);
            let most = if begun == 0 { 1 } else { BATCH };
            while batch.len() < most && bytes < BATCH_BYTES {
                let Some(game) = games.next().transpose()? else { break };
                bytes += memory(&game);
                batch.push(game);
            }
            let is_last = batch.is_empty();
            if !is_last {
                let (work, done, number) = (&work, done.clone(), begun);
                begun += 1;
                held.push_back(bytes);
                scope.spawn(move |_| drop(done.send((number, work(batch)))));
            }
            // The waiting thread helps with the work, if it belongs to the pool.
            let most = if is_last || begun == 1 { 0 } else { EARLY * threads };
            while held.len() > most || held.len() > 1 && held.iter().sum::<usize>() > MOST_BYTES {
                match results.try_recv() {
                    Ok((number, result)) => drop(early.insert(number, result)),
                    Err(_) if rayon::yield_now() == Some(rayon::Yield::Executed) => {}
                    Err(_) => early.extend(results.recv_timeout(POLL_INTERVAL)),
                }
                while let Some(result) = early.remove(&joined) {
                    joined += 1;
                    held.pop_front();
                    join(result)?;
                }
            }
            if is_last {
                return Ok(());
            }
        }
    })
}

/// Calls `work` for each item on another thread while this one takes the next item, and `join` on this thread for each
/// result, in order.
pub(super) fn one_ahead<T: Send, R: Send>(
    mut items: impl Iterator<Item = T>,
    work: impl Fn(T) -> R + Sync,
    mut join: impl FnMut(R),
) {
    let mut next = items.next();
    while let Some(item) = next {
        let mut done = None;
        next = rayon::in_place_scope(|scope| {
            scope.spawn(|_| done = Some(work(item)));
            items.next()
        });
        done.into_iter().for_each(&mut join);
    }
}

#[cfg(test)]
mod tests {
    use std::{thread, time::Duration};

    use super::*;

    /// Sends the numbers below 20,000 through batches, some of which are slow; stops after a number of batches.
    fn sent(threads: usize, stop: usize) -> (Result<(), &'static str>, Vec<u32>) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let (mut got, mut batches) = (Vec::new(), 0);
            let work = |batch: Vec<u32>| {
                if batch.iter().any(|number| number % 7000 == 0) {
                    thread::sleep(Duration::from_millis(20));
                }
                batch
            };
            let done = in_batches_in_order(
                (0..20_000).map(Ok::<_, &str>),
                |_| 4096,
                work,
                |batch| {
                    got.extend(batch);
                    batches += 1;
                    if batches < stop { Ok(()) } else { Err("stopped") }
                },
            );
            (done, got)
        })
    }

    #[test]
    fn results_are_in_the_order_of_the_games() {
        for threads in [1, 2, 5] {
            assert_eq!(sent(threads, usize::MAX), (Ok(()), (0..20_000).collect()), "{threads} threads");
            let (done, got) = sent(threads, 3);
            assert_eq!((done, got), (Err("stopped"), (0..1 + 2 * BATCH_BYTES as u32 / 4096).collect()));
        }
    }

    #[test]
    fn large_games_are_processed_almost_one_at_a_time() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
        let (at_work, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = |batch: Vec<u32>| {
            most.fetch_max(at_work.fetch_add(1, Relaxed) + 1, Relaxed);
            thread::sleep(Duration::from_millis(5));
            at_work.fetch_sub(1, Relaxed);
            batch
        };
        let mut got = Vec::new();
        let join = |batch| {
            got.extend(batch);
            Ok::<_, ()>(())
        };
        let numbers = (0..20).map(Ok::<_, ()>);
        let done = pool.install(|| in_batches_in_order(numbers, |_| MOST_BYTES + 1, work, join));
        assert_eq!((done, got), (Ok(()), (0..20).collect()));
        assert!(most.into_inner() <= 2);
    }

    #[test]
    fn an_error_stops_processing() {
        let games = (0..5000).map(|number| if number < 4000 { Ok(number) } else { Err("damaged") });
        let done = in_batches_in_order(games, |_| 0, |batch| batch, |_: Vec<u32>| Ok(()));
        assert_eq!(done, Err("damaged"));
    }
}
