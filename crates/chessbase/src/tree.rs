//! Puts the moves and comments of a game into the order of PGN: variations follow the move that they replace.

use std::collections::BTreeMap;

use plybook_chess::{
    chess::{Annotation, Annotations},
    limits::{MAX_ANNOTATIONS, MAX_VARIATION_DEPTH},
};
use plybook_pgn::RejectReason;

use crate::{comments::MoveComments, moves::MoveTree};

/// What is still to be written, the next last.
enum Task {
    /// The moves after a node.
    Line(usize),
    /// A move, and its siblings after it, as variations.
    Variations(usize),
    Close,
}

struct TreeWriter<'a> {
    tree: &'a MoveTree,
    /// The comments of moves by their nodes.
    comments: &'a BTreeMap<usize, MoveComments>,
    annotations: Annotations,
    tasks: Vec<Task>,
    depth: usize,
    /// Moves of the main line so far.
    ply: usize,
    /// Whether a null move has ended the main line.
    is_continued: bool,
}

/// The annotations of a game.
///
/// # Errors
/// There are too many, or variations are nested too deeply.
pub(crate) fn annotations(
    tree: &MoveTree,
    comments: &BTreeMap<usize, MoveComments>,
) -> Result<Annotations, RejectReason> {
    let mut writer = TreeWriter {
        tree,
        comments,
        annotations: Annotations::default(),
        tasks: vec![Task::Line(0)],
        depth: 0,
        ply: 0,
        is_continued: false,
    };
    // The node of the start position has what is before the first move.
    writer.after(0)?;
    while let Some(task) = writer.tasks.pop() {
        match task {
            Task::Line(node) => writer.line(node)?,
            Task::Variations(node) => writer.variation(node)?,
            Task::Close => {
                writer.depth -= 1;
                writer.push(Annotation::Close)?;
            }
        }
    }
    Ok(writer.annotations)
}

impl TreeWriter<'_> {
    fn line(&mut self, mut node: usize) -> Result<(), RejectReason> {
        while let Some(first) = self.tree.nodes.get(node).and_then(|node| node.first_child) {
            self.play(first)?;
            node = first;
            if let Some(sibling) = self.sibling(first) {
                self.tasks.push(Task::Line(first));
                self.tasks.push(Task::Variations(sibling));
                break;
            }
        }
        Ok(())
    }

    fn variation(&mut self, node: usize) -> Result<(), RejectReason> {
        if self.depth >= MAX_VARIATION_DEPTH {
            return Err(RejectReason::TooDeep);
        }
        self.tasks.extend(self.sibling(node).map(Task::Variations));
        self.tasks.push(Task::Close);
        self.tasks.push(Task::Line(node));
        self.push(Annotation::Open)?;
        self.depth += 1;
        self.play(node)
    }

    fn sibling(&self, node: usize) -> Option<usize> {
        self.tree.nodes.get(node)?.next_sibling
    }

    fn push(&mut self, annotation: Annotation<'_>) -> Result<(), RejectReason> {
        if self.annotations.len() >= MAX_ANNOTATIONS {
            return Err(RejectReason::TooManyAnnotations);
        }
        self.annotations.push(self.ply, annotation);
        Ok(())
    }

    fn play(&mut self, node: usize) -> Result<(), RejectReason> {
        let is_in_main_line = self.depth == 0 && !self.is_continued;
        let m = self.tree.nodes.get(node).and_then(|node| node.m);
        for comment in self.comments.get(&node).map_or(&[][..], |comments| &comments.before) {
            self.push(Annotation::Comment(comment))?;
        }
        match m {
            Some(_) if is_in_main_line => self.ply += 1,
            Some(m) => self.push(Annotation::Move(m))?,
            None => {
                if is_in_main_line {
                    self.is_continued = true;
                    self.push(Annotation::Continue)?;
                }
                self.push(Annotation::Null)?;
            }
        }
        self.after(node)
    }

    /// The glyphs and comments after a move.
    fn after(&mut self, node: usize) -> Result<(), RejectReason> {
        let Some(comments) = self.comments.get(&node) else { return Ok(()) };
        for glyph in &comments.glyphs {
            self.push(Annotation::Nag(*glyph))?;
        }
        for comment in &comments.after {
            self.push(Annotation::Comment(comment))?;
        }
        Ok(())
    }
}
