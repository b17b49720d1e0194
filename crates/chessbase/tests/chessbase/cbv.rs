//! Archives packed by a packer of the tests, in all four ways.

use std::io::Cursor;

use plybook_chessbase::{ArchiveError, CbvArchive, is_cbv};
use proptest::{prelude::*, sample::Index};

use crate::{Files, base::Base, read};

/// Bits from the highest on.
#[derive(Default)]
struct Bits(Vec<bool>);

impl Bits {
    fn push(&mut self, number: usize, length: usize) {
        self.0.extend((0..length).rev().map(|bit| number >> bit & 1 == 1));
    }

    fn bytes(&self) -> Vec<u8> {
        let byte =
            |bits: &[bool]| (0..8).fold(0, |byte, at| byte << 1 | u8::from(bits.get(at) == Some(&true)));
        self.0.chunks(8).map(byte).collect()
    }
}

/// Codes of 4 bits for the bytes below 15, and of 12 for all others.
fn huffman(data: &[u8]) -> Vec<u8> {
    let code = |byte: u8| match byte {
        0..=14 => (usize::from(byte), 4),
        byte => (15 << 8 | usize::from(byte), 12),
    };
    let mut bits = Bits::default();
    for byte in 0..=255 {
        let (number, length) = code(byte);
        bits.push(length, 4);
        bits.push(number, length);
    }
    data.iter().for_each(|byte| bits.push(code(*byte).0, code(*byte).1));
    [&(data.len() as u16).to_be_bytes()[..], &bits.bytes()].concat()
}

/// Bytes as they are, and every kind of repetition.
fn repetitions(data: &[u8]) -> Vec<u8> {
    let (mut items, mut at) = (Vec::new(), 0);
    while at < data.len() {
        let run = data[at..].iter().take_while(|byte| **byte == data[at]).count();
        let copy = (3..=(at.min(4098))).find_map(|distance| {
            let length = (at..data.len()).take_while(|&to| data[to] == data[to - distance]).count();
            (length >= 3).then_some((distance - 3, length))
        });
        let (item, length): (Vec<u8>, usize) = match (run, copy) {
            (19.., _) => {
                let (length, over) = (run.min(4114), run.min(4114) - 19);
                (vec![0x10 | (over % 16) as u8, (over / 16) as u8, data[at]], length)
            }
            (3.., _) => (vec![(run - 3) as u8, data[at]], run),
            (_, Some((far, length @ 16..))) => {
                let length = length.min(271);
                (vec![0x20 | (far % 16) as u8, (far / 16) as u8, (length - 16) as u8], length)
            }
            (_, Some((far, length))) => {
                (vec![(length as u8) << 4 | (far % 16) as u8, (far / 16) as u8], length)
            }
            _ => (vec![data[at]], 1),
        };
        items.push((item, length > 1));
        at += length;
    }
    let mut packed = Vec::new();
    for group in items.chunks(16) {
        let control =
            group.iter().enumerate().fold(0_u16, |word, (at, item)| word | u16::from(item.1) << (15 - at));
        packed.extend(control.to_le_bytes());
        group.iter().for_each(|item| packed.extend(&item.0));
    }
    packed
}

fn block(data: &[u8], packing: u8) -> Vec<u8> {
    let words = data.chunks(2).map(|pair| u16::from_be_bytes([pair[0], *pair.get(1).unwrap_or(&0)]));
    let check = words.fold(0_u16, u16::wrapping_add);
    let data = if packing & 1 == 0 { data.to_vec() } else { repetitions(data) };
    let data = if packing & 2 == 0 { data } else { huffman(&data) };
    [&(data.len() as u16 + 1).to_le_bytes()[..], &check.to_le_bytes(), &[packing], &data].concat()
}

/// An archive of files, each in blocks of a size.
pub fn archive(files: &Files, packing: u8, size: usize) -> Vec<u8> {
    let mut bytes = [&[8, 0][..], &(files.len() as u16).to_le_bytes(), &[173, 0, 3, 0]].concat();
    let mut all = Vec::new();
    for (extension, file) in files {
        let packed: Vec<u8> = file.chunks(size).flat_map(|part| block(part, packing)).collect();
        let mut entry = format!("..\\C:\\bases\\my base.{extension}").into_bytes();
        entry.resize(132, 0);
        entry.extend([packed.len() as i32, file.len() as i32].map(i32::to_le_bytes).concat());
        entry.resize(173, 0);
        bytes.extend(entry);
        all.extend(packed);
    }
    bytes.extend(all);
    bytes
}

fn unpack(bytes: Vec<u8>) -> Result<Files, ArchiveError> {
    let mut archive = CbvArchive::open(Box::new(Cursor::new(bytes)))?;
    let mut files = Files::new();
    for entry in archive.entries().to_vec() {
        let mut file = Vec::new();
        archive.unpack(&entry, &mut file)?;
        files.insert(entry.name.rsplit('.').next().unwrap().to_owned(), file);
    }
    Ok(files)
}

fn files() -> Files {
    let mut base = Base::new();
    base.game(
        "e4 e5 255",
        &[(0, 0x02, &[&[0, 0][..], &b"abcabcabcabcabcabcabcabcabcabc".repeat(9)].concat())],
    );
    base.files()
}

#[test]
fn files_are_unpacked_however_their_blocks_are_packed() {
    let files = files();
    for packing in 0..4 {
        for size in [7, 1000, 20_000] {
            let bytes = archive(&files, packing, size);
            assert!(is_cbv(&bytes));
            let unpacked = unpack(bytes).unwrap();
            assert!(unpacked == files, "{packing} {size}");
            assert_eq!(read(&unpacked).len(), 1);
        }
    }
}

#[test]
fn check_values_leave_out_the_last_byte_as_in_real_archives() {
    // The words 0x0800, 0x4e6c and the high byte of the last word, 0x65.
    let data = [8, 0, 0x4e, 0x6c, 0x65, 0x33];
    let files: Files = [("cbj".to_owned(), data.to_vec())].into();
    let mut bytes = archive(&files, 0, 1000);
    let check = bytes.len() - data.len() - 3;
    bytes[check..check + 2].copy_from_slice(&(0x0800_u16 + 0x4e6c + 0x6500).to_le_bytes());
    assert!(unpack(bytes.clone()).unwrap() == files);
    bytes[check] ^= 1;
    assert!(unpack(bytes).is_err());
}

#[test]
fn names_have_no_directories() {
    let archive = CbvArchive::open(Box::new(Cursor::new(archive(&files(), 0, 1000)))).unwrap();
    assert!(archive.entries().iter().all(|entry| entry.name.starts_with("my base.cb")));
}

#[test]
fn damaged_archives_are_errors_with_an_offset() {
    let whole = archive(&files(), 3, 1000);
    for length in (0..whole.len()).step_by(13) {
        let damaged = unpack(whole[..length].to_vec());
        assert!(matches!(damaged, Err(ArchiveError::Damaged { .. })), "{length}");
    }
    // A plain block has a check value.
    let mut changed = archive(&files(), 0, 1000);
    let before_last = changed.len() - 2;
    changed[before_last] ^= 1;
    assert!(matches!(unpack(changed), Err(ArchiveError::Damaged { .. })));
}

#[test]
fn files_that_claim_too_much_are_not_unpacked() {
    let mut bytes = archive(&files(), 0, 1000);
    bytes[8 + 132 + 4..8 + 132 + 8].copy_from_slice(&i32::MAX.to_le_bytes());
    assert!(matches!(unpack(bytes), Err(ArchiveError::TooLarge(_))));
    // A block that expands beyond the size of its file.
    let mut bytes = archive(&files(), 1, 20_000);
    bytes[8 + 132 + 4..8 + 132 + 8].copy_from_slice(&10_i32.to_le_bytes());
    assert!(matches!(unpack(bytes), Err(ArchiveError::Damaged { .. })));
}

proptest! {
    #[test]
    fn random_data_is_packed_and_unpacked(data in prop::collection::vec(0_u8..6, 0..3000), packing in 0_u8..4) {
        let files: Files = [("cbh".to_owned(), data)].into();
        prop_assert!(unpack(archive(&files, packing, 1500)).unwrap() == files);
    }

    #[test]
    fn random_changes_are_errors_or_read(changes in prop::collection::vec((any::<Index>(), any::<u8>()), 1..8), packing in 0_u8..4) {
        let mut bytes = archive(&files(), packing, 1000);
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        drop(unpack(bytes));
    }
}
