//! Counts the weights of the `ranked` codec on every twelfth master game (of `PLYBOOK_CORPUS`) and prints
//! its table, `weights.txt` beside the codec: `cargo bench --bench ranked_weights`. It does not use the table
//! there is, and gives the same one every time.
//!
//! The weights of squares start as odds, how often a man of the kind stood there against how often it could
//! have stood there and did not, and are then corrected a few times by how much more or less often it stood
//! there than the weighted combinations expect (iterative scaling), since these know how many men there are.
//! Weights reach over a thousandfold range only: of all ways to fit them in, the cheapest is taken.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../tests/codec_support/mod.rs"]
mod support;

use std::{collections::BTreeMap, ops::ControlFlow};

use plybook::{
    chess::{Board, Color, Piece, Role, Setup, Square},
    codec::position::ranked::{
        played::{Groups, ORDER, Question, count, own_view, question},
        table::{self, letter},
    },
};

/// The weight of a second pawn on a file, as `combine` has it.
const DOUBLED: f64 = 1.0 / 32.0;
const ROUNDS: usize = 4;
const TOP: f64 = 3584.0;

type Rows = BTreeMap<Question, Vec<f64>>;

fn main() {
    if !support::is_bench() {
        return;
    }
    let Some(path) = support::master_games() else {
        eprintln!("no otb.pgn.zst: set PLYBOOK_CORPUS to the directory that holds it");
        return;
    };
    let (mut setups, mut numbers) = (Vec::new(), Rows::new());
    support::for_games(&path, 12, 0, &mut |moves| {
        support::for_positions(moves, &mut |position| {
            let setup = support::setup_of(position);
            count_numbers(&setup, &mut numbers);
            setups.push(setup);
        });
        ControlFlow::Continue(())
    });
    println!(
        "# Weights of the codec `ranked`, made by benches/ranked_weights.rs from {} positions.",
        setups.len()
    );
    println!("# Letters are weights (see table.rs). Numbers of men: W w pawns, D d queens, T t rooks, L l");
    println!("# bishops, H h knights; E: weight of no en passant square, by stage.");
    no_en_passant(&setups, &mut numbers);
    for (question, row) in &numbers {
        print_row(*question, row, number_scale(question.0, row));
    }
    println!(
        "# Squares a1 b1 … h8 as the side sees them: P p by phase and file ahead, K Q R B N by stage and cover."
    );
    let rows = square_weights(&setups);
    let scales = scales(&setups, &rows);
    for (question, row) in &rows {
        print_row(*question, row, scales[&(question.0, question.1)]);
    }
}

fn print_row((name, a, b): Question, row: &[f64], scale: f64) {
    let letters: Vec<char> = row.iter().map(|&weight| letter((weight * scale).max(1e-9))).collect();
    let groups: Vec<String> = letters.chunks(8).map(|group| group.iter().collect()).collect();
    println!("{name} {a} {b} {}", groups.join(if row.len() == 64 { " " } else { "" }));
}

/// The factor for a row of numbers of men: none above the top letter.
fn number_scale(name: char, row: &[f64]) -> f64 {
    match name {
        // Told as it is, against 1 for a file.
        'E' => 1.0,
        _ => TOP / row.iter().copied().fold(1e-9, f64::max),
    }
}

/// The factor for all rows of each kind and stage under which a sample of digits costs least, when weights
/// above the top letter are cut to it and those below 1 raised to it.
fn scales(setups: &[Setup], rows: &Rows) -> BTreeMap<(char, usize), f64> {
    let mut samples: BTreeMap<(char, usize), Vec<Digit>> = BTreeMap::new();
    for digit in setups.iter().step_by(40).flat_map(|setup| digits(&setup.board)) {
        let (name, stage, _) = digit.squares[0].1;
        samples.entry((name, stage)).or_default().push(digit);
    }
    let best = |(key, sample): (&(char, usize), &Vec<Digit>)| {
        let of_key = |(question, _): &(&Question, &Vec<f64>)| (question.0, question.1) == *key;
        let rows: Rows = rows.iter().filter(of_key).map(|(question, row)| (*question, row.clone())).collect();
        let top = rows.values().flatten().copied().fold(1e-9, f64::max);
        let costs = (-2..40).filter_map(|halves| {
            let scale = TOP / top * 2f64.powf(f64::from(halves) / 2.0);
            let cut =
                rows.iter().map(|(&question, row)| (question, row.iter().map(|w| cut(w * scale)).collect()));
            let cut: Rows = cut.collect();
            fits(key.0, &cut).then(|| (scale, sample.iter().map(|digit| cost(digit, &cut)).sum::<f64>()))
        });
        (*key, costs.min_by(|a, b| a.1.total_cmp(&b.1)).expect("some scale fits").0)
    };
    samples.iter().map(best).collect()
}

/// The weight that a letter can say.
fn cut(weight: f64) -> f64 {
    f64::from(table::weight(letter(weight.max(1e-9))))
}

/// Whether the sum of a board's weights, to the power of eight pawns, stays within 128 bits.
fn fits(name: char, rows: &Rows) -> bool {
    let top = |square: usize| rows.values().map(|row| row[square]).fold(0.0, f64::max);
    !matches!(name, 'P' | 'p') || (8..56).map(top).sum::<f64>() < 65_536.0
}

/// Counts the digits of the material, as `material` asks for them.
fn count_numbers(setup: &Setup, rows: &mut Rows) {
    let counts = count(&setup.board);
    let [[p, n, b, r, q], [bp, bn, bb, br, bq]] =
        [counts.white, counts.black].map(|side| [side.pawn, side.knight, side.bishop, side.rook, side.queen]);
    let mut add = |name, x, y, len: usize, value: usize| {
        rows.entry((name, x, y)).or_insert_with(|| vec![0.0; len])[value] += 1.0;
    };
    add('W', 0, 0, 9, p);
    add('w', p, 0, 9, bp);
    let third = (p + bp) / 3;
    let [n, b, r, q, bn, bb, br, bq] = [n, b, r, q, bn, bb, br, bq].map(|count| count.min(3));
    let lacking = (b + n).saturating_sub(bb).min(3);
    let asked = [
        ('D', 0, q),
        ('d', q, bq),
        ('T', q, r),
        ('t', r, br),
        ('L', r, b),
        ('H', b, n),
        ('l', b + n, bb),
        ('h', lacking, bn),
    ];
    for (name, situation, value) in asked {
        add(name, third, situation, 4, value);
    }
}

/// The weight of no en passant square against that of one file, by stage.
fn no_en_passant(setups: &[Setup], rows: &mut Rows) {
    let mut counts = vec![[1.0f64; 3]; 8];
    for setup in setups {
        let men = setup.board.occupied().count();
        let stage = question(&setup.board, men, Color::White.king(), 0).1;
        let mover = !setup.turn;
        let stepped = setup.board.by_piece(mover.pawn()) & mover.relative_rank(shakmaty::Rank::Fourth);
        let files = stepped.into_iter().filter(|pawn| {
            let behind = [3, 2].map(|rank| mover.fold_wb(rank, 9 - rank) - 1);
            behind.iter().all(|&rank| {
                let square = Square::from_coords(pawn.file(), shakmaty::Rank::new(rank));
                setup.board.piece_at(square).is_none()
            })
        });
        let files = files.count();
        if files > 0 {
            counts[stage][0] += files as f64;
            counts[stage][1 + usize::from(setup.ep_square.is_some())] += 1.0;
        }
    }
    for (stage, [files, without, with]) in counts.into_iter().enumerate() {
        let mean = files / (without + with);
        let weight = mean * without / with;
        // Printed as it is: one row of one letter, whose scale is 1.
        rows.insert(('E', stage, 0), vec![weight]);
    }
}

/// One digit: the squares of one kind of men, each with its row and place, and whether a man stands there.
struct Digit {
    squares: Vec<(Square, Question, usize, bool)>,
    count: usize,
    pawns: bool,
}

/// The digits of a layout, in the order in which the codec asks for them.
fn digits(board: &Board) -> Vec<Digit> {
    let (mut placed, men) = (Board::empty(), board.occupied().count());
    let mut digits = Vec::new();
    for piece in ORDER.into_iter().flat_map(|role| Color::ALL.map(|color| role.of(color))) {
        let there = board.by_piece(piece);
        if !there.is_empty() {
            digits.push(digit(&placed, men, piece, there));
        }
        there.into_iter().for_each(|square| placed.set_piece_at(square, piece));
    }
    digits
}

fn digit(placed: &Board, men: usize, piece: Piece, there: shakmaty::Bitboard) -> Digit {
    let by_file = Square::ALL.map(Square::flip_diagonal);
    let groups = Groups::new(placed, piece);
    let squares = by_file.into_iter().filter_map(|square| {
        let group = groups.of(square)?;
        let place = own_view(piece.color, square);
        Some((square, question(placed, men, piece, group), place, there.contains(square)))
    });
    Digit { squares: squares.collect(), count: there.count(), pawns: piece.role == Role::Pawn }
}

/// Odds first, then rounds of scaling.
fn square_weights(setups: &[Setup]) -> Rows {
    let (mut there, mut not) = (Rows::new(), Rows::new());
    for digit in setups.iter().flat_map(|setup| digits(&setup.board)) {
        for &(_, question, place, stands) in &digit.squares {
            let rows = if stands { &mut there } else { &mut not };
            rows.entry(question).or_insert_with(|| vec![0.0; 64])[place] += 1.0;
        }
    }
    let mut weights = not.clone();
    for (question, row) in &mut weights {
        for (place, weight) in row.iter_mut().enumerate() {
            *weight = (get(&there, *question, place) + 0.3) / (*weight + 3.0);
        }
    }
    for _ in 0..ROUNDS {
        scale_once(setups, &mut weights);
    }
    weights
}

fn get(rows: &Rows, question: Question, place: usize) -> f64 {
    rows.get(&question).map_or(0.0, |row| row[place])
}

/// Multiplies each weight by how often a man stood there, over how often it was expected.
fn scale_once(setups: &[Setup], weights: &mut Rows) {
    let (mut actual, mut expected) = (Rows::new(), Rows::new());
    for digit in setups.iter().step_by(3).flat_map(|setup| digits(&setup.board)) {
        let expectations = expectations(&digit, weights);
        for (&(_, question, place, stands), chance) in digit.squares.iter().zip(expectations) {
            actual.entry(question).or_insert_with(|| vec![0.0; 64])[place] += f64::from(u8::from(stands));
            expected.entry(question).or_insert_with(|| vec![0.0; 64])[place] += chance;
        }
    }
    for (question, row) in weights {
        for (place, weight) in row.iter_mut().enumerate() {
            *weight *= (get(&actual, *question, place) + 0.3) / (get(&expected, *question, place) + 0.3);
        }
    }
}

/// The chance of each square to hold a man, given the weights and the number of men: sums over all sets,
/// forwards and backwards. The flag of a state says whether the file holds one of the men already.
fn expectations(digit: &Digit, weights: &Rows) -> Vec<f64> {
    let states = digit.count + 1;
    let len = digit.squares.len();
    let weight: Vec<f64> = digit.squares.iter().map(|&(_, q, place, _)| get(weights, q, place)).collect();
    let opens = |i: usize| i == 0 || digit.squares[i].0.file() != digit.squares[i - 1].0.file();
    let second = if digit.pawns { DOUBLED } else { 1.0 };
    let mut forward = vec![[0.0; 2]; (len + 1) * states];
    forward[0] = [1.0, 0.0];
    for i in 0..len {
        for men in 0..states {
            let [first, next] = enter(forward[i * states + men], opens(i));
            forward[(i + 1) * states + men][0] += first;
            forward[(i + 1) * states + men][1] += next;
            if men + 1 < states {
                forward[(i + 1) * states + men + 1][1] += weight[i] * (first + second * next);
            }
        }
    }
    let mut backward = vec![[0.0; 2]; (len + 1) * states];
    backward[len * states + digit.count] = [1.0, 1.0];
    let mut chances = vec![0.0; len];
    for i in (0..len).rev() {
        for men in 0..states {
            let out = backward[(i + 1) * states + men];
            let taken = if men + 1 < states { backward[(i + 1) * states + men + 1][1] } else { 0.0 };
            let [first, next] = enter(forward[i * states + men], opens(i));
            chances[i] += weight[i] * taken * (first + second * next);
            let rest = [out[0] + weight[i] * taken, out[1] + weight[i] * second * taken];
            backward[i * states + men] = if opens(i) { [rest[0]; 2] } else { rest };
        }
    }
    let all = backward[0][0].max(f64::MIN_POSITIVE);
    chances.into_iter().map(|chance| chance / all).collect()
}

/// The price of a digit in bits.
fn cost(digit: &Digit, weights: &Rows) -> f64 {
    let mut sums = vec![[0.0; 2]; digit.count + 1];
    sums[0] = [1.0, 0.0];
    let (mut weight_of_set, mut file, mut taken) = (0.0, None, false);
    for &(square, question, place, stands) in &digit.squares {
        if file != Some(square.file()) {
            (file, taken) = (Some(square.file()), false);
            sums.iter_mut().for_each(|sum| *sum = enter(*sum, true));
        }
        let weight = get(weights, question, place);
        let second = if digit.pawns { (weight * DOUBLED).floor().max(1.0) } else { weight };
        for men in (0..digit.count).rev() {
            let [first, next] = sums[men];
            sums[men + 1][1] += weight * first + second * next;
        }
        if stands {
            weight_of_set += if taken { second } else { weight }.log2();
            taken = true;
        }
    }
    (sums[digit.count][0] + sums[digit.count][1]).log2() - weight_of_set
}

/// The state at a square: where a new file opens, it holds none of the men.
fn enter([first, next]: [f64; 2], opens: bool) -> [f64; 2] {
    if opens { [first + next, 0.0] } else { [first, next] }
}
