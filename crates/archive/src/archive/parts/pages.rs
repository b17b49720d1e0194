//! Lists over several archives: in the order of ids one archive after the other; in another order by merging the next
//! games of each.

use std::{cmp::Ordering, collections::VecDeque};

use rusqlite::types::Value;

use super::{Part, PartView, on_all_cores};
use crate::archive::{
    Archive, Filter, Result, Sort,
    read::{Listed, Named, Pages, Selected},
};
use plybook_record::GameId;

/// Reads the games of several archives that pass a filter, in the filter's order. After an error the iterator ends.
#[derive(Debug)]
pub(in crate::archive) struct PagesOfParts<'a, T> {
    all: &'a Archive,
    filter: Filter,
    wanted: Selected<T>,
    /// The parts that have not been started, in order.
    waiting: VecDeque<&'a Part>,
    /// The players that match names in each part, once they have been looked up.
    named: Vec<Named>,
    has_names: bool,
    /// The parts being read: in the order of ids one at a time.
    begun: Vec<BegunPart<'a, T>>,
    /// Number of games to skip, and then to return.
    offset: u64,
    left: u64,
}

/// A part being read.
#[derive(Debug)]
struct BegunPart<'a, T> {
    part: &'a Part,
    pages: Pages<T>,
    /// Its next game, with its sort key.
    next: Option<(Value, T)>,
}

impl<T> BegunPart<'_, T> {
    /// Reads the next game, unless it has been read.
    fn read_next(&mut self) -> Result<()> {
        if self.next.is_none() {
            let next = self.pages.next_with_key(&self.part.lock()).transpose();
            self.next = next.map_err(|error| error.of_file_after(self.part.before))?;
        }
        Ok(())
    }
}

impl<T: PartView> Iterator for PagesOfParts<'_, T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.advance().transpose();
        if matches!(next, Some(Err(_))) {
            self.left = 0;
        }
        next
    }
}

impl<'a, T: PartView> PagesOfParts<'a, T> {
    pub(in crate::archive) fn new(all: &'a Archive, filter: &Filter, wanted: Selected<T>) -> Self {
        let mut waiting: VecDeque<&Part> = all.files().parts().iter().collect();
        if filter.sort == Sort::Id && filter.descending {
            waiting.make_contiguous().reverse();
        }
        PagesOfParts {
            all,
            filter: filter.clone(),
            wanted,
            waiting,
            named: vec![Named::default(); all.files().parts().len()],
            has_names: false,
            begun: Vec::new(),
            offset: filter.offset,
            left: filter.limit.unwrap_or(u64::MAX),
        }
    }

    fn advance(&mut self) -> Result<Option<T>> {
        if !std::mem::replace(&mut self.has_names, true) {
            for (of, pattern) in self.filter.players().into_iter().enumerate() {
                let players =
                    pattern.map(|pattern| self.all.names().players_in_parts(pattern)).transpose()?;
                for (named, players) in self.named.iter_mut().zip(players.into_iter().flatten()) {
                    named[of] = Some(players);
                }
            }
        }
        while self.left > 0 {
            self.begin_parts()?;
            let Some((part, next)) = self.first()? else {
                if self.waiting.is_empty() && self.begun.is_empty() {
                    break;
                }
                continue;
            };
            if self.offset > 0 {
                self.offset -= 1;
                continue;
            }
            self.left -= 1;
            return next.of_part(self.all, part).map(Some);
        }
        Ok(None)
    }

    /// Starts the parts that are needed: in the order of ids the next one, and only when none is being read.
    fn begin_parts(&mut self) -> Result<()> {
        let one_at_a_time = self.filter.sort == Sort::Id;
        let begins_all = !one_at_a_time && !self.waiting.is_empty();
        while !one_at_a_time || self.begun.is_empty() {
            let Some(part) = self.waiting.pop_front() else { break };
            let Some(filter) = part.filter(&self.filter)? else { continue };
            let most = self.filter.limit.map(|_| self.left.saturating_add(self.offset));
            let filter = Filter { offset: 0, limit: most, ..filter };
            let named = self.named.get_mut(part.number as usize).map(std::mem::take);
            if one_at_a_time && self.offset > 0 {
                // To skip games it is enough to read their ids.
                let skipped = Filter { limit: Some(self.offset), ..filter.clone() };
                let (archive, mut ids) =
                    (part.lock(), Pages::new(&skipped, GameId::WANTED, false, named.clone()));
                let mut ids = std::iter::from_fn(|| ids.next(&archive));
                let count = ids.try_fold(0, |count, id| id.map(|_| count + 1));
                let count = count.map_err(|error| error.of_file_after(part.before))?;
                if count < self.offset {
                    self.offset -= count;
                    continue;
                }
            }
            let pages = Pages::new(&filter, self.wanted, !one_at_a_time, named);
            self.begun.push(BegunPart { part, pages, next: None });
        }
        if begins_all {
            // In parallel, because each scans all of its games or names before it returns the first one.
            on_all_cores(self.begun.iter_mut().collect(), BegunPart::read_next)?;
        }
        Ok(())
    }

    /// The first game of the parts being read. Parts without more games are removed.
    fn first(&mut self) -> Result<Option<(&'a Part, T)>> {
        for begun in &mut self.begun {
            begun.read_next()?;
        }
        self.begun.retain(|begun| begun.next.is_some());
        let descending = self.filter.descending;
        // Of equal ones the first: parts are in the order of ids.
        let first = self.begun.iter_mut().min_by(|one, other| {
            let [one, other] =
                [one, other].map(|begun| begun.next.as_ref().map_or(&Value::Null, |(key, _)| key));
            compared(one, other, descending)
        });
        Ok(first.and_then(|begun| Some((begun.part, begun.next.take()?.1))))
    }
}

/// Compares two values as SQLite sorts them, with unknown ones last.
fn compared(one: &Value, other: &Value, descending: bool) -> Ordering {
    let by_value = match (one, other) {
        (Value::Null, _) | (_, Value::Null) => {
            return (*one == Value::Null).cmp(&(*other == Value::Null));
        }
        (Value::Integer(one), Value::Integer(other)) => one.cmp(other),
        (Value::Text(one), Value::Text(other)) => one.cmp(other),
        _ => Ordering::Equal,
    };
    if descending { by_value.reverse() } else { by_value }
}
