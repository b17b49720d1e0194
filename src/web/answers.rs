//! A cache for the current state of the archive: of answers, limited in bytes, and of figures about the whole archive
//! that are slow to compute.

use std::{
    collections::hash_map::RandomState,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::Result;
use crate::archive::two_generation_cache::TwoGenerationCache;

/// Approximate overhead of a cached answer in the maps, in addition to the answer and its question.
pub(super) const ENTRY: usize = 128;

/// The approximate size of a question with its answer, in bytes.
type Weigh<T> = fn(&String, &Arc<T>) -> usize;

/// Answers by question. Recently used ones stay.
#[derive(Debug)]
pub(super) struct Answers<T> {
    most: usize,
    weigh: Weigh<T>,
    kept: Mutex<Kept<T>>,
    finding: Mutex<()>,
}

#[derive(Debug)]
struct Kept<T> {
    /// The state of the archive for which the answers are valid.
    state: u64,
    /// Clients choose the questions, so the hash must be hard to predict.
    answers: TwoGenerationCache<String, Arc<T>, RandomState>,
}

impl<T> Answers<T> {
    /// An empty cache of at most `most` bytes.
    pub(super) fn new(most: usize, weigh: Weigh<T>) -> Answers<T> {
        let answers = TwoGenerationCache::weighed(most, weigh);
        Answers { most, weigh, kept: Mutex::new(Kept { state: 0, answers }), finding: Mutex::default() }
    }

    /// The cached answer for a state of the archive, or what `find` returns, which is cached unless the state is unknown.
    pub(super) fn get_or(
        &self,
        state: Option<u64>,
        question: &str,
        find: impl FnOnce() -> Result<T>,
    ) -> Result<Arc<T>> {
        if let Some(kept) = state.and_then(|state| self.get(state, question)) {
            return Ok(kept);
        }
        let found = Arc::new(find()?);
        if let Some(state) = state {
            self.insert(state, question.to_owned(), Arc::clone(&found));
        }
        Ok(found)
    }

    /// The same for the only question: if another thread is finding the answer, this one waits for it.
    pub(super) fn get_or_wait(&self, state: Option<u64>, find: impl FnOnce() -> Result<T>) -> Result<Arc<T>> {
        // An answer for an unknown state is not cached, so there is nothing to wait for.
        let Some(known) = state else { return Ok(Arc::new(find()?)) };
        if let Some(answer) = self.get(known, "") {
            return Ok(answer);
        }
        let _finding = self.finding.lock().unwrap_or_else(PoisonError::into_inner);
        self.get_or(state, "", find)
    }

    /// The cached answer for a state of the archive.
    pub(super) fn get(&self, state: u64, question: &str) -> Option<Arc<T>> {
        let mut kept = self.kept();
        if kept.state == state { kept.answers.get(question) } else { None }
    }

    /// Caches an answer for the given state of the archive, or for a later one.
    fn insert(&self, state: u64, question: String, answer: Arc<T>) {
        let mut kept = self.kept();
        if state > kept.state {
            *kept = Kept { state, answers: TwoGenerationCache::weighed(self.most, self.weigh) };
        }
        if state == kept.state {
            kept.answers.insert(question, answer);
        }
    }

    fn kept(&self) -> MutexGuard<'_, Kept<T>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Default for Answers<T> {
    /// For the few figures about the whole archive: all stay.
    fn default() -> Answers<T> {
        Answers::new(usize::MAX, |_, _| 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::reply::{Answer, JSON};

    fn answers() -> Answers<Answer> {
        Answers::new(100_000, |question, answer| ENTRY + question.len() + answer.size())
    }

    fn answer(bytes: usize) -> Arc<Answer> {
        Arc::new(Answer::new(JSON, vec![b' '; bytes]))
    }

    #[test]
    fn recently_requested_answers_stay_and_one_that_takes_half_of_the_cache_is_not_cached() {
        let answers = answers();
        answers.insert(1, "often".to_owned(), answer(100));
        for number in 0..5_000_usize {
            answers.insert(1, number.to_string(), answer(number % 900));
            assert!(answers.get(1, "often").is_some(), "{number}");
        }
        answers.insert(1, "large".to_owned(), answer(50_000));
        assert!(answers.get(1, "large").is_none() && answers.get(1, "0").is_none());
    }

    #[test]
    fn no_answer_outlives_its_state_of_the_archive() {
        let answers = answers();
        answers.insert(1, "a".to_owned(), answer(1));
        assert!(answers.get(2, "a").is_none() && answers.get(1, "a").is_some());
        answers.insert(2, "b".to_owned(), answer(2));
        answers.insert(1, "c".to_owned(), answer(3));
        assert!(answers.get(2, "b").is_some());
        assert!(
            ["a", "c"]
                .iter()
                .all(|question| answers.get(1, question).is_none() && answers.get(2, question).is_none())
        );
    }
}
