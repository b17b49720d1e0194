//! What the processor has. Vectors of four sets of squares, population counts and bit searches are single
//! instructions on most processors, but on x86-64 not on those that a program must be built for if it is to run
//! everywhere. So the work that lives on them is built for each, and the program chooses as it runs.

/// Does some work, built for the processor that the program finds itself on: `built_for_it!(simd => work(simd))`.
/// The work must be inlined, with all that is to gain from it.
macro_rules! built_for_it {
    ($simd:ident => $work:expr) => {
        fearless_simd::dispatch!(fearless_simd::Level::new(), $simd => $work)
    };
}

pub(super) use built_for_it;
