//! What has been found out is kept for the next time: of one state of the archive, and no more than so many bytes.

use std::{
    collections::HashMap,
    mem,
    sync::{Arc, Mutex, PoisonError},
};

/// About how many bytes the maps take for an answer besides itself and its question.
const ENTRY: usize = 128;

/// Something of which it is known about how many bytes it takes in memory.
pub(super) trait Memory {
    /// These bytes.
    fn memory(&self) -> usize;
}

/// Answers by what was asked. Those that were asked for lately stay.
#[derive(Debug)]
pub(super) struct Answers<T> {
    most: usize,
    kept: Mutex<Kept<T>>,
}

#[derive(Debug)]
struct Kept<T> {
    /// The state of the archive that they are of.
    state: u64,
    lately: HashMap<String, Arc<T>>,
    /// Bytes of those.
    bytes: usize,
    before: HashMap<String, Arc<T>>,
}

impl<T: Memory> Answers<T> {
    /// At most so many bytes.
    pub(super) fn new(most: usize) -> Answers<T> {
        Answers { most, kept: Mutex::new(Kept::of(0)) }
    }

    /// The answer that is kept for a state of the archive.
    pub(super) fn get(&self, state: u64, question: &str) -> Option<Arc<T>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.state != state {
            return None;
        }
        if let Some(answer) = kept.lately.get(question) {
            return Some(Arc::clone(answer));
        }
        let (question, answer) = kept.before.remove_entry(question)?;
        kept.add(question, Arc::clone(&answer), self.most / 2);
        Some(answer)
    }

    /// Keeps an answer that is of a state of the archive, or of a later one.
    pub(super) fn insert(&self, state: u64, question: String, answer: Arc<T>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if state > kept.state {
            *kept = Kept::of(state);
        }
        if state == kept.state {
            kept.add(question, answer, self.most / 2);
        }
    }
}

impl<T: Memory> Kept<T> {
    /// Nothing of a state.
    fn of(state: u64) -> Kept<T> {
        Kept { state, lately: HashMap::new(), bytes: 0, before: HashMap::new() }
    }

    /// Keeps one more. When those of lately have their bytes, the ones before them are forgotten.
    fn add(&mut self, question: String, answer: Arc<T>, most: usize) {
        let bytes = answer.memory() + question.len() + ENTRY;
        if bytes > most {
            return;
        }
        if self.bytes + bytes > most {
            self.before = mem::take(&mut self.lately);
            self.bytes = 0;
        }
        if self.lately.insert(question, answer).is_none() {
            self.bytes += bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::reply::{Answer, JSON};

    fn answer(bytes: usize) -> Arc<Answer> {
        Arc::new(Answer::new(JSON, vec![b' '; bytes]))
    }

    #[test]
    fn answers_take_no_more_than_their_bytes_and_what_is_asked_for_stays() {
        let answers = Answers::<Answer>::new(100_000);
        answers.insert(1, "often".to_owned(), answer(100));
        for number in 0..5_000_usize {
            answers.insert(1, number.to_string(), answer(number % 900));
            assert!(answers.get(1, "often").is_some(), "{number}");
            let kept = answers.kept.lock().unwrap();
            let all = kept.lately.iter().chain(&kept.before);
            let bytes: usize = all.map(|(question, answer)| question.len() + answer.memory()).sum();
            assert!(bytes <= 100_000);
        }
        answers.insert(1, "large".to_owned(), answer(50_000));
        assert!(answers.get(1, "large").is_none() && answers.get(1, "0").is_none());
    }

    #[test]
    fn no_answer_outlives_the_state_of_the_archive_that_it_is_of() {
        let answers = Answers::<Answer>::new(100_000);
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
