//! How encoded games and positions are written: hexadecimal, base64url, bits, or one integer.

use anyhow::{Context, bail};
use clap::{
    ValueEnum,
    builder::{PossibleValuesParser, TypedValueParser},
};
use data_encoding::{BASE64URL_NOPAD, HEXLOWER, HEXLOWER_PERMISSIVE};

use crate::bits::{Bits, Integer};

/// How a code is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Form {
    /// The bytes in hexadecimal
    Hex,
    /// The bytes in base64url without padding
    Base64url,
    /// The bits as 0 and 1
    Bits,
    /// One decimal integer
    Int,
}

/// A code that was read.
pub(super) enum Code {
    /// Its bytes.
    Bytes(Vec<u8>),
    /// An integer, which has lost the zero bits or bytes at one end.
    Number(Integer),
}

/// What stands for a code without any bits.
const NOTHING: &str = "-";

/// The forms of games: an integer's bits have no order of their own.
pub(super) fn game_forms() -> impl TypedValueParser<Value = Form> {
    PossibleValuesParser::new(["int", "hex", "base64url"]).try_map(|name| Form::from_str(&name, false))
}

impl Form {
    /// Writes a code; `number` says what integer it is.
    pub(super) fn write(self, bits: &Bits, number: fn(&Bits) -> Integer) -> String {
        let text = match self {
            Form::Hex => HEXLOWER.encode(bits.bytes()),
            Form::Base64url => BASE64URL_NOPAD.encode(bits.bytes()),
            Form::Bits => bits.to_string(),
            Form::Int => number(bits).to_string(),
        };
        if text.is_empty() { NOTHING.to_owned() } else { text }
    }

    /// Reads a code.
    pub(super) fn read(self, text: &str) -> anyhow::Result<Code> {
        if text.is_empty() {
            bail!("there is no code");
        }
        if text == NOTHING {
            return Ok(Code::Bytes(Vec::new()));
        }
        Ok(match self {
            Form::Hex => {
                let bytes = HEXLOWER_PERMISSIVE.decode(text.as_bytes());
                Code::Bytes(bytes.with_context(|| format!("{text:?} is no hexadecimal text"))?)
            }
            Form::Base64url => {
                let bytes = BASE64URL_NOPAD.decode(text.trim_end_matches('=').as_bytes());
                Code::Bytes(bytes.with_context(|| format!("{text:?} is no base64url"))?)
            }
            Form::Bits => Code::Bytes(bits(text)?.into_bytes()),
            Form::Int => {
                let plain = text.bytes().all(|byte| byte.is_ascii_digit());
                let number = plain.then(|| text.parse().ok()).flatten();
                Code::Number(number.with_context(|| format!("{text:?} is no decimal integer"))?)
            }
        })
    }
}

fn bits(text: &str) -> anyhow::Result<Bits> {
    let mut bits = Bits::default();
    for digit in text.chars() {
        match digit {
            '0' | '1' => bits.push_bit(digit == '1'),
            _ => bail!("{text:?} is no row of 0 and 1"),
        }
    }
    Ok(bits)
}

/// The bytes in hexadecimal.
pub(super) fn hex(bits: &Bits) -> String {
    HEXLOWER.encode(bits.bytes())
}
