//! Writes the data of a game, and what the index says about its moves.

use plybook_chess::chess::{Annotation, Annotations, Move, Pair, Position};
use shakmaty::{Bitboard, Board, CastlingSide, Color, Rank, Role, Square};

use crate::{
    MAX_GAME_DATA,
    move_code::{CodedMove, MovingPiece},
    movetext::{CLOSE, COMMENT, END, GLYPH, OPEN},
    pieces::Pieces,
    values::COMMON_TAGS,
};

/// The first byte of a common tag name, and the longest other name.
const FIRST_COMMON: usize = 241;
const LONGEST_NAME: usize = 240;
const LONGEST_VALUE: usize = 255;

/// Bits of the start byte.
const SET_UP: u8 = 1;
const PROMOTION: u8 = 2;
const UNDERPROMOTION: u8 = 4;

/// The data of a game, and what the index says about its moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EncodedGame {
    /// The data.
    pub data: Vec<u8>,
    /// The lowest flags: a start position of its own, promotions, promotions to other pieces than a queen.
    pub flags: u8,
    /// The number of plies.
    pub plies: usize,
    /// How many variations, comments and glyphs it has.
    pub counts: [usize; 3],
    /// The material at the end, 24 bits.
    pub material: u32,
    /// The pawns that left their home squares or were captured there, in order, one number each.
    pub home_pawns: Vec<u8>,
}

/// What the format cannot store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Unstorable {
    /// A tag name or value.
    #[error("a tag with a name over {LONGEST_NAME} or a value over {LONGEST_VALUE} bytes")]
    Tag,
    /// A glyph.
    #[error("an annotation glyph (NAG) over 255")]
    Glyph,
    /// A comment.
    #[error("a comment with a NUL character")]
    Comment,
    /// A result within a variation.
    #[error("a result within a variation")]
    Result,
    /// The pieces of the start position, or a move.
    #[error("a start position or a move that Scid does not have")]
    Position,
    /// The variant.
    #[error("a variant that Scid does not have")]
    Variant,
    /// A name.
    #[error("a name over 255 bytes")]
    Name,
    /// Another game.
    #[error("more games or names than a database can have")]
    Full,
    /// The data.
    #[error("more than {MAX_GAME_DATA} bytes")]
    TooLarge,
}

/// A line of moves.
#[derive(Clone)]
struct Line {
    turn: Color,
    pieces: Pieces,
    /// Before its last move.
    before: Option<Pieces>,
}

/// Writes the moves of a game.
struct MoveWriter {
    line: Line,
    outer: Vec<Line>,
    encoded: EncodedGame,
    comments: Vec<u8>,
    home: Bitboard,
}

/// Encodes a game: its own tags, the FEN of its start position if it was set up, its start position, moves and
/// annotations.
///
/// # Errors
/// What the format cannot store.
pub fn encode<'a>(
    tags: impl Iterator<Item = Pair<'a>>,
    fen: Option<&str>,
    start: &impl Position,
    moves: &[Move],
    annotations: &Annotations,
) -> Result<EncodedGame, Unstorable> {
    let pieces = if fen.is_some() { Pieces::of(start.board()) } else { Some(Pieces::standard()) };
    let home = if fen.is_some() { Bitboard::EMPTY } else { Rank::Second.into() };
    let mut writer = MoveWriter {
        line: Line { turn: start.turn(), pieces: pieces.ok_or(Unstorable::Position)?, before: None },
        outer: Vec::new(),
        encoded: EncodedGame::default(),
        comments: Vec::new(),
        home: home | home.flip_vertical(),
    };
    for (name, value) in tags {
        writer.tag(name, value)?;
    }
    writer.encoded.data.push(0);
    let start_byte = writer.encoded.data.len();
    writer.encoded.data.push(0);
    if let Some(fen) = fen {
        if fen.contains('\0') {
            return Err(Unstorable::Position);
        }
        writer.encoded.flags |= SET_UP;
        writer.encoded.data.extend([fen.as_bytes(), b"\0"].concat());
    }
    writer.moves(moves, annotations)?;
    let MoveWriter { mut encoded, comments, .. } = writer;
    encoded.data.push(END);
    encoded.data.extend(comments);
    encoded.data.get_mut(start_byte).into_iter().for_each(|byte| *byte = encoded.flags);
    let mut board = start.board().clone();
    moves.iter().for_each(|&m| follow(&mut board, m));
    encoded.material = material(&board);
    if encoded.data.len() > MAX_GAME_DATA { Err(Unstorable::TooLarge) } else { Ok(encoded) }
}

impl MoveWriter {
    fn tag(&mut self, name: &str, value: &str) -> Result<(), Unstorable> {
        let byte = |number: usize| u8::try_from(number).map_err(|_| Unstorable::Tag);
        let data = &mut self.encoded.data;
        match COMMON_TAGS.iter().position(|common| *common == name) {
            Some(number) => data.push(byte(FIRST_COMMON + number)?),
            None if (1..=LONGEST_NAME).contains(&name.len()) => {
                data.push(byte(name.len())?);
                data.extend(name.as_bytes());
            }
            None => return Err(Unstorable::Tag),
        }
        data.push(byte(value.len())?);
        data.extend(value.as_bytes());
        Ok(())
    }

    fn moves(&mut self, moves: &[Move], annotations: &Annotations) -> Result<(), Unstorable> {
        let mut rest = moves.iter();
        for (ply, annotation) in annotations.iter() {
            while moves.len() - rest.len() < ply
                && let Some(&m) = rest.next()
            {
                self.play(m)?;
            }
            self.annotation(annotation)?;
        }
        rest.try_for_each(|&m| self.play(m))
    }

    fn annotation(&mut self, annotation: Annotation<'_>) -> Result<(), Unstorable> {
        let EncodedGame { data, counts: [variations, comments, glyphs], .. } = &mut self.encoded;
        match annotation {
            Annotation::Comment(text) => {
                if text.contains('\0') {
                    return Err(Unstorable::Comment);
                }
                *comments += 1;
                data.push(COMMENT);
                self.comments.extend([text.as_bytes(), b"\0"].concat());
            }
            Annotation::Nag(glyph) => {
                *glyphs += 1;
                data.extend([GLYPH, u8::try_from(glyph).map_err(|_| Unstorable::Glyph)?]);
            }
            Annotation::Open => {
                *variations += 1;
                data.push(OPEN);
                let pieces = self.line.before.clone().ok_or(Unstorable::Position)?;
                let inner = Line { turn: !self.line.turn, pieces, before: None };
                self.outer.push(std::mem::replace(&mut self.line, inner));
            }
            Annotation::Close => {
                data.push(CLOSE);
                self.line = self.outer.pop().ok_or(Unstorable::Position)?;
            }
            Annotation::Move(m) => self.play(m)?,
            Annotation::Null => {
                // The king's number and the code of a null move are both 0.
                data.push(0);
                self.line.before = Some(self.line.pieces.clone());
                self.ended_ply();
            }
            Annotation::Result(_) => return Err(Unstorable::Result),
            Annotation::Continue => {}
        }
        Ok(())
    }

    fn ended_ply(&mut self) {
        self.line.turn = !self.line.turn;
        self.encoded.plies += usize::from(self.outer.is_empty());
    }

    fn play(&mut self, m: Move) -> Result<(), Unstorable> {
        let color = self.line.turn;
        let from = m.from().ok_or(Unstorable::Position)?;
        let number = self.line.pieces.number(color, from).ok_or(Unstorable::Position)?;
        let coded = match m {
            Move::Castle { king, rook } => CodedMove::Castle(CastlingSide::from_queen_side(rook < king)),
            m => CodedMove::To(m.to(), m.promotion()),
        };
        let piece = MovingPiece { color, role: m.role(), from };
        let (code, second) = piece.encode(coded).ok_or(Unstorable::Position)?;
        self.encoded.data.push(number << 4 | code);
        self.encoded.data.extend(second);
        if self.outer.is_empty() {
            self.note(m, from);
        }
        self.line.before = Some(self.line.pieces.clone());
        self.line.pieces.play(color, number, m);
        self.ended_ply();
        Ok(())
    }

    /// Notes what the index says about a move of the mainline.
    fn note(&mut self, m: Move, from: Square) {
        match m.promotion() {
            None => {}
            Some(Role::Queen) => self.encoded.flags |= PROMOTION,
            Some(_) => self.encoded.flags |= PROMOTION | UNDERPROMOTION,
        }
        for square in [from, m.to()] {
            if self.home.contains(square) {
                self.home.discard(square);
                let files_to_h = 7 - u8::try_from(u32::from(square.file())).unwrap_or(0);
                self.encoded.home_pawns.push(files_to_h + if square.rank() == Rank::Second { 8 } else { 0 });
            }
        }
    }
}

/// Follows a legal move.
fn follow(board: &mut Board, m: Move) {
    let Some(from) = m.from() else { return };
    let Some(piece) = board.piece_at(from) else { return };
    board.discard_piece_at(from);
    match m {
        Move::Castle { king, rook } => {
            let side = CastlingSide::from_queen_side(rook < king);
            board.discard_piece_at(rook);
            board.set_piece_at(side.king_to(piece.color), piece);
            board.set_piece_at(side.rook_to(piece.color), piece.color.rook());
        }
        Move::EnPassant { from, to } => {
            board.discard_piece_at(Square::from_coords(to.file(), from.rank()));
            board.set_piece_at(to, piece);
        }
        m => board.set_piece_at(m.to(), m.promotion().unwrap_or(piece.role).of(piece.color)),
    }
}

/// The material on a board: four bits for pawns, two for each kind of piece, White above Black.
fn material(board: &Board) -> u32 {
    let side = |color: Color| {
        let count = |role: Role, most: u32| {
            u32::try_from((board.by_role(role) & board.by_color(color)).count()).unwrap_or(0).min(most)
        };
        let pieces = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
        let pieces = pieces.into_iter().zip([4, 6, 8, 10]).map(|(role, bit)| count(role, 3) << bit);
        count(Role::Pawn, 15) | pieces.sum::<u32>()
    };
    side(Color::White) << 12 | side(Color::Black)
}
