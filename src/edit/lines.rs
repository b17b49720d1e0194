//! Edits at any move of a game, also in variations: the variation becomes the main line, the line ends there, or the move
//! gets other comments or glyphs. The edit changes the text of the game, which is then read as PGN again.

use super::{
    annotations::check_comment,
    error::EditError,
    text::{edited_record, reread, text_of},
};
use crate::{
    archive::ArchiveError,
    chess::Annotation,
    pgn::Game,
    record::{Record, StoredGame},
    rules::Outcome,
};

/// A game in which the line of a move is the main line: the former one becomes its first variation. `node` is the number
/// of the move among all moves, including those of variations, from 0.
///
/// # Errors
/// It is not a game of chess, it is damaged, there is no such move, or it belongs to the main line.
pub fn with_main_line(game: &StoredGame, node: usize) -> Result<Option<Record>, ArchiveError> {
    let text = text_of(game)?;
    let moves = Moves::new(game, &text, node)?;
    let (mut items, mut at) = (moves.items.clone(), moves.at);
    let mut open = opening(&items, at).ok_or(EditError::OnMainLine(game.id))?;
    loop {
        at = last_move(&items, open).ok_or(EditError::NoAlternative(game.id))?;
        items = promoted(&items, at, open);
        match opening(&items, at) {
            Some(outer) => open = outer,
            None => return moves.record(&items),
        }
    }
}

/// A game without a move, and without everything after it in its line. A variation without moves goes, too. The result
/// stays.
///
/// # Errors
/// It is not a game of chess, it is damaged, there is no such move, or variations would be left without a move to which
/// they are alternatives.
pub fn without_end(game: &StoredGame, node: usize) -> Result<Option<Record>, ArchiveError> {
    let text = text_of(game)?;
    let moves = Moves::new(game, &text, node)?;
    let (items, at) = (&moves.items, moves.at);
    let (end, open) = (ahead(items, at, |_| false), opening(items, at));
    let (from, to) = match open.filter(|_| last_move(items, at).is_none()) {
        Some(open) => (open, end + 1),
        None if part(items, at, ahead(items, at + 1, is_move)).contains(&"(") => {
            return Err(EditError::HasVariations(game.id).into());
        }
        None => (at, end),
    };
    moves.record(&[part(items, 0, from), part(items, to, items.len())].concat())
}

/// A game with another comment after a move, instead of the comments that it has; an empty text deletes them.
///
/// # Errors
/// It is not a game of chess, it is damaged, there is no such move, or the comment cannot be written as PGN.
pub fn with_comment_at(game: &StoredGame, node: usize, text: &str) -> Result<Option<Record>, ArchiveError> {
    check_comment(text)?;
    let comment = format!("{{{text}}}");
    let new: &[&str] = if text.is_empty() { &[] } else { &[&comment] };
    annotated(game, node, |item| item.starts_with('{'), new)
}

/// A game with other glyphs after a move, instead of those that it has.
///
/// # Errors
/// It is not a game of chess, it is damaged, or there is no such move.
pub fn with_glyphs_at(
    game: &StoredGame,
    node: usize,
    glyphs: &[u16],
) -> Result<Option<Record>, ArchiveError> {
    let new: Vec<String> = glyphs.iter().map(|glyph| format!("${glyph}")).collect();
    annotated(game, node, is_glyph, &new.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The comments after a move, with a line for each, and its glyphs.
///
/// # Errors
/// It is not a game of chess, it is damaged, or there is no such move.
pub fn annotations_at(game: &StoredGame, node: usize) -> Result<(String, Vec<u16>), ArchiveError> {
    let text = text_of(game)?;
    let moves = Moves::new(game, &text, node)?;
    let own = || moves.annotations().filter_map(|index| moves.items.get(index).copied());
    let comments: Vec<&str> = own().filter_map(|item| item.strip_prefix('{')?.strip_suffix('}')).collect();
    let glyphs = own().filter_map(|item| item.strip_prefix('$')?.parse().ok()).collect();
    Ok((comments.join("\n"), glyphs))
}

/// A game with new annotations of one kind after a move, instead of those it has. Glyphs come before comments.
fn annotated(
    game: &StoredGame,
    node: usize,
    is_replaced: impl Fn(&str) -> bool,
    new: &[&str],
) -> Result<Option<Record>, ArchiveError> {
    let text = text_of(game)?;
    let moves = Moves::new(game, &text, node)?;
    let replaced: Vec<usize> = moves
        .annotations()
        .filter(|index| moves.items.get(*index).is_some_and(|item| is_replaced(item)))
        .collect();
    let kept = |from: usize, to: usize| {
        (from..to)
            .filter(|index| !replaced.contains(index))
            .filter_map(|index| moves.items.get(index).copied())
    };
    let after = if new.iter().all(|item| is_glyph(item)) { moves.at + 1 } else { moves.after_glyphs() };
    let items: Vec<&str> =
        kept(0, after).chain(new.iter().copied()).chain(kept(after, moves.items.len())).collect();
    if items == moves.items {
        return Ok(None);
    }
    let read = moves.read(&items)?;
    let has = |text: &str| read.annotations.iter().any(|(_, found)| found == Annotation::Comment(text));
    let mut comments = new.iter().filter_map(|item| item.strip_prefix('{')?.strip_suffix('}'));
    if !comments.all(has) {
        return Err(EditError::NotReadBack(game.id).into());
    }
    edited_record(game, read)
}

/// The moves and annotations of a game in the order of its text, and a place among them.
struct Moves<'a> {
    game: &'a StoredGame,
    tags: &'a str,
    items: Vec<&'a str>,
    result: &'a str,
    /// The index of a move.
    at: usize,
}

impl<'a> Moves<'a> {
    fn new(game: &'a StoredGame, text: &'a str, node: usize) -> Result<Moves<'a>, ArchiveError> {
        let head = text.find("\"]\n\n").filter(|_| text.starts_with('[')).map_or(0, |end| end + 4);
        let (tags, moves) = text.split_at(head);
        let mut items = items_of(moves);
        let result = items.pop().unwrap_or("*");
        let at = items.iter().enumerate().filter(|(_, item)| is_move(item)).map(|(at, _)| at).nth(node);
        let at =
            at.ok_or_else(|| ArchiveError::Edit(format!("game {}: it has no move {node}", game.id).into()))?;
        Ok(Moves { game, tags, items, result, at })
    }

    /// The indices of the comments and glyphs after the move.
    fn annotations(&self) -> impl Iterator<Item = usize> {
        let (from, mut depth) = (self.at + 1, 0usize);
        let own = move |(index, item): (usize, &&str)| {
            let is_own = depth == 0 && (item.starts_with('{') || is_glyph(item));
            depth = depth_after(depth, item);
            is_own.then_some(from + index)
        };
        part(&self.items, from, ahead(&self.items, from, is_move)).iter().enumerate().filter_map(own)
    }

    /// The index after the glyphs that follow the move.
    fn after_glyphs(&self) -> usize {
        let from = self.at + 1;
        from + part(&self.items, from, self.items.len()).iter().take_while(|item| is_glyph(item)).count()
    }

    fn record(&self, items: &[&str]) -> Result<Option<Record>, ArchiveError> {
        edited_record(self.game, self.read(items)?)
    }

    /// The game with edited items, read again.
    fn read(&self, items: &[&str]) -> Result<Game, ArchiveError> {
        let mut depth = 0usize;
        // A result in the main line would end the game.
        let kept = items.iter().copied().filter(|item| {
            depth = depth_after(depth, item);
            depth > 0 || !is_result(item)
        });
        let text = format!("{}{} {}\n", self.tags, kept.collect::<Vec<_>>().join(" "), self.result);
        reread(self.game, &text)
    }
}

/// The parts of a movetext as it is exported, without the move numbers.
fn items_of(mut text: &str) -> Vec<&str> {
    let mut items = Vec::new();
    loop {
        text = text.trim_start();
        let length = match text.chars().next() {
            None => return items,
            Some('{') => text.find('}').map(|end| end + 1),
            Some('(' | ')') => Some(1),
            Some(_) => text.find(|c: char| c.is_whitespace() || "(){".contains(c)),
        };
        let (item, rest) = text.split_at(length.unwrap_or(text.len()));
        items.extend(Some(item).filter(|item| !is_number(item)));
        text = rest;
    }
}

fn is_number(item: &str) -> bool {
    item.ends_with('.') && item.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

fn is_result(item: &str) -> bool {
    item.parse::<Outcome>().is_ok()
}

fn is_move(item: &str) -> bool {
    !item.starts_with(['{', '(', ')', '$']) && !is_result(item)
}

fn is_glyph(item: &str) -> bool {
    item.starts_with('$')
}

fn depth_after(depth: usize, item: &str) -> usize {
    match item {
        "(" => depth + 1,
        ")" => depth.saturating_sub(1),
        _ => depth,
    }
}

/// Some of the items; none if there are no such ones.
fn part<'a, 'b>(items: &'b [&'a str], from: usize, to: usize) -> &'b [&'a str] {
    items.get(from..to).unwrap_or_default()
}

/// The first item from an index on, in the line there, at which to stop, or the end of the line.
fn ahead(items: &[&str], from: usize, stops: impl Fn(&str) -> bool) -> usize {
    let mut depth = 0usize;
    let ends = |item: &&str| {
        let is_end = depth == 0 && (*item == ")" || stops(item));
        depth = depth_after(depth, item);
        is_end
    };
    items.iter().skip(from).position(ends).map_or(items.len(), |found| from + found)
}

/// The start of the variation that contains an item.
fn opening(items: &[&str], at: usize) -> Option<usize> {
    behind(items, at, |_| false)
}

/// The last move before an item in its line.
fn last_move(items: &[&str], at: usize) -> Option<usize> {
    behind(items, at, is_move).filter(|found| items.get(*found) != Some(&"("))
}

/// The last item before an index, in the line there, at which to stop, or the start of the line.
fn behind(items: &[&str], before: usize, stops: impl Fn(&str) -> bool) -> Option<usize> {
    let mut depth = 0usize;
    part(items, 0, before).iter().rposition(|item| match *item {
        ")" => {
            depth += 1;
            false
        }
        "(" if depth > 0 => {
            depth -= 1;
            false
        }
        item => depth == 0 && (item == "(" || stops(item)),
    })
}

/// The items with a variation, which begins at `open`, instead of the line from the move at `old` on, to which it is an
/// alternative. Comments and glyphs stay with their moves.
fn promoted<'a>(items: &[&'a str], old: usize, open: usize) -> Vec<&'a str> {
    let close = ahead(items, open + 1, |_| false);
    let first = ahead(items, open + 1, is_move);
    let second = ahead(items, first + 1, is_move);
    let next = ahead(items, close + 1, is_move);
    let end = ahead(items, close + 1, |_| false);
    let (mut notes, mut siblings, mut depth) = (Vec::new(), Vec::new(), 0usize);
    for (index, item) in items.iter().copied().enumerate().take(next).skip(old + 1) {
        let is_inside = depth > 0 || item == "(";
        depth = depth_after(depth, item);
        if !(open..=close).contains(&index) {
            if is_inside { &mut siblings } else { &mut notes }.push(item);
        }
    }
    [
        part(items, 0, old),
        part(items, open + 1, second),
        &["("],
        part(items, old, old + 1),
        &notes,
        part(items, next, end),
        &[")"],
        &siblings,
        part(items, second, close),
        part(items, end, items.len()),
    ]
    .concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{archive::Editor, import::import_paths};

    /// The moves after an edit, or why it is refused.
    fn edited(
        edit: fn(&StoredGame, usize) -> Result<Option<Record>, ArchiveError>,
        pgn: &str,
        node: usize,
    ) -> String {
        let folder = tempfile::tempdir().unwrap();
        let (file, path) = (folder.path().join("a.pgn"), folder.path().join("a.db"));
        std::fs::write(&file, pgn).unwrap();
        import_paths(&path, &[file], &Default::default()).unwrap();
        let mut editor = Editor::open(&path).unwrap();
        let game = editor.archive().game(1).unwrap();
        let record = match edit(&game, node) {
            Ok(record) => record.unwrap(),
            Err(refused) => return refused.to_string(),
        };
        editor.change("test", false, |change| change.replace(&game, &record)).unwrap();
        let text = text_of(&editor.archive().game(1).unwrap()).unwrap();
        let moves = text.rsplit("\"]\n\n").next().unwrap();
        moves.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_promoted_variation_keeps_its_own_and_the_old_line_is_its_first_variation() {
        for (node, pgn, expected) in [
            (2, "1. e4 e5 (1... c5 2. Nf3) 2. f4 1-0", "1. e4 c5 (1... e5 2. f4) 2. Nf3 1-0"),
            (
                2,
                "1. e4 e5 $1 {old} (1... c5 $5 {new} (1... e6) 2. Nf3) (1... c6) {end} 2. f4 $2 {bad} *",
                "1. e4 c5 $5 {new} (1... e6) (1... e5 $1 {old} {end} 2. f4 $2 {bad}) (1... c6) 2. Nf3 *",
            ),
            (
                3,
                "1. e4 (1. d4 d5 (1... f5 2. g3) 2. c4) e5 *",
                "1. d4 (1. e4 e5) 1... f5 (1... d5 2. c4) 2. g3 *",
            ),
            (1, "{start} 1. e4 ({why} 1. d4 1-0) 1... e5 0-1", "{start} {why} 1. d4 (1. e4 e5) 0-1"),
            (2, "1. e4 e5 (1... -- 2. d4) 2. f4 *", "1. e4 -- (1... e5 2. f4) 2. d4 *"),
        ] {
            assert_eq!(edited(with_main_line, pgn, node), expected, "{pgn}");
        }
        let refused = edited(with_main_line, "1. e4 (1. d4) 1... e5 *", 2);
        assert!(refused.contains("belongs to the main line already"), "{refused}");
    }

    #[test]
    fn deleting_from_a_move_ends_its_line_and_leaves_all_others() {
        let pgn = "1. e4 {a} e5 (1... c5 {b} 2. Nf3 (2. c3) 2... d6 {c}) (1... c6) 2. f4 d5 {d} 1-0";
        for (node, expected) in [
            (7, "1. e4 {a} 1... e5 (1... c5 {b} 2. Nf3 (2. c3) 2... d6 {c}) (1... c6) 1-0"),
            (8, "1. e4 {a} 1... e5 (1... c5 {b} 2. Nf3 (2. c3) 2... d6 {c}) (1... c6) 2. f4 1-0"),
            (5, "1. e4 {a} 1... e5 (1... c5 {b} 2. Nf3 (2. c3)) (1... c6) 2. f4 d5 {d} 1-0"),
            (4, "1. e4 {a} 1... e5 (1... c5 {b} 2. Nf3 d6 {c}) (1... c6) 2. f4 d5 {d} 1-0"),
            (2, "1. e4 {a} 1... e5 (1... c6) 2. f4 d5 {d} 1-0"),
            (0, "1-0"),
        ] {
            assert_eq!(edited(without_end, pgn, node), expected);
        }
        for node in [1, 3] {
            assert!(edited(without_end, pgn, node).contains("this move has variations"));
        }
        assert!(edited(without_end, pgn, 9).contains("no move 9"));
    }
}
