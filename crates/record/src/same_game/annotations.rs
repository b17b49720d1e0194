//! The annotations of two records of one game, compared and joined ply by ply.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    mem,
};

use super::comment::{Parts, Rest};
use plybook_chess::chess::{Annotation, Annotations, Move};

/// An annotation of the mainline; a variation is one, with all that is in it.
#[derive(Clone, Debug, PartialEq)]
enum Item<'a> {
    Comment(Cow<'a, str>),
    Nag(u16),
    Variation(Vec<Annotation<'a>>),
    /// A null move after the mainline, and all that follows it.
    Continuation(Vec<Annotation<'a>>),
}

/// The annotations of a game, by the number of mainline moves before them.
#[derive(Debug, Default)]
pub(super) struct ByPly<'a>(BTreeMap<usize, Vec<Item<'a>>>);

impl<'a> ByPly<'a> {
    pub(super) fn of(annotations: &'a Annotations) -> ByPly<'a> {
        let mut by_ply = ByPly::default();
        let (mut inside, mut depth, mut continued) = (Vec::new(), 0_usize, None);
        for (ply, annotation) in annotations.iter() {
            if continued.is_some() || annotation == Annotation::Continue {
                continued = Some(ply);
                inside.push(annotation);
                continue;
            }
            match annotation {
                Annotation::Open => depth += 1,
                Annotation::Close => depth = depth.saturating_sub(1),
                Annotation::Comment(text) if depth == 0 => by_ply.push(ply, Item::Comment(text.into())),
                Annotation::Nag(nag) if depth == 0 => by_ply.push(ply, Item::Nag(nag)),
                _ => {}
            }
            let is_inside = depth > 0 || annotation == Annotation::Close;
            inside.extend(is_inside.then_some(annotation));
            if depth == 0 && !inside.is_empty() {
                by_ply.push(ply, Item::Variation(mem::take(&mut inside)));
            }
        }
        if let Some(ply) = continued {
            by_ply.push(ply, Item::Continuation(inside));
        }
        by_ply
    }

    fn push(&mut self, ply: usize, item: Item<'a>) {
        self.0.entry(ply).or_default().push(item);
    }

    fn at(&self, ply: usize) -> &[Item<'a>] {
        self.0.get(&ply).map_or(&[], Vec::as_slice)
    }

    /// Whether a null move follows the mainline.
    pub(super) fn is_continued(&self) -> bool {
        self.0.values().flatten().any(|item| matches!(item, Item::Continuation(_)))
    }

    /// Whether one of these annotations says something that others do not.
    pub(super) fn say_more(&self, than: &ByPly<'_>) -> bool {
        self.0.iter().any(|(ply, items)| {
            let others = than.at(*ply);
            items.iter().any(|item| item.rest(others, Rest::Unsaid).is_some())
        })
    }

    /// These annotations, and after each move what others say and these do not. After the moves up to a ply, only that
    /// `rest` of it.
    pub(super) fn with(&self, others: &ByPly<'_>, until: usize, rest: Rest) -> Annotations {
        let plies: BTreeSet<usize> = self.0.keys().chain(others.0.keys()).copied().collect();
        let mut joined = Annotations::default();
        for ply in plies {
            let (own, rest) = (self.at(ply), if ply <= until { rest } else { Rest::Unset });
            let added: Vec<_> = others.at(ply).iter().filter_map(|item| item.rest(own, rest)).collect();
            let (lines, simple): (Vec<_>, Vec<_>) = added.into_iter().partition(Item::is_line);
            // Comments and glyphs are of the move, and stand before its variations.
            let (before, after) = own.split_at(own.iter().position(Item::is_line).unwrap_or(own.len()));
            let ends =
                after.len() - after.iter().filter(|item| matches!(item, Item::Continuation(_))).count();
            let (after, end) = after.split_at(ends);
            for item in before.iter().chain(&simple).chain(after).chain(&lines).chain(end) {
                item.push_to(&mut joined, ply);
            }
        }
        joined
    }

    /// Adds the line of another record, with its annotations, as a variation of the move at which it differs.
    pub(super) fn add_line(&mut self, moves: &[Move], annotations: &ByPly<'a>, differs_at: usize) {
        let mut line = vec![Annotation::Open];
        for (ply, &m) in moves.iter().enumerate().skip(differs_at) {
            line.push(Annotation::Move(m));
            for item in annotations.at(ply + 1) {
                match item {
                    Item::Comment(Cow::Borrowed(text)) => line.push(Annotation::Comment(text)),
                    Item::Nag(nag) => line.push(Annotation::Nag(*nag)),
                    Item::Variation(marks) => line.extend(marks),
                    // Records with one are not joined; comments of a record that was read are borrowed.
                    Item::Comment(Cow::Owned(_)) | Item::Continuation(_) => {}
                }
            }
        }
        line.push(Annotation::Close);
        let line = Item::Variation(line);
        if !self.at(differs_at + 1).contains(&line) {
            self.push(differs_at + 1, line);
        }
    }

    /// Those after the moves up to a ply.
    pub(super) fn until(&self, ply: usize) -> ByPly<'a> {
        ByPly(self.0.range(..=ply).map(|(ply, items)| (*ply, items.clone())).collect())
    }
}

impl<'a> Item<'a> {
    fn is_line(&self) -> bool {
        matches!(self, Item::Variation(_) | Item::Continuation(_))
    }

    /// What is left of it beside others of the same move; `None` if that is nothing.
    fn rest(&self, others: &[Item<'_>], rest: Rest) -> Option<Item<'a>> {
        let Item::Comment(text) = self else {
            return (rest != Rest::Commands && !others.contains(self)).then(|| self.clone());
        };
        let comments = others.iter().filter_map(|item| match item {
            Item::Comment(text) => Some(&**text),
            _ => None,
        });
        let known = Parts::of(comments);
        match text {
            Cow::Borrowed(text) => known.rest_of(text, rest).map(Item::Comment),
            Cow::Owned(text) => known.rest_of(text, rest).map(|rest| Item::Comment(rest.into_owned().into())),
        }
    }

    fn push_to(&self, annotations: &mut Annotations, ply: usize) {
        match self {
            Item::Comment(text) => annotations.push(ply, Annotation::Comment(text)),
            Item::Nag(nag) => annotations.push(ply, Annotation::Nag(*nag)),
            Item::Variation(marks) | Item::Continuation(marks) => {
                marks.iter().for_each(|mark| annotations.push(ply, *mark));
            }
        }
    }
}
