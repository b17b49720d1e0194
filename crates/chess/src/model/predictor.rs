//! Gives the legal moves their weights.

use fearless_simd::{Level, Simd};
use shakmaty::{Color, Move};

use super::{
    end::{EndFeatures, EndWeights, RESULTS},
    facts::{Column, Facts, MOST_MOVES},
    history::History,
    inputs::other_rows,
    network::{Network, Signal, Sums, WIDTH, product},
    tables::{EXCHANGES, LAST_OFFSETS, LINE, TABLES, Table, Whole, indices, lines},
    view::View,
    weights::weights_of,
};
use crate::chess::{MoveSets, Placement, Step};

/// Tables of facts, each with room for every index: none has to be checked.
pub(super) type Tables = Vec<[i8; 1 << 16]>;

/// A trained model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    pub(super) network: Network,
    /// The tables of facts.
    pub(super) tables: Tables,
    /// The lines of each context.
    pub(super) contexts: Vec<Vec<[i8; LINE]>>,
    pub(super) end: EndWeights,
}

/// A unit of a table's weights in units of scores, which are 1/8128 of a natural unit.
pub(super) const TABLE_UNIT: i32 = 254;

/// Follows a game and gives the legal moves of each position their weights.
pub struct Predictor<'m> {
    model: &'m Model,
    history: History,
    sums: Sums,
    steps: Vec<Step>,
    facts: Box<Facts>,
    columns: Box<[Column; TABLES]>,
    scores: Box<[i32; MOST_MOVES]>,
    known: Known,
    end: EndFeatures,
}

/// Products of this position that several moves share.
struct Known {
    position: u32,
    exchanges: Vec<(u32, i32)>,
    offsets: Vec<(u32, i32)>,
}

impl<'m> Predictor<'m> {
    /// Of a game that starts in a position.
    pub fn new(model: &'m Model, start: &shakmaty::Chess) -> Predictor<'m> {
        Predictor {
            model,
            history: History::new(shakmaty::Position::board(start)),
            sums: Sums::new(),
            steps: Vec::new(),
            facts: Box::default(),
            columns: Box::new([[0; MOST_MOVES]; TABLES]),
            scores: Box::new([0; MOST_MOVES]),
            known: Known {
                position: 0,
                exchanges: vec![(0, 0); EXCHANGES],
                offsets: vec![(0, 0); LAST_OFFSETS],
            },
            end: EndFeatures::default(),
        }
    }

    /// The legal moves of the current position, and their weights in canonical order, followed by the weight of the end
    /// of the game. Without legal moves there are no weights.
    pub fn weigh(&mut self, position: &shakmaty::Chess, weights: &mut Vec<u32>) -> MoveSets {
        let legal = self.score_at(Level::new(), position);
        weights_of(self.scores(), weights);
        if let Some(end) = self.end_weight(weights) {
            weights.push(end);
        }
        legal
    }

    /// The weight of the end of the game in the current position, unless the board has ended it.
    fn end_weight(&self, moves: &[u32]) -> Option<u32> {
        (!moves.is_empty()).then(|| self.model.end.weight(&self.end, moves.iter().sum()))
    }

    /// The weights of the results if the game ends in the current position: the side to move has lost, a draw,
    /// unfinished, it has won.
    pub fn result_weights(&self) -> [u16; RESULTS] {
        self.model.end.results[usize::from(self.end.result)]
    }

    /// Scores the legal moves of the current position.
    pub(super) fn score_at(&mut self, level: Level, position: &shakmaty::Chess) -> MoveSets {
        fearless_simd::dispatch!(level, simd => {
            let placement = Placement::of(position);
            let legal = MoveSets::generate(simd, placement);
            self.score(simd, placement, &legal);
            legal
        })
    }

    /// The scores of the legal moves in canonical order.
    pub(super) fn scores(&self) -> &[i32] {
        &self.scores[..self.facts.count]
    }

    /// Continues with a move of the side to move.
    pub fn play(&mut self, m: Move, turn: Color) {
        self.history.play(m, turn);
    }

    #[inline(always)]
    fn score<S: Simd>(&mut self, simd: S, placement: Placement<'_>, legal: &MoveSets) {
        let (view, Predictor { model, history, sums, steps, facts, columns, scores, known, end }) =
            (View::new(placement), self);
        legal.list_steps(simd, steps);
        facts.observe(simd, &view, history, steps);
        sums.update(&model.network, &view);
        let (mut others, mut count) = ([0; 24], 0);
        other_rows(&view, history, placement, legal.en_passant_target(), |row| {
            others[count] = row as u16;
            count += 1;
        });
        let signal = sums.signal(&model.network, &view, &others[..count]);
        *end = EndFeatures::new(&view, history, facts.count);
        indices(facts, Whole::new(&view, history), columns);
        add_tables(model, history, &view, facts, columns, &mut scores[..facts.count]);
        let offsets = &columns[Table::to_from_last as usize];
        known.add_products(simd, &model.network, &signal, facts, offsets, scores);
    }
}

/// The tables come in groups of so many.
const AT_A_TIME: usize = 7;
const _: () = assert!(TABLES.is_multiple_of(AT_A_TIME));

/// Replaces the scores by the sums of the tables.
#[inline(always)]
fn add_tables(
    model: &Model,
    history: &History,
    view: &View,
    facts: &Facts,
    columns: &[Column; TABLES],
    scores: &mut [i32],
) {
    scores.fill(0);
    // Several tables at a time, so that the scores need not be stored after each.
    for (tables, columns) in
        model.tables.as_chunks::<AT_A_TIME>().0.iter().zip(columns.as_chunks::<AT_A_TIME>().0)
    {
        for (i, score) in scores.iter_mut().enumerate().take(MOST_MOVES) {
            for table in 0..AT_A_TIME {
                *score += i32::from(tables[table][usize::from(columns[table][i])]);
            }
        }
    }
    // The lines are added first: there are fewer of them than moves, and they need not wait for each other.
    let lines = model.contexts.iter().zip(lines(view, history));
    let sum = sum_of(lines.filter_map(|(context, line)| Some(&context[line?])));
    for (score, &place) in scores.iter_mut().zip(&facts.place) {
        *score += i32::from(sum[usize::from(place)]);
    }
}

#[inline(always)]
fn sum_of<'a>(lines: impl Iterator<Item = &'a [i8; LINE]>) -> [i16; LINE] {
    let mut sum = [0; LINE];
    for line in lines {
        for (sum, &weight) in sum.iter_mut().zip(line) {
            *sum += i16::from(weight);
        }
    }
    sum
}

impl Known {
    /// Adds the products of the signal with the rows of each move.
    #[inline(always)]
    fn add_products<S: Simd>(
        &mut self,
        simd: S,
        network: &Network,
        signal: &Signal,
        facts: &Facts,
        offsets: &Column,
        scores: &mut [i32; MOST_MOVES],
    ) {
        self.position = self.position.wrapping_add(1);
        let position = self.position;
        let once = |known: &mut (u32, i32), row: &[i8; WIDTH]| {
            if known.0 != position {
                *known = (position, product(simd, signal, row));
            }
            known.1
        };
        for i in 0..facts.count {
            let [id, exchange, offset] = [facts.id[i], facts.exchange[i], offsets[i]].map(usize::from);
            scores[i] = scores[i] * TABLE_UNIT
                + product(simd, signal, &network.moves[id])
                + once(&mut self.exchanges[exchange], &network.exchanges[exchange])
                + once(&mut self.offsets[offset], &network.offsets[offset]);
        }
    }
}
