//! Writes the records of the index.

use plybook_chess::rules::{BLACK_WINS, DRAW, Outcome, WHITE_WINS};

use crate::{bytes::push_big_endian, encode::EncodedGame, fields::Fields, index::Format};

pub fn scid4_header(games: u64) -> Vec<u8> {
    let mut header = [b"Scid.si\0".as_slice(), &400_u16.to_be_bytes(), &[0; 4]].concat();
    push_big_endian(&mut header, games, 3);
    // The first game is shown when the database is opened.
    push_big_endian(&mut header, 1, 3);
    header.resize(Format::Scid4.header_size(), 0);
    header
}

/// The code of a count in the index. Those from 11 on mean about 15, 20, 30, 40, and 50 or more.
fn count_code(count: usize) -> u32 {
    match count {
        0..=10 => u32::try_from(count).unwrap_or(0),
        11..=12 => 10,
        13..=17 => 11,
        18..=24 => 12,
        25..=34 => 13,
        35..=44 => 14,
        _ => 15,
    }
}

fn result_code(outcome: Outcome) -> u32 {
    match outcome {
        WHITE_WINS => 1,
        BLACK_WINS => 2,
        DRAW => 3,
        _ => 0,
    }
}

/// The list of home pawns as eight bytes.
fn home_pawns(encoded: &EncodedGame) -> [u8; 8] {
    let mut packed = [0; 8];
    for (pair, byte) in encoded.home_pawns.chunks(2).zip(&mut packed) {
        *byte = pair.first().copied().unwrap_or(0) << 4 | pair.get(1).copied().unwrap_or(0);
    }
    packed
}

pub fn scid4_record(
    offset: u64,
    ids: [u32; 5],
    fields: &Fields<'_>,
    encoded: &EncodedGame,
    outcome: Outcome,
) -> Vec<u8> {
    let [white, black, event, site, round] = ids.map(u64::from);
    let [variations, comments, glyphs] = encoded.counts.map(count_code);
    let length = encoded.data.len() as u64;
    let flags = u64::from(fields.flags | u32::from(encoded.flags));
    let event_date = match fields.event_date {
        0 => 0,
        date => (4 + (date >> 9) - (fields.date >> 9)) << 9 | date & 0x1ff,
    };
    let mut record = Vec::with_capacity(Format::Scid4.record_size());
    let mut push = |number: u64, size: usize| push_big_endian(&mut record, number, size);
    push(offset, 4);
    push(length & 0xffff, 2);
    push(length >> 16 << 7 | flags >> 16, 1);
    push(flags & 0xffff, 2);
    push((white >> 16) << 4 | black >> 16, 1);
    push(white & 0xffff, 2);
    push(black & 0xffff, 2);
    push((event >> 16) << 5 | (site >> 16) << 2 | round >> 16, 1);
    [event, site, round].into_iter().for_each(|id| push(id & 0xffff, 2));
    let codes = result_code(outcome) << 12 | glyphs << 8 | comments << 4 | variations;
    push(u64::from(codes), 2);
    push(u64::from(fields.eco), 2);
    push(u64::from(event_date << 20 | fields.date), 4);
    for (rating, kind) in fields.ratings.into_iter().zip(fields.rating_types) {
        push(u64::from(kind << 12 | rating), 2);
    }
    push(u64::from(encoded.material), 4);
    push(encoded.plies as u64 & 0xff, 1);
    push((encoded.plies as u64 >> 8 & 3) << 6 | encoded.home_pawns.len() as u64, 1);
    record.extend(home_pawns(encoded));
    record
}

pub fn scid5_record(
    offset: u64,
    ids: [u32; 5],
    fields: &Fields<'_>,
    encoded: &EncodedGame,
    outcome: Outcome,
    is_chess960: bool,
) -> Vec<u8> {
    let [white, black, event, site, round] = ids.map(u64::from);
    let [variations, comments, glyphs] = encoded.counts.map(|count| u64::from(count_code(count)));
    let [[white_rating, black_rating], [white_type, black_type]] =
        [fields.ratings, fields.rating_types].map(|sides| sides.map(u64::from));
    let last = (encoded.home_pawns.len() as u64) << 24
        | white_type << 21
        | black_type << 18
        | u64::from(result_code(outcome)) << 16
        | u64::from(fields.eco);
    let words = [
        comments << 28 | white,
        variations << 28 | black,
        glyphs << 28 | event,
        site,
        u64::from(is_chess960) << 31 | round,
        white_rating << 20 | u64::from(fields.date),
        black_rating << 20 | u64::from(fields.event_date),
        (encoded.plies as u64 & 0x3ff) << 22 | u64::from(fields.flags | u32::from(encoded.flags)),
        (encoded.data.len() as u64) << 15 | offset >> 32,
        offset & 0xffff_ffff,
        u64::from(encoded.material),
        last,
    ];
    let mut record = Vec::with_capacity(Format::Scid5.record_size());
    words.iter().for_each(|word| record.extend(word.to_le_bytes().iter().take(4)));
    record.extend(home_pawns(encoded));
    record
}
