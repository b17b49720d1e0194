//! What the processor has. Population counts and bit searches are single instructions on nearly every x86-64 of
//! the last ten years, but not on those that a program must be built for if it is to run everywhere. So the work
//! that lives on them is built twice, and the program chooses as it runs. (On aarch64 they are always there.)

/// Does some work, built for the processor that the program finds itself on. The work must be inlined here, with
/// all that is to gain from it.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) fn built_for_it<T>(work: impl FnOnce() -> T) -> T {
    use fearless_simd::{Level, Simd};

    match Level::new().as_avx2() {
        // The level of AVX2 also has POPCNT, BMI1, BMI2 and LZCNT.
        Some(processor) => processor.vectorize(work),
        None => work(),
    }
}

/// Does some work: there is one way to build it.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub(super) fn built_for_it<T>(work: impl FnOnce() -> T) -> T {
    work()
}
