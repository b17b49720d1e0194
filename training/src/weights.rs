//! The weights during training, as floating-point numbers.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use plybook::model::{WIDTH, shape};

use crate::random::Random;

/// Rows of one length, with the state of Adam.
pub struct Matrix {
    /// The length of a row.
    pub columns: usize,
    /// The weights, row after row.
    pub weights: Vec<f32>,
    means: Vec<f32>,
    squares: Vec<f32>,
    limit: f32,
}

impl Matrix {
    fn new(random: &mut Random, rows: usize, columns: usize, spread: f32, middle: f32, limit: f32) -> Matrix {
        let size = rows * columns;
        let weights = (0..size).map(|_| random.signed() * spread + middle).collect();
        Matrix { columns, weights, means: vec![0.0; size], squares: vec![0.0; size], limit }
    }

    /// A row.
    pub fn row(&self, row: usize) -> &[f32] {
        &self.weights[row * self.columns..][..self.columns]
    }
}

/// A step of Adam (Kingma and Ba, 2014).
#[derive(Clone, Copy)]
pub struct Adam {
    /// The learning rate.
    pub rate: f32,
    /// The factor of the gradients.
    pub scale: f32,
    /// The number of this step, from 1.
    pub step: u64,
}

/// The decay rates of Adam's means and squares.
const MEMORY: [f32; 2] = [0.9, 0.999];

impl Adam {
    /// Updates the rows that have a gradient, and removes the gradients.
    pub fn update(self, matrix: &mut Matrix, gradients: &mut Gradient) {
        let [first, second] = MEMORY;
        let unbiased =
            |memory: f32| 1.0 / (1.0 - f64::from(memory).powi(self.step.min(100_000) as i32)) as f32;
        let (means_factor, squares_factor) = (unbiased(first), unbiased(second));
        for row in gradients.touched.drain(..) {
            let row = row as usize;
            gradients.is_touched[row] = false;
            let range = row * matrix.columns..(row + 1) * matrix.columns;
            let gradient = &mut gradients.values[range.clone()];
            let (means, squares) = (&mut matrix.means[range.clone()], &mut matrix.squares[range.clone()]);
            for (((weight, gradient), mean), square) in
                matrix.weights[range].iter_mut().zip(gradient).zip(means).zip(squares)
            {
                let value = *gradient * self.scale;
                *gradient = 0.0;
                *mean = first * *mean + (1.0 - first) * value;
                *square = second * *square + (1.0 - second) * value * value;
                let step = self.rate * (*mean * means_factor) / ((*square * squares_factor).sqrt() + 1e-8);
                *weight = (*weight - step).clamp(-matrix.limit, matrix.limit);
            }
        }
    }
}

/// The gradients of a matrix; only of the rows that were used.
pub struct Gradient {
    columns: usize,
    values: Vec<f32>,
    is_touched: Vec<bool>,
    touched: Vec<u32>,
}

impl Gradient {
    /// No gradients.
    pub fn of(matrix: &Matrix) -> Gradient {
        let rows = matrix.weights.len() / matrix.columns;
        Gradient {
            columns: matrix.columns,
            values: vec![0.0; matrix.weights.len()],
            is_touched: vec![false; rows],
            touched: Vec::new(),
        }
    }

    /// The gradient of a row, to be added to.
    #[inline]
    pub fn row(&mut self, row: usize) -> &mut [f32] {
        if !self.is_touched[row] {
            self.is_touched[row] = true;
            self.touched.push(row as u32);
        }
        &mut self.values[row * self.columns..][..self.columns]
    }

    /// Adds other gradients and removes them there.
    pub fn take(&mut self, other: &mut Gradient) {
        for row in std::mem::take(&mut other.touched) {
            let row = row as usize;
            other.is_touched[row] = false;
            let values = &mut other.values[row * other.columns..][..other.columns];
            for (sum, value) in self.row(row).iter_mut().zip(values) {
                *sum += std::mem::take(value);
            }
        }
    }
}

/// A floating-point number that threads share. Simultaneous updates may be lost, which training tolerates (Niu et al.,
/// 2011, "Hogwild").
pub struct Shared(AtomicU32);

impl Shared {
    fn new(value: f32) -> Shared {
        Shared(AtomicU32::new(value.to_bits()))
    }

    /// Its value.
    #[inline(always)]
    pub fn get(&self) -> f32 {
        f32::from_bits(self.0.load(Relaxed))
    }

    #[inline(always)]
    fn set(&self, value: f32) {
        self.0.store(value.to_bits(), Relaxed);
    }
}

/// All tables in one list, with the sums of Adagrad (Duchi et al., 2011).
pub struct Tables {
    /// Where each table starts.
    pub starts: Vec<usize>,
    /// The weights.
    pub weights: Vec<Shared>,
    sums: Vec<Shared>,
}

/// The initial sums of Adagrad; large enough to keep the first steps small.
const FIRST_SUM: f32 = 8.0;
/// The initial sums of later passes.
const LATER_SUM: f32 = 200.0;

impl Tables {
    fn new() -> Tables {
        let mut starts = Vec::new();
        let mut size = 0;
        for table in shape::tables() {
            starts.push(size);
            size += table;
        }
        let fill = |value: f32| (0..size).map(|_| Shared::new(value)).collect();
        Tables { starts, weights: fill(0.0), sums: fill(FIRST_SUM) }
    }

    /// Moves a weight against its gradient.
    #[inline(always)]
    pub fn update(&self, index: usize, gradient: f32, rate: f32) {
        let (sum, weight) = (&self.sums[index], &self.weights[index]);
        let squares = sum.get() + gradient * gradient;
        sum.set(squares);
        weight.set(weight.get() - rate * gradient / squares.sqrt());
    }

    /// Starts another pass. The hashed contexts are cleared, because they have memorized the games of the training.
    pub fn begin_pass(&mut self) {
        let hashed = self.starts[self.starts.len() - shape::HASHED];
        self.sums.iter().for_each(|sum| sum.set(LATER_SUM));
        self.weights[hashed..].iter().for_each(|weight| weight.set(0.0));
        self.sums[hashed..].iter().for_each(|sum| sum.set(FIRST_SUM));
    }
}

/// All weights.
pub struct Weights {
    /// Rows of the inputs; the bias; rows of moves, exchanges and offsets.
    pub matrices: [Matrix; 5],
    /// The tables.
    pub tables: Tables,
}

/// The index in [`Weights::matrices`] of the inputs, the bias, and the first matrix of moves.
pub const INPUTS: usize = 0;
/// See [`INPUTS`].
pub const BIAS: usize = 1;
/// See [`INPUTS`].
pub const MOVES: usize = 2;

impl Weights {
    /// Random weights.
    pub fn new(random: &mut Random) -> Weights {
        // The integers are a byte with 64 steps per unit, and a word of which values up to 2047 are used.
        let (move_limit, input_limit) = (1.98, 4.0);
        let inputs = Matrix::new(random, shape::ROWS, WIDTH, 0.12, 0.0, input_limit);
        let bias = Matrix::new(random, 1, 2 * WIDTH, 0.05, 0.25, input_limit);
        let [moves, exchanges, offsets] =
            shape::MOVE_ROWS.map(|[rows, columns]| Matrix::new(random, rows, columns, 0.08, 0.0, move_limit));
        Weights { matrices: [inputs, bias, moves, exchanges, offsets], tables: Tables::new() }
    }
}
