//! The names of a database that is being written.

use std::collections::HashMap;

use crate::bytes::push_big_endian;

/// The names of a kind.
#[derive(Debug, Default)]
pub struct NameTable {
    pub ids: HashMap<String, u32>,
    pub uses: Vec<u32>,
}

/// Appends a number with seven bits per byte, the lowest first.
pub fn push_varint(to: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        to.extend((number & 0x7f | 0x80).to_le_bytes().first());
        number >>= 7;
    }
    to.extend(number.to_le_bytes().first());
}

/// The file of names of Scid 4: sorted, each without what it shares with the one before it.
pub fn scid4_names(kinds: &[NameTable; 4]) -> Vec<u8> {
    let most_used = |table: &NameTable| u64::from(table.uses.iter().copied().max().unwrap_or(0));
    let mut file = [b"Scid.sn\0".as_slice(), &[0; 4]].concat();
    kinds.iter().for_each(|table| push_big_endian(&mut file, table.uses.len() as u64, 3));
    kinds.iter().for_each(|table| push_big_endian(&mut file, most_used(table), 3));
    for table in kinds {
        let id_size = if table.uses.len() < 1 << 16 { 2 } else { 3 };
        let most_used = most_used(table);
        let use_size = 1 + usize::from(most_used >= 1 << 8) + usize::from(most_used >= 1 << 16);
        let mut names: Vec<(&String, u32)> = table.ids.iter().map(|(name, &id)| (name, id)).collect();
        names.sort_unstable();
        let mut before: Option<&String> = None;
        for (name, id) in names {
            let uses = table.uses.get(id as usize).copied().unwrap_or(0);
            push_big_endian(&mut file, u64::from(id), id_size);
            push_big_endian(&mut file, u64::from(uses), use_size);
            push_big_endian(&mut file, name.len() as u64, 1);
            let shared =
                before.map(|before| name.bytes().zip(before.bytes()).take_while(|(a, b)| a == b).count());
            file.extend(shared.and_then(|shared| u8::try_from(shared).ok()));
            file.extend(name.bytes().skip(shared.unwrap_or(0)));
            before = Some(name);
        }
    }
    file
}
