//! A game's content other than its mainline moves: comments, glyphs and variations, in order.
//!
//! It is one flat list, however deeply variations are nested, so walking or dropping it needs no deep stack.

use std::{borrow::Cow, ops::Range};

use shakmaty::{Move, Outcome};

/// An annotation of the mainline.
pub type Annotation<'a> = Mark<&'a str>;

/// An annotation of the mainline, with this representation of comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark<C> {
    /// A comment, without its delimiters; lines end with `\n`.
    Comment(C),
    /// A numeric annotation glyph: 1 for `!`, 2 for `?`, …
    Nag(u16),
    /// The start of a variation, an alternative to the last move before it.
    Open,
    /// The end of a variation.
    Close,
    /// A legal move of a variation.
    Move(Move),
    /// A null move in a variation: the side to move changes.
    Null,
    /// A result inside a variation.
    Result(Outcome),
    /// A null move follows the last mainline move: it and everything after it are annotations.
    Continue,
}

impl<C> Mark<C> {
    /// The same annotation with another representation of comments.
    fn map<D>(self, comment: impl FnOnce(C) -> D) -> Mark<D> {
        match self {
            Mark::Comment(text) => Mark::Comment(comment(text)),
            Mark::Nag(nag) => Mark::Nag(nag),
            Mark::Open => Mark::Open,
            Mark::Close => Mark::Close,
            Mark::Move(m) => Mark::Move(m),
            Mark::Null => Mark::Null,
            Mark::Result(outcome) => Mark::Result(outcome),
            Mark::Continue => Mark::Continue,
        }
    }
}

/// The annotations of a game. An empty list allocates nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annotations {
    /// Each annotation with the number of mainline moves before it, and the length of a comment instead of its text.
    marks: Vec<(u32, Mark<u32>)>,
    /// The concatenated texts of all comments.
    text: String,
}

/// A position in a list of annotations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checkpoint {
    marks: usize,
    text: usize,
}

/// The number of annotations of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AnnotationCounts {
    /// Comments.
    pub comments: u64,
    /// Numeric annotation glyphs.
    pub nags: u64,
    /// Variations.
    pub variations: u64,
}

impl Annotations {
    /// Appends an annotation. `ply` is the number of mainline moves before it; inside a variation, the number before
    /// the variation began.
    pub fn push(&mut self, ply: usize, annotation: Annotation<'_>) {
        let mark = annotation.map(|comment| {
            self.text.push_str(comment);
            u32::try_from(comment.len()).unwrap_or(u32::MAX)
        });
        self.marks.push((u32::try_from(ply).unwrap_or(u32::MAX), mark));
    }

    /// The annotations in movetext order, each with the number of mainline moves before it.
    pub fn iter(&self) -> impl Iterator<Item = (usize, Annotation<'_>)> {
        let mut texts = self.text.as_str();
        self.marks.iter().map(move |&(ply, mark)| {
            let annotation = mark.map(|length| {
                let (comment, rest) = texts.split_at_checked(length as usize).unwrap_or((texts, ""));
                texts = rest;
                comment
            });
            (ply as usize, annotation)
        })
    }

    /// The comments and glyphs of the mainline: those outside variations, up to a null move that ends the game.
    pub fn mainline(&self) -> impl Iterator<Item = (usize, Annotation<'_>)> {
        let mut depth = 0_usize;
        let game = self.iter().take_while(|(_, annotation)| *annotation != Annotation::Continue);
        game.filter(move |(_, annotation)| {
            match annotation {
                Annotation::Open => depth += 1,
                Annotation::Close => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && matches!(annotation, Annotation::Comment(_) | Annotation::Nag(_))
        })
    }

    /// The concatenated texts of all comments.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The number of annotations, including moves and ends of variations.
    pub fn len(&self) -> usize {
        self.marks.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }

    /// Only the null move after the mainline and the moves after it, without comments, glyphs and variations.
    pub fn continuation(&self) -> Annotations {
        let (mut moves, mut depth) = (Annotations::default(), 0usize);
        for &(ply, mark) in self.marks.iter().skip_while(|(_, mark)| *mark != Mark::Continue) {
            match mark {
                Mark::Open => depth += 1,
                Mark::Close => depth = depth.saturating_sub(1),
                Mark::Continue | Mark::Move(_) | Mark::Null if depth == 0 => moves.marks.push((ply, mark)),
                _ => {}
            }
        }
        moves
    }

    /// The annotations in which no variation is without moves: what is in such a one follows the move itself.
    pub fn without_empty_variations(&self) -> Cow<'_, Annotations> {
        let empty = self.empty_variations();
        if empty.is_empty() {
            return Cow::Borrowed(self);
        }
        let mut empty = empty.into_iter().peekable();
        let mut kept = Annotations::default();
        for (index, (ply, annotation)) in self.iter().enumerate() {
            let variation = empty.peek().cloned().filter(|variation| index >= variation.start);
            match annotation {
                Annotation::Open if variation.is_some() => {}
                Annotation::Close if variation.is_some() => drop(empty.next()),
                // Outside a variation it would be the result of the game.
                Annotation::Result(outcome) if variation.is_some() => {
                    kept.push(ply, Annotation::Comment(outcome.as_str()));
                }
                annotation => kept.push(ply, annotation),
            }
        }
        Cow::Owned(kept)
    }

    /// Where variations without moves are, from their start to their end.
    fn empty_variations(&self) -> Vec<Range<usize>> {
        let (mut empty, mut start) = (Vec::new(), None);
        for (index, (_, mark)) in self.marks.iter().enumerate() {
            match mark {
                Mark::Open => start = Some(index),
                Mark::Move(_) | Mark::Null => start = None,
                Mark::Close => empty.extend(start.take().map(|start| start..index)),
                _ => {}
            }
        }
        empty
    }

    /// Removes all annotations but keeps the memory.
    pub fn clear(&mut self) {
        self.marks.clear();
        self.text.clear();
    }

    /// The position after the last annotation.
    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint { marks: self.marks.len(), text: self.text.len() }
    }

    /// Removes the annotations after a position.
    pub fn cut_back(&mut self, to: Checkpoint) {
        self.marks.truncate(to.marks);
        self.text.truncate(to.text);
    }

    /// The number of annotations of each kind.
    pub fn counts(&self) -> AnnotationCounts {
        let mut counts = AnnotationCounts::default();
        for (_, mark) in &self.marks {
            match mark {
                Mark::Comment(_) => counts.comments += 1,
                Mark::Nag(_) => counts.nags += 1,
                Mark::Open => counts.variations += 1,
                _ => {}
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotations_are_returned_in_order() {
        let all = [
            (0, Annotation::Comment("before")),
            (1, Annotation::Nag(1)),
            (1, Annotation::Comment("é")),
            (1, Annotation::Open),
            (1, Annotation::Null),
            (1, Annotation::Comment("")),
            (1, Annotation::Close),
            (2, Annotation::Comment("after")),
        ];
        let mut annotations = Annotations::default();
        for (ply, annotation) in &all[..3] {
            annotations.push(*ply, *annotation);
        }
        let place = annotations.checkpoint();
        annotations.push(9, Annotation::Comment("gone"));
        annotations.cut_back(place);
        for (ply, annotation) in &all[3..] {
            annotations.push(*ply, *annotation);
        }
        assert_eq!(annotations.iter().collect::<Vec<_>>(), all);
        assert_eq!(annotations.counts(), AnnotationCounts { comments: 4, nags: 1, variations: 1 });
        assert!(annotations.continuation().is_empty());
    }

    #[test]
    fn a_continuation_is_kept_without_its_annotations() {
        let mut annotations = Annotations::default();
        for annotation in [
            Annotation::Comment("before"),
            Annotation::Continue,
            Annotation::Null,
            Annotation::Open,
            Annotation::Null,
            Annotation::Close,
            Annotation::Nag(1),
            Annotation::Null,
        ] {
            annotations.push(2, annotation);
        }
        let moves = annotations.continuation();
        let kept = [Annotation::Continue, Annotation::Null, Annotation::Null].map(|mark| (2, mark));
        assert_eq!(moves.iter().collect::<Vec<_>>(), kept);
    }
}
