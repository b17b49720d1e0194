//! Selects code for the features of the processor. Vectors of four sets of squares, population counts and bit searches
//! are single instructions on most processors, but not in the baseline of x86-64, for which a portable program must be
//! compiled. The code that depends on them is therefore compiled for each feature level, and the program chooses at
//! run time.

use fearless_simd::Simd;
use shakmaty::{Bitboard, Square};

/// Runs code compiled for the current processor: `built_for_it!(simd => work(simd))`. The work must be inlined, with
/// everything that should benefit.
// Compiling everything for newer processors (`-C target-cpu=x86-64-v3`) gained up to 9 % in the prototype, but the
// program would not run on older ones. Dispatching once per position keeps one portable binary.
macro_rules! built_for_it {
    ($simd:ident => $work:expr) => {
        fearless_simd::dispatch!(fearless_simd::Level::new(), $simd => $work)
    };
}

pub(super) use built_for_it;

/// The n-th square of a set, counting up from a1.
#[inline(always)]
pub(super) fn nth_square<S: Simd>(simd: S, mut set: Bitboard, n: u32) -> Option<Square> {
    #[cfg(target_arch = "x86_64")]
    if let Some(processor) = simd.level().as_avx2() {
        return Bitboard(deposit(processor, 1u64.checked_shl(n)?, set.0)).first();
    }
    for _ in 0..n {
        set.discard_first();
    }
    set.first()
}

#[cfg(target_arch = "x86_64")]
fearless_simd::kernel!(
    /// Deposits the bits of a number, lowest first, at the positions of a set.
    #[inline(always)]
    // `pdep` finds the n-th bit in one instruction. It belongs to BMI2, which is part of the AVX2 level of
    // fearless_simd.
    fn deposit(processor: Avx2, bits: u64, places: u64) -> u64 {
        std::arch::x86_64::_pdep_u64(bits, places)
    }
);
