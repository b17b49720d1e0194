//! Decodes a record: tags, moves and annotations of a game.

use std::collections::{BTreeMap, BTreeSet};

use plybook_chess::chess::{Annotation, Annotations, QuickChess, Variant};
use plybook_pgn::{Game, Observer, RejectReason, Warning, Warnings};
use shakmaty::variant::VariantPosition;

use crate::{
    annotations::{Item, Items, kind, read_items},
    bytes::Bytes,
    clock::{clock_of, evaluations, time_control},
    comments::{Commenter, MoveComments},
    database::{Damage, RawRecord},
    header::{GameHeader, RECORD},
    moves::{BadMoves, MoveFormat, MoveTree, read_moves},
    start::{Start, read_start, with_all_rights},
    tags::tags,
    text::{TextDecoder, TextEncoding},
    tree,
    values::{GameResult, result},
};

/// Bytes before the start position and the moves of a game.
const MOVES_HEADER: usize = 4;

/// How games are decoded.
#[derive(Clone, Copy, Debug)]
pub struct DecodeOptions {
    /// How their texts are encoded.
    pub encoding: TextEncoding,
    /// Whether annotations without a form in PGN become comments that have their bytes: `[%cba 18 01]`.
    pub keeps_unknown: bool,
}

/// What is remarkable about a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remark {
    /// One side or both lost by forfeit.
    Forfeit,
    /// The code of the result has no known meaning.
    UnknownResult,
    /// Some texts were not UTF-8.
    CodePage,
    /// The annotations are in a file that is missing.
    NoAnnotations,
    /// Names are in a file that is missing.
    NoNames,
    /// It has annotations of this type, which have no form in PGN.
    Unknown(u8),
    /// Bytes of its moves have no known meaning.
    UnknownCodes,
    /// It castles without the right to do so, which was added to its start position.
    CastlingRight,
}

/// A game that was decoded.
#[derive(Clone, Debug)]
pub struct DecodedGame {
    /// The game.
    pub game: Game,
    /// What is remarkable about it.
    pub remarks: Vec<Remark>,
}

/// The start and the moves of a game.
struct ReadGame {
    variant: Variant,
    start: Option<Start>,
    tree: MoveTree,
    has_new_right: bool,
}

impl RawRecord {
    /// Decodes a game, and passes its main line to an observer if it begins at the usual position.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn decode(
        &self,
        options: DecodeOptions,
        observer: &mut impl Observer<QuickChess>,
    ) -> Result<DecodedGame, Damage> {
        observer.forget();
        self.try_decode(options, observer).inspect_err(|_| observer.forget())
    }

    fn try_decode(
        &self,
        options: DecodeOptions,
        observer: &mut impl Observer<QuickChess>,
    ) -> Result<DecodedGame, Damage> {
        if let Some(damage) = &self.damage {
            return Err(damage.clone());
        }
        let header = GameHeader::read(&self.header).ok_or_else(|| Damage {
            file: "cbh",
            byte: u64::from(self.number) * RECORD as u64,
            reason: RejectReason::BadData("the record is incomplete".to_owned()),
        })?;
        let ReadGame { variant, start, tree, has_new_right } = self.moves(observer)?;
        let items = read_items(&self.annotations).map_err(|at| Damage {
            file: "cba",
            byte: self.annotations_at + at as u64,
            reason: RejectReason::BadData("an annotation is incomplete".to_owned()),
        })?;
        let texts = TextDecoder::new(options.encoding);
        let mut commenter =
            Commenter { texts: &texts, keeps_unknown: options.keeps_unknown, unknown: BTreeSet::new() };
        let comments = comments(&items, &tree, &mut commenter);
        let annotations = tree::annotations(&tree, &comments).map_err(|reason| Damage {
            file: "cbg",
            byte: self.moves_at,
            reason,
        })?;
        let mut tags = tags(self, &header, &texts, start.as_ref().map(|start| (&*start.fen, variant)));
        for (name, value) in game_tags(&items) {
            tags.push(name, &value);
        }
        let GameResult { outcome, is_forfeit, .. } = result(header.result);
        let remarks = [
            (Remark::CastlingRight, has_new_right),
            (Remark::UnknownCodes, tree.has_unknown),
            (Remark::Forfeit, is_forfeit),
            (Remark::UnknownResult, header.result > 7),
            (Remark::CodePage, texts.used_page.get()),
            (Remark::NoAnnotations, self.lacks_annotations),
            (Remark::NoNames, self.lacks_names),
        ];
        let remarks = remarks.into_iter().filter(|(_, is_so)| *is_so).map(|(remark, _)| remark);
        let remarks = remarks.chain(commenter.unknown.iter().map(|&kind| Remark::Unknown(kind))).collect();
        let warnings = warnings(&annotations, tree.board_outcome.is_some_and(|board| board != outcome));
        let MoveTree { moves, steps, last, .. } = tree;
        let set_up = start.is_some();
        let game =
            Game { tags, variant, set_up, moves, steps, last, outcome, annotations, raw: None, warnings };
        Ok(DecodedGame { game, remarks })
    }

    fn moves(&self, observer: &mut impl Observer<QuickChess>) -> Result<ReadGame, Damage> {
        let damage =
            |at: usize, reason: RejectReason| Damage { file: "cbg", byte: self.moves_at + at as u64, reason };
        let bad = |what: String| damage(0, RejectReason::BadRecord(1, what));
        let flags = self.moves.first().copied().unwrap_or_default();
        let mode = flags & 0x3f;
        let format = MoveFormat::of_mode(mode).ok_or_else(|| {
            bad(format!("moves of mode {mode} cannot be read; export the game as PGN in ChessBase"))
        })?;
        let variant = if mode == 10 { Variant::Chess960 } else { Variant::Standard };
        let mut bytes = Bytes::at(&self.moves, MOVES_HEADER);
        let start = match flags & 0x40 {
            0 if variant == Variant::Chess960 => {
                return Err(bad("the start position of Chess960 is missing".to_owned()));
            }
            0 => None,
            _ => {
                let start = read_start(&mut bytes, variant).ok_or_else(|| {
                    bad("the start position is incomplete or has unknown pieces".to_owned())
                })?;
                Some(start.map_err(|reason| damage(MOVES_HEADER, reason))?)
            }
        };
        let before = self.moves.len() - bytes.0.len();
        let failed = |BadMoves { reason, at, .. }: BadMoves| damage(before + at, reason);
        let read = |start: &Start| read_moves(bytes.0, format, &quick(start), &mut ());
        let Some(start) = start else {
            let tree = read_moves(bytes.0, format, &QuickChess::default(), observer).map_err(failed)?;
            return Ok(ReadGame { variant, start: None, tree, has_new_right: false });
        };
        let (start, tree, has_new_right) = match read(&start) {
            Ok(tree) => (start, tree, false),
            Err(bad) => {
                let other = with_all_rights(&start).filter(|_| bad.is_castling);
                let other = other.and_then(|start| read(&start).ok().map(|tree| (start, tree, true)));
                other.ok_or_else(|| failed(bad))?
            }
        };
        Ok(ReadGame { variant, start: Some(start), tree, has_new_right })
    }
}

fn quick(start: &Start) -> QuickChess {
    match &start.position {
        VariantPosition::Chess(position) => QuickChess::from(position),
        // Chess and Chess960 have the rules of chess.
        _ => QuickChess::default(),
    }
}

/// The comments of a game by the nodes of their moves.
fn comments(
    items: &Items<'_>,
    tree: &MoveTree,
    commenter: &mut Commenter<'_>,
) -> BTreeMap<usize, MoveComments> {
    let mut comments: BTreeMap<usize, MoveComments> = BTreeMap::new();
    let main_end = main_line_end(tree);
    for (&position, items) in items {
        // Node 0 is the start position; what is past the last move stays at the end of the main line.
        let node = usize::try_from(position.saturating_add(1)).unwrap_or(0);
        let MoveComments { before, glyphs, after } = commenter.comments(items);
        let is_past_end = node >= tree.nodes.len();
        let all = comments.entry(if is_past_end { main_end } else { node }).or_default();
        if is_past_end { &mut all.after } else { &mut all.before }.extend(before);
        all.glyphs.extend(glyphs);
        all.after.extend(after);
    }
    // Nothing precedes the start position.
    if let Some(MoveComments { before, after, .. }) = comments.get_mut(&0) {
        before.append(after);
        std::mem::swap(before, after);
    }
    let all = items.values().flatten().filter(|item| item.kind == kind::EVALUATIONS);
    for (node, value) in
        all.filter_map(|item| evaluations(item.data)).flat_map(|values| values.into_iter().enumerate())
    {
        if let Some(value) = value {
            let comments = comments.entry(node.min(main_end)).or_default();
            comments.after.push(format!("[%eval {value}]"));
        }
    }
    comments
}

/// The last node of the main line, whose nodes are the first ones.
fn main_line_end(tree: &MoveTree) -> usize {
    let mut end = 0;
    while let Some(next) = tree.nodes.get(end).and_then(|node| node.first_child) {
        end = next;
    }
    end
}

/// The tags that are stored as annotations.
fn game_tags(items: &Items<'_>) -> Vec<(&'static str, String)> {
    let tag = |item: &Item<'_>| match item.kind {
        kind::WHITE_CLOCK => Some(("WhiteClock", clock_of(item.data)?)),
        kind::BLACK_CLOCK => Some(("BlackClock", clock_of(item.data)?)),
        kind::TIME_CONTROL => Some(("TimeControl", time_control(item.data)?)),
        _ => None,
    };
    items.values().flatten().filter_map(tag).collect()
}

/// The warnings that a PGN of the game would have, too.
fn warnings(annotations: &Annotations, contradicts_board: bool) -> Warnings {
    let is_continued = annotations.iter().any(|(_, annotation)| annotation == Annotation::Continue);
    let mut warnings = Warnings::default();
    warnings.add_many(Warning::NullMoves, u64::from(is_continued));
    warnings.add_many(Warning::ResultContradictsBoard, u64::from(contradicts_board));
    warnings
}
