//! The encodings bit by bit: golden vectors, and every figure that the sources and their corrections give.
#![allow(unused_imports, dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use plybook::{
    bits::{Integer, bit_length},
    chess::{Fen, Setup, Variant, VariantPosition},
    codec::{
        game::{GAME_CODECS, Line, by_name as game_codec},
        position::{POSITION_CODECS, PositionCodec, by_name, huffman},
    },
    rules::{Color, KnownOutcome, LegalMoves, Outcome, Rules},
};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A golden file of the project, or of the folder that `PLYBOOK_VECTORS` names.
fn golden(name: &str) -> Vec<Vec<String>> {
    let folder = std::env::var("PLYBOOK_VECTORS")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/data/golden").to_owned());
    let text =
        std::fs::read_to_string(format!("{folder}/{name}")).expect("golden files are part of the project");
    text.lines().skip(1).map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

fn setup(fen: &str) -> Setup {
    fen.parse::<Fen>().unwrap().into_setup()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn positions_are_written_as_the_golden_vectors_say() {
    let rows = golden("positions.tsv");
    for row in &rows {
        let [fen, codec, bits, digits] = &row[..] else { panic!("{row:?}") };
        let codec = by_name(codec).unwrap_or_else(|| panic!("no codec {codec}"));
        let setup = setup(fen);
        let encoded = codec.encode(&setup).unwrap_or_else(|e| panic!("{fen}: {e}"));
        assert_eq!(
            (encoded.len().to_string(), hex(encoded.bytes())),
            (bits.clone(), digits.clone()),
            "{row:?}"
        );
        assert_eq!(codec.decode(encoded.bytes()), Ok(codec.about().carries.keep(&setup)), "{row:?}");
    }
    assert!(rows.len() >= 800);
}
