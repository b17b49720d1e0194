//! The places of connections. While all are taken, a new connection gets the place of the one that has waited longest for
//! its client: for the rest of a request, for the next one, or to send an answer. So clients that connect and send
//! nothing, or little, do not keep others out. Each has time to send a request that is already on its way.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use axum::{
    body::{Body, HttpBody},
    response::Response,
};
use http_body_util::BodyExt;
use tokio::{
    sync::{Notify, OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

/// How long a connection keeps its place at least, and how long a new one waits before it looks again.
const SHORTEST_WAIT: Duration = Duration::from_millis(50);

/// The places of a server.
pub(super) struct Places {
    free: Arc<Semaphore>,
    waiting: Arc<Waiting>,
}

/// The connections that wait for their clients.
#[derive(Default)]
struct Waiting {
    /// By their turns: the first has waited longest.
    connections: Mutex<BTreeMap<u64, Idle>>,
    turns: AtomicU64,
}

/// A connection that waits for its client.
struct Idle {
    since: Instant,
    close: Arc<Notify>,
}

/// The place of a connection.
pub(super) struct Place {
    _permit: OwnedSemaphorePermit,
    waiting: Arc<Waiting>,
    turn: AtomicU64,
    close: Arc<Notify>,
}

/// A request that is being answered. On drop, its connection waits for the client again.
pub(super) struct Work(Arc<Place>);

impl Places {
    pub(super) fn new(number: usize) -> Places {
        Places { free: Arc::new(Semaphore::new(number)), waiting: Arc::default() }
    }

    /// A place for a new connection, as soon as there is one.
    pub(super) async fn take(&self) -> Arc<Place> {
        let permit = loop {
            if self.free.available_permits() == 0 {
                self.waiting.close_first();
            }
            // If all are answering requests, one of them soon waits again; one that has just come soon has waited.
            let free = Arc::clone(&self.free).acquire_owned();
            if let Ok(Ok(permit)) = timeout(SHORTEST_WAIT, free).await {
                break permit;
            }
        };
        let waiting = Arc::clone(&self.waiting);
        let place = Place { _permit: permit, waiting, turn: AtomicU64::default(), close: Arc::default() };
        place.wait();
        Arc::new(place)
    }
}

impl Waiting {
    fn connections<T>(&self, with: impl FnOnce(&mut BTreeMap<u64, Idle>) -> T) -> T {
        with(&mut self.connections.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Closes the connection that has waited longest.
    fn close_first(&self) {
        self.connections(|connections| {
            if let Some(first) =
                connections.first_entry().filter(|first| first.get().since.elapsed() >= SHORTEST_WAIT)
            {
                first.remove().close.notify_one();
            }
        });
    }
}

impl Place {
    /// Waits until the connection is to be closed.
    pub(super) async fn closed(&self) {
        self.close.notified().await;
    }

    /// The work on a request.
    pub(super) fn work(self: &Arc<Self>) -> Work {
        self.waiting.connections(|connections| connections.remove(&self.turn.load(Relaxed)));
        Work(Arc::clone(self))
    }

    fn wait(&self) {
        let turn = self.waiting.turns.fetch_add(1, Relaxed);
        self.turn.store(turn, Relaxed);
        let idle = Idle { since: Instant::now(), close: Arc::clone(&self.close) };
        self.waiting.connections(|connections| connections.insert(turn, idle));
    }
}

impl Work {
    /// Ends with a response, or with its body if that is a stream. Other bodies are complete, and only have to be read.
    pub(super) fn end_with(self, response: Response) -> Response {
        match response.body().size_hint().exact() {
            Some(_) => response,
            None => response.map(|body| {
                Body::new(body.map_frame(move |frame| {
                    let _work = &self;
                    frame
                }))
            }),
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.waiting.connections(|connections| connections.remove(&self.turn.load(Relaxed)));
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        self.0.wait();
    }
}

#[cfg(test)]
mod tests {
    use tokio::runtime::Runtime;

    use super::*;

    #[test]
    fn new_connections_wait_while_all_others_are_answered() {
        Runtime::new().unwrap().block_on(async {
            let places = Places::new(2);
            let [first, second] = [places.take().await, places.take().await];
            let [one, _two] = [first.work(), second.work()];
            assert!(timeout(4 * SHORTEST_WAIT, places.take()).await.is_err(), "there is a third place");
            drop(one);
            let third = async {
                first.closed().await;
                drop(first);
            };
            timeout(Duration::from_secs(5), async { tokio::join!(places.take(), third) }).await.unwrap();
            assert!(timeout(4 * SHORTEST_WAIT, second.closed()).await.is_err(), "an answer was cut off");
        });
    }

    #[test]
    fn connections_have_time_to_send_a_request_before_they_make_room() {
        Runtime::new().unwrap().block_on(async {
            let (places, begin) = (Places::new(1), Instant::now());
            let first = places.take().await;
            let closed = async {
                first.closed().await;
                drop(first);
            };
            timeout(Duration::from_secs(5), async { tokio::join!(places.take(), closed) }).await.unwrap();
            assert!(begin.elapsed() >= SHORTEST_WAIT);
        });
    }
}
