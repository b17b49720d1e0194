//! Reads the moves of a game, with their comments, glyphs and variations. Variations are kept on a stack of their own.

use plybook_chess::{
    chess::{Annotation, Annotations, Move, NoVariation, NullMove, Position, Resolved, TreeCursor},
    limits::{MAX_COMMENT_BYTES, MAX_PLIES},
    rules::{FinalPosition, LegalMoves, MoveIndex, Rules},
};
use plybook_pgn::{MoveWord, Node, Observer, Reject, RejectReason, Resolve, SanCache, ShortWord, Warning};
use shakmaty::{Role, Square, san::San};

use crate::{
    bytes::Bytes,
    move_code::{CodedMove, MovingPiece},
    pieces::Pieces,
    tags::{Irregularity, Reading, bad_data},
};

/// Bytes that are not moves.
pub const GLYPH: u8 = 11;
pub const COMMENT: u8 = 12;
pub const OPEN: u8 = 13;
pub const CLOSE: u8 = 14;
pub const END: u8 = 15;

/// The moves of a game after reading.
pub struct Movetext<P> {
    pub moves: Vec<Move>,
    pub steps: Vec<MoveIndex>,
    pub annotations: Annotations,
    pub last: FinalPosition,
    /// The position after the last move.
    pub position: P,
}

/// The meanings of the first moves of games from the usual position: most games begin like many others.
pub type Openings = SanCache<()>;

/// Where a line of moves begins, and the numbers of the pieces in it.
#[derive(Clone)]
struct Line {
    at: usize,
    pieces: Pieces,
    /// Before its last move, if a variation may replace it.
    before: Option<Pieces>,
}

struct MoveReader<'a, 'r, P: Rules> {
    data: Bytes<'a>,
    comments: Bytes<'a>,
    has_variations: bool,
    tree: TreeCursor<P, Line>,
    moves: Vec<Move>,
    steps: Vec<MoveIndex>,
    annotations: Annotations,
    /// The position after the game's last move, if a null move ended the game.
    end: Option<P>,
    has_empty_variations: bool,
    reading: &'r mut Reading,
    /// The openings, until the mainline leaves them.
    openings: Option<(&'r mut Openings, Node)>,
}

/// Reads the rest of a game's data from its first move, and passes the mainline to an observer.
pub fn read<P: Resolve + Position + NullMove>(
    data: Bytes<'_>,
    start: P,
    pieces: Pieces,
    reading: &mut Reading,
    openings: Option<&mut Openings>,
    observer: &mut impl Observer<P>,
) -> Result<Movetext<P>, Reject> {
    let Outline { comments, has_variations } =
        outline(data).ok_or_else(|| bad_data("the data has no end of the game", data.at()))?;
    observer.begin(&start);
    let plies = (comments.at() - data.at()).min(MAX_PLIES);
    let mut reader = MoveReader {
        data,
        comments,
        has_variations,
        tree: TreeCursor::new(start, 0, Line { at: data.at(), pieces, before: None }),
        moves: Vec::with_capacity(plies),
        steps: Vec::with_capacity(plies),
        annotations: Annotations::default(),
        end: None,
        has_empty_variations: false,
        reading,
        openings: openings.and_then(|openings| openings.start(&()).map(|start| (openings, start))),
    };
    reader.read_moves(observer)?;
    reader.rest_of_comments()?;
    Ok(reader.finish(observer))
}

/// What can be seen of the moves without playing them.
struct Outline<'a> {
    /// What follows them.
    comments: Bytes<'a>,
    has_variations: bool,
}

// The second byte of a queen's move is at least 64, so it is none of these.
fn outline(mut data: Bytes<'_>) -> Option<Outline<'_>> {
    let mut has_variations = false;
    loop {
        match data.byte()? {
            GLYPH => drop(data.byte()?),
            OPEN => has_variations = true,
            END => return Some(Outline { comments: data, has_variations }),
            _ => {}
        }
    }
}

impl<P: Resolve + Position + NullMove> MoveReader<'_, '_, P> {
    fn read_moves(&mut self, observer: &mut impl Observer<P>) -> Result<(), Reject> {
        loop {
            let at = self.data.at();
            match self.byte(at)? {
                GLYPH => {
                    let glyph = self.byte(at)?;
                    self.push(Annotation::Nag(u16::from(glyph)));
                }
                COMMENT => {
                    let missing = || bad_data("a comment is missing at the end of the data", at);
                    self.comment().ok_or_else(missing)?;
                }
                OPEN => self.open(at)?,
                CLOSE => self.close(at)?,
                END if self.tree.depth() > 0 => return Err(unbalanced(at)),
                END => return Ok(()),
                code => self.play(code, at, observer)?,
            }
        }
    }

    fn byte(&mut self, at: usize) -> Result<u8, Reject> {
        self.data.byte().ok_or_else(|| bad_data("the data ends within the moves", at))
    }

    fn push(&mut self, annotation: Annotation<'_>) {
        self.annotations.push(self.moves.len(), annotation);
    }

    /// Takes the next comment; `None` if there is none.
    fn comment(&mut self) -> Option<()> {
        let at = self.comments.at();
        let text = self.comments.until_zero().filter(|text| text.len() <= MAX_COMMENT_BYTES)?;
        let text = self.reading.text(text, at);
        let text =
            if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text.into() };
        // A comment with both cannot be written as PGN.
        let text = if text.contains('}') { text.replace('\n', " ") } else { text };
        self.push(Annotation::Comment(&text));
        Some(())
    }

    /// Keeps comments without a mark at the end of the game.
    fn rest_of_comments(&mut self) -> Result<(), Reject> {
        while self.comments.left() > 0 {
            let at = self.comments.at();
            self.comment().ok_or_else(|| bad_data("the last comment has no end", at))?;
            self.reading.note(Irregularity::CommentsWithoutPlace);
        }
        Ok(())
    }

    fn open(&mut self, at: usize) -> Result<(), Reject> {
        let Line { pieces, before, .. } = self.tree.own();
        let pieces = before.as_ref().unwrap_or(pieces).clone();
        match self.tree.open(Line { at, pieces, before: None }) {
            Ok(()) => {
                self.push(Annotation::Open);
                Ok(())
            }
            Err(NoVariation::NoMove) => Err(Reject { reason: RejectReason::NoMoveToVary, at }),
            Err(NoVariation::TooDeep) => Err(Reject { reason: RejectReason::TooDeep, at }),
        }
    }

    fn close(&mut self, at: usize) -> Result<(), Reject> {
        let is_empty = !self.tree.has_last_move();
        let start = self.tree.close().ok_or_else(|| unbalanced(at))?.at;
        if is_empty {
            let is_bare = start + 1 == at;
            let warning = if is_bare { Warning::EmptyParentheses } else { Warning::EmptyVariations };
            self.reading.warnings.mark(warning, start);
            self.has_empty_variations = true;
        }
        self.push(Annotation::Close);
        Ok(())
    }

    /// The 1-based ply of the next move.
    fn ply(&self) -> usize {
        self.tree.plies() + 1
    }

    /// Whether the current line is the game's mainline, not a variation or the part after a null move.
    fn in_game(&self) -> bool {
        self.tree.depth() == 0 && self.end.is_none()
    }

    fn bad_move(&self, problem: String, at: usize) -> Reject {
        Reject { reason: RejectReason::BadRecord(self.ply(), problem), at }
    }

    /// Plays the move with a code.
    fn play(&mut self, byte: u8, at: usize, observer: &mut impl Observer<P>) -> Result<(), Reject> {
        let (number, code) = (byte >> 4, byte & 15);
        let position = self.tree.position();
        let color = Rules::turn(position);
        let from = self.tree.own().pieces.square(color, number);
        let piece = from.and_then(|from| {
            let role = position.board().role_at(from)?;
            Some(MovingPiece { color, role, from })
        });
        let piece = piece.ok_or_else(|| self.bad_move(format!("no piece has the number {number}"), at))?;
        let second = if piece.has_second_byte(code) { Some(self.byte(at)?) } else { None };
        let word = ShortWord(u64::from(byte) | u64::from(second.unwrap_or(0)) << 8);
        if let Some(known) = self.known(word) {
            return self.make(known, number, at, observer);
        }
        let Some(coded) = piece.decode(code, second) else {
            let MovingPiece { role, from, .. } = piece;
            let problem = format!("code {code} of the {} on {from} is not a move", name_of(role));
            return Err(self.bad_move(problem, at));
        };
        if coded == CodedMove::Null {
            return self.null_move(at);
        }
        let san = san_of(self.tree.position(), piece, coded);
        let illegal = || Reject {
            reason: RejectReason::IllegalMove(MoveWord::new(self.tree.position(), san.to_string())),
            at,
        };
        let resolved = self.tree.position().resolve(san).ok_or_else(illegal)?;
        if self.in_game()
            && let Some((openings, node)) = self.openings.take()
        {
            openings.learn(node, word, resolved, ());
        }
        self.make(resolved, number, at, observer)
    }

    /// The meaning of a move of the mainline, if it is a known opening.
    fn known(&mut self, word: ShortWord) -> Option<Resolved> {
        let (openings, node) = self.openings.as_mut().filter(|_| self.tree.depth() == 0)?;
        let (next, resolved) = openings.follow(*node, word)?;
        *node = next;
        Some(resolved)
    }

    fn make(
        &mut self,
        resolved: Resolved,
        number: u8,
        at: usize,
        observer: &mut impl Observer<P>,
    ) -> Result<(), Reject> {
        let (m, color) = (resolved.m(), Rules::turn(self.tree.position()));
        if self.has_variations {
            let line = self.tree.own_mut();
            line.before = Some(line.pieces.clone());
        }
        self.tree.own_mut().pieces.play(color, number, m);
        self.tree.play_with(self.has_variations, |now| now.make(m));
        if !self.in_game() {
            self.push(Annotation::Move(m));
            return Ok(());
        }
        if self.moves.len() >= MAX_PLIES {
            return Err(Reject { reason: RejectReason::TooLong, at });
        }
        self.moves.push(m);
        self.steps.push(MoveIndex { index: resolved.index(), count: resolved.count() });
        observer.moved(m, self.tree.position());
        Ok(())
    }

    /// Takes a null move. It is stored as an annotation, and so is everything after it in its line.
    fn null_move(&mut self, at: usize) -> Result<(), Reject> {
        let last = self.in_game().then(|| self.tree.position().clone());
        if last.is_some() {
            self.openings = None;
        }
        let line = self.tree.own_mut();
        line.before = Some(line.pieces.clone());
        let can_move = self.tree.position().legal().count() > 0;
        if !can_move || self.tree.null_move().is_none() {
            return Err(Reject {
                reason: RejectReason::NullMove(MoveWord::new(self.tree.position(), "--")),
                at,
            });
        }
        if last.is_some() {
            self.reading.warnings.mark(Warning::NullMoves, at);
            self.push(Annotation::Continue);
            self.end = last;
        }
        self.push(Annotation::Null);
        Ok(())
    }

    fn finish(self, observer: &mut impl Observer<P>) -> Movetext<P> {
        let MoveReader { moves, steps, mut annotations, end, tree, .. } = self;
        if self.has_empty_variations {
            annotations = annotations.without_empty_variations().into_owned();
        }
        let position = end.unwrap_or_else(|| tree.position().clone());
        observer.ended(&position);
        Movetext { moves, steps, annotations, last: FinalPosition::of(&position), position }
    }
}

fn unbalanced(at: usize) -> Reject {
    Reject { reason: RejectReason::UnmatchedParenthesis, at }
}

/// The SAN of a move, with both squares.
fn san_of(position: &impl Position, piece: MovingPiece, coded: CodedMove) -> San {
    let normal = |to: Square, promotion| San::Normal {
        role: piece.role,
        file: Some(piece.from.file()),
        rank: Some(piece.from.rank()),
        capture: position.them().contains(to) || piece.role == Role::Pawn && piece.from.file() != to.file(),
        to,
        promotion,
    };
    match coded {
        CodedMove::Null => San::Null,
        CodedMove::Castle(side) => San::Castle(side),
        CodedMove::To(to, promotion) => normal(to, promotion),
    }
}

fn name_of(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}
