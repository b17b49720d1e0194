//! [`game::index`](plybook_chess::codec::game::index), the codec of archives, for games of Xelto.

use super::{TextError, XeltoCodec};
use crate::Position;
use plybook_chess::{
    bits::{Integer, mixed_radix::MixedRadix},
    codec::game::index,
};

/// The codec `index`.
pub const INDEX: XeltoCodec = XeltoCodec {
    name: "index",
    summary: "Move numbers in mixed radix, terminated by End, as one decimal number",
    bits: |game| Ok(index::encode(game)?.to_integer().bits()),
    write_text: |game| Ok(index::encode(game)?.to_integer().to_string()),
    read_text: |text| {
        let number: Integer = text.parse().map_err(|_| TextError::NoInteger(text.to_owned()))?;
        Ok(index::decode(Position::start(), &MixedRadix::from(&number).to_bytes_le())?.moves)
    },
};
