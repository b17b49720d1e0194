//! Builds databases of Scid byte by byte, from the description of the format alone.
#![allow(dead_code, clippy::unwrap_used)] // each user takes its part

use std::{fs, path::Path};

/// A game of a base. Its names are bytes, since nothing says their encoding.
#[derive(Clone, Debug, Default)]
pub struct BuiltGame {
    /// White, Black, event, site, round.
    pub names: [Vec<u8>; 5],
    pub date: u32,
    /// As both versions store it: relative and absolute.
    pub event_dates: [u32; 2],
    pub result: u32,
    pub eco: u32,
    pub ratings: [u32; 2],
    pub rating_types: [u32; 2],
    pub flags: u32,
    pub is_chess960: bool,
    pub data: Vec<u8>,
}

/// The files of a base: index, names, games.
pub type Files = [Vec<u8>; 3];

pub fn date(year: u32, month: u32, day: u32) -> u32 {
    year << 9 | month << 5 | day
}

/// A game's data: its tags, its start position if it has its own, its moves, its comments.
pub fn data(tags: &[(&[u8], &[u8])], fen: Option<&str>, moves: &[u8], comments: &[&[u8]]) -> Vec<u8> {
    let mut data = Vec::new();
    for (name, value) in tags {
        // A name of one byte is the number of a common one.
        match name {
            [number] if *number > 240 => data.push(*number),
            name => data.extend([&[name.len() as u8], *name].concat()),
        }
        data.push(value.len() as u8);
        data.extend(*value);
    }
    data.push(0);
    data.push(u8::from(fen.is_some()));
    if let Some(fen) = fen {
        data.extend([fen.as_bytes(), b"\0"].concat());
    }
    data.extend(moves);
    for comment in comments {
        data.extend([*comment, b"\0"].concat());
    }
    data
}

/// A game with moves and nothing else. The bytes end with 15.
pub fn game(moves: &[u8]) -> BuiltGame {
    let names = ["Anderssen", "Kieseritzky", "London", "London", "1"].map(|name| name.as_bytes().to_vec());
    BuiltGame {
        names,
        date: date(1851, 6, 21),
        result: 1,
        data: data(&[], None, moves, &[]),
        ..BuiltGame::default()
    }
}

/// The names of each kind, without repetition: players, events, sites, rounds.
fn names(games: &[BuiltGame]) -> [Vec<Vec<u8>>; 4] {
    let mut kinds: [Vec<Vec<u8>>; 4] = Default::default();
    for game in games {
        for (kind, name) in [0, 0, 1, 2, 3].into_iter().zip(&game.names) {
            if !kinds[kind].contains(name) {
                kinds[kind].push(name.clone());
            }
        }
    }
    kinds
}

fn ids(game: &BuiltGame, names: &[Vec<Vec<u8>>; 4]) -> [u32; 5] {
    let id =
        |kind: usize, place: usize| names[kind].iter().position(|name| *name == game.names[place]).unwrap();
    [id(0, 0), id(0, 1), id(1, 2), id(2, 3), id(3, 4)].map(|id| id as u32)
}

pub fn scid4(games: &[BuiltGame]) -> Files {
    let names = names(games);
    let mut index = [b"Scid.si\0".as_slice(), &400_u16.to_be_bytes(), &[0; 4]].concat();
    index.extend(&(games.len() as u32).to_be_bytes()[1..]);
    index.resize(182, 0);
    let mut data = Vec::new();
    for game in games {
        let [white, black, event, site, round] = ids(game, &names);
        let length = game.data.len() as u32;
        let mut record = (data.len() as u32).to_be_bytes().to_vec();
        record.extend((length as u16).to_be_bytes());
        record.push((length >> 16 << 7 | game.flags >> 16) as u8);
        record.extend((game.flags as u16).to_be_bytes());
        record.push((white >> 16 << 4 | black >> 16) as u8);
        record.extend([(white as u16).to_be_bytes(), (black as u16).to_be_bytes()].concat());
        record.push((event >> 16 << 5 | site >> 16 << 2 | round >> 16) as u8);
        record.extend([event, site, round].map(|id| (id as u16).to_be_bytes()).concat());
        record.extend(((game.result << 12) as u16).to_be_bytes());
        record.extend((game.eco as u16).to_be_bytes());
        record.extend((game.event_dates[0] << 20 | game.date).to_be_bytes());
        for (rating, kind) in game.ratings.into_iter().zip(game.rating_types) {
            record.extend(((kind << 12 | rating) as u16).to_be_bytes());
        }
        record.resize(47, 0);
        index.extend(record);
        data.extend(&game.data);
    }
    [index, scid4_names(&names), data]
}

/// The ids are in descending order, and each name shares what it can with the one before it.
fn scid4_names(names: &[Vec<Vec<u8>>; 4]) -> Vec<u8> {
    let mut file = [b"Scid.sn\0".as_slice(), &[0; 4]].concat();
    names.iter().for_each(|kind| file.extend(&(kind.len() as u32).to_be_bytes()[1..]));
    // The greatest use counts of events and sites need two and three bytes.
    [1_u32, 256, 65_536, 1].into_iter().for_each(|uses| file.extend(&uses.to_be_bytes()[1..]));
    for (names, use_size) in names.iter().zip([1, 2, 3, 1]) {
        let mut before: Option<&Vec<u8>> = None;
        for (id, name) in names.iter().enumerate().rev() {
            let id_size = if names.len() < 1 << 16 { 2 } else { 3 };
            file.extend(&(id as u32).to_be_bytes()[4 - id_size..]);
            file.extend(vec![1; use_size]);
            file.push(name.len() as u8);
            let shared = before.map(|before| name.iter().zip(before).take_while(|(a, b)| a == b).count());
            file.extend(shared.map(|shared| shared as u8));
            file.extend(&name[shared.unwrap_or(0)..]);
            before = Some(name);
        }
    }
    file
}

pub fn scid5(games: &[BuiltGame]) -> Files {
    let names = names(games);
    let (mut index, mut data, mut file) = (Vec::new(), Vec::new(), Vec::new());
    for game in games {
        let [white, black, event, site, round] = ids(game, &names);
        let [white_rating, black_rating] = game.ratings;
        let [white_type, black_type] = game.rating_types;
        let words = [
            white,
            black,
            event,
            site,
            u32::from(game.is_chess960) << 31 | round,
            white_rating << 20 | game.date,
            black_rating << 20 | game.event_dates[1],
            game.flags,
            (game.data.len() as u32) << 15,
            data.len() as u32,
            0,
            white_type << 21 | black_type << 18 | game.result << 16 | game.eco,
        ];
        index.extend(words.map(u32::to_le_bytes).concat());
        index.extend([0; 8]);
        data.extend(&game.data);
    }
    // Kinds of names may come in any order; information about the base comes among them.
    let mut push = |kind: usize, name: &[u8]| {
        let mut number = name.len() * 8 + kind;
        while number >= 128 {
            file.push((number % 128) as u8 | 128);
            number /= 128;
        }
        file.push(number as u8);
        file.extend(name);
    };
    push(4, b"descriptionA base");
    for (kind, names) in names.iter().enumerate().rev() {
        names.iter().for_each(|name| push(kind, name));
    }
    [index, file, data]
}

/// Writes the files of a base under a name, with these extensions.
pub fn write(folder: &Path, name: &str, extensions: [&str; 3], files: &Files) {
    for (extension, bytes) in extensions.into_iter().zip(files) {
        fs::write(folder.join(format!("{name}.{extension}")), bytes).unwrap();
    }
}
