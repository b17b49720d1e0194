//! Queries to the archive: a limited number at a time, equal ones once, each with a time limit, and none for a client
//! that has gone.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::AtomicBool},
    time::Duration,
};

use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore, watch},
    task::spawn_blocking,
    time::timeout,
};

use super::{
    Result,
    reply::{Answer, Failure},
    stream::CancelOnDrop,
};
use crate::limits::MAX_WAITING;

/// The result of a query.
pub(super) type Outcome = Result<Arc<Answer>>;

/// The queries in progress.
#[derive(Debug)]
pub(super) struct QueryPool {
    permits: Arc<Semaphore>,
    /// The time limit of an answer, from its request.
    most: Duration,
    /// A limited number of queries wait.
    waiting: Semaphore,
    /// The queries in progress, by question: where their outcomes will be.
    running: Mutex<HashMap<String, OutcomeSender>>,
}

/// Tells all clients that wait for the same question its outcome. When the last of them has gone, the work on it stops.
type OutcomeSender = watch::Sender<Option<Outcome>>;

impl QueryPool {
    /// At most `threads` queries at a time, each with the time limit `most`.
    pub(super) fn new(threads: usize, most: Duration) -> QueryPool {
        QueryPool {
            permits: Arc::new(Semaphore::new(threads)),
            most,
            waiting: Semaphore::new(MAX_WAITING),
            running: Mutex::default(),
        }
    }

    /// The answer to a question. `answer` is called in its own thread, unless an equal question is in progress. It must
    /// check the flag regularly and stop once it is set.
    pub(super) async fn once(
        self: &Arc<Self>,
        question: String,
        answer: impl FnOnce(&Arc<AtomicBool>) -> Outcome + Send + 'static,
    ) -> Outcome {
        let mut outcome = self.subscribe(question, answer);
        let received = outcome.wait_for(Option::is_some).await;
        received.ok().and_then(|outcome| outcome.clone()).unwrap_or_else(|| Err(broken_off()))
    }

    fn subscribe(
        self: &Arc<Self>,
        question: String,
        answer: impl FnOnce(&Arc<AtomicBool>) -> Outcome + Send + 'static,
    ) -> watch::Receiver<Option<Outcome>> {
        let mut running = self.running();
        if let Some(tell) = running.get(&question) {
            return tell.subscribe();
        }
        let (tell, outcome) = watch::channel(None);
        running.insert(question.clone(), tell.clone());
        // Dropped with the task, however it ends.
        let (pool, stop) = (Arc::clone(self), CancelOnDrop::default());
        tokio::spawn(async move {
            let outcome = tokio::select! {
                outcome = pool.answer(&stop.0, answer) => outcome,
                () = pool.abandoned(&question, &tell) => return,
            };
            pool.running().remove(&question);
            tell.send_replace(Some(outcome));
        });
        outcome
    }

    /// Waits until the last client has gone, and removes the question.
    async fn abandoned(&self, question: &str, tell: &OutcomeSender) {
        loop {
            tell.closed().await;
            // Meanwhile, another client may have asked it.
            let mut running = self.running();
            if tell.is_closed() {
                running.remove(question);
                return;
            }
        }
    }

    async fn answer(
        &self,
        stop: &Arc<AtomicBool>,
        answer: impl FnOnce(&Arc<AtomicBool>) -> Outcome + Send + 'static,
    ) -> Outcome {
        let in_turn = async {
            let permit = self.permit().await?;
            let stop = Arc::clone(stop);
            let work = spawn_blocking(move || {
                // Held until the work has really ended.
                let _permit = permit;
                answer(&stop)
            });
            work.await.unwrap_or_else(|_| Err(broken_off()))
        };
        timeout(self.most, in_turn).await.unwrap_or(Err(Failure::TooSlow))
    }

    /// A permit to query the archive, once it is this query's turn.
    async fn permit(&self) -> Result<OwnedSemaphorePermit> {
        if let Ok(permit) = Arc::clone(&self.permits).try_acquire_owned() {
            return Ok(permit);
        }
        let _waiting = self.waiting.try_acquire().map_err(|_| Failure::Busy)?;
        Arc::clone(&self.permits).acquire_owned().await.map_err(|_| broken_off())
    }

    fn running(&self) -> MutexGuard<'_, HashMap<String, OutcomeSender>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The work ended without a result: it panicked, which has been logged.
fn broken_off() -> Failure {
    Failure::internal("a query thread panicked")
}

#[cfg(test)]
mod tests {
    use std::{
        sync::{
            atomic::{AtomicUsize, Ordering::Relaxed},
            mpsc,
        },
        thread,
    };

    use tokio::runtime::{Builder, Runtime};

    use super::*;
    use crate::{limits::ANSWER_TIME, web::reply::JSON};

    fn runtime() -> Runtime {
        Builder::new_multi_thread().worker_threads(2).enable_time().build().unwrap()
    }

    fn answer() -> Outcome {
        Ok(Arc::new(Answer::new(JSON, b"{}".to_vec())))
    }

    #[test]
    fn equal_requests_at_the_same_time_run_once() {
        let (runtime, work, times) =
            (runtime(), Arc::new(QueryPool::new(4, ANSWER_TIME)), Arc::new(AtomicUsize::new(0)));
        let (go, wait) = mpsc::channel::<()>();
        let wait = Arc::new(Mutex::new(wait));
        let running: Vec<_> = (0..100)
            .map(|_| {
                let (work, times, wait) = (Arc::clone(&work), Arc::clone(&times), Arc::clone(&wait));
                runtime.spawn(async move {
                    let find = move |_: &Arc<AtomicBool>| {
                        times.fetch_add(1, Relaxed);
                        let _ = wait.lock().unwrap().recv();
                        answer()
                    };
                    work.once("the same".to_owned(), find).await
                })
            })
            .collect();
        // All requests have arrived before the answer does.
        while work.running().get("the same").is_none_or(|tell| tell.receiver_count() < 100) {
            thread::sleep(Duration::from_millis(1));
        }
        drop(go);
        for one in running {
            assert!(runtime.block_on(one).unwrap().is_ok());
        }
        assert_eq!(times.load(Relaxed), 1);
        assert!(work.running().is_empty());
    }

    #[test]
    fn work_stops_when_the_last_client_has_gone() {
        let (runtime, work) = (runtime(), Arc::new(QueryPool::new(1, ANSWER_TIME)));
        let (tell, received) = mpsc::channel();
        let ask = || {
            let (work, tell) = (Arc::clone(&work), tell.clone());
            runtime.spawn(async move {
                let find = move |stop: &Arc<AtomicBool>| {
                    tell.send("begun").unwrap();
                    while !stop.load(Relaxed) {
                        thread::sleep(Duration::from_millis(1));
                    }
                    tell.send("stopped").unwrap();
                    answer()
                };
                work.once("long".to_owned(), find).await
            })
        };
        let running = [ask(), ask()];
        assert_eq!(received.recv(), Ok("begun"));
        while work.running().get("long").is_none_or(|tell| tell.receiver_count() < 2) {
            thread::sleep(Duration::from_millis(1));
        }
        running[0].abort();
        assert!(received.recv_timeout(Duration::from_millis(50)).is_err());
        running[1].abort();
        assert_eq!(received.recv(), Ok("stopped"));
    }

    #[test]
    fn a_limited_number_of_requests_wait() {
        let (runtime, work) = (runtime(), Arc::new(QueryPool::new(2, ANSWER_TIME)));
        let (go, wait) = mpsc::channel::<()>();
        let wait = Arc::new(Mutex::new(wait));
        let ask = |number: usize| {
            let (work, wait) = (Arc::clone(&work), Arc::clone(&wait));
            runtime.spawn(async move {
                let find = move |_: &Arc<AtomicBool>| {
                    let _ = wait.lock().unwrap().recv();
                    answer()
                };
                work.once(number.to_string(), find).await
            })
        };
        let running: Vec<_> = (0..2 + MAX_WAITING).map(ask).collect();
        while work.waiting.available_permits() > 0 {
            thread::sleep(Duration::from_millis(1));
        }
        let too_many = runtime.block_on(ask(1000)).unwrap();
        assert_eq!(too_many.map(drop), Err(Failure::Busy));
        drop(go);
        assert!(running.into_iter().all(|one| runtime.block_on(one).unwrap().is_ok()));
        assert_eq!(work.waiting.available_permits(), MAX_WAITING);
    }

    #[test]
    fn an_answer_that_takes_too_long_is_cancelled() {
        let (runtime, work) = (runtime(), Arc::new(QueryPool::new(1, Duration::from_millis(50))));
        let (tell, received) = mpsc::channel();
        let find = move |stop: &Arc<AtomicBool>| {
            while !stop.load(Relaxed) {
                thread::sleep(Duration::from_millis(1));
            }
            tell.send("stopped").unwrap();
            answer()
        };
        let outcome = runtime.block_on(work.once("long".to_owned(), find));
        assert_eq!(outcome.map(drop), Err(Failure::TooSlow));
        assert_eq!(received.recv(), Ok("stopped"));
    }

    #[test]
    fn work_that_panics_is_a_failure_and_keeps_no_permit() {
        let (runtime, work) = (runtime(), Arc::new(QueryPool::new(1, ANSWER_TIME)));
        for _ in 0..3 {
            let panics = |_: &Arc<AtomicBool>| -> Outcome { panic!("as it was asked to") };
            let outcome = runtime.block_on(work.once("bad".to_owned(), panics));
            assert!(matches!(outcome, Err(Failure::Internal(_))));
        }
        assert!(runtime.block_on(work.once("good".to_owned(), |_| answer())).is_ok());
    }
}
