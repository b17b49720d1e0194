//! Gives the legal moves their weights.

use std::fmt::{self, Debug, Formatter};

use fearless_simd::{Level, Simd, dispatch};
use shakmaty::{Color, Move, Position};

use super::{
    Observer,
    end::EndWeights,
    facts::{Column, Facts, MOST_MOVES},
    inputs::other_rows,
    network::{Accumulators, Activations, Aligned, MoveRows, Network, product},
    tables::{CONTEXTS, LINE, TABLES, Table, lines},
    weights::weights_of,
};
use crate::{
    chess::{MoveSets, Placement},
    rules::{LegalMoves, RESULTS},
};

/// Tables of facts, of which only the first weights are used.
pub(super) type Tables = Vec<[i8; TABLE]>;

/// The weights of a table: 2^16, so that no index needs a check, and some more. At distances of a power of two, all tables
/// would share a few sets of the processor's caches.
pub(super) const TABLE: usize = (1 << 16) + 97 * 64;

/// A trained model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    pub(super) network: Network,
    /// The tables of facts.
    pub(super) tables: Tables,
    /// The lines of each context.
    pub(super) contexts: Vec<Vec<Aligned<[i8; LINE]>>>,
    pub(super) end: EndWeights,
}

/// The unit of the tables' weights in units of scores. A unit of scores is 1/8128 of a natural unit (nat).
pub(super) const TABLE_UNIT: i32 = 254;

/// Follows a game and gives the legal moves of each position their weights.
#[derive(Clone)]
pub struct Predictor<'m> {
    model: &'m Model,
    observer: Observer,
    accumulators: Accumulators,
    scores: Box<[i32; MOST_MOVES]>,
}

impl Debug for Predictor<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Predictor").finish_non_exhaustive()
    }
}

impl<'m> Predictor<'m> {
    /// A predictor for a game that starts in a position.
    pub fn new(model: &'m Model, start: &impl Position) -> Predictor<'m> {
        Predictor {
            model,
            observer: Observer::new(start),
            accumulators: Accumulators::new(),
            scores: Box::new([0; MOST_MOVES]),
        }
    }

    /// Returns the legal moves of the current position, and replaces `weights` by their weights in canonical order,
    /// followed by the weight of the end of the game. There are no weights if there are no legal moves.
    pub fn weigh(&mut self, position: &impl Position, weights: &mut Vec<u32>) -> MoveSets {
        let legal = self.score_at(Level::new(), position);
        weights_of(self.scores(), weights);
        // Only a set-up position can have more legal moves than there are scores.
        let count = legal.count() as usize;
        if count > weights.len() {
            weights.clear();
            weights.resize(count, 1);
        }
        if count > 0 {
            weights.push(self.model.end.weight(&self.observer.end, weights.iter().sum()));
        }
        legal
    }

    /// The weights of the results if the game ends in the current position: a loss of the side to move, a draw,
    /// unfinished, a win.
    pub fn result_weights(&self) -> [u16; RESULTS] {
        self.model.end.results[usize::from(self.observer.end.result)]
    }

    /// Scores the legal moves of the current position.
    pub(super) fn score_at(&mut self, level: Level, position: &impl Position) -> MoveSets {
        dispatch!(level, simd => {
            let placement = Placement::of(position);
            let legal = MoveSets::generate(simd, placement);
            self.score(simd, placement, &legal);
            legal
        })
    }

    /// The scores of the legal moves in canonical order.
    pub(super) fn scores(&self) -> &[i32] {
        &self.scores[..self.observer.facts.count]
    }

    /// Plays a move of the side to move.
    pub fn play(&mut self, m: Move, turn: Color) {
        self.observer.play(m, turn);
    }

    #[inline(always)]
    fn score<S: Simd>(&mut self, simd: S, placement: Placement<'_>, legal: &MoveSets) {
        let Predictor { model, observer, accumulators, scores } = self;
        let view = observer.look(simd, placement, legal);
        let Observer { history, facts, columns, .. } = observer;
        accumulators.update(&model.network, &view);
        let (mut others, mut count) = ([0; 24], 0);
        other_rows(&view, history, placement, legal.en_passant_target(), |row| {
            others[count] = row as u16;
            count += 1;
        });
        let activations = accumulators.activations(&model.network, &view, &others[..count]);
        let scores = &mut scores[..facts.count];
        model.sum_tables(columns, scores);
        model.add_contexts(lines(&view, history), &facts.slot, scores);
        let offsets = &columns[Table::to_from_last as usize];
        model.network.add_products(simd, &activations, facts, offsets, scores);
    }
}

/// Number of tables that are summed together. The scores need not be stored after each.
const TOGETHER: usize = 7;
const _: () = assert!(TABLES.is_multiple_of(TOGETHER));

impl Model {
    /// Replaces the scores by the sums of the weights in the tables of facts.
    #[inline(always)]
    fn sum_tables(&self, columns: &[Column; TABLES], scores: &mut [i32]) {
        scores.fill(0);
        let (tables, columns) = (self.tables.as_chunks::<TOGETHER>().0, columns.as_chunks::<TOGETHER>().0);
        for (tables, columns) in tables.iter().zip(columns) {
            for (i, score) in scores.iter_mut().enumerate().take(MOST_MOVES) {
                // Without a sum of its own, each addition would be stored.
                let mut sum = 0;
                for table in 0..TOGETHER {
                    sum += i32::from(tables[table][usize::from(columns[table][i])]);
                }
                *score += sum;
            }
        }
    }

    /// Adds the weights in the lines of the contexts.
    #[inline(always)]
    fn add_contexts(&self, lines: [Option<usize>; CONTEXTS.len()], slots: &Column, scores: &mut [i32]) {
        // The lines are summed first: there are fewer lines than moves, and vectors add them.
        let mut sum = [0i16; LINE];
        for (context, line) in self.contexts.iter().zip(lines) {
            let Some(line) = line else { continue };
            for (sum, &weight) in sum.iter_mut().zip(&context[line].0) {
                *sum += i16::from(weight);
            }
        }
        for (score, &slot) in scores.iter_mut().zip(slots) {
            *score += i32::from(sum[usize::from(slot)]);
        }
    }
}

impl Network {
    /// Multiplies the scores by the unit of tables, and adds the products of the activations with the rows of each move.
    #[inline(always)]
    fn add_products<S: Simd>(
        &self,
        simd: S,
        activations: &Activations,
        facts: &Facts,
        offsets: &Column,
        scores: &mut [i32],
    ) {
        for (i, score) in scores.iter_mut().enumerate().take(MOST_MOVES) {
            // Several moves share rows of exchanges and offsets. To multiply these again is cheaper than to look for a
            // product in a cache, which is hard to predict.
            let [id, exchange, offset] = [facts.id[i], facts.exchange[i], offsets[i]].map(usize::from);
            let rows = MoveRows {
                id: &self.moves[id].0,
                halves: [&self.exchanges[exchange].0, &self.offsets[offset].0],
            };
            *score = *score * TABLE_UNIT + product(simd, activations, rows);
        }
    }
}
