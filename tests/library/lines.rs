//! Editing lines, compared with the same edit of a tree of moves.

use std::fs;

use plybook::{
    archive::Archive,
    edit::{
        annotations_at, record_of, with_comment, with_comment_at, with_glyphs_at, with_main_line, without_end,
    },
};
use shakmaty::{Chess, Position, san::SanPlus};

use crate::common::{Bench, Random};

/// A move with what follows it. The first continuation is the line, the others are its alternatives.
#[derive(Clone)]
struct Node {
    san: String,
    glyph: &'static str,
    comment: &'static str,
    next: Vec<Node>,
}

impl Node {
    fn text(&self) -> String {
        format!("{} {} {} ", self.san, self.glyph, self.comment)
    }
}

/// Random continuations of a position, at most so many plies.
fn continuations(random: &mut Random, position: &Chess, plies: usize) -> Vec<Node> {
    let mut legal = position.legal_moves();
    let mut nodes = Vec::new();
    let width = [1, 1, 1, 2, 3][random.below(5)];
    while plies > 0 && nodes.len() < width && !legal.is_empty() {
        let chosen = legal.swap_remove(random.below(legal.len()));
        let mut after = position.clone();
        let san = SanPlus::from_move_and_play_unchecked(&mut after, chosen).to_string();
        let glyph = ["", "", "$1", "$5"][random.below(4)];
        let comment = ["", "", "{a comment}", "{ends here: 1-0 (not)}"][random.below(4)];
        // Variations are shorter than the line, and may have variations.
        let left = if nodes.is_empty() { plies - 1 } else { random.below(plies.min(6)) };
        nodes.push(Node { san, glyph, comment, next: continuations(random, &after, left) });
    }
    nodes
}

/// Writes continuations as PGN without move numbers.
fn write(next: &[Node], pgn: &mut String) {
    let Some((line, alternatives)) = next.split_first() else { return };
    *pgn += &line.text();
    for alternative in alternatives {
        *pgn += "( ";
        *pgn += &alternative.text();
        write(&alternative.next, pgn);
        *pgn += ") ";
    }
    write(&line.next, pgn);
}

fn pgn(tree: &[Node]) -> String {
    let mut pgn = "[White \"A\"]\n\n".to_owned();
    write(tree, &mut pgn);
    pgn + "1-0\n"
}

/// The paths of all moves in the order of the text: the indices among the continuations from the start on.
fn paths(next: &[Node], path: &[usize], found: &mut Vec<Vec<usize>>) {
    let of = |index: usize| [path, &[index]].concat();
    let Some((line, alternatives)) = next.split_first() else { return };
    found.push(of(0));
    for (index, alternative) in alternatives.iter().enumerate() {
        found.push(of(index + 1));
        paths(&alternative.next, &of(index + 1), found);
    }
    paths(&line.next, &of(0), found);
}

/// The tree with the line of a move as the main line, if it is not that already.
fn promoted(tree: &[Node], path: &[usize]) -> Option<Vec<Node>> {
    let mut tree = tree.to_vec();
    let mut next = &mut tree;
    for index in path {
        let chosen = next.remove(*index);
        next.insert(0, chosen);
        next = &mut next[0].next;
    }
    path.iter().any(|index| *index > 0).then_some(tree)
}

/// The tree without a move and what follows it, if it has no alternatives.
fn cut(tree: &[Node], path: &[usize]) -> Option<Vec<Node>> {
    let (last, path) = path.split_last()?;
    let mut tree = tree.to_vec();
    let next = path.iter().fold(&mut tree, |next, index| &mut next[*index].next);
    if *last == 0 && next.len() > 1 {
        return None;
    }
    next.remove(*last);
    Some(tree)
}

/// The tree with other annotations of a move.
fn annotated(tree: &[Node], path: &[usize], annotate: impl Fn(&mut Node)) -> Vec<Node> {
    let (last, path) = path.split_last().unwrap();
    let mut tree = tree.to_vec();
    let next = path.iter().fold(&mut tree, |next, index| &mut next[*index].next);
    annotate(&mut next[*last]);
    tree
}

#[test]
fn lines_of_random_games_are_edited_like_trees_of_moves() {
    let mut random = Random(68);
    let trees: Vec<_> = (0..60).map(|_| continuations(&mut random, &Chess::default(), 14)).collect();
    let bench = Bench::new();
    fs::write(bench.path("a.pgn"), trees.iter().map(|tree| pgn(tree) + "\n").collect::<String>()).unwrap();
    bench.ok(&["import", "-q", "a.pgn", "-a", "a.db"]);
    let archive = Archive::open(bench.path("a.db")).unwrap();
    let (mut edits, mut refused) = (0, 0);
    for (tree, id) in trees.iter().zip(1..) {
        let game = archive.game(id).unwrap();
        let mut found = Vec::new();
        paths(tree, &[], &mut found);
        for (node, path) in found.iter().enumerate() {
            for (edited, expected) in [
                (with_main_line(&game, node), promoted(tree, path)),
                (without_end(&game, node), cut(tree, path)),
                (
                    with_comment_at(&game, node, "new (with 1. e4)"),
                    Some(annotated(tree, path, |node| node.comment = "{new (with 1. e4)}")),
                ),
                (with_glyphs_at(&game, node, &[6]), Some(annotated(tree, path, |node| node.glyph = "$6"))),
            ] {
                let Some(expected) = expected else {
                    edited.unwrap_err();
                    refused += 1;
                    continue;
                };
                let text = pgn(&expected);
                let record = record_of(text.as_bytes(), game.codec).unwrap();
                assert_eq!(
                    edited.unwrap().unwrap().fingerprint,
                    record.fingerprint,
                    "{path:?}\n{}{text}",
                    pgn(tree)
                );
                edits += 1;
            }
        }
        with_main_line(&game, found.len()).unwrap_err();
        for (node, path) in found.iter().enumerate() {
            let (last, before) = path.split_last().unwrap();
            let own = &before.iter().fold(tree, |next, index| &next[*index].next)[*last];
            let (comment, glyphs) = annotations_at(&game, node).unwrap();
            assert_eq!(comment, own.comment.trim_matches(['{', '}']));
            assert_eq!(glyphs.iter().map(|glyph| format!("${glyph}")).collect::<String>(), own.glyph);
            let same = [with_comment_at(&game, node, &comment), with_glyphs_at(&game, node, &glyphs)];
            assert!(same.into_iter().all(|edited| edited.unwrap().is_none()));
        }
    }
    assert!(edits > 1000 && refused > 100, "{edits} edits, {refused} refused");
}

#[test]
fn a_comment_on_a_variation_is_stored_as_it_is_or_refused() {
    let bench = Bench::new();
    fs::write(bench.path("a.pgn"), "[White \"A\"]\n\n1. e4 e5 (1... c5 2. Nf3) 2. f4 *\n").unwrap();
    bench.ok(&["import", "-q", "a.pgn", "-a", "a.db"]);
    let game = Archive::open(bench.path("a.db")).unwrap().game(1).unwrap();
    for text in
        ["plain", "( 1-0 ) $5 [Event \"x\"]", "two\nlines", " spaces ", "a\n% b", "a {b", "a } b", "ü 象"]
    {
        // On a move of the game, the annotations read back are compared.
        let of_game = with_comment(&game, 3, text);
        let of_variation = with_comment_at(&game, 2, text);
        assert_eq!(of_variation.is_ok(), of_game.is_ok(), "{text:?} {of_variation:?} {of_game:?}");
    }
}

#[test]
fn a_game_without_tags_that_begins_with_a_comment_can_be_edited() {
    let bench = Bench::new();
    fs::write(bench.path("a.pgn"), "{the start} 1. e4 e5 (1... c5) 2. Nf3 *\n").unwrap();
    bench.ok(&["import", "-q", "a.pgn", "-a", "a.db"]);
    let game = Archive::open(bench.path("a.db")).unwrap().game(1).unwrap();
    for edited in [with_comment(&game, 2, "a note"), with_main_line(&game, 2), without_end(&game, 3)] {
        assert!(edited.unwrap().is_some());
    }
}
