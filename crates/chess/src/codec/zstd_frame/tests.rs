//! Compares the two decoders: both decompress what the C library compresses, and damage harms neither.

use std::path::{Path, PathBuf};

use super::{FrameError, MAX_WINDOW, Packer, PartsPacker, c_library, pack_with_checksum, pure_rust};
use crate::codec::annotation::DICTIONARY;

struct Twins {
    c: c_library::Unpacker,
    rust: pure_rust::Unpacker,
}

impl Twins {
    fn new(dictionary: &'static [u8]) -> Twins {
        Twins { c: c_library::Unpacker::new(dictionary), rust: pure_rust::Unpacker::new(dictionary) }
    }

    /// The common result of both decoders for a frame written by a compressor, or with only its header damaged.
    fn agree(&mut self, frame: &[u8], max: usize) -> Result<Vec<u8>, FrameError> {
        let (c, rust) = (self.c.unpack(frame, max), self.rust.unpack(frame, max));
        assert_eq!(c.is_ok(), rust.is_ok(), "{c:?} {rust:?}");
        assert_eq!(c.as_ref().ok(), rust.as_ref().ok());
        rust
    }
}

/// The comments of the games in some files; those of a game form one text.
fn texts() -> Vec<Vec<u8>> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let corpus = std::env::var_os("PLYBOOK_CORPUS").map_or(own.join("../shared/data"), PathBuf::from);
    let mut files = vec![own.join("data/annotated.pgn"), own.join("data/famous.pgn")];
    let folder = std::fs::read_dir(corpus.join("annotated")).into_iter().flatten();
    files.extend(folder.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_file()));
    let mut texts = Vec::new();
    for file in files {
        let pgn = String::from_utf8_lossy(&std::fs::read(file).unwrap()).into_owned();
        for game in pgn.split("[Event ") {
            let comments = game.split('{').skip(1).filter_map(|comment| comment.split('}').next());
            let text: String = comments.flat_map(|comment| [comment, "\0"]).collect();
            // A single comment is the shortest possible text.
            texts.extend(text.split('\0').map(|comment| comment.as_bytes().to_vec()));
            texts.push(text.into_bytes());
        }
    }
    texts
}

#[test]
fn both_decompress_real_comments() {
    let (mut packer, mut twins, mut plain) =
        (Packer::new(DICTIONARY, 12), Twins::new(DICTIONARY), Twins::new(&[]));
    let texts = texts();
    for text in &texts {
        let frame = packer.pack(text).unwrap();
        assert_eq!(twins.agree(&frame, text.len()).as_ref(), Ok(text));
        if let Some(less) = text.len().checked_sub(1) {
            assert!(twins.agree(&frame, less).is_err());
        }
        let frame = pack_with_checksum(text, 3).unwrap();
        assert_eq!(plain.agree(&frame, text.len()).as_ref(), Ok(text));
    }
    assert!(texts.len() > 100, "{}", texts.len());
}

#[test]
fn parts_round_trip_in_order() {
    let (mut packer, mut plain) = (PartsPacker::new(6), Twins::new(&[]));
    let texts = texts();
    // Short ones share a block, long ones have several.
    for most in [1, 100, 10_000] {
        for texts in texts.chunks(most) {
            let parts: Vec<&[u8]> = texts.iter().map(Vec::as_slice).collect();
            let (frame, content) = (packer.pack(&parts).unwrap(), parts.concat());
            assert_eq!(plain.agree(&frame, content.len()), Ok(content));
        }
    }
    let none = packer.pack(&[]).unwrap();
    assert_eq!(plain.agree(&none, 0), Ok(Vec::new()));
}

#[test]
fn large_and_empty_texts_round_trip() {
    let mut plain = Twins::new(&[]);
    let text: Vec<u8> = texts().concat().iter().copied().cycle().take(5 << 20).collect();
    for length in [0, 1, 255, 256, 65_791, 65_792, 128 << 10, text.len()] {
        let text = &text[..length];
        let frame = pack_with_checksum(text, 3).unwrap();
        assert_eq!(plain.agree(&frame, length).as_deref(), Ok(text));
        assert_eq!(plain.agree(&[&frame[..], &[0]].concat(), length), Err(FrameError::Damaged));
        assert_eq!(plain.agree(&[&frame[..], &frame].concat(), 2 * length + 1), Err(FrameError::Damaged));
        let mut other = frame.clone();
        *other.last_mut().unwrap() ^= 1;
        assert_eq!(plain.agree(&other, length), Err(FrameError::Damaged));
    }
}

#[test]
fn the_window_is_checked_before_it_is_allocated() {
    let mut plain = Twins::new(&[]);
    // A window of 16 MiB, one step more, and the largest; then an empty raw block.
    let frame = |window: u8| [0x28, 0xb5, 0x2f, 0xfd, 0, window, 1, 0, 0];
    assert_eq!(plain.agree(&frame(14 << 3), 10), Ok(Vec::new()));
    for window in [(14 << 3) + 1, 0xff] {
        assert_eq!(plain.agree(&frame(window), 10), Err(FrameError::TooLarge));
    }
    // Content of 4 GiB in one segment.
    let large = [0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0xff, 0xff, 0xff, 0xff, 1, 0, 0];
    assert_eq!(plain.agree(&large, MAX_WINDOW as usize), Err(FrameError::TooLarge));
    // A dictionary ID, even if 0.
    assert_eq!(plain.agree(&[0x28, 0xb5, 0x2f, 0xfd, 0x21, 0, 0, 1, 0, 0], 10), Err(FrameError::Damaged));
}

#[test]
fn damaged_frames_never_exceed_the_size_limit() {
    let mut packer = Packer::new(DICTIONARY, 12);
    let texts: Vec<Vec<u8>> = texts().into_iter().filter(|text| (20..3_000).contains(&text.len())).collect();
    let mut twins = Twins::new(DICTIONARY);
    let mut state = 1u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for round in 0..60_000 {
        let text = &texts[random(texts.len())];
        let mut frame = match round % 2 {
            0 => packer.pack(text).unwrap(),
            _ => pack_with_checksum(text, 3).unwrap(),
        };
        for _ in 0..=random(3) {
            let at = random(frame.len());
            match random(4) {
                0 => frame[at] ^= 1 << random(8),
                1 => frame[at] = random(256) as u8,
                2 => frame.insert(at, random(256) as u8),
                _ => frame.truncate(at + 1),
            }
        }
        for content in [twins.c.unpack(&frame, text.len()), twins.rust.unpack(&frame, text.len())] {
            assert!(content.map_or(0, |content| content.len()) <= text.len());
        }
    }
}
