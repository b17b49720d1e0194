//! Encoded games and positions as text, and back.

use super::Result;
use crate::{
    bits::{BitReader, Bits, Integer, bit_length, mixed_radix::MixedRadix},
    chess::{Annotations, Fen, Setup, Tags, Variant, VariantPosition},
    codec::{
        DecodeError,
        game::{GameCodec, GameMoves, index},
        position::PositionCodec,
    },
    pgn::{TagOrder, write_game},
    record::{Ply, StoredGame},
    request::{Code, CodeError, CodeFormat, RequestError, variant},
};

/// The integer of an encoded game, from its bytes in little-endian order.
fn game_number(bits: &Bits) -> Integer {
    Integer::from_bytes_le(bits.bytes())
}

/// Encodes a game. If the code does not contain the number of plies, it is appended.
///
/// # Errors
/// The encoding cannot represent the game.
pub fn encode_game(
    codec: &GameCodec,
    format: CodeFormat,
    game: &GameMoves<VariantPosition>,
) -> Result<String> {
    let code = codec.encode(game)?;
    let text = format.write(&code.bits, game_number);
    Ok(code.plies.map_or(text.clone(), |plies| format!("{text} {plies}")))
}

/// The integer of a stored game up to a ply, which identifies a position with its whole history: the moves, then End.
///
/// # Errors
/// The game has no such ply, or is damaged.
pub fn game_prefix(game: &StoredGame, ply: Ply, format: CodeFormat) -> Result<String> {
    let plies = game.ply(ply)?;
    let prefix = index::prefix(&game.line()?, plies)?.to_integer();
    Ok(format.write(&Bits::from_integer_le(&prefix), game_number))
}

/// The start position of encoded games.
#[derive(Clone, Debug)]
pub struct GameStart {
    position: VariantPosition,
    /// The tag pairs for it.
    tags: Tags,
}

impl GameStart {
    /// The start position of a variant, or the position of a FEN.
    ///
    /// # Errors
    /// The variant does not exist, or a game cannot start from the FEN.
    pub fn new(variant_name: &str, fen: Option<&str>) -> Result<GameStart, RequestError> {
        let (variant, mut tags) = (variant(variant_name)?, Tags::default());
        if variant != Variant::Standard {
            tags.push("Variant", variant.name());
        }
        let Some(fen) = fen else { return Ok(GameStart { position: variant.start(), tags }) };
        let setup: Fen = fen.parse().map_err(|error| RequestError::Fen { text: fen.to_owned(), error })?;
        let position = variant.position(&setup).map_err(|_| RequestError::Start(fen.to_owned()))?;
        tags.push("SetUp", "1");
        tags.push("FEN", fen);
        Ok(GameStart { position, tags })
    }
}

/// Decodes a game to PGN. The number of plies follows the code or is given as `plies`.
///
/// # Errors
/// The text is not a valid code of this format, or not a game of this encoding.
pub fn decode_game(
    codec: &GameCodec,
    format: CodeFormat,
    start: &GameStart,
    text: &str,
    plies: Option<usize>,
) -> Result<String> {
    let mut words = text.split_whitespace();
    let code = words.next().unwrap_or_default();
    let plies = match words.next() {
        Some(text) => Some(text.parse().map_err(|error| CodeError::Plies { text: text.to_owned(), error })?),
        None => plies,
    };
    if let Some(word) = words.next() {
        return Err(CodeError::After(word.to_owned()).into());
    }
    let game = match format.read(code)? {
        Code::Bytes(bytes) => codec.decode(&start.position, &bytes, plies)?,
        Code::Number(number) => {
            of_bytes(codec, &start.position, &MixedRadix::from(&number).to_bytes_le(), plies)?
        }
    };
    let (mut pgn, mut tags) = (String::new(), start.tags.clone());
    tags.push("Result", game.outcome.as_str());
    let (order, annotations) = (TagOrder::RosterFirst, Annotations::default());
    write_game(&mut pgn, &tags, order, &game.start, &game.moves, &annotations, game.outcome);
    Ok(pgn)
}

/// The game of these bytes, or of these bytes followed by zero bytes, which an integer cannot represent: `coords` ends
/// in one or two.
fn of_bytes(
    codec: &GameCodec,
    start: &VariantPosition,
    bytes: &[u8],
    plies: Option<usize>,
) -> Result<GameMoves<VariantPosition>, DecodeError> {
    let with_zeros = |zeros| codec.decode(start, &[bytes, &[0; 2][..zeros]].concat(), plies);
    with_zeros(0).or_else(|error| with_zeros(1).or_else(|_| with_zeros(2)).map_err(|_| error))
}

/// More leading zero bits than any encoded position has.
const MOST_ZEROS: usize = 512;

/// Encodes a position.
///
/// # Errors
/// The encoding cannot represent it.
pub fn encode_position(codec: &PositionCodec, format: CodeFormat, setup: &Setup) -> Result<String> {
    Ok(format.write(&codec.encode(setup)?, position_number))
}

/// Decodes a position. If an integer is ambiguous, `bits` gives the number of bits.
///
/// # Errors
/// The text is not a valid code of this format, or not a position of this encoding.
pub fn decode_position(
    codec: &PositionCodec,
    format: CodeFormat,
    text: &str,
    bits: Option<usize>,
) -> Result<Setup> {
    match format.read(text)? {
        Code::Bytes(bytes) => Ok(codec.decode(&bytes)?),
        Code::Number(number) => Ok(of_number(codec, &number, bits)?),
    }
}

/// The number that the bits represent, most significant first.
fn position_number(bits: &Bits) -> Integer {
    let whole = BitReader::new(bits.bytes()).take_integer(bits.len());
    whole.unwrap_or_default() // there are as many bits
}

/// The position with this number. If the number of bits is unknown, exactly one width must fit.
fn of_number(codec: &PositionCodec, number: &Integer, bits: Option<usize>) -> Result<Setup, CodeError> {
    let least = bit_length(number);
    let widths = bits.map_or(least..=least + MOST_ZEROS, |bits| bits..=bits);
    let mut fitting = widths.filter_map(|width| Some((width, exactly(codec, number, width)?)));
    let (first, setup) = fitting.next().ok_or(CodeError::NoSuchNumber)?;
    match fitting.next() {
        Some((second, _)) => Err(CodeError::SeveralNumbers { first, second }),
        None => Ok(setup),
    }
}

/// The position encoded by a number of exactly `width` bits.
fn exactly(codec: &PositionCodec, number: &Integer, width: usize) -> Option<Setup> {
    let mut bits = Bits::default();
    bits.push_integer(number, width);
    let setup = codec.decode(bits.bytes()).ok()?;
    (codec.encode(&setup).ok()?.len() == width).then_some(setup)
}
