//! Follows a game and extracts the features of each position.

use fearless_simd::{Level, Simd, dispatch};
use shakmaty::{Chess, Color, Move, Position};

use super::{
    EndFeatures,
    facts::{Column, Facts, MOST_MOVES},
    history::History,
    inputs::{opposite_row, other_rows, piece_rows},
    tables::{CONTEXTS, LINE, TABLES, Table, Whole, indices, lines},
    view::View,
};
use crate::{
    chess::{MoveSets, Placement, Step},
    rules::LegalMoves,
};

/// The number of tables.
const ALL_TABLES: usize = TABLES + CONTEXTS.len();

/// The features of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveFeatures {
    /// Its rows of the network: by move, by exchange, and by target relative to the opponent's last target.
    pub rows: [u16; 3],
    /// The index of its weight in each table; `u32::MAX` if the table has none for it.
    pub weights: [u32; ALL_TABLES],
}

/// The features of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PositionFeatures {
    /// The active input rows of the mover's accumulator.
    pub own_rows: Vec<u16>,
    /// The active input rows of the opponent's accumulator.
    pub enemy_rows: Vec<u16>,
    /// The legal moves in canonical order.
    pub moves: Vec<MoveFeatures>,
    /// The features that determine whether the game ends here.
    pub end: EndFeatures,
}

/// Follows a game and extracts the features of its positions.
#[derive(Clone)]
pub struct Observer {
    pub(super) history: History,
    steps: Vec<Step>,
    pub(super) facts: Box<Facts>,
    /// The index of each move in each table.
    pub(super) columns: Box<[Column; TABLES]>,
    pub(super) end: EndFeatures,
}

impl Observer {
    /// An observer of a game that starts in a position.
    pub fn new(start: &impl Position) -> Observer {
        Observer {
            history: History::new(Position::board(start)),
            steps: Vec::new(),
            facts: Box::default(),
            columns: Box::new([[0; MOST_MOVES]; TABLES]),
            end: EndFeatures::default(),
        }
    }

    /// Finds the facts about the legal moves of the current position.
    #[inline(always)]
    pub(super) fn look<S: Simd>(&mut self, simd: S, placement: Placement<'_>, legal: &MoveSets) -> View {
        let Observer { history, steps, facts, columns, end } = self;
        let view = View::new(placement);
        legal.list_steps(simd, steps);
        facts.observe(simd, &view, history, steps);
        indices(facts, Whole::new(&view, history), columns);
        *end = EndFeatures::new(&view, history, facts.count);
        view
    }

    /// The features of the current position; `moves` become its legal moves in canonical order.
    pub fn observe(&mut self, position: &Chess, moves: &mut Vec<Move>, features: &mut PositionFeatures) {
        let (legal, placement) = (MoveSets::new(position), Placement::of(position));
        let view = dispatch!(Level::new(), simd => self.look(simd, placement, &legal));
        *moves = legal.list();
        self.copy_rows(&view, placement, &legal, features);
        self.copy_moves(&view, &mut features.moves);
        features.end = self.end;
    }

    fn copy_rows(
        &self,
        view: &View,
        placement: Placement<'_>,
        legal: &MoveSets,
        features: &mut PositionFeatures,
    ) {
        let PositionFeatures { own_rows, enemy_rows, .. } = features;
        own_rows.clear();
        enemy_rows.clear();
        piece_rows(view, |_, row| {
            own_rows.push(row as u16);
            enemy_rows.push(opposite_row(row) as u16);
        });
        let en_passant = legal.en_passant_target();
        other_rows(view, &self.history, placement, en_passant, |row| own_rows.push(row as u16));
    }

    fn copy_moves(&self, view: &View, moves: &mut Vec<MoveFeatures>) {
        let Observer { history, facts, columns, .. } = self;
        moves.clear();
        moves.resize(facts.count, MoveFeatures { rows: [0; 3], weights: [u32::MAX; ALL_TABLES] });
        for (table, column) in columns.iter().enumerate() {
            moves.iter_mut().zip(column).for_each(|(m, &index)| m.weights[table] = u32::from(index));
        }
        for (table, line) in (TABLES..).zip(lines(view, history)) {
            for (m, &slot) in moves.iter_mut().zip(&facts.slot) {
                m.weights[table] = line.map_or(u32::MAX, |line| (line * LINE) as u32 + u32::from(slot));
            }
        }
        let rows = [&facts.id, &facts.exchange, &columns[Table::to_from_last as usize]];
        for (part, column) in rows.into_iter().enumerate() {
            moves.iter_mut().zip(column).for_each(|(m, &row)| m.rows[part] = row);
        }
    }

    /// The features of the current position that determine whether the game ends here, unless the board has ended it.
    pub fn observe_end(&self, position: &Chess, legal: &MoveSets) -> Option<EndFeatures> {
        let view = View::new(Placement::of(position));
        (legal.count() > 0).then(|| EndFeatures::new(&view, &self.history, legal.count() as usize))
    }

    /// Plays a move of the side to move.
    pub fn play(&mut self, m: Move, turn: Color) {
        self.history.play(m, turn);
    }
}
