//! What a game has beside the moves of its mainline: comments, glyphs and variations, in their order.
//!
//! It is one flat list, however deep the variations go: nothing that walks or drops it needs a deep stack.

use shakmaty::{Move, Outcome};

/// Something beside the mainline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Annotation<'a> {
    /// A comment, without its marks; lines end with `\n`.
    Comment(&'a str),
    /// A numeric annotation glyph: 1 for `!`, 2 for `?`, …
    Nag(u16),
    /// The start of a variation: other moves than the last one before it.
    Open,
    /// The end of a variation.
    Close,
    /// A legal move of a variation.
    Move(Move),
    /// A null move of a variation: the other side is to move.
    Null,
    /// A result inside a variation.
    Result(Outcome),
    /// A null move follows the last move of the mainline: it and all that comes after it are annotations.
    Continue,
}

/// The same, with the length of a comment for its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Comment(u32),
    Nag(u16),
    Open,
    Close,
    Move(Move),
    Null,
    Result(Outcome),
    Continue,
}

/// The annotations of a game. None cost nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annotations {
    /// Each with the number of mainline moves before it.
    marks: Vec<(u32, Mark)>,
    /// The texts of all comments, one after the other.
    text: String,
}

/// A place in a list of annotations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checkpoint {
    marks: usize,
    text: usize,
}

/// How many annotations of each kind there are.
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
    /// Adds an annotation at the end. `ply` is the number of mainline moves before it; inside a variation, the number
    /// before the variation began.
    pub fn push(&mut self, ply: usize, annotation: Annotation<'_>) {
        let mark = match annotation {
            Annotation::Comment(comment) => {
                self.text.push_str(comment);
                Mark::Comment(u32::try_from(comment.len()).unwrap_or(u32::MAX))
            }
            Annotation::Nag(nag) => Mark::Nag(nag),
            Annotation::Open => Mark::Open,
            Annotation::Close => Mark::Close,
            Annotation::Move(m) => Mark::Move(m),
            Annotation::Null => Mark::Null,
            Annotation::Result(outcome) => Mark::Result(outcome),
            Annotation::Continue => Mark::Continue,
        };
        self.marks.push((u32::try_from(ply).unwrap_or(u32::MAX), mark));
    }

    /// The annotations in the order of the movetext, each with the number of mainline moves before it.
    pub fn iter(&self) -> impl Iterator<Item = (usize, Annotation<'_>)> {
        let mut texts = self.text.as_str();
        self.marks.iter().map(move |&(ply, mark)| {
            let annotation = match mark {
                Mark::Comment(length) => {
                    let (comment, rest) = texts.split_at_checked(length as usize).unwrap_or((texts, ""));
                    texts = rest;
                    Annotation::Comment(comment)
                }
                Mark::Nag(nag) => Annotation::Nag(nag),
                Mark::Open => Annotation::Open,
                Mark::Close => Annotation::Close,
                Mark::Move(m) => Annotation::Move(m),
                Mark::Null => Annotation::Null,
                Mark::Result(outcome) => Annotation::Result(outcome),
                Mark::Continue => Annotation::Continue,
            };
            (ply as usize, annotation)
        })
    }

    /// The texts of all comments, one after the other.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The number of annotations; moves of variations and the ends of variations count as well.
    pub fn len(&self) -> usize {
        self.marks.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }

    /// Only the null move that follows the mainline, and what comes after it: no comments, glyphs and variations.
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

    /// Forgets all, keeps the memory.
    pub fn clear(&mut self) {
        self.marks.clear();
        self.text.clear();
    }

    /// The place after the last annotation.
    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint { marks: self.marks.len(), text: self.text.len() }
    }

    /// Forgets what came after a place.
    pub fn cut_back(&mut self, to: Checkpoint) {
        self.marks.truncate(to.marks);
        self.text.truncate(to.text);
    }

    /// How many there are of each kind.
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
    fn what_goes_in_comes_out_in_order() {
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
    fn a_continuation_is_kept_without_what_is_said_of_it() {
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
