//! Parses names (results, variants, codecs), and the notations for encoded games and positions: hexadecimal, base64url,
//! bits, or an integer.

use data_encoding::{BASE64URL_NOPAD, DecodeError, HEXLOWER, HEXLOWER_PERMISSIVE};

use super::{CodeError, RequestError, WordError, error::listed};
use crate::{
    bits::{Bits, Integer},
    chess::Variant,
    codec::{
        game::{self, GAME_CODECS, GameCodec},
        position::{self, POSITION_CODECS, PositionCodec},
    },
    record::GameKind,
    rules::{BLACK_WINS, DRAW, Outcome, WHITE_WINS},
};

/// The notation of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeFormat {
    /// The bytes in hexadecimal.
    Hex,
    /// The bytes in base64url without padding.
    Base64url,
    /// The bits as 0 and 1.
    Bits,
    /// One decimal integer.
    Int,
}

/// A parsed code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Code {
    /// The bytes.
    Bytes(Vec<u8>),
    /// An integer, which does not preserve zero bits or bytes at one end.
    Number(Integer),
}

/// The notation of an empty code.
const NOTHING: &str = "-";

impl CodeFormat {
    /// What its texts are.
    pub(super) fn texts(self) -> &'static str {
        match self {
            CodeFormat::Hex => "hexadecimal text",
            CodeFormat::Base64url => "base64url",
            CodeFormat::Bits => "a sequence of 0 and 1",
            CodeFormat::Int => "a decimal integer",
        }
    }

    /// Formats a code; `number` converts it to an integer.
    pub fn write(self, bits: &Bits, number: fn(&Bits) -> Integer) -> String {
        let text = match self {
            CodeFormat::Hex => hex(bits),
            CodeFormat::Base64url => BASE64URL_NOPAD.encode(bits.bytes()),
            CodeFormat::Bits => bits.to_string(),
            CodeFormat::Int => number(bits).to_string(),
        };
        if text.is_empty() { NOTHING.to_owned() } else { text }
    }

    /// Parses a code.
    ///
    /// # Errors
    /// The text is not valid in this notation.
    pub fn read(self, text: &str) -> Result<Code, CodeError> {
        if text.is_empty() {
            return Err(CodeError::Missing);
        }
        if text == NOTHING {
            return Ok(Code::Bytes(Vec::new()));
        }
        let no = |error| CodeError::Invalid { text: text.to_owned(), format: self, error };
        let bytes =
            |read: Result<Vec<u8>, DecodeError>| read.map(Code::Bytes).map_err(|error| no(Some(error)));
        match self {
            CodeFormat::Hex => bytes(HEXLOWER_PERMISSIVE.decode(text.as_bytes())),
            CodeFormat::Base64url => bytes(BASE64URL_NOPAD.decode(text.trim_end_matches('=').as_bytes())),
            CodeFormat::Bits => {
                let bits = bits(text).ok_or_else(|| no(None))?;
                Ok(Code::Bytes(bits.into_bytes()))
            }
            CodeFormat::Int => {
                let plain = text.bytes().all(|byte| byte.is_ascii_digit());
                let number = plain.then(|| text.parse().ok()).flatten();
                number.map(Code::Number).ok_or_else(|| no(None))
            }
        }
    }
}

fn bits(text: &str) -> Option<Bits> {
    text.chars().try_fold(Bits::default(), |mut bits, digit| {
        bits.push_bit(digit.to_digit(2)? == 1);
        Some(bits)
    })
}

/// The bytes in hexadecimal.
pub(crate) fn hex(bits: &Bits) -> String {
    HEXLOWER.encode(bits.bytes())
}

/// Parses a result as in PGN, or `draw`, `drawn`, `white`, `black`.
///
/// # Errors
/// The text is not a valid result.
pub fn outcome(text: &str) -> Result<Outcome, RequestError> {
    match text {
        "draw" | "drawn" | "=" | "1/2" => Ok(DRAW),
        "white" => Ok(WHITE_WINS),
        "black" => Ok(BLACK_WINS),
        text => text.parse().map_err(|_| RequestError::Outcome(text.to_owned())),
    }
}

/// Parses the name of a game: a variant of chess, or Xelto.
///
/// # Errors
/// The name is unknown.
pub fn game_kind(text: &str) -> Result<GameKind, RequestError> {
    let known = || GameKind::all().map(GameKind::name);
    GameKind::from_name(text).ok_or_else(|| RequestError::word(WordError::Variant, text, known()))
}

/// Parses the name of a variant of chess.
///
/// # Errors
/// The name is unknown or not a variant of chess.
pub fn variant(text: &str) -> Result<Variant, RequestError> {
    game_kind(text)?.variant().ok_or_else(|| RequestError::NotChess(text.to_owned()))
}

/// The game codec with this name.
///
/// # Errors
/// The name is unknown.
pub fn game_codec(name: &str) -> Result<&'static GameCodec, RequestError> {
    game::by_name(name).ok_or_else(|| unknown_codec(name, "game", GAME_CODECS.iter().map(|codec| codec.name)))
}

/// The position codec with this name.
///
/// # Errors
/// The name is unknown.
pub fn position_codec(name: &str) -> Result<&'static PositionCodec, RequestError> {
    position::by_name(name)
        .ok_or_else(|| unknown_codec(name, "position", POSITION_CODECS.iter().map(|codec| codec.name)))
}

/// The error for an unknown codec.
pub(crate) fn unknown_codec(
    name: &str,
    of: &'static str,
    known: impl Iterator<Item = &'static str>,
) -> RequestError {
    CodeError::Codec { name: name.to_owned(), of, known: listed(known) }.into()
}
