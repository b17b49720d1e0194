//! zstd frames without the C library: decompression only.

use std::io::{self, Read};

use ruzstd::decoding::{BlockDecodingStrategy, Dictionary, FrameDecoder};

use super::{FrameError, MAX_WINDOW, checked_content};

/// Bytes that are decompressed before they are moved out: at least one block.
const STEP: usize = 128 << 10;

/// The decoder's ID for the dictionary. Frames do not contain it.
const DICTIONARY: u32 = 1;

/// Decompresses frames with one dictionary.
pub struct Unpacker {
    dictionary: &'static [u8],
    decoder: Option<FrameDecoder>,
}

impl Unpacker {
    /// A decoder with a dictionary of plain text, or with an empty one for none.
    pub const fn new(dictionary: &'static [u8]) -> Unpacker {
        Unpacker { dictionary, decoder: None }
    }

    /// The content of a frame, with at most `max` bytes.
    pub fn unpack(&mut self, frame: &[u8], max: usize) -> Result<Vec<u8>, FrameError> {
        let length = checked_content(frame, max)?;
        let decoder = self.decoder.get_or_insert_default();
        decoder.set_max_window_size(MAX_WINDOW.max(max as u64));
        let mut rest = frame;
        decoder.reset(&mut rest).map_err(|_| FrameError::Damaged)?;
        if !self.dictionary.is_empty() && decoder.force_dict(DICTIONARY).is_err() {
            decoder.add_dict(plain(self.dictionary)).map_err(|_| FrameError::Damaged)?;
            decoder.force_dict(DICTIONARY).map_err(|_| FrameError::Damaged)?;
        }
        let content = content(decoder, rest, max)?;
        if length.is_none_or(|length| length == content.len() as u64) {
            Ok(content)
        } else {
            Err(FrameError::Damaged)
        }
    }
}

/// A dictionary that is only text: tables and offsets are those with which every frame begins.
fn plain(text: &[u8]) -> Dictionary {
    Dictionary {
        id: DICTIONARY,
        fse: Default::default(),
        huf: Default::default(),
        dict_content: text.to_vec(),
        offset_hist: [1, 4, 8],
    }
}

/// Decodes all blocks, which must not be followed by other bytes.
fn content(decoder: &mut FrameDecoder, mut blocks: &[u8], max: usize) -> Result<Vec<u8>, FrameError> {
    let mut content = Vec::new();
    let mut finished = false;
    while !finished {
        let step = BlockDecodingStrategy::UptoBytes(STEP);
        finished = decoder.decode_blocks(&mut blocks, step).map_err(|_| FrameError::Damaged)?;
        let ready = decoder.can_collect();
        if ready > max - content.len() {
            return Err(FrameError::TooLarge);
        }
        append(decoder, ready, &mut content).map_err(|_| FrameError::Damaged)?;
    }
    let sum = decoder.get_checksum_from_data();
    let is_whole = blocks.is_empty() && (sum.is_none() || sum == decoder.get_calculated_checksum());
    if is_whole { Ok(content) } else { Err(FrameError::Damaged) }
}

fn append(decoder: &mut FrameDecoder, ready: usize, content: &mut Vec<u8>) -> io::Result<()> {
    content.reserve(ready);
    decoder.take(ready as u64).read_to_end(content)?;
    Ok(())
}
