//! Questions to the archive: so many at a time, equal ones once, none for longer than it may take, and none for a client
//! that has gone.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, Weak,
        atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
    },
};

use tokio::{
    sync::{Notify, OwnedSemaphorePermit, Semaphore, watch},
    task::spawn_blocking,
    time::{Instant, timeout_at},
};

use super::reply::{Answer, Failure};
use crate::limits::{ANSWER_TIME, MAX_WAITING};

/// What becomes of a question.
pub(super) type Outcome = Result<Arc<Answer>, Failure>;

/// The questions that are being answered.
#[derive(Debug)]
pub(super) struct Work {
    permits: Arc<Semaphore>,
    waiting: AtomicUsize,
    /// Those who ask, by what they ask.
    asked: Mutex<HashMap<String, Weak<Interest>>>,
}

/// All who ask one question. When the last of them has gone, the work on it stops.
#[derive(Debug)]
struct Interest {
    outcome: watch::Receiver<Option<Outcome>>,
    work: Arc<Stop>,
}

/// Tells work to stop.
#[derive(Debug, Default)]
struct Stop {
    flag: Arc<AtomicBool>,
    told: Notify,
}

impl Drop for Interest {
    fn drop(&mut self) {
        self.work.flag.store(true, Relaxed);
        self.work.told.notify_one();
    }
}

impl Work {
    /// At most `threads` questions at a time.
    pub(super) fn new(threads: usize) -> Work {
        Work {
            permits: Arc::new(Semaphore::new(threads)),
            waiting: AtomicUsize::new(0),
            asked: Mutex::default(),
        }
    }

    /// The answer to a question. `answer` is called in a thread of its own, unless the same is being asked; it looks now
    /// and then whether the flag has been set, and then gives up.
    pub(super) async fn once(
        self: &Arc<Self>,
        question: String,
        answer: impl FnOnce(&Arc<AtomicBool>) -> Outcome + Send + 'static,
    ) -> Outcome {
        let interest = self.interest(question, answer);
        let mut outcome = interest.outcome.clone();
        let told = outcome.wait_for(Option::is_some).await;
        told.ok().and_then(|outcome| outcome.clone()).unwrap_or_else(|| Err(broken_off()))
    }

    fn interest(
        self: &Arc<Self>,
        question: String,
        answer: impl FnOnce(&Arc<AtomicBool>) -> Outcome + Send + 'static,
    ) -> Arc<Interest> {
        let mut asked = self.asked();
        if let Some(interest) = asked.get(&question).and_then(Weak::upgrade) {
            return interest;
        }
        let (tell, outcome) = watch::channel(None);
        let interest = Arc::new(Interest { outcome, work: Arc::default() });
        let of = Arc::downgrade(&interest);
        asked.insert(question.clone(), Weak::clone(&of));
        let (work, stop) = (Arc::clone(self), Arc::clone(&interest.work));
        tokio::spawn(async move {
            let outcome = work.answer(&stop, answer).await;
            work.forget(&question, &of);
            tell.send_replace(Some(outcome));
        });
        interest
    }

    /// Takes a question off the list, unless it is asked anew.
    fn forget(&self, question: &str, of: &Weak<Interest>) {
        let mut asked = self.asked();
        if asked.get(question).is_some_and(|interest| interest.ptr_eq(of)) {
            asked.remove(question);
        }
    }

    async fn answer(
        &self,
        stop: &Arc<Stop>,
        answer: impl FnOnce(&Arc<AtomicBool>) -> Outcome + Send + 'static,
    ) -> Outcome {
        let in_turn = async {
            let permit = self.permit().await?;
            let flag = Arc::clone(&stop.flag);
            let work = spawn_blocking(move || {
                // Until the work has really ended.
                let _permit = permit;
                answer(&flag)
            });
            work.await.unwrap_or_else(|_| Err(broken_off()))
        };
        tokio::select! {
            outcome = timeout_at(Instant::now() + ANSWER_TIME, in_turn) => {
                stop.flag.store(true, Relaxed);
                outcome.unwrap_or(Err(Failure::TooSlow))
            }
            () = stop.told.notified() => Err(Failure::Unwanted),
        }
    }

    /// The right to ask the archive, once it is this one's turn.
    async fn permit(&self) -> Result<OwnedSemaphorePermit, Failure> {
        if let Ok(permit) = Arc::clone(&self.permits).try_acquire_owned() {
            return Ok(permit);
        }
        let _waiting = Waiting::begin(&self.waiting).ok_or(Failure::Busy)?;
        Arc::clone(&self.permits).acquire_owned().await.map_err(|_| broken_off())
    }

    fn asked(&self) -> MutexGuard<'_, HashMap<String, Weak<Interest>>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The work ended without an outcome: it panicked, which has been logged.
fn broken_off() -> Failure {
    Failure::Internal("the work on an answer broke off".to_owned())
}

/// A question that waits for its turn.
struct Waiting<'a>(&'a AtomicUsize);

impl Waiting<'_> {
    /// `None` if too many wait already.
    fn begin(waiting: &AtomicUsize) -> Option<Waiting<'_>> {
        let begun = Waiting(waiting);
        (waiting.fetch_add(1, Relaxed) < MAX_WAITING).then_some(begun)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}
