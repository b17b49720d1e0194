//! Game quotations: the header of another game, and mostly its moves. The comment that has one begins with a mark:
//!
//! ```text
//! [%quotation] Karpov, Anatoly (2700) - Kasparov, Garry (2740), 1/2-1/2, WCh, Moscow, 1985.09.03, round 1, D55: 1. d4 Nf6
//! ```

use std::fmt::Write;

use plybook_chess::chess::{QuickChess, SanSuffix};
use shakmaty::Position;

use crate::{
    bytes::Bytes,
    move_code::long_move,
    tables::QUOTATION,
    text::TextDecoder,
    values::{date, eco, result, round},
};

/// The word after the moves.
const END: u16 = 0x4000;

/// A quotation as a comment; `None` if its bytes have another layout.
pub(crate) fn quotation(data: &[u8], texts: &TextDecoder) -> Option<String> {
    let mut bytes = Bytes(data);
    let (_, with_moves, set_up) = (bytes.u16()?, bytes.u16()? == 2, bytes.u16()?);
    if set_up != 0 {
        // No real file has a start position here, so where it is is not known.
        return None;
    }
    let names = [name(&mut bytes, texts)?, name(&mut bytes, texts)?];
    let ratings = [bytes.u16()?, bytes.u16()?];
    let opening = eco(bytes.u16()?);
    let [event, site] = [name(&mut bytes, texts)?, name(&mut bytes, texts)?];
    let day = date(bytes.u32()?);
    // The type, nation, category and rounds of the tournament.
    bytes.take(8)?;
    let (subround, number, score) = (bytes.u8()?, bytes.u8()?, bytes.u8()?);
    bytes.u16()?;
    let players = names.iter().zip(ratings).map(|(name, rating)| {
        let name = if name.is_empty() { "?" } else { name };
        if rating > 0 { format!("{name} ({rating})") } else { name.to_owned() }
    });
    let players = players.collect::<Vec<_>>().join(" - ");
    let number = round(number, subround).map(|round| format!("round {round}"));
    let parts =
        [Some(players), Some(result(score).text.to_owned()), Some(event), Some(site), day, number, opening];
    let header: Vec<String> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
    let moves = if with_moves { moves(bytes) } else { String::new() };
    let header = format!("[%quotation] {}", header.join(", "));
    Some(if moves.is_empty() { header } else { format!("{header}:{moves}") })
}

/// Reads a name: its length in a byte, its text and a zero byte. A comma separates the parts of a player's name.
fn name(bytes: &mut Bytes<'_>, texts: &TextDecoder) -> Option<String> {
    let length = bytes.u8()?;
    let name = texts.name(bytes.take(usize::from(length))?);
    bytes.u8()?;
    let parts = name.split(',').map(str::trim).filter(|part| !part.is_empty());
    Some(parts.collect::<Vec<_>>().join(", "))
}

/// The moves in SAN, each after a space, as far as they are legal.
fn moves(mut bytes: Bytes<'_>) -> String {
    let (mut text, mut position, mut count) = (String::new(), QuickChess::default(), 0_u8);
    let value = |byte: u8, count: u8| {
        QUOTATION.get(usize::from(byte.wrapping_sub(count))).copied().unwrap_or_default()
    };
    while let (Some(high), Some(low)) = (bytes.u8(), bytes.u8()) {
        let number = u16::from_be_bytes([value(high, count), value(low, count)]);
        if number == END {
            break;
        }
        let Some(resolved) = long_move(&position, number) else {
            text.push_str(" ...");
            break;
        };
        if Position::turn(&position).is_white() {
            // Writing to a string does not fail.
            let _ = write!(text, " {}.", Position::fullmoves(&position));
        }
        let _ = write!(text, " {}", position.play_san(resolved.m()));
        count = count.wrapping_add(1);
        if number & END != 0 {
            break;
        }
    }
    text
}
