//! What the processor has. Vectors of four sets of squares, population counts and bit searches are single
//! instructions on most processors, but on x86-64 not on those that a program must be built for if it is to run
//! everywhere. So the work that lives on them is built for each, and the program chooses as it runs.

use fearless_simd::Simd;
use shakmaty::{Bitboard, Square};

/// Does some work, built for the processor that the program finds itself on: `built_for_it!(simd => work(simd))`.
/// The work must be inlined, with all that is to gain from it.
macro_rules! built_for_it {
    ($simd:ident => $work:expr) => {
        fearless_simd::dispatch!(fearless_simd::Level::new(), $simd => $work)
    };
}

pub(super) use built_for_it;

/// The n-th square of a set, from a1 up.
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
    /// Puts the bits of a number, from the lowest on, in the places of a set.
    #[inline(always)]
    fn deposit(processor: Avx2, bits: u64, places: u64) -> u64 {
        std::arch::x86_64::_pdep_u64(bits, places)
    }
);
