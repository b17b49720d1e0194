#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::cast_possible_truncation)]

use std::io::{SeekFrom, Write};

use flate2::{Compression as Level, GzBuilder, write::GzEncoder};

use super::*;

/// Text that compresses to about a third.
fn text(bytes: usize) -> Vec<u8> {
    let mut state = 1u32;
    let letter = |_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        b"abcdefgh12345678NBRQKx+ \n"[(state >> 16) as usize % 7 * (state >> 30) as usize]
    };
    (0..bytes).map(letter).collect()
}

fn zstd(text: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
    encoder.include_checksum(true).unwrap();
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn frames(text: &[u8], bytes: usize) -> Vec<Vec<u8>> {
    text.chunks(bytes).map(zstd).collect()
}

fn skipped(bytes: usize) -> Vec<u8> {
    [&[0x50, 0x2a, 0x4d, 0x18][..], &(bytes as u32).to_le_bytes(), &vec![7; bytes]].concat()
}

/// A member as bgzip writes it.
fn member(text: &[u8]) -> Vec<u8> {
    let extra = [b'B', b'C', 2, 0, 0, 0];
    let mut encoder = GzBuilder::new().extra(extra).write(Vec::new(), Level::fast());
    encoder.write_all(text).unwrap();
    let mut member = encoder.finish().unwrap();
    let length = (member.len() - 1) as u16;
    member[16..18].copy_from_slice(&length.to_le_bytes());
    member
}

fn plain_member(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Level::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn members(text: &[u8]) -> Vec<Vec<u8>> {
    text.chunks(65_280).map(member).chain([member(&[])]).collect()
}

/// A reader that fails at an offset.
struct Failing {
    bytes: Cursor<Vec<u8>>,
    at: u64,
}

impl Read for Failing {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.at.saturating_sub(self.bytes.position());
        if left == 0 {
            Err(io::Error::other("the disk is gone"))
        } else {
            (&mut self.bytes).take(left).read(buffer)
        }
    }
}

impl Seek for Failing {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.bytes.seek(to)
    }
}

/// The text, the error after it, and the count of compressed bytes.
type Reading = (Vec<u8>, Option<String>, u64);

fn read(packed: impl Read + Seek + 'static, threads: usize, asked: usize) -> Reading {
    let consumed = Arc::default();
    let (mut reader, _) = unpacked_ahead(packed, &consumed, threads, &Confirmed::default()).unwrap();
    let (mut text, mut buffer) = (Vec::new(), vec![0; asked]);
    let error = loop {
        match reader.read(&mut buffer) {
            Ok(0) => break None,
            Ok(read) => text.extend_from_slice(&buffer[..read]),
            Err(error) => break Some(error.to_string()),
        }
    };
    (text, error, consumed.load(Ordering::Relaxed))
}

/// All ways of reading must give the same text and error.
fn agree(what: &str, packed: &[u8]) -> (Vec<u8>, Option<String>) {
    let serial = read(Cursor::new(packed.to_vec()), 1, 4 << 10);
    for (threads, asked) in [(2, 4 << 10), (3, 300_000)] {
        assert!(serial == read(Cursor::new(packed.to_vec()), threads, asked), "{what}");
    }
    (serial.0, serial.1)
}

#[test]
fn intact_parts_are_decompressed_however_they_are_split() {
    let text = text(4 << 20);
    let many = frames(&text, 300_000);
    let with_others = many.iter().flat_map(|frame| [skipped(4), frame.clone(), zstd(&[])]);
    let (small, large) = text.split_at(1 << 20);
    let large = [large; 3].concat();
    for (what, packed, expected) in [
        ("one frame", zstd(&text), text.clone()),
        ("many frames", many.concat(), text.clone()),
        ("tiny frames", frames(small, 100).concat(), small.to_vec()),
        ("skipped and empty frames", with_others.flatten().collect(), text.clone()),
        ("only skipped frames", [skipped(0), skipped(5 << 20), skipped(9)].concat(), Vec::new()),
        ("a large frame between", [many.concat(), zstd(&large), many.concat()].concat(), {
            [&text[..], &large, &text].concat()
        }),
        ("members of bgzip", members(&text).concat(), text.clone()),
        ("other members", [plain_member(small), plain_member(&large)].concat(), [small, &large].concat()),
        ("both", [members(&text).concat(), plain_member(small)].concat(), [&text, small].concat()),
    ] {
        let (given, error) = agree(what, &packed);
        assert_eq!(error, None, "{what}");
        assert!(given == expected, "{what}");
    }
}

#[test]
fn damage_is_reported_as_in_a_serial_read() {
    let text = text(3 << 20);
    for (what, parts) in [("frames", frames(&text, 500_000)), ("members", members(&text))] {
        let packed = parts.concat();
        let middle = parts[..parts.len() / 2].concat().len();
        for cut in [1, 3, 7, 20, middle, middle + 2, middle + 30, packed.len() - 3, packed.len() - 1] {
            agree(&format!("{what} cut at {cut}"), &packed[..cut]);
        }
        for at in (8..packed.len()).step_by(packed.len() / 16).chain(middle..middle + 30) {
            let mut damaged = packed.clone();
            damaged[at] ^= 0x15;
            agree(&format!("{what} damaged at {at}"), &damaged);
        }
        for garbage in [&b"garbage"[..], &[0; 600], &[0x28, 0xb5, 0x2f, 0xfd], &[0x1f, 0x8b]] {
            let (_, error) = agree(&format!("{what} with garbage"), &[&packed, garbage].concat());
            assert!(error.is_some());
        }
        let mut damaged = packed.clone();
        damaged[middle + 5_000] ^= 1;
        let (given, error) = agree(what, &damaged);
        // A checksum comes after the data.
        let before = text.len() / 3;
        assert!(error.is_some() && given.get(..before) == text.get(..before), "{what}");
    }
}

#[test]
fn wrong_lengths_in_headers_are_handled() {
    let text = text(4 << 20);
    let part = &text[..60_000];
    let sized = zstd::bulk::compress(part, 1).unwrap();
    assert_eq!(zstd::zstd_safe::get_frame_content_size(&sized).ok().flatten(), Some(60_000));
    let others = frames(&text, 500_000).concat();
    for content in [0_u16, 59_000, 59_743, 59_744, 59_745, 65_535] {
        // Two bytes contain the length minus 256.
        let mut lying = sized.clone();
        lying[5..7].copy_from_slice(&content.to_le_bytes());
        let (_, error) = agree("content", &[&others, &lying[..], &others].concat());
        assert_eq!(error.is_none(), content == 59_744, "{content}");
    }
    let others = members(&text);
    for length in [0_u16, 17, 100, 20_000, 65_535] {
        let mut lying = others.clone();
        lying[30][16..18].copy_from_slice(&length.to_le_bytes());
        // The library does not check it.
        assert!(agree("length", &lying.concat()) == (text.clone(), None), "{length}");
    }
    let bomb = member(&vec![b' '; 9 << 20]);
    assert_eq!(agree("a large member", &[others.concat(), bomb].concat()).0.len(), text.len() + (9 << 20));
}

#[test]
fn a_read_error_comes_after_the_text_before_it() {
    let text = text(3 << 20);
    for packed in [frames(&text, 400_000).concat(), members(&text).concat()] {
        for part in 1..8 {
            let at = (packed.len() / 8 * part) as u64;
            let failing = || Failing { bytes: Cursor::new(packed.clone()), at };
            let serial = read(failing(), 1, 4 << 10);
            assert_eq!(serial.1.as_deref(), Some("the disk is gone"));
            assert!(serial == read(failing(), 3, 50_000));
        }
    }
}

#[test]
fn excessive_expansion_is_rejected_at_the_same_byte() {
    let packed = frames(&vec![b' '; 70 << 20], 1 << 20).concat();
    let (text, error) = agree("blanks", &packed);
    assert!(error.is_some_and(|error| error.contains("times its size")));
    assert!(text.len() as u64 <= FREE_EXPANSION_BYTES);
}

#[test]
fn parts_are_decompressed_ahead_in_bounded_memory() {
    let text = text(20 << 20);
    for (packed, compression, largest) in [
        (frames(&text, 4 << 20).concat(), Compression::Zstd, 7 << 20),
        (frames(&text, 100_000).concat(), Compression::Zstd, 3 << 20),
        (members(&text).concat(), Compression::Gzip, 3 << 20),
    ] {
        let length = packed.len() as u64;
        let mut reader =
            UnpackAhead::new(Cursor::new(packed), compression, 3, Arc::default(), Confirmed::default());
        let (mut buffer, mut at, mut most, mut at_work) = (vec![0; 10_000], 0, 0, 0);
        loop {
            let read = reader.read(&mut buffer).unwrap();
            if read == 0 {
                break;
            }
            assert!(buffer[..read] == text[at..at + read]);
            at += read;
            most = most.max(reader.jobs.iter().map(|job| job.memory).sum());
            at_work = at_work.max(reader.jobs.len());
        }
        assert_eq!((at, reader.consumed.load(Ordering::Relaxed)), (text.len(), length));
        assert!(matches!(reader.state, UnpackState::Ahead(_)));
        assert!((1..=3).contains(&at_work) && most < AHEAD_MEMORY + largest, "{at_work} {most}");
    }
}
