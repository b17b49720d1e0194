//! Follows a game and says what a model sees of each position, for training.

use shakmaty::{Color, Move};

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

/// What a model sees of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveFeatures {
    /// Its rows: the move, its exchange, its offset from the opponent's last target.
    pub rows: [u16; 3],
    /// Its weight in each table, by index; `u32::MAX` if the table has none.
    pub weights: [u32; ALL_TABLES],
}

/// What a model sees of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PositionFeatures {
    /// The rows of the mover's sum.
    pub own_rows: Vec<u16>,
    /// The rows of the opponent's sum.
    pub enemy_rows: Vec<u16>,
    /// The legal moves in canonical order.
    pub moves: Vec<MoveFeatures>,
    /// What says whether the game ends here.
    pub end: EndFeatures,
}

/// Follows a game.
pub struct Observer {
    history: History,
    steps: Vec<Step>,
    facts: Box<Facts>,
    columns: Box<[Column; TABLES]>,
}

impl Observer {
    /// Of a game that starts in a position.
    pub fn new(start: &shakmaty::Chess) -> Observer {
        let history = History::new(shakmaty::Position::board(start));
        Observer {
            history,
            steps: Vec::new(),
            facts: Box::default(),
            columns: Box::new([[0; MOST_MOVES]; TABLES]),
        }
    }

    /// What a model sees of the current position; `moves` become its legal moves in canonical order.
    pub fn observe(
        &mut self,
        position: &shakmaty::Chess,
        moves: &mut Vec<Move>,
        features: &mut PositionFeatures,
    ) {
        let (legal, placement) = (MoveSets::new(position), Placement::of(position));
        *moves = legal.list();
        let (view, Observer { history, steps, facts, columns }) = (View::new(placement), self);
        fearless_simd::dispatch!(fearless_simd::Level::new(), simd => {
            legal.list_steps(simd, steps);
            facts.observe(simd, &view, history, steps);
        });
        features.own_rows.clear();
        features.enemy_rows.clear();
        piece_rows(&view, |_, row| {
            features.own_rows.push(row as u16);
            features.enemy_rows.push(opposite_row(row) as u16);
        });
        let en_passant = legal.en_passant_target();
        other_rows(&view, history, placement, en_passant, |row| features.own_rows.push(row as u16));
        features.end = EndFeatures::new(&view, history, facts.count);
        let whole = Whole::new(&view, history);
        features.moves.clear();
        features.moves.resize(facts.count, MoveFeatures { rows: [0; 3], weights: [u32::MAX; ALL_TABLES] });
        let moves = &mut features.moves;
        indices(facts, whole, columns);
        for (table, column) in columns.iter().enumerate() {
            moves.iter_mut().zip(column).for_each(|(m, &index)| m.weights[table] = u32::from(index));
        }
        for (table, line) in (TABLES..).zip(lines(&view, history)) {
            for (m, &place) in moves.iter_mut().zip(&facts.place) {
                m.weights[table] = line.map_or(u32::MAX, |line| (line * LINE) as u32 + u32::from(place));
            }
        }
        let rows = [&facts.id, &facts.exchange, &columns[Table::to_from_last as usize]];
        for (part, column) in rows.into_iter().enumerate() {
            moves.iter_mut().zip(column).for_each(|(m, &row)| m.rows[part] = row);
        }
    }

    /// What says whether the game ends in the current position, unless the board has ended it.
    pub fn observe_end(&self, position: &shakmaty::Chess, legal: &MoveSets) -> Option<EndFeatures> {
        let view = View::new(Placement::of(position));
        (legal.count() > 0).then(|| EndFeatures::new(&view, &self.history, legal.count() as usize))
    }

    /// Continues with a move of the side to move.
    pub fn play(&mut self, m: Move, turn: Color) {
        self.history.play(m, turn);
    }
}
