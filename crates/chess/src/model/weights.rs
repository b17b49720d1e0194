//! Converts scores to weights.

/// Replaces the weights by those of the scores: 2^16 for the best, at least 1 for the others.
pub(super) fn weights_of(scores: &[i32], weights: &mut Vec<u32>) {
    let best = scores.iter().copied().max().unwrap_or(0);
    weights.clear();
    weights.extend(scores.iter().map(|&score| {
        // In 1/1024 of a bit: 1024/(8128·ln 2) = 190,586 / 2^20.
        let less = (i64::from(best - score) * 190_586 >> 20) as u64;
        let (bits, part) = (less >> 10, (less & 1023) as usize);
        // Without a branch, which could not be predicted.
        (POWERS[part] >> bits.min(31)).max(1)
    }));
}

/// 2^16 · 2^(-i/1024).
static POWERS: [u32; 1024] = powers();

/// Powers by repeated multiplication in 64 bits, each rounded down.
const fn powers() -> [u32; 1024] {
    // 2^(-1/1024) · 2^63, rounded.
    const STEP: u128 = 9_217_130_834_664_616_070;
    let (mut powers, mut power, mut i) = ([0; 1024], 1u128 << 63, 0);
    while i < 1024 {
        powers[i] = ((power + (1 << 46)) >> 47) as u32;
        power = power * STEP >> 63;
        i += 1;
    }
    powers
}

/// 2^16 · 2^(i/1024).
pub(super) static POWERS_UP: [u32; 1024] = {
    let (mut powers, mut i) = ([1 << 16; 1024], 1);
    while i < 1024 {
        powers[i] = 2 * POWERS[1024 - i];
        i += 1;
    }
    powers
};
