//! What every position codec costs on the average, measured on all positions of every twenty-fourth master
//! game (of `PLYBOOK_CORPUS`), none of which has a part in the weights of `ranked`:
//! `cargo bench --bench position_bits`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../tests/codec_support/mod.rs"]
mod support;

use std::ops::ControlFlow;

use plybook::{
    chess::Setup,
    codec::position::{
        POSITION_CODECS,
        huffman::{Trained, count, source_cost},
        ranked::RANKED_CLOCKS,
    },
};

/// Bits of one codec: how often each size occurred.
struct Sizes {
    codec: &'static plybook::codec::position::PositionCodec,
    seen: Vec<u64>,
}

fn main() {
    if !support::is_bench() {
        return;
    }
    let Some(path) = support::master_games() else {
        println!("no otb.pgn.zst: set PLYBOOK_CORPUS to the directory that holds it");
        return;
    };
    let codecs = POSITION_CODECS.into_iter().chain([&RANKED_CLOCKS]);
    let mut sizes: Vec<Sizes> = codecs.map(|codec| Sizes { codec, seen: vec![0; 1024] }).collect();
    let (mut positions, mut counts) = (0u64, [0; 13]);
    support::for_games(&path, 24, 6, &mut |moves| {
        support::for_positions(moves, &mut |position| {
            let setup = support::setup_of(position);
            positions += 1;
            count(&setup.board, &mut counts);
            measure(&setup, &mut sizes);
        });
        ControlFlow::Continue(())
    });
    println!("{positions} positions");
    println!("{:14} {:5} {:>7} {:>7} {:>5}", "codec", "holds", "average", "median", "most");
    for Sizes { codec, seen } in &sizes {
        let (average, median, most) = summary(seen);
        println!("{:14} {:5} {average:7.2} {median:7} {most:5}", codec.name, codec.fields);
    }
    let trained = Trained::from_counts(&counts);
    let per_position = |bits: u64| bits as f64 / positions as f64;
    println!("huffman, trained on these positions: {:.2}", per_position(trained.cost(&counts)));
    println!("huffman, source's table: {:.2}", per_position(source_cost(&counts)));
}

fn measure(setup: &Setup, sizes: &mut [Sizes]) {
    for Sizes { codec, seen } in sizes {
        match codec.encode(setup) {
            Ok(bits) => seen[bits.len()] += 1,
            Err(error) => panic!("{error}: {:?}", setup.board),
        }
    }
}

/// Average, median and most.
fn summary(seen: &[u64]) -> (f64, usize, usize) {
    let total: u64 = seen.iter().sum();
    let bits = (0u64..).zip(seen).map(|(bits, count)| bits * count).sum::<u64>();
    let mut below = 0;
    let median = seen.iter().position(|count| {
        below += count;
        below * 2 >= total
    });
    let most = seen.iter().rposition(|&count| count > 0);
    (bits as f64 / total as f64, median.unwrap_or(0), most.unwrap_or(0))
}
