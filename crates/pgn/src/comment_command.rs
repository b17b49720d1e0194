//! A value in a PGN comment that programs read.

use std::borrow::Cow;

/// A command in a comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommentCommand<'a> {
    /// Its name: `clk`, `eval`, `cal`, `csl` or `draw`; in the comment of an engine game `clk`, `eval`, `book`, or
    /// `engine`, which has the complete comment.
    pub name: &'a str,
    /// The value, without surrounding spaces. Evaluations are White's, in the notation of Lichess.
    pub value: Cow<'a, str>,
}
