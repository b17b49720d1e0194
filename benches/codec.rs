//! The speed of the legal-move index and of the codec `index` in memory, on one thread.
//!
//! * `play` only plays the moves; `index_of` and `nth` do that too, so it may be taken off their times.
//! * `index_of`: the index of each move among the legal moves; `nth`: the move of each index.
//! * `encode`: a game to its number; `decode`: back, to the end; `decode_40`: to the position after 40 plies,
//!   or the last one of a shorter game.
//!
//! `Chess` is the fast path, which counts in sets of squares. `Sorted` is its obvious twin: legal moves, sort,
//! find; it is so much slower that it gets only the beginning of a large corpus. One iteration is a whole
//! corpus: compare the rates, not the times. Divan's units are to be read as: item = ply, Hz = games a second,
//! B = bytes of the PGN that the games were read from (none for `decode_40`, which leaves much of a game
//! unread).
//!
//! `cargo bench --bench codec`, and after `--` a part of a name, or divan's options.

#![allow(clippy::unwrap_used, clippy::expect_used)]
#![allow(missing_docs)]

use std::{fmt, sync::LazyLock, time::Duration};

use divan::{
    Bencher, Divan,
    counter::{BytesCount, CyclesCount, ItemsCount},
};
use plybook::{
    chess::{Chess, Move, SortedMoves, VariantPosition},
    codec::game::{
        Line,
        index::{self, Decoder, Step},
    },
    pgn::{Cutter, Game, Reader},
    rules::{Color, LegalMoves, Outcome, Rules},
};

#[path = "support/corpus.rs"]
mod corpus;
use corpus::Corpus;

/// Games of the large collection.
const GAMES: usize = 20_000;

/// Most games that the twin gets.
const TWIN_GAMES: usize = 2_000;

/// The ply that `decode_40` goes to.
const PLY: usize = 40;

/// Samples of each bench, if they fit into the time.
const SAMPLES: u32 = 21;
const MOST_SECONDS: u64 = 4;

static SETS: LazyLock<Vec<Set>> = LazyLock::new(|| corpus::all(GAMES).iter().map(Set::new).collect());

fn main() {
    LazyLock::force(&SETS);
    println!("item = ply, Hz = games a second, B = bytes of PGN");
    Divan::default()
        .sample_count(SAMPLES)
        .max_time(Duration::from_secs(MOST_SECONDS))
        .config_with_args()
        .main();
}

fn sets() -> impl Iterator<Item = &'static Set> {
    SETS.iter()
}

/// A corpus, read and made ready.
struct Set {
    name: String,
    lines: Vec<Line<Chess>>,
    /// The first of these games, for the twin.
    twins: Vec<Line<Sorted>>,
    /// For each game its bytes of PGN.
    bytes: Vec<usize>,
    /// For each game the indices of its moves.
    indices: Vec<Vec<u32>>,
    /// For each game its number, as it is stored.
    blobs: Vec<Vec<u8>>,
}

impl Set {
    fn new(corpus: &Corpus) -> Set {
        let mut set = Set {
            name: corpus.name.clone(),
            lines: Vec::new(),
            twins: Vec::new(),
            bytes: Vec::new(),
            indices: Vec::new(),
            blobs: Vec::new(),
        };
        let (mut cutter, mut reader) = (Cutter::new(&corpus.text[..]), Reader::new());
        while let Some(batch) = cutter.next_batch(1 << 20).unwrap() {
            for piece in &batch.pieces {
                reader.read(&batch.text[piece.range.clone()], |start, end, game| {
                    set.add(&game.expect("the games of a corpus are legal"), end - start);
                });
            }
        }
        set
    }

    fn add(&mut self, game: &Game, bytes: usize) {
        let VariantPosition::Chess(start) = game.start() else { return };
        let line = Line { start, moves: game.moves.clone(), outcome: game.outcome };
        self.blobs.push(index::encode(&line).unwrap().to_bytes_le());
        self.indices.push(game.digits.iter().map(|digit| digit.value).collect());
        self.bytes.push(bytes);
        if self.twins.len() < TWIN_GAMES {
            let start = Sorted(line.start.clone());
            self.twins.push(Line { start, moves: line.moves.clone(), outcome: line.outcome });
        }
        self.lines.push(line);
    }

    /// A bencher that counts games, and plies: at most so many of each game.
    fn count_to<'a, 'b, P: Way>(&self, most: usize, bencher: Bencher<'a, 'b>) -> Bencher<'a, 'b> {
        let plies: usize = P::lines(self).iter().map(|line| line.moves.len().min(most)).sum();
        bencher.counter(ItemsCount::new(plies)).counter(CyclesCount::new(P::lines(self).len()))
    }

    /// A bencher that counts games, plies and bytes.
    fn count<'a, 'b, P: Way>(&self, bencher: Bencher<'a, 'b>) -> Bencher<'a, 'b> {
        let bytes: usize = self.bytes.iter().take(P::lines(self).len()).sum();
        self.count_to::<P>(usize::MAX, bencher).counter(BytesCount::new(bytes))
    }
}

impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// Standard chess that generates and sorts its legal moves at every ply.
#[derive(Clone)]
struct Sorted(Chess);

impl Rules for Sorted {
    type Move = Move;
    type Legal = SortedMoves;

    fn legal(&self) -> SortedMoves {
        SortedMoves::new(&self.0)
    }

    fn make(&mut self, m: Move) {
        self.0.make(m);
    }

    fn turn(&self) -> Color {
        Rules::turn(&self.0)
    }

    fn board_outcome(&self) -> Outcome {
        self.0.board_outcome()
    }

    fn same_position(&self, other: &Sorted) -> bool {
        self.0.same_position(&other.0)
    }
}

/// The fast path or its twin.
trait Way: Rules<Move = Move> {
    fn lines(set: &Set) -> &[Line<Self>];
}

impl Way for Chess {
    fn lines(set: &Set) -> &[Line<Chess>] {
        &set.lines
    }
}

impl Way for Sorted {
    fn lines(set: &Set) -> &[Line<Sorted>] {
        &set.twins
    }
}

#[divan::bench(args = sets())]
fn play(bencher: Bencher, set: &Set) {
    set.count::<Chess>(bencher).bench(|| {
        for line in &set.lines {
            let mut position = line.start.clone();
            line.moves.iter().for_each(|&m| position.make(m));
            divan::black_box(position);
        }
    });
}

#[divan::bench(types = [Chess, Sorted], args = sets())]
fn index_of<P: Way>(bencher: Bencher, set: &Set) {
    set.count::<P>(bencher).bench(|| {
        for line in P::lines(set) {
            let mut position = line.start.clone();
            for &m in &line.moves {
                let legal = position.legal();
                divan::black_box((legal.index_of(m), legal.count()));
                position.make(m);
            }
        }
    });
}

#[divan::bench(types = [Chess, Sorted], args = sets())]
fn nth<P: Way>(bencher: Bencher, set: &Set) {
    set.count::<P>(bencher).bench(|| {
        for (line, indices) in P::lines(set).iter().zip(&set.indices) {
            let mut position = line.start.clone();
            for &index in indices {
                let m = position.legal().nth(index).unwrap();
                position.make(m);
            }
            divan::black_box(position);
        }
    });
}

#[divan::bench(types = [Chess, Sorted], args = sets())]
fn encode<P: Way>(bencher: Bencher, set: &Set) {
    set.count::<P>(bencher).bench(|| {
        for line in P::lines(set) {
            divan::black_box(index::encode(line).unwrap().to_bytes_le());
        }
    });
}

#[divan::bench(types = [Chess, Sorted], args = sets())]
fn decode<P: Way>(bencher: Bencher, set: &Set) {
    set.count::<P>(bencher).bench(|| {
        for (line, blob) in P::lines(set).iter().zip(&set.blobs) {
            divan::black_box(index::decode(line.start.clone(), blob).unwrap());
        }
    });
}

#[divan::bench(types = [Chess, Sorted], args = sets())]
fn decode_40<P: Way>(bencher: Bencher, set: &Set) {
    set.count_to::<P>(PLY, bencher).bench(|| {
        for (line, blob) in P::lines(set).iter().zip(&set.blobs) {
            divan::black_box(position_at(line.start.clone(), blob, PLY));
        }
    });
}

fn position_at<P: Way>(start: P, blob: &[u8], ply: usize) -> P {
    let mut decoder = Decoder::new(start, blob).unwrap();
    while decoder.ply() < ply {
        if let Step::End(_) = decoder.step().unwrap() {
            break;
        }
    }
    decoder.position().clone()
}
