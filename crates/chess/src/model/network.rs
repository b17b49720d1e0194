//! The network in integers. Each side's accumulator is the sum of the active input rows, updated from ply to ply by the
//! rows that changed. The activations of both are multiplied with rows of the moves.

use fearless_simd::Simd;
#[cfg(target_arch = "x86_64")]
use fearless_simd::{Avx2, SimdBase, SimdInto, i8x32, i32x8, u8x32};

use super::{
    inputs::{opposite_row, piece_rows},
    squares::each,
    view::View,
};

/// The number of values in an accumulator.
pub const WIDTH: usize = 96;

/// The sum of the input rows that are active for one side, modulo 2^16. A trained model does not exceed 16 bits, and any
/// other wraps in the same way on every machine.
pub(super) type Accumulator = [i16; WIDTH];

/// The activations of the mover's and the opponent's accumulator, from 0 to 127.
pub(super) type Activations = [u8; 2 * WIDTH];

/// Weights that start with a line of the processor's cache. Most of them come from a distant cache, so they should be in as
/// few lines as possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Aligned<T>(pub T);

/// The weights of the network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Network {
    /// One row for each input.
    pub rows: Vec<Aligned<Accumulator>>,
    /// The initial values of the mover's and the opponent's accumulator.
    pub bias: [Accumulator; 2],
    /// Rows for each move; for each exchange; for each target relative to the opponent's last target.
    pub moves: Vec<Aligned<[i8; 2 * WIDTH]>>,
    pub exchanges: Vec<Aligned<[i8; WIDTH]>>,
    pub offsets: Vec<Aligned<[i8; WIDTH]>>,
}

/// The sums of the pieces' rows as White and as Black see them.
#[derive(Clone, Debug)]
pub(super) struct Accumulators {
    sides: [Accumulator; 2],
    /// The row of the piece on each square as White sees it.
    rows: [u16; 64],
    occupied: u64,
}

impl Accumulators {
    /// Of an empty board.
    pub(super) fn new() -> Accumulators {
        Accumulators { sides: [[0; WIDTH]; 2], rows: [NO_ROW; 64], occupied: 0 }
    }

    /// Brings the sums to a position by what has changed.
    #[inline(always)]
    pub(super) fn update(&mut self, network: &Network, view: &View) {
        let is_black = view.flip != 0;
        let mut rows = [NO_ROW; 64];
        piece_rows(view, |square, row| {
            let row = if is_black { opposite_row(row) } else { row };
            rows[square ^ view.flip] = row as u16;
        });
        let occupied = if is_black { view.occupied.swap_bytes() } else { view.occupied };
        for square in each(occupied | self.occupied) {
            let (old, new) = (self.rows[square], rows[square]);
            if old == new {
                continue;
            }
            for (row, is_added) in [(old, false), (new, true)] {
                if row != NO_ROW {
                    self.change(network, usize::from(row), is_added);
                }
            }
            self.rows[square] = new;
        }
        self.occupied = occupied;
    }

    #[inline(always)]
    fn change(&mut self, network: &Network, row: usize, is_added: bool) {
        let [white, black] = &mut self.sides;
        for (sum, row) in [(white, row), (black, opposite_row(row))] {
            if is_added { add(sum, &network.rows[row].0) } else { subtract(sum, &network.rows[row].0) }
        }
    }

    /// What both sums say, with the other rows added to the mover's.
    #[inline(always)]
    pub(super) fn activations(&self, network: &Network, view: &View, others: &[u16]) -> Activations {
        let (mover, opponent) = if view.flip == 0 { (0, 1) } else { (1, 0) };
        let (mut own, mut enemy) = (self.sides[mover], self.sides[opponent]);
        for &row in others {
            add(&mut own, &network.rows[usize::from(row)].0);
        }
        add(&mut own, &network.bias[0]);
        add(&mut enemy, &network.bias[1]);
        let mut activations = [0; 2 * WIDTH];
        let (first, second) = activations.split_at_mut(WIDTH);
        activate(first, &own);
        activate(second, &enemy);
        activations
    }
}

/// No piece's row.
const NO_ROW: u16 = u16::MAX;

#[inline(always)]
fn add(sum: &mut Accumulator, row: &Accumulator) {
    for (sum, row) in sum.iter_mut().zip(row) {
        *sum = sum.wrapping_add(*row);
    }
}

#[inline(always)]
fn subtract(sum: &mut Accumulator, row: &Accumulator) {
    for (sum, row) in sum.iter_mut().zip(row) {
        *sum = sum.wrapping_sub(*row);
    }
}

/// The square of each value between 0 and 1 (255), from 0 to 127.
#[inline(always)]
fn activate(activations: &mut [u8], sum: &Accumulator) {
    for (activation, sum) in activations.iter_mut().zip(sum) {
        let value = (*sum).clamp(0, 255) as u16;
        *activation = (value.wrapping_mul(value) >> 9) as u8;
    }
}

/// The rows of a move.
#[derive(Clone, Copy)]
pub(super) struct MoveRows<'a> {
    /// By the move, for the activations of both sides.
    pub id: &'a [i8; 2 * WIDTH],
    /// By the exchange and by the offset, for the mover's.
    pub halves: [&'a [i8; WIDTH]; 2],
}

/// The sum of the products of the activations with the rows of a move.
#[inline(always)]
pub(super) fn product<S: Simd>(simd: S, activations: &Activations, rows: MoveRows<'_>) -> i32 {
    let MoveRows { id, halves: [exchange, offset] } = rows;
    #[cfg(target_arch = "x86_64")]
    if let Some(processor) = simd.level().as_avx2() {
        let mut sum = i32x8::splat(processor, 0);
        for row in [id.as_slice(), exchange, offset] {
            for (activations, row) in activations.as_chunks::<32>().0.iter().zip(row.as_chunks::<32>().0) {
                let (activations, row) =
                    (u8x32::from_slice(processor, activations), i8x32::from_slice(processor, row));
                sum += pairs(processor, activations, row);
            }
        }
        let [a, b, c, d, e, f, g, h] = sum.into();
        return (a + e) + (b + f) + ((c + g) + (d + h));
    }
    let _ = simd;
    let products = |row: &[i8]| -> i32 {
        activations.iter().zip(row).map(|(&activation, &row)| i32::from(activation) * i32::from(row)).sum()
    };
    products(id) + products(exchange) + products(offset)
}

#[cfg(target_arch = "x86_64")]
fearless_simd::kernel!(
    /// The sums of four products each. An activation is at most 127, so two products fit into 16 bits.
    #[inline(always)]
    fn pairs(processor: Avx2, activations: u8x32<Avx2>, row: i8x32<Avx2>) -> i32x8<Avx2> {
        let twos = std::arch::x86_64::_mm256_maddubs_epi16(activations.into(), row.into());
        let ones = std::arch::x86_64::_mm256_set1_epi16(1);
        std::arch::x86_64::_mm256_madd_epi16(twos, ones).simd_into(processor)
    }
);
