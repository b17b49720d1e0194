//! The file of a model: all weights in a fixed order, then compressed.
//!
//! Rows of inputs and biases have 16 bits, in two planes (low bytes, then high bytes), which compress better; all other
//! weights of moves are single bytes. There is no header: the number of features determines all sizes.

use super::{
    end::{self, EndWeights, RESULT_CONTEXTS},
    inputs::ROWS,
    move_id::MOVES,
    network::{Accumulator, Aligned, Network, WIDTH},
    predictor::{Model, TABLE, Tables},
    tables::{CONTEXTS, EXCHANGES, LAST_OFFSETS, LINE, SIZES},
};
use crate::rules::{DamagedModel, RESULTS};

impl Model {
    /// Reads a model from its uncompressed bytes.
    ///
    /// # Errors
    /// The number of bytes is not that of a model, or a result has no weight.
    pub fn from_bytes(mut bytes: &[u8]) -> Result<Model, DamagedModel> {
        let bytes = &mut bytes;
        let network = Network {
            rows: wide_rows(bytes, ROWS)?.into_iter().map(Aligned).collect(),
            bias: wide_rows(bytes, 2)?.try_into().map_err(|_| DamagedModel)?,
            moves: rows(bytes, MOVES)?,
            exchanges: rows(bytes, EXCHANGES)?,
            offsets: rows(bytes, LAST_OFFSETS)?,
        };
        let model = Model {
            network,
            tables: tables(bytes)?,
            contexts: CONTEXTS.iter().map(|&lines| rows::<LINE>(bytes, lines)).collect::<Result<_, _>>()?,
            end: EndWeights {
                log_odds: words(bytes, end::WEIGHTS)?.iter().map(|word| word.cast_signed()).collect(),
                results: words(bytes, RESULT_CONTEXTS * RESULTS)?.as_chunks().0.to_vec(),
            },
        };
        if model.end.results.as_flattened().contains(&0) {
            return Err(DamagedModel);
        }
        if bytes.is_empty() { Ok(model) } else { Err(DamagedModel) }
    }
}

fn take<'a>(bytes: &mut &'a [u8], count: usize) -> Result<&'a [u8], DamagedModel> {
    let (taken, rest) = bytes.split_at_checked(count).ok_or(DamagedModel)?;
    *bytes = rest;
    Ok(taken)
}

fn rows<const LENGTH: usize>(
    bytes: &mut &[u8],
    count: usize,
) -> Result<Vec<Aligned<[i8; LENGTH]>>, DamagedModel> {
    let taken = take(bytes, count * LENGTH)?;
    Ok(taken.as_chunks::<LENGTH>().0.iter().map(|row| Aligned(row.map(u8::cast_signed))).collect())
}

fn wide_rows(bytes: &mut &[u8], count: usize) -> Result<Vec<Accumulator>, DamagedModel> {
    let (low, high) = take(bytes, 2 * count * WIDTH)?.split_at(count * WIDTH);
    let planes = low.as_chunks::<WIDTH>().0.iter().zip(high.as_chunks::<WIDTH>().0);
    let row = |low: &[u8; WIDTH], high: &[u8; WIDTH]| {
        std::array::from_fn(|i| i16::from_le_bytes([low[i], high[i]]))
    };
    Ok(planes.map(|(low, high)| row(low, high)).collect())
}

fn words(bytes: &mut &[u8], count: usize) -> Result<Vec<u16>, DamagedModel> {
    Ok(take(bytes, 2 * count)?.as_chunks().0.iter().map(|&word| u16::from_le_bytes(word)).collect())
}

fn tables(bytes: &mut &[u8]) -> Result<Tables, DamagedModel> {
    let mut tables = vec![[0; TABLE]; SIZES.len()];
    for (table, &size) in tables.iter_mut().zip(SIZES) {
        for (weight, &byte) in table.iter_mut().zip(take(bytes, size)?) {
            *weight = byte.cast_signed();
        }
    }
    Ok(tables)
}
