//! Encoding of some keys of a run: the differences of neighbours as Exp-Golomb codes, with an order chosen per block.
//! The first byte is the order; the first key is stored separately.
//!
//! The low bits of keys that end in an id are not part of the differences, which would all be large. They follow each
//! difference, all with the number of bits of the largest, which is the second byte.

use plybook_chess::bits::{BitReader, Bits};

/// Most keys in a block.
pub(super) const KEYS: usize = 256;

/// Most bytes in a block: with about 24 bytes of overhead per row, three, six or twelve rows fill a page of 4096, 8192
/// or 16384.
const BYTES: usize = 1340;

/// Largest order of a code.
const LARGEST_ORDER: u32 = 55;

/// Takes as many ascending, distinct keys as fit in a block. Returns their number, and the encoding of all after the
/// first. `low_bits` of a key are stored by themselves.
pub(super) fn fill(keys: &[u64], low_bits: u32) -> (usize, Vec<u8>) {
    // Keys without low bits are distinct, so that their differences are at least one.
    let least = u64::from(low_bits == 0);
    let gap = |pair: &[u64]| (pair[1] >> low_bits) - (pair[0] >> low_bits) - least;
    let gaps: Vec<u64> = keys.windows(2).take(KEYS - 1).map(gap).collect();
    let lows: Vec<u64> =
        keys.iter().skip(1).take(gaps.len()).map(|key| key & !(u64::MAX << low_bits)).collect();
    let mut count = keys.len().min(KEYS);
    loop {
        let end = count.saturating_sub(1);
        let (gaps, lows) = (gaps.get(..end).unwrap_or_default(), lows.get(..end).unwrap_or_default());
        let width = u64::BITS - lows.iter().max().map_or(u64::BITS, |low| low.leading_zeros());
        let (order, bits) = best_order(gaps);
        let header = if low_bits > 0 { 16 } else { 8 };
        let bytes = (header + bits as usize + gaps.len() * width as usize).div_ceil(8);
        if bytes <= BYTES || count <= 1 {
            return (count, encode(gaps, order, (low_bits > 0).then_some((lows, width))));
        }
        count = (count - 1).min(count * BYTES / bytes);
    }
}

/// Encodes the keys after the first one by their gaps to the previous key, and their low bits with their width, if they
/// have any.
fn encode(gaps: &[u64], order: u32, low: Option<(&[u64], u32)>) -> Vec<u8> {
    let mut bits = Bits::default();
    bits.push(u64::from(order), 8);
    low.into_iter().for_each(|(_, width)| bits.push(u64::from(width), 8));
    for (number, &gap) in gaps.iter().enumerate() {
        // As many zeros as the high part has bits after its first, then the high part, then the low bits.
        let (high, width) = split(gap, order);
        let rest = gap & ((1 << order) - 1);
        let all = 2 * width + 1 + order;
        if all <= u64::BITS {
            bits.push(high << order | rest, all as usize);
        } else {
            bits.push(high, 2 * width as usize + 1);
            bits.push(rest, order as usize);
        }
        if let Some((lows, width)) = low {
            bits.push(lows.get(number).copied().unwrap_or(0), width as usize);
        }
    }
    bits.into_bytes()
}

/// The keys of a block, including the first; `None` if the bytes are invalid.
pub(super) fn decode(first: u64, count: usize, bytes: &[u8], low_bits: u32) -> Option<Vec<u64>> {
    if count == 0 || count > KEYS {
        return None;
    }
    let mut bits = BitReader::new(bytes);
    let order = usize::from(bits.take_u8(8).ok()?);
    if order > LARGEST_ORDER as usize || count == 1 && order > 0 {
        return None;
    }
    let low_width = if low_bits > 0 { usize::from(bits.take_u8(8).ok()?) } else { 0 };
    if low_width > low_bits as usize {
        return None;
    }
    let least = u128::from(low_bits == 0);
    let mut keys = Vec::with_capacity(count);
    keys.push(first);
    let mut high = first >> low_bits;
    for _ in 1..count {
        let width = bits.zeros().ok()?;
        if width > 64 {
            return None;
        }
        let gap = if width + order <= 56 {
            let bits = bits.take(width + order).ok()?;
            u128::from(bits + (1 << width << order) - (1 << order))
        } else {
            let high = (1u128 << width | u128::from(bits.take(width).ok()?)) - 1;
            high << order | u128::from(bits.take(order).ok()?)
        };
        high = u64::try_from(u128::from(high) + gap + least).ok()?;
        let low = if low_width > 0 { bits.take(low_width).ok()? } else { 0 };
        let key = high.checked_mul(1 << low_bits)? | low;
        if keys.last().is_some_and(|last| *last >= key) {
            return None;
        }
        keys.push(key);
    }
    bits.finish().ok()?;
    Some(keys)
}

/// The order that takes about the fewest bits, and their number: starts at the median's length and descends.
fn best_order(gaps: &[u64]) -> (u32, u32) {
    let middle = gaps.len() / 2;
    if gaps.is_empty() {
        return (0, 0);
    }
    let median = *gaps.to_vec().select_nth_unstable(middle).1;
    let cost = |order: u32| gaps.iter().map(|&gap| bits_of(gap, order)).sum::<u32>();
    let mut order = median.max(1).ilog2().min(LARGEST_ORDER);
    let mut least = cost(order);
    loop {
        let neighbours = [order.saturating_sub(1), (order + 1).min(LARGEST_ORDER)];
        let Some((better, bits)) =
            neighbours.map(|near| (near, cost(near))).into_iter().min_by_key(|near| near.1)
        else {
            return (order, least);
        };
        if bits >= least {
            return (order, least);
        }
        (order, least) = (better, bits);
    }
}

/// The part above the order's bits, plus one, and the number of bits after its highest.
fn split(gap: u64, order: u32) -> (u64, u32) {
    let high = (gap >> order) + 1;
    (high, high.ilog2())
}

fn bits_of(gap: u64, order: u32) -> u32 {
    2 * split(gap, order).1 + 1 + order
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn keys_of(keys: std::collections::BTreeSet<u64>) -> Vec<u64> {
        keys.into_iter().filter(|key| *key < u64::MAX).collect()
    }

    proptest! {
        #[test]
        fn keys_round_trip(
            keys in prop::collection::btree_set(any::<u64>().prop_map(|key| key >> (key % 64)), 1..KEYS),
            low_bits in prop::sample::select(vec![0, 32]),
        ) {
            let keys = keys_of(keys);
            if let Some(first) = keys.first() {
                let (count, bytes) = fill(&keys, low_bits);
                prop_assert_eq!(decode(*first, count, &bytes, low_bits), Some(keys[..count].to_vec()));
            }
        }

        #[test]
        fn blocks_are_filled_to_the_limit(keys in prop::collection::btree_set(any::<u64>(), 1..2 * KEYS)) {
            for low_bits in [0, 32] {
                let keys: Vec<u64> = keys.iter().copied().collect();
                let (count, bytes) = fill(&keys, low_bits);
                prop_assert!(bytes.len() <= BYTES && (1..=KEYS.min(keys.len())).contains(&count));
                prop_assert_eq!(decode(keys[0], count, &bytes, low_bits), Some(keys[..count].to_vec()));
                prop_assert!(count == KEYS.min(keys.len()) || bytes.len() > BYTES - 30);
            }
        }

        #[test]
        fn arbitrary_bytes_are_keys_or_rejected(first: u64, count in 0usize..200, bytes: Vec<u8>) {
            for low_bits in [0, 32] {
                if let Some(keys) = decode(first, count, &bytes, low_bits) {
                    prop_assert!(keys.is_sorted());
                    prop_assert_eq!(keys.len(), count);
                }
            }
        }
    }

    #[test]
    fn a_key_of_an_identity_takes_less_than_four_bytes() {
        let mixed = |game: u64| (game + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 36;
        let mut keys: Vec<u64> = (0..300_000).map(|game| mixed(game) << 32 | game).collect();
        keys.sort_unstable();
        let (mut rest, mut bytes) = (&keys[..], 0);
        while !rest.is_empty() {
            let (count, block) = fill(rest, 32);
            (rest, bytes) = (&rest[count..], bytes + block.len());
        }
        assert!(bytes < 4 * keys.len() - keys.len() / 8, "{bytes}");
    }
}
