//! Writes games as PGN, with movetext lines of at most 80 columns, as required by the export format.
//!
//! A comment is never wrapped, so it is preserved byte for byte; see [`comment_braces`](super::comment_braces) for one that
//! contains braces. What earlier releases stored as a variation without moves is written as part of the line around it.

use shakmaty::{Color, Move, Outcome, Position, san::SanPlus};

use super::{line_wrap::LineWrap, tags::escaped};
use plybook_chess::chess::{
    Annotation, Annotations, NullMove, Pair, SanSuffix, Tags, TreeCursor, roster_place,
};

/// Which tag pairs are written, and in what order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TagOrder {
    /// The game's own tags, in their order. A game without tags is written as [`SameGame`] if it begins with a comment
    /// or has no moves.
    ///
    /// [`SameGame`]: TagOrder::SameGame
    #[default]
    AsTheyAre,
    /// PGN's export format: the seven-tag roster first, with "unknown" values for missing tags, then the others. A
    /// missing Result tag is written with the game's result, and a FEN tag without SetUp is preceded by it; both change
    /// the fingerprint.
    RosterFirst,
    /// Like [`RosterFirst`](TagOrder::RosterFirst), but a missing Result or SetUp tag stays missing, so that reading the
    /// output yields the same game.
    SameGame,
}

/// Appends a game.
pub fn write_game<P: SanSuffix + Clone + NullMove>(
    out: &mut String,
    tags: &Tags,
    order: TagOrder,
    start: &P,
    moves: &[Move],
    annotations: &Annotations,
    outcome: Outcome,
) {
    // A comment or a result after a result belongs to that game, unless a tag pair comes first.
    let begins = moves.is_empty() || annotations.iter().next().is_some_and(|(ply, _)| ply == 0);
    let has_none = order == TagOrder::AsTheyAre && tags.is_empty();
    let order = if begins && has_none { TagOrder::SameGame } else { order };
    write_tags(out, tags, order, outcome);
    movetext(out, start, moves, annotations, outcome);
    out.push('\n');
}

fn write_tags<'t>(out: &mut String, tags: &'t Tags, order: TagOrder, outcome: Outcome) {
    let (mut first, mut has_others) = (None, false);
    let mut write = |(name, value): Pair<'t>| {
        if first == Some(name) && has_others {
            // On a line of its own it would begin another game.
            out.pop();
            out.push(' ');
        }
        has_others |= first.is_some_and(|first| first != name);
        first = first.or_else(|| roster_place(name.as_bytes()).map(|_| name));
        out.extend(["[", name, " \"", &escaped(value), "\"]\n"]);
    };
    match order {
        TagOrder::AsTheyAre => tags.iter().for_each(write),
        TagOrder::RosterFirst | TagOrder::SameGame => {
            let [no_result, no_set_up] = ["Result", "SetUp"].map(|name| tags.get(name).is_none());
            let is_same = order == TagOrder::SameGame;
            for (name, value) in tags.in_export_order() {
                match name {
                    "Result" if no_result && is_same => {}
                    "Result" if no_result => write((name, outcome.as_str())),
                    "FEN" if no_set_up && !is_same => {
                        [("SetUp", "1"), (name, value)].into_iter().for_each(&mut write)
                    }
                    _ => write((name, value)),
                }
            }
        }
    }
    if order != TagOrder::AsTheyAre || !tags.is_empty() {
        out.push('\n');
    }
}

/// Appends a game without annotations while it is played.
pub struct GameWriter<'a> {
    lines: LineWrap<'a>,
    /// The number of the next move, and the side to move.
    number: u32,
    turn: Color,
    /// Whether no move has been written.
    begins: bool,
    outcome: Outcome,
}

impl<'a> GameWriter<'a> {
    /// Appends the tags.
    pub fn new(
        out: &'a mut String,
        tags: &Tags,
        order: TagOrder,
        start: &impl Position,
        outcome: Outcome,
    ) -> GameWriter<'a> {
        write_tags(out, tags, order, outcome);
        let (number, turn) = (start.fullmoves().get(), start.turn());
        GameWriter { lines: LineWrap::new(out), number, turn, begins: true, outcome }
    }

    /// Appends a move.
    pub fn played(&mut self, san: SanPlus) {
        self.lines.number(self.number, self.turn, self.begins);
        self.lines.san(san);
        self.number = self.number.saturating_add(u32::from(self.turn.is_black()));
        (self.turn, self.begins) = (!self.turn, false);
    }

    /// Appends the result.
    pub fn end(self) {
        self.lines.result(self.outcome).push('\n');
    }
}

/// Appends a movetext: numbered moves with their annotations, the result, and a line end.
pub fn movetext<P: SanSuffix + Clone + NullMove>(
    out: &mut String,
    start: &P,
    moves: &[Move],
    annotations: &Annotations,
    outcome: Outcome,
) {
    let mut writer = MovetextWriter::new(out, start);
    let annotations = annotations.without_empty_variations();
    let mut annotations = annotations.iter().peekable();
    for (ply, &m) in moves.iter().enumerate() {
        while let Some((_, annotation)) = annotations.next_if(|&(at, _)| at <= ply) {
            writer.annotation(annotation);
        }
        // The position before the move is needed only if variations follow.
        let varied = matches!(annotations.peek(), Some(&(at, _)) if at == ply + 1);
        writer.play(m, varied);
    }
    for (_, annotation) in annotations {
        writer.annotation(annotation);
    }
    writer.lines.result(outcome);
}

/// The moves and annotations after a null move, from the position after the last move; `None` if there are none.
pub fn continuation<P: SanSuffix + Clone + NullMove>(last: &P, annotations: &Annotations) -> Option<String> {
    let mut text = String::new();
    let mut writer = MovetextWriter::new(&mut text, last);
    let annotations = annotations.without_empty_variations();
    for (_, annotation) in
        annotations.iter().skip_while(|(_, annotation)| *annotation != Annotation::Continue)
    {
        writer.annotation(annotation);
    }
    writer.lines.end();
    Some(text.trim_end().to_owned()).filter(|text| !text.is_empty())
}

struct MovetextWriter<'a, P> {
    lines: LineWrap<'a>,
    /// Per line of moves, whether a Black move needs its number: the first move does, and one after an interruption of
    /// the line.
    tree: TreeCursor<P, bool>,
}

impl<'a, P: SanSuffix + Clone + NullMove> MovetextWriter<'a, P> {
    fn new(out: &'a mut String, start: &P) -> MovetextWriter<'a, P> {
        MovetextWriter { lines: LineWrap::new(out), tree: TreeCursor::new(start.clone(), 0, true) }
    }

    fn annotation(&mut self, annotation: Annotation<'_>) {
        match annotation {
            Annotation::Comment(comment) => {
                self.lines.comment(comment);
                *self.tree.own_mut() = true;
            }
            Annotation::Nag(nag) => self.lines.word(format_args!("${nag}")),
            Annotation::Open => {
                self.lines.open();
                self.tree.open_anyway(true);
            }
            Annotation::Close => {
                self.lines.close();
                if self.tree.close().is_some() {
                    *self.tree.own_mut() = true;
                }
            }
            Annotation::Move(m) => self.play(m, true),
            Annotation::Null => {
                self.number();
                self.lines.word(format_args!("--"));
                self.tree.null_move();
            }
            Annotation::Result(outcome) => self.lines.word(format_args!("{outcome}")),
            // The moves that follow are written like those of the mainline.
            Annotation::Continue => {}
        }
    }

    fn play(&mut self, m: Move, varied: bool) {
        self.number();
        let san = self.tree.play_with(varied, |now| now.play_san(m));
        self.lines.san(san);
    }

    fn number(&mut self) {
        // Black's first move of a line, and the one after a comment, need a number too.
        let (position, is_required) = (self.tree.position(), *self.tree.own());
        self.lines.number(position.fullmoves().get(), position.turn(), is_required);
        *self.tree.own_mut() = false;
    }
}
