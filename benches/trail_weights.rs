//! Learns what the trails of games are written with from master games (of `PLYBOOK_CORPUS`), and prints it: the pairs of
//! `crates/index/src/trail/pairs.txt`, and the weights in `crates/index/src/trail/weights.txt`. `cargo bench --bench trail_weights`. It does not use
//! the tables there are, and gives the same ones every time.
//!
//! Pairs are made one after the other, each of the two bytes that then follow each other most often in every second game.
//! The weights of files are such that each of the pawns that could do something does it in the proportion of the weights of
//! their files (Luce's choice), fitted by iteration.

#![allow(clippy::unwrap_used, clippy::expect_used)]
#![allow(missing_docs)]

use std::{cmp::Reverse, collections::BTreeMap, fs, ops::ControlFlow::Continue};

use plybook::{
    archive::{Archive, Filter},
    chess::{Color, Move, Position, Role, VariantPosition},
    import::{Options, import_paths},
};

#[path = "support/corpus.rs"]
mod corpus;

/// Bytes that stand for one change, and all bytes.
const CHANGES: u16 = 52;
const BYTES: u16 = 256;

/// The byte for the end of a game.
const END: u16 = 10;

/// Steps of the fitting.
const STEPS: usize = 200;

/// What is moved or taken, in the order of the rows.
const WHICH: [&str; 7] = ["taken", "one", "two", "promotes", "takes a pawn", "en passant", "takes"];

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;
const RANK: u64 = 0xff;

/// An event, and which files were possible for which pawn.
struct Event {
    change: Option<u16>,
    number: usize,
    choice: Option<(usize, u8, u32)>,
}

fn main() {
    if !corpus::measuring() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let corpus = corpus::all(usize::MAX).pop().unwrap();
    let (plain, path) = (folder.path().join("games.pgn"), folder.path().join("games.db"));
    fs::write(&plain, &corpus.text).unwrap();
    import_paths(&path, &[plain], &Options::default()).unwrap();
    let games = games(&Archive::open(&path).unwrap());
    println!("{}: {} games", corpus.name, games.len());
    print_pairs(&games);
    print_happens(&games);
    print_files(&games);
}

/// The events of all games from the usual start.
fn games(archive: &Archive) -> Vec<Vec<Event>> {
    let mut games = Vec::new();
    for game in archive.moves(&Filter::default()) {
        let game = game.unwrap();
        let Ok(VariantPosition::Chess(start)) = game.start() else { continue };
        if game.setup.is_some() {
            continue;
        }
        let (mut events, mut pawns) = (Vec::new(), [RANK << 8, RANK << 48]);
        let replayed = game.replay(start).unwrap().run(|position, m| {
            events.extend(m.and_then(|m| event(m, !position.turn(), &mut pawns)));
            Continue(())
        });
        replayed.unwrap();
        games.push(events);
    }
    games
}

fn place(role: Role) -> u16 {
    role as u16 - Role::Pawn as u16
}

fn event(m: Move, by: Color, pawns: &mut [u64; 2]) -> Option<Event> {
    let is_pawn = m.role() == Role::Pawn;
    if !is_pawn && !m.is_capture() {
        return None;
    }
    let black = by.fold_wb(0, 1);
    let seen = |board: u64| if black == 1 { board.swap_bytes() } else { board };
    let view = |square: shakmaty::Square| square as u32 ^ by.fold_wb(0, 56);
    let (own, other) = (seen(pawns[black]), seen(pawns[1 - black]));
    let (from, to) = (view(m.from()?), view(m.to()));
    let captured = m.capture();
    let change = match (m.promotion(), captured) {
        (Some(role), captured) => {
            Some(12 + 2 * (4 * captured.map_or(0, place) + place(role) - 1) + black as u16)
        }
        (None, Some(role)) => Some(2 * place(role) + black as u16),
        (None, None) => None,
    };
    let choice = if is_pawn {
        let all = own | other;
        let takers = |targets: u64| own & ((targets & !FILE_A) >> 9 | (targets & !FILE_H) >> 7);
        let (which, possible) = match (captured, m.promotion()) {
            _ if m.is_en_passant() => (5, own & RANK << 32),
            (None, Some(_)) => (3, own & !(all >> 8) & RANK << 48),
            (None, None) if to - from == 16 => (2, own & RANK << 8 & !(all >> 8) & !(all >> 16)),
            (None, None) => (1, own & !(all >> 8) & !(RANK << 48)),
            (Some(Role::Pawn), _) => (4, takers(other)),
            (Some(_), Some(_)) => (6, takers(!all) & RANK << 48),
            (Some(_), None) => (6, takers(!all)),
        };
        Some((which, files(possible), from % 8))
    } else {
        (captured == Some(Role::Pawn)).then(|| (0, files(other), to % 8))
    };
    let number = match change {
        None => usize::from(to - from == 16) + 2 * black,
        Some(_) if !is_pawn => 4,
        Some(_) => 5 + usize::from(m.is_en_passant()),
    };
    if is_pawn {
        pawns[black] = seen(own & !(1 << from) | if m.promotion().is_none() { 1 << to } else { 0 });
    }
    if captured == Some(Role::Pawn) {
        let taken = if m.is_en_passant() { to - 8 } else { to };
        pawns[1 - black] = seen(other & !(1 << taken));
    }
    Some(Event { change, number, choice })
}

fn files(squares: u64) -> u8 {
    (0..8).fold(0, |files, rank| files | (squares >> (8 * rank)) as u8)
}

fn print_pairs(games: &[Vec<Event>]) {
    let bytes = |game: &Vec<Event>| -> Vec<u16> {
        game.iter().filter_map(|event| event.change).chain([END]).collect()
    };
    let mut games: Vec<Vec<u16>> = games.iter().step_by(2).map(bytes).collect();
    println!("pairs, of {} games:", games.len());
    let mut pairs = Vec::new();
    for new in CHANGES..BYTES {
        let mut counts: BTreeMap<(u16, u16), usize> = BTreeMap::new();
        for pair in games.iter().flat_map(|game| game.windows(2)) {
            *counts.entry((pair[0], pair[1])).or_default() += 1;
        }
        let Some((pair, _)) = counts.into_iter().max_by_key(|(pair, count)| (*count, Reverse(*pair))) else {
            break;
        };
        games.iter_mut().for_each(|game| join(game, pair, new));
        pairs.push(format!("{},{}", pair.0, pair.1));
    }
    pairs.chunks(12).for_each(|line| println!("{}", line.join(" ")));
}

/// Puts one byte in the place of two.
fn join(game: &mut Vec<u16>, pair: (u16, u16), new: u16) {
    let (mut read, mut written) = (0, 0);
    while read < game.len() {
        let is_pair = game.get(read + 1).is_some_and(|next| (game[read], *next) == pair);
        game[written] = if is_pair { new } else { game[read] };
        read += 1 + usize::from(is_pair);
        written += 1;
    }
    game.truncate(written);
}

fn print_happens(games: &[Vec<Event>]) {
    let mut counts = [[[0u64; 7]; 8]; 13];
    let class = |change: u16| usize::from(if change <= END { change } else { 11 + change % 2 });
    for game in games {
        let mut changes = game.iter().filter_map(|event| event.change).chain([END]);
        let (mut coming, mut before) = (changes.next().unwrap(), 7);
        for event in game {
            counts[class(coming)][before][event.number] += 1;
            before = event.number;
            if event.change.is_some() {
                coming = changes.next().unwrap();
            }
        }
        counts[class(END)][before][4] += 1;
    }
    println!("how often each event was counted, of 255, by the coming change and the event before:");
    for row in counts.as_flattened() {
        let most = row.iter().max().unwrap().max(&1);
        let scaled = |count: u64| if count == 0 { 0 } else { ((count * 255 + most / 2) / most).max(1) };
        println!("{}", row.map(|count| scaled(count).to_string()).join(" "));
    }
}

fn print_files(games: &[Vec<Event>]) {
    println!("weights of the files a to h:");
    for (which, name) in WHICH.iter().enumerate() {
        let mut chosen: BTreeMap<u8, [f64; 8]> = BTreeMap::new();
        for (of, files, file) in games.iter().flatten().filter_map(|event| event.choice) {
            if of == which {
                chosen.entry(files).or_default()[file as usize] += 1.0;
            }
        }
        let mut weights = [1.0f64; 8];
        for _ in 0..STEPS {
            let (mut had, mut expected) = ([0.0; 8], [0.0; 8]);
            for (files, counts) in &chosen {
                let possible = || (0..8).filter(|file| files >> file & 1 == 1);
                let sum: f64 = possible().map(|file| weights[file]).sum();
                let all: f64 = counts.iter().sum();
                for file in possible() {
                    had[file] += counts[file];
                    expected[file] += all / sum;
                }
            }
            for file in 0..8 {
                if expected[file] > 0.0 {
                    weights[file] = (had[file] + 0.5) / expected[file];
                }
            }
        }
        let sum: f64 = weights.iter().sum();
        let weights = weights.map(|weight| ((weight * 1000.0 / sum) as u32).to_string());
        println!("{} ({name})", weights.join(" "));
    }
}
