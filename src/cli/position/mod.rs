//! `plybook position`: single positions in every encoding.

mod compare;
mod convert;
mod huffman;

use super::{ExitStatus, position_arg::PositionReader, terminal};

commands! {
    /// Encode, decode and compare positions
    enum Position {
        Encode(convert::Encode),
        Decode(convert::Decode),
        Compare(compare::Compare),
        Huffman(Box<huffman::Huffman>),
    }
}
