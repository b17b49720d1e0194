//! The moves of a game with all annotations, in the order of a PGN.

use shakmaty::{san::SanPlus, uci::UciMove};

use super::{
    RequestError, Result,
    board_picture::{Shape, shapes_of_command},
};
use crate::{
    chess::{Annotation, Annotations, Color, Move, Position, TreeCursor, VariantPosition},
    codec::game::GameMoves,
    limits::{MAX_TREE_COMMENTS, MAX_TREE_MARKS},
    pgn::comment_commands,
    record::{StoredGame, fen},
    rules::Rules,
};

/// The moves of a game as a flat list: variations are between [`Open`](MovetextItem::Open) and
/// [`Close`](MovetextItem::Close).
#[derive(Clone, Debug)]
pub struct Movetext {
    /// In their order.
    pub items: Vec<MovetextItem>,
    /// The number of moves, including those of variations; each has a smaller number.
    pub moves: usize,
    /// The start position.
    pub start: VariantPosition,
    /// What comments before the first move say of the start position.
    pub start_notes: PositionNotes,
    /// The requested position.
    pub shown: ShownPosition,
}

/// A position of a game.
#[derive(Clone, Debug)]
pub struct ShownPosition {
    /// The position.
    pub position: VariantPosition,
    /// The move that led to it.
    pub last: Option<Move>,
    /// The number of that move; `None` at the start.
    pub node: Option<usize>,
}

/// The position requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlyChoice {
    /// The position after a number of plies of the mainline, or the last one.
    Ply(usize),
    /// The position after a move, by its number.
    Node(usize),
}

/// An item of a movetext.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MovetextItem {
    /// A move.
    Move(MovetextMove),
    /// A comment.
    Comment(MovetextComment),
    /// A numeric annotation glyph.
    Nag(u16),
    /// The start of a variation.
    Open,
    /// The end of a variation.
    Close,
    /// A result in a variation.
    Result(&'static str),
}

/// A comment in a movetext.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovetextComment {
    /// The text, unchanged.
    pub text: String,
    /// The text without commands for clocks, evaluations, arrows and circles, and without the numbers of engines.
    pub words: String,
    /// The clock: `0:09:58`.
    pub clock: Option<String>,
    /// The engine evaluation: `0.17`, `#-3`.
    pub eval: Option<String>,
}

/// A move in a movetext.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovetextMove {
    /// Its number among all moves, starting at 0.
    pub node: usize,
    /// The previous move; `None` for a first move.
    pub before: Option<usize>,
    /// The ply of the position after it.
    pub ply: usize,
    /// Whether it belongs to a variation.
    pub is_variation: bool,
    /// The move number before it: `12.`, `12…`, or empty directly after a move of White.
    pub number: String,
    /// In SAN; `--` for a null move.
    pub san: String,
    /// In UCI notation; empty for a null move.
    pub uci: String,
    /// The position after it.
    pub fen: String,
    /// What the comments on it say of that position.
    pub notes: PositionNotes,
}

/// What comments say of a position besides words, clocks and evaluations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PositionNotes {
    /// Arrows and circles.
    pub shapes: Vec<Shape>,
    /// The complete comment of an engine game: its depth, its line and other numbers.
    pub engine: String,
}

impl Movetext {
    /// The movetext of a game of chess or a variant, in which every variation is closed.
    ///
    /// # Errors
    /// It is not a chess game, it is damaged, or it exceeds the size limit of this form.
    pub fn new(game: &StoredGame, place: PlyChoice) -> Result<Movetext> {
        if game.kind.variant().is_none() {
            return Err(RequestError::NotChess(game.kind.name().to_owned()).into());
        }
        let line = game.line()?;
        let annotations = game.annotations(&line)?;
        if Movetext::is_large(&annotations) {
            return Err(RequestError::LargeGame(game.id).into());
        }
        Ok(Movetext::of(&line, &annotations, place))
    }

    /// Whether annotations exceed the size limit of this form.
    pub(super) fn is_large(annotations: &Annotations) -> bool {
        annotations.len() > MAX_TREE_MARKS || annotations.text().len() > MAX_TREE_COMMENTS
    }

    /// The movetext of some moves.
    pub(super) fn of(
        line: &GameMoves<VariantPosition>,
        annotations: &Annotations,
        place: PlyChoice,
    ) -> Movetext {
        let mut writer = Writer::new(line.start.clone(), place, line.moves.len());
        let mut said = annotations.iter().peekable();
        for (ply, m) in line.moves.iter().copied().enumerate() {
            while let Some((_, annotation)) = said.next_if(|(at, _)| *at <= ply) {
                writer.annotate(annotation);
            }
            writer.annotate(Annotation::Move(m));
        }
        said.for_each(|(_, annotation)| writer.annotate(annotation));
        writer.ended()
    }

    /// The moves among the items.
    pub fn moves(&self) -> impl Iterator<Item = &MovetextMove> {
        self.items.iter().filter_map(|item| match item {
            MovetextItem::Move(m) => Some(m),
            _ => None,
        })
    }
}

/// The sign of a numeric annotation glyph, if it is a common one.
pub(crate) fn nag_sign(nag: u16) -> Option<&'static str> {
    Some(match nag {
        1 => "!",
        2 => "?",
        3 => "!!",
        4 => "??",
        5 => "!?",
        6 => "?!",
        7 => "□",
        10..=12 => "=",
        13 => "∞",
        14 => "⩲",
        15 => "⩱",
        16 => "±",
        17 => "∓",
        18 => "+−",
        19 => "−+",
        22 | 23 => "⨀",
        32 | 33 => "⟳",
        36 | 37 => "↑",
        40 | 41 => "→",
        44 | 45 => "=∞",
        132 | 133 => "⇆",
        138 | 139 => "⊕",
        140 => "∆",
        146 => "N",
        _ => return None,
    })
}

/// A movetext in progress.
struct Writer {
    cursor: TreeCursor<VariantPosition, Branch>,
    place: PlyChoice,
    text: Movetext,
}

/// The state of a line.
#[derive(Clone, Copy, Default)]
struct Branch {
    /// The last move, which for an empty line is the one before it, and the previous one.
    last: Option<usize>,
    before: Option<usize>,
    /// The item index of the last move of the line itself.
    item: Option<usize>,
}

impl Writer {
    fn new(start: VariantPosition, place: PlyChoice, plies: usize) -> Writer {
        let shown = ShownPosition { position: start.clone(), last: None, node: None };
        let place = match place {
            PlyChoice::Ply(ply) => PlyChoice::Ply(ply.min(plies)),
            node => node,
        };
        Writer {
            cursor: TreeCursor::new(start.clone(), 0, Branch::default()),
            place,
            text: Movetext {
                items: Vec::new(),
                moves: 0,
                start,
                start_notes: PositionNotes::default(),
                shown,
            },
        }
    }

    fn annotate(&mut self, annotation: Annotation<'_>) {
        match annotation {
            Annotation::Comment(text) => self.comment(text),
            Annotation::Nag(nag) => self.text.items.push(MovetextItem::Nag(nag)),
            Annotation::Open => {
                let Branch { last, before, .. } = *self.cursor.own();
                let last = if self.cursor.has_last_move() { before } else { last };
                self.cursor.open_anyway(Branch { last, ..Branch::default() });
                self.text.items.push(MovetextItem::Open);
            }
            Annotation::Close => {
                if self.cursor.close().is_some() {
                    self.text.items.push(MovetextItem::Close);
                }
            }
            Annotation::Move(m) => self.play(m),
            Annotation::Null => {
                let number = self.number();
                if self.cursor.null_move().is_some() {
                    self.add(number, "--".to_owned(), None);
                }
            }
            Annotation::Result(outcome) => self.text.items.push(MovetextItem::Result(outcome.as_str())),
            // The next moves belong to the line.
            Annotation::Continue => {}
        }
    }

    fn comment(&mut self, text: &str) {
        let mover = !Rules::turn(self.cursor.position());
        let (words, commands) = comment_commands(text, mover);
        let said = |name: &str| {
            let command = commands.iter().find(|command| command.name == name);
            command.map(|command| command.value.clone().into_owned())
        };
        let notes = match self.cursor.own().item.and_then(|item| self.text.items.get_mut(item)) {
            Some(MovetextItem::Move(m)) => Some(&mut m.notes),
            _ => (self.cursor.depth() == 0).then_some(&mut self.text.start_notes),
        };
        if let Some(notes) = notes {
            notes.shapes.extend(commands.iter().flat_map(shapes_of_command));
            notes.engine.extend(said("engine"));
        }
        let (text, words) = (text.to_owned(), words.trim().to_owned());
        let comment = MovetextComment { text, words, clock: said("clk"), eval: said("eval") };
        self.text.items.push(MovetextItem::Comment(comment));
    }

    fn play(&mut self, m: Move) {
        let (position, number) = (self.cursor.position(), self.number());
        let uci = UciMove::from_move(m, position.castles().mode()).to_string();
        let san = SanPlus::from_move(position.clone(), m).to_string();
        self.cursor.play_with(true, |now| Rules::make(now, m));
        self.add(number, san, Some((m, uci)));
    }

    /// The move number before the next move.
    fn number(&self) -> String {
        let position = self.cursor.position();
        let number = position.fullmoves();
        let is_small = |item: &&MovetextItem| {
            matches!(item, MovetextItem::Nag(_))
                || matches!(item, MovetextItem::Comment(comment) if comment.words.is_empty())
        };
        let before = self.text.items.iter().rev().find(|item| !is_small(item));
        match (Rules::turn(position), before) {
            (Color::White, _) => format!("{number}."),
            (Color::Black, Some(MovetextItem::Move(_))) => String::new(),
            (Color::Black, _) => format!("{number}…"),
        }
    }

    /// Adds the move that has just been played.
    fn add(&mut self, number: String, san: String, m: Option<(Move, String)>) {
        let (node, is_variation, ply) = (self.text.moves, self.cursor.depth() > 0, self.cursor.plies());
        let is_shown = match self.place {
            PlyChoice::Ply(shown) => !is_variation && ply == shown,
            PlyChoice::Node(shown) => node == shown,
        };
        if is_shown {
            let last = m.as_ref().map(|(m, _)| *m);
            self.text.shown =
                ShownPosition { position: self.cursor.position().clone(), last, node: Some(node) };
        }
        let before = self.cursor.own().last;
        *self.cursor.own_mut() = Branch { last: Some(node), before, item: Some(self.text.items.len()) };
        self.text.moves += 1;
        self.text.items.push(MovetextItem::Move(MovetextMove {
            node,
            before,
            ply,
            is_variation,
            number,
            san,
            uci: m.map(|(_, uci)| uci).unwrap_or_default(),
            fen: fen(self.cursor.position()),
            notes: PositionNotes::default(),
        }));
    }

    fn ended(mut self) -> Movetext {
        while self.cursor.close().is_some() {
            self.text.items.push(MovetextItem::Close);
        }
        self.text
    }
}
