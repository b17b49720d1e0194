//! Builds databases byte by byte. It is written from the description of the format, and apart from the reader: moves are
//! encoded from lists of squares.

use std::{
    collections::{BTreeMap, HashMap},
    fs,
    path::Path,
};

use plybook_chess::chess::{Chess, Color, Move, Piece, Position, Role, San, Square};

/// The table of mode 0, and its inverse.
fn ordinary() -> [u8; 256] {
    let digits = "a29543f5c13d4a6c5383cc7cffae68add1928b8d35815e74268eabcafd9af3a0a515fcb11eed30ea22eba7cd4e6f2e24\
                  3294418c6e588250bb028ad8fa60de52ba46ac299dd7df08210166a3f11927b591d5420eb44cd9185fbc25a69604566a\
                  aa331c2b73f0dda437d3c510bf5a2334755bb855d26b093a5712b37748859b0f9ec7c8a17f7ac0bd316df63ec31171ce\
                  7ddaa85490971f444016c9e32ccb84ec9f3f5ce6760b3c20b73600dce7f94ff7af0607e01a0aa94b0cd66387891d131b\
                  e4700547677b2feee2e8980defcfc4f4fbb0179964f2d42a034d78c6fe65868879453be5498f2db9be629314e9d0389c\
                  b2c2595db67251f8287e6139e1db6980";
    std::array::from_fn(|at| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).unwrap())
}

pub fn stored(value: u8, count: u8) -> u8 {
    let byte = ordinary().iter().position(|other| *other == value).unwrap();
    (byte as u8).wrapping_add(count)
}

/// A square as ChessBase numbers it.
pub fn number(square: Square) -> u8 {
    (square.file().to_u32() * 8 + square.rank().to_u32()) as u8
}

/// The numbered pieces of a side: the first three of each role, and the pawns, which leave gaps.
type Lists = HashMap<(Color, Role), Vec<Option<Square>>>;

#[derive(Clone)]
pub struct Encoder {
    pub position: Chess,
    lists: Lists,
}

impl Encoder {
    pub fn new(position: Chess) -> Encoder {
        let mut lists = Lists::new();
        for square in (0..8).flat_map(|file| (0..8).map(move |rank| Square::new(8 * rank + file))) {
            if let Some(Piece { color, role }) = position.board().piece_at(square) {
                let list = lists.entry((color, role)).or_default();
                if list.len() < if role == Role::Pawn { 8 } else { 3 } {
                    list.push(Some(square));
                }
            }
        }
        Encoder { position, lists }
    }

    /// The values of a move: one, or 235 and two bytes if the piece has no number or is promoted.
    pub fn values(&self, m: Move) -> Vec<u8> {
        let color = self.position.turn();
        if let Move::Castle { king, rook } = m {
            return vec![if rook > king { 9 } else { 10 }];
        }
        let (from, to, role) = (m.from().unwrap(), m.to(), m.role());
        let promotion = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight]
            .iter()
            .position(|role| m.promotion() == Some(*role));
        let word =
            u16::from(number(from)) | u16::from(number(to)) << 6 | (promotion.unwrap_or(0) as u16) << 12;
        let long = [&[235], &word.to_be_bytes()[..]].concat();
        let files = to.file().to_u32() as i32 - from.file().to_u32() as i32;
        let ranks = to.rank().to_u32() as i32 - from.rank().to_u32() as i32;
        let find =
            |steps: &[(i32, i32)]| steps.iter().position(|step| *step == (files, ranks)).unwrap() as u8;
        if role == Role::King {
            return vec![1 + find(&[(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)])];
        }
        let list = self.lists.get(&(color, role));
        let index = list.and_then(|list| list.iter().position(|other| *other == Some(from)));
        let (Some(index), None) = (index, promotion) else { return long };
        let (up, right) = (ranks.rem_euclid(8) as u8, files.rem_euclid(8) as u8);
        let rook = || if right == 0 { up - 1 } else { 7 + right - 1 };
        let bishop = || if up == right { right - 1 } else { 7 + right - 1 };
        vec![match role {
            Role::Queen if up == 0 || right == 0 => [11, 143, 171][index] + rook(),
            Role::Queen => [11, 143, 171][index] + 14 + bishop(),
            Role::Rook => [39, 53, 199][index] + rook(),
            Role::Bishop => [67, 81, 213][index] + bishop(),
            Role::Knight => {
                let steps = [(2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1)];
                [95, 103, 227][index] + find(&steps)
            }
            _ => {
                let steps = [(0, 1), (0, 2), (1, 1), (-1, 1)];
                let steps = steps.map(|(file, rank)| color.fold_wb((file, rank), (-file, -rank)));
                111 + 4 * index as u8 + find(&steps)
            }
        }]
    }

    pub fn play(&mut self, m: Move) {
        let color = self.position.turn();
        let captured = match m {
            Move::EnPassant { from, to } => Some((Role::Pawn, Square::from_coords(to.file(), from.rank()))),
            _ => m.capture().map(|role| (role, m.to())),
        };
        if let Some((role, square)) = captured
            && let Some(list) = self.lists.get_mut(&(!color, role))
        {
            match role {
                Role::Pawn => {
                    list.iter_mut().filter(|slot| **slot == Some(square)).for_each(|slot| *slot = None)
                }
                _ => list.retain(|slot| *slot != Some(square)),
            }
        }
        if let Move::Castle { king, rook } = m {
            let to = Square::new(if rook > king { u32::from(king) + 1 } else { u32::from(king) - 1 });
            let rooks = self.lists.get_mut(&(color, Role::Rook)).unwrap();
            rooks.iter_mut().filter(|slot| **slot == Some(rook)).for_each(|slot| *slot = Some(to));
        } else {
            let list = self.lists.entry((color, m.role())).or_default();
            let to = Some(m.to()).filter(|_| m.promotion().is_none());
            list.iter_mut().filter(|slot| **slot == m.from()).for_each(|slot| *slot = to);
            if let Some(role) = m.promotion() {
                let list = self.lists.entry((color, role)).or_default();
                if list.len() < 3 {
                    list.push(Some(m.to()));
                }
            }
        }
        self.position.play_unchecked(m);
    }
}

/// The bytes of moves: SAN, `--`, and the codes 254 (another move from this position comes later) and 255 (end of a
/// line) and others as numbers.
pub fn moves(start: Chess, text: &str) -> Vec<u8> {
    let (mut bytes, mut count, mut now, mut saved) = (Vec::new(), 0_u8, Encoder::new(start), Vec::new());
    for word in text.split_whitespace() {
        if let Ok(code) = word.parse::<u8>() {
            bytes.push(stored(code, count));
            match code {
                254 => saved.push(now.clone()),
                255 => now = saved.pop().unwrap_or(now),
                _ => {}
            }
            continue;
        }
        if word == "--" {
            bytes.push(stored(0, count));
            now.position = now.position.swap_turn().unwrap();
        } else {
            let m = word.parse::<San>().unwrap().to_move(&now.position).unwrap();
            bytes.extend(now.values(m).into_iter().map(|value| stored(value, count)));
            now.play(m);
        }
        count = count.wrapping_add(1);
    }
    bytes
}

/// An annotation: the number of its move, its type and its data.
pub type Annotation<'a> = (i32, u8, &'a [u8]);

/// A database.
#[derive(Default)]
pub struct Base {
    headers: Vec<Vec<u8>>,
    moves: Vec<u8>,
    annotations: Vec<u8>,
    names: BTreeMap<&'static str, Vec<Vec<u8>>>,
    pub extras: Vec<Vec<u8>>,
}

const SIZES: [(&str, usize); 6] =
    [("cbp", 58), ("cbt", 90), ("cbc", 53), ("cbs", 59), ("cbe", 63), ("cbl", 1608)];

impl Base {
    /// With an empty name of each kind, to which games without one refer.
    pub fn new() -> Base {
        let mut base = Base { moves: vec![0; 26], annotations: vec![0; 26], ..Base::default() };
        for (kind, _) in SIZES {
            base.name(kind, &[]);
        }
        base
    }

    /// Adds a name with fields at offsets, and returns its number. The bytes after a field are rubbish.
    pub fn name(&mut self, kind: &'static str, fields: &[(usize, &[u8])]) -> u32 {
        let size = SIZES.iter().find(|(other, _)| *other == kind).unwrap().1;
        let mut data = vec![0; size];
        for (at, field) in fields {
            data[*at..at + field.len()].copy_from_slice(field);
        }
        let names = self.names.entry(kind).or_default();
        names.push(data);
        names.len() as u32 - 1
    }

    /// Adds a game with these moves and annotations and returns its header, to be changed.
    pub fn game(&mut self, text: &str, annotations: &[Annotation<'_>]) -> &mut Vec<u8> {
        let moves = moves(Chess::default(), text);
        self.raw_game(0, &moves, annotations)
    }

    /// The same with the mode and flags of the moves, and their bytes.
    pub fn raw_game(&mut self, flags: u8, moves: &[u8], annotations: &[Annotation<'_>]) -> &mut Vec<u8> {
        let mut header = vec![0; 46];
        (header[0], header[27]) = (1, 3);
        header[1..5].copy_from_slice(&(self.moves.len() as u32).to_be_bytes());
        self.moves.extend((moves.len() as u32 + 4 | u32::from(flags) << 24).to_be_bytes());
        self.moves.extend(moves);
        if !annotations.is_empty() {
            header[5..9].copy_from_slice(&(self.annotations.len() as u32).to_be_bytes());
            let items = annotations.iter().flat_map(|(position, kind, data)| {
                let size = data.len() as u16 + 6;
                [&position.to_be_bytes()[1..], &[*kind], &size.to_be_bytes(), data].concat()
            });
            let items: Vec<u8> = items.collect();
            self.annotations.extend([0, 0, 0, 1, 0, 14, 14, 0, 0, 0]);
            self.annotations.extend((items.len() as u32 + 14).to_be_bytes());
            self.annotations.extend(items);
        }
        self.headers.push(header);
        self.headers.last_mut().unwrap()
    }

    /// Its files by extension.
    pub fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let mut header = vec![0; 46];
        header[..6].copy_from_slice(&[0, 0, 44, 0, 46, 1]);
        header[6..10].copy_from_slice(&(self.headers.len() as u32 + 1).to_be_bytes());
        let mut files = BTreeMap::new();
        files.insert("cbh".to_owned(), [&[header][..], &self.headers].concat().concat());
        files.insert("cbg".to_owned(), self.moves.clone());
        files.insert("cba".to_owned(), self.annotations.clone());
        for (kind, size) in SIZES {
            let names = &self.names[kind];
            let header = [names.len() as i32, 0, 1_234_567_890, size as i32, -1, names.len() as i32, 4];
            let mut file: Vec<u8> =
                header.iter().flat_map(|number| number.to_le_bytes()).chain([0; 4]).collect();
            names.iter().for_each(|name| file.extend([&[255; 8], &[0][..], name].concat()));
            files.insert(kind.to_owned(), file);
        }
        if let Some(first) = self.extras.first() {
            let header = [11, first.len() as i32, self.extras.len() as i32];
            let header = header.iter().flat_map(|number| number.to_le_bytes()).chain([0; 20]);
            files.insert("cbj".to_owned(), header.chain(self.extras.concat()).collect());
        }
        files
    }

    /// Writes its files into a directory.
    pub fn write(&self, folder: &Path, name: &str) {
        for (extension, bytes) in self.files() {
            fs::write(folder.join(format!("{name}.{extension}")), bytes).unwrap();
        }
    }
}
