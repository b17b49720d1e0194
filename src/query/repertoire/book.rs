//! The lines of a repertoire, merged by position.

use std::{
    collections::HashMap,
    ops::ControlFlow::{Break, Continue},
};

use foldhash::fast::RandomState;
use serde::Serialize;

use crate::{
    chess::{Annotation, Color, Move, Position, SanPlus, TreeCursor, Variant, VariantPosition},
    limits::MAX_REPERTOIRE_POSITIONS,
    pgn::Game,
    query::{novelty::SamePosition, scan::follow},
    record::{GameError, StoredMoves},
};

/// The lines that one side wants to play, and the opponent's moves that they answer.
///
/// ```
/// use plybook::{chess::Color, pgn::Reader, query::Repertoire};
/// let mut lines = Repertoire::new(Color::White);
/// for (_, game) in Reader::new().read(b"1. e4 e5 (1... c5 2. Nf3) 2. Nf3 Nc6 3. Bb5 *") {
///     lines.add(&game.unwrap())?;
/// }
/// assert_eq!((lines.positions(), lines.longest()), (8, 5));
/// # Ok::<(), plybook::query::RepertoireError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Repertoire {
    owner: Color,
    variant: Option<Variant>,
    numbers: HashMap<SamePosition, usize, RandomState>,
    places: Vec<BookPosition>,
    /// The fewest pieces in any of the positions.
    least: u32,
}

/// A position of the lines.
#[derive(Clone, Debug)]
struct BookPosition {
    position: VariantPosition,
    /// The previous position in the first line that led there, and the move.
    before: Option<(usize, SanPlus)>,
    /// The moves of the lines in this position, in their order.
    moves: Vec<Move>,
}

/// Why a game cannot be part of a repertoire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RepertoireError {
    /// It has another variant than the games before it.
    #[error("its variant differs from that of the lines before it")]
    OtherVariant,
    /// There are too many positions.
    #[error("a repertoire can have at most {MAX_REPERTOIRE_POSITIONS} positions")]
    TooLarge,
}

/// A line of the tree being read: the index of its position, `None` after a null move; and the index of the position
/// before its last move.
#[derive(Clone, Copy)]
struct At {
    now: Option<usize>,
    before: Option<usize>,
}

/// Why a game leaves the lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DepartureKind {
    /// The opponent played a move that no line answers.
    Reply,
    /// The repertoire's side played another move than the lines.
    Own,
    /// The line ends there, and the game continued.
    End,
    /// The game ended there.
    Finished,
}

/// Where a game leaves the lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Departure {
    /// The index of its last position in the lines: see [`Repertoire::position`].
    pub place: usize,
    /// The ply of that position in the game.
    pub ply: usize,
    /// The move that the game played there; `None` if it ended.
    pub played: Option<Move>,
    /// Why this is the last one.
    pub kind: DepartureKind,
}

impl Repertoire {
    /// An empty repertoire of a side.
    pub fn new(owner: Color) -> Repertoire {
        Repertoire { owner, variant: None, numbers: HashMap::default(), places: Vec::new(), least: u32::MAX }
    }

    /// The side that it is for.
    pub fn owner(&self) -> Color {
        self.owner
    }

    /// The number of different positions.
    pub fn positions(&self) -> usize {
        self.places.len()
    }

    /// The variant of its lines, unless it is chess: standard chess and Chess960 are treated as one.
    pub fn variant(&self) -> Option<Variant> {
        self.variant
    }

    /// Adds the mainline of a game and its variations. Moves after a null move are skipped, since such a line cannot be
    /// played.
    ///
    /// # Errors
    /// The game has another variant, or there are too many positions.
    pub fn add(&mut self, game: &Game) -> Result<(), RepertoireError> {
        let start = game.start();
        let variant = self.places.first().map(|place| place.position.variant());
        if variant.is_some_and(|variant| variant != start.variant()) {
            return Err(RepertoireError::OtherVariant);
        }
        let is_chess = matches!(start, VariantPosition::Chess(_));
        self.variant = Some(game.variant).filter(|_| !is_chess);
        let now = Some(self.place(&start, None)?);
        let mut tree = TreeCursor::new(start, 0, At { now, before: None });
        let mut annotations = game.annotations.iter().peekable();
        for (ply, &m) in game.moves.iter().enumerate() {
            while let Some((_, annotation)) = annotations.next_if(|&(at, _)| at <= ply) {
                self.annotation(&mut tree, annotation)?;
            }
            self.play(&mut tree, m)?;
        }
        annotations.try_for_each(|(_, annotation)| self.annotation(&mut tree, annotation))
    }

    fn annotation(
        &mut self,
        tree: &mut TreeCursor<VariantPosition, At>,
        annotation: Annotation<'_>,
    ) -> Result<(), RepertoireError> {
        match annotation {
            Annotation::Open => {
                let now = if tree.has_last_move() { tree.own().before } else { tree.own().now };
                tree.open_anyway(At { now, before: None });
            }
            Annotation::Close => drop(tree.close()),
            Annotation::Move(m) => self.play(tree, m)?,
            Annotation::Null => {
                // A null move in check is impossible; the moves after it are not a line either.
                tree.null_move();
                let At { now, before } = tree.own_mut();
                *before = now.take();
            }
            Annotation::Comment(_) | Annotation::Nag(_) | Annotation::Result(_) | Annotation::Continue => {}
        }
        Ok(())
    }

    fn play(&mut self, tree: &mut TreeCursor<VariantPosition, At>, m: Move) -> Result<(), RepertoireError> {
        let from = tree.own().now;
        let san = from.map(|from| (from, SanPlus::from_move(tree.position().clone(), m)));
        tree.play(m);
        let now = match san {
            Some((from, san)) => {
                if let Some(place) = self.places.get_mut(from).filter(|place| !place.moves.contains(&m)) {
                    place.moves.push(m);
                }
                Some(self.place(tree.position(), Some((from, san)))?)
            }
            None => None,
        };
        *tree.own_mut() = At { now, before: from };
        Ok(())
    }

    /// The index of a position, which is added if it is new.
    fn place(
        &mut self,
        position: &VariantPosition,
        before: Option<(usize, SanPlus)>,
    ) -> Result<usize, RepertoireError> {
        let next = self.places.len();
        let number = *self.numbers.entry(SamePosition::of(position)).or_insert(next);
        if number == next {
            if next >= MAX_REPERTOIRE_POSITIONS {
                return Err(RepertoireError::TooLarge);
            }
            self.least = self.least.min(position.board().occupied().count() as u32);
            self.places.push(BookPosition { position: position.clone(), before, moves: Vec::new() });
        }
        Ok(number)
    }

    /// A position of the lines.
    pub fn position(&self, place: usize) -> Option<&VariantPosition> {
        self.places.get(place).map(|place| &place.position)
    }

    /// The moves of the lines in a position, in SAN.
    pub fn moves(&self, place: usize) -> Vec<String> {
        let Some(place) = self.places.get(place) else { return Vec::new() };
        place.moves.iter().map(|&m| SanPlus::from_move(place.position.clone(), m).to_string()).collect()
    }

    /// The moves of the lines in a position; `None` if no line reaches it.
    pub fn moves_in(&self, position: &VariantPosition) -> Option<&[Move]> {
        self.places.get(self.place_of(position)?).map(|place| place.moves.as_slice())
    }

    /// The index of a position; `None` if no line reaches it.
    pub fn place_of(&self, position: &VariantPosition) -> Option<usize> {
        self.numbers.get(&SamePosition::of(position)).copied()
    }

    /// The index of the position before one, in the first line that leads there; `None` if a line begins there.
    pub fn before(&self, place: usize) -> Option<usize> {
        let (before, _) = self.places.get(place)?.before.as_ref()?;
        Some(*before)
    }

    /// The moves of a line to a position, from the beginning of that line.
    pub fn line(&self, place: usize) -> Vec<(&VariantPosition, &SanPlus)> {
        let (mut line, mut at) = (Vec::new(), self.places.get(place));
        while let Some((before, san)) = at.and_then(|place| place.before.as_ref()) {
            at = self.places.get(*before);
            line.extend(at.map(|place| (&place.position, san)));
        }
        line.reverse();
        line
    }

    /// The length of the longest [line](Repertoire::line), in plies.
    pub fn longest(&self) -> usize {
        let mut lengths: Vec<usize> = Vec::with_capacity(self.places.len());
        for place in &self.places {
            let before = place.before.as_ref().and_then(|(before, _)| lengths.get(*before));
            lengths.push(before.map_or(0, |length| length + 1));
        }
        lengths.into_iter().max().unwrap_or(0)
    }

    /// Where a game finally leaves the lines: the last position of the lines that it reaches. `None` if it reaches
    /// none.
    ///
    /// # Errors
    /// The game is damaged.
    pub fn departure(&self, game: &StoredMoves) -> Result<Option<Departure>, GameError> {
        self.departure_after(game, |_| {})
    }

    /// The same; `reach` receives the index of each position of the lines that the game reaches, again if it returns.
    pub(super) fn departure_after(
        &self,
        game: &StoredMoves,
        mut reach: impl FnMut(usize),
    ) -> Result<Option<Departure>, GameError> {
        let start = game.start()?;
        if self.places.first().is_none_or(|place| place.position.variant() != start.variant()) {
            return Ok(None);
        }
        let is_chess = matches!(game.variant, Variant::Standard | Variant::Chess960);
        let mut last: Option<(usize, usize, Option<Move>)> = None;
        follow(game, |position, m| {
            if let Some((_, ply, played)) = &mut last
                && *ply + 1 == position.ply
            {
                *played = m;
            }
            if let Some(&place) = self.numbers.get(&SamePosition::scanned(position)) {
                last = Some((place, position.ply, None));
                reach(place);
            }
            // In some variants pieces come back.
            let is_behind = is_chess && (position.board.occupied().count() as u32) < self.least;
            if is_behind { Break(()) } else { Continue(()) }
        })?;
        Ok(last.map(|(place, ply, played)| Departure { place, ply, played, kind: self.kind(place, played) }))
    }

    fn kind(&self, place: usize, played: Option<Move>) -> DepartureKind {
        let Some(at) = self.places.get(place) else { return DepartureKind::End };
        match played {
            None => DepartureKind::Finished,
            Some(_) if at.moves.is_empty() => DepartureKind::End,
            Some(_) if Position::turn(&at.position) == self.owner => DepartureKind::Own,
            Some(_) => DepartureKind::Reply,
        }
    }
}
