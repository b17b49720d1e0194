//! Changing comments and glyphs of the mainline, and adding variations.

use super::{
    error::EditError,
    text::{edited_record, game_of, reread, text_of},
};
use crate::{
    archive::ArchiveError,
    chess::{Annotation, Annotations, Variant},
    codec::annotation,
    limits::{MAX_ANNOTATIONS, MAX_COMMENT_BYTES},
    pgn::{Game, RejectReason},
    record::{Ply, Record, StoredGame, fen},
};

/// A game with another comment after a ply of its mainline: 0 is before the first move. It replaces the comments that
/// the ply has; an empty text deletes them. `None` if the game has it already.
///
/// # Errors
/// It is not a game of chess, it is damaged, there is no such ply, or the comment cannot be written as PGN.
pub fn with_comment(game: &StoredGame, ply: usize, text: &str) -> Result<Option<Record>, ArchiveError> {
    check_comment(text)?;
    edited(game, ply, |annotations| {
        let is_comment = |annotation: &Annotation<'_>| matches!(annotation, Annotation::Comment(_));
        let new = Some(Annotation::Comment(text)).filter(|_| !text.is_empty());
        replaced(annotations, ply, is_comment, is_glyph, new)
    })
}

/// Checks that a comment can be written as PGN.
pub(super) fn check_comment(text: &str) -> Result<(), EditError> {
    if text.len() > MAX_COMMENT_BYTES {
        return Err(EditError::LongComment);
    }
    if text.contains('}') {
        return Err(EditError::BraceInComment);
    }
    Ok(())
}

/// A game with other glyphs at a ply of its mainline, instead of those it has there.
///
/// # Errors
/// It is not a game of chess, it is damaged, or there is no such ply.
pub fn with_glyphs(game: &StoredGame, ply: usize, glyphs: &[u16]) -> Result<Option<Record>, ArchiveError> {
    if ply == 0 && !glyphs.is_empty() {
        return Err(EditError::NoMove.into());
    }
    edited(game, ply, |annotations| {
        replaced(annotations, ply, is_glyph, |_| false, glyphs.iter().map(|glyph| Annotation::Nag(*glyph)))
    })
}

/// The number of a glyph, written as `!?`, `$5` or `+-`. The PGN standard defines 1 to 255, and 0 as none; imported games
/// may have other numbers.
///
/// # Errors
/// It is not a glyph.
pub fn parse_glyph(text: &str) -> Result<u16, EditError> {
    let read = game_of(format!("1. e4 {text} *").as_bytes()).ok();
    let found = read.iter().flat_map(|game| game.annotations.iter()).map(|(_, annotation)| annotation);
    match found.collect::<Vec<_>>().as_slice() {
        [Annotation::Nag(nag @ 1..=255)] => Ok(*nag),
        _ => Err(EditError::Glyph(text.to_owned())),
    }
}

/// A game with edited annotations, read back from its text.
fn edited(
    game: &StoredGame,
    ply: usize,
    edit: impl FnOnce(&Annotations) -> Annotations,
) -> Result<Option<Record>, ArchiveError> {
    // The check that it is chess.
    text_of(game)?;
    if ply > game.plies {
        let (id, plies) = (game.id, game.plies);
        return Err(ArchiveError::Edit(format!("game {id} has no ply {ply}; it has {plies}").into()));
    }
    let line = game.line().map_err(|error| ArchiveError::damaged(game.id, error))?;
    let before = game.annotations(&line).map_err(|error| ArchiveError::damaged(game.id, error))?;
    let after = edit(&before);
    if after == before {
        return Ok(None);
    }
    if after.len() > MAX_ANNOTATIONS {
        let why = format!("game {}: {}", game.id, RejectReason::TooManyAnnotations);
        return Err(ArchiveError::Edit(why.into()));
    }
    let marks = match after.is_empty() {
        true => Vec::new(),
        false => annotation::encode(&after, &line.start, &line.moves)
            .map_err(|error| ArchiveError::Edit(format!("game {}: {error}", game.id).into()))?,
    };
    let read = reread(game, &text_of(&StoredGame { marks, ..game.clone() })?)?;
    if read.annotations != after {
        return Err(EditError::NotReadBack(game.id).into());
    }
    edited_record(game, read)
}

/// Whether an annotation is a glyph.
pub fn is_glyph(annotation: &Annotation<'_>) -> bool {
    matches!(annotation, Annotation::Nag(_))
}

/// Replaces the annotations of one kind on a ply of the mainline. The new ones come after those that `comes_before`.
pub fn replaced<'a>(
    annotations: &Annotations,
    ply: usize,
    is_replaced: impl Fn(&Annotation<'_>) -> bool,
    comes_before: impl Fn(&Annotation<'_>) -> bool,
    new: impl IntoIterator<Item = Annotation<'a>>,
) -> Annotations {
    let (mut edited, mut depth, mut is_over) = (Annotations::default(), 0usize, false);
    let mut new = Some(new);
    let mut put = |edited: &mut Annotations| {
        new.take().into_iter().flatten().for_each(|annotation| edited.push(ply, annotation));
    };
    for (at, annotation) in annotations.iter() {
        is_over |= annotation == Annotation::Continue;
        let is_here = at == ply && depth == 0 && !is_over;
        if at > ply || is_over || is_here && !comes_before(&annotation) {
            put(&mut edited);
        }
        match annotation {
            Annotation::Open => depth += 1,
            Annotation::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        if !(is_here && is_replaced(&annotation)) {
            edited.push(at, annotation);
        }
    }
    put(&mut edited);
    edited
}

/// A game with another variation. `ply` is the number of moves of the mainline before it; `text` is its moves as in PGN,
/// perhaps with comments, glyphs and variations. Moves that the game itself continues with are skipped.
///
/// # Errors
/// It is not a game of chess, it is damaged, a move is not legal, or the game ends before the variation.
pub fn with_variation(game: &StoredGame, ply: usize, text: &str) -> Result<Option<Record>, ArchiveError> {
    let Some(variant) = game.kind.variant().filter(|_| ply <= game.plies) else {
        return Err(ArchiveError::Edit(format!("game {} has no ply {ply}", game.id).into()));
    };
    let start = game.position_at(Ply::After(ply)).map_err(|error| ArchiveError::damaged(game.id, error))?;
    let variation = moves_of(text, &fen(&start), variant)?;
    let line = game.line().map_err(|error| ArchiveError::damaged(game.id, error))?;
    let own = line.moves.get(ply..).unwrap_or_default();
    let skipped = own.iter().zip(&variation.moves).take_while(|(own, new)| own == new).count();
    // A null move and all after it are annotations.
    let before_null = || variation.annotations.iter().take_while(|(_, what)| *what != Annotation::Continue);
    let has_null = before_null().count() < variation.annotations.len();
    if skipped == variation.moves.len() && !has_null {
        return Err(EditError::SameMoves.into());
    }
    if skipped == own.len() {
        return Err(EditError::AfterEnd.into());
    }
    if skipped > 0 && before_null().any(|(at, _)| at <= skipped) {
        return Err(EditError::CommentOnGame.into());
    }
    let at = ply + skipped + 1;
    // After everything that the mainline has there.
    edited(game, at, |annotations| {
        replaced(annotations, at, |_| false, |_| true, inserted(&variation, skipped))
    })
}

/// The moves of a text from a position.
fn moves_of(text: &str, fen: &str, variant: Variant) -> Result<Game, ArchiveError> {
    let tag = match variant {
        Variant::Standard => String::new(),
        variant => format!("[Variant \"{}\"]\n", variant.name()),
    };
    let head = format!("{tag}[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n");
    game_of(format!("{head}{text}\n*\n").as_bytes()).map_err(|error| match error {
        // The line is that of a text that nobody has seen.
        EditError::Text { reason, .. } => EditError::Variation(reason).into(),
        error => ArchiveError::Edit(format!("the variation cannot be read: {error}").into()),
    })
}

/// A variation as annotations of the mainline, without its first moves.
fn inserted(variation: &Game, skipped: usize) -> Vec<Annotation<'_>> {
    let mut inserted = vec![Annotation::Open];
    let mut annotations = variation.annotations.iter().peekable();
    for number in skipped..=variation.moves.len() {
        while let Some((_, annotation)) = annotations.next_if(|(at, _)| *at <= number) {
            // In a variation, a null move needs no mark before it.
            inserted.extend(Some(annotation).filter(|annotation| *annotation != Annotation::Continue));
        }
        inserted.extend(variation.moves.get(number).map(|m| Annotation::Move(*m)));
    }
    inserted.push(Annotation::Close);
    inserted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{archive::Archive, edit::text_of, import::import_paths};

    fn game(pgn: &str) -> StoredGame {
        let folder = tempfile::tempdir().unwrap();
        let (file, path) = (folder.path().join("a.pgn"), folder.path().join("a.db"));
        std::fs::write(&file, pgn).unwrap();
        import_paths(&path, &[file], &Default::default()).unwrap();
        Archive::open(path).unwrap().game(1).unwrap()
    }

    /// The movetext with a variation, or why it is refused.
    fn with(pgn: &str, ply: usize, text: &str) -> Result<String, String> {
        let game = game(pgn);
        let record = with_variation(&game, ply, text).map_err(|error| error.to_string())?.unwrap();
        let edited = crate::edit::record_of(text_of(&game).unwrap().as_bytes(), game.codec).unwrap();
        assert_ne!(edited.fingerprint, record.fingerprint);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("b.pgn");
        std::fs::write(&path, pgn).unwrap();
        let archive = folder.path().join("b.db");
        import_paths(&archive, &[path], &Default::default()).unwrap();
        let mut editor = crate::archive::Editor::open(&archive).unwrap();
        editor.change("test", false, |change| change.replace(&game, &record)).unwrap();
        let text = text_of(&editor.archive().game(1).unwrap()).unwrap();
        let moves = text.trim().rsplit("\n\n").next().unwrap_or_default();
        Ok(moves.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn a_variation_follows_what_its_move_has_and_skips_moves_of_the_game() {
        let pgn = "1. e4 e5 $1 {good} (1... c5) 2. Nf3 *";
        for (ply, text, expected) in [
            (0, "d4 d5", "1. e4 (1. d4 d5) 1... e5 $1 {good} (1... c5) 2. Nf3 *"),
            (1, "c6 2. d4!? {solid} d5 (d6)", "(1... c6 2. d4 $5 {solid} 2... d5 (2... d6)) 2. Nf3 *"),
            (0, "1. e4 e5 2. Nc3", "2. Nf3 (2. Nc3) *"),
            (2, "2. -- Nc6", "2. Nf3 (2. -- Nc6) *"),
        ] {
            let found = with(pgn, ply, text).unwrap();
            assert!(found.ends_with(expected), "{text}: {found}");
        }
    }

    #[test]
    fn a_variation_that_is_none_is_refused_with_a_reason() {
        let pgn = "1. e4 e5 *";
        for (ply, text, reason) in [
            (0, "", "those of the game"),
            (0, "e4", "those of the game"),
            (0, "e4 e5 Nf3", "the game ends here"),
            (2, "Nf3", "the game ends here"),
            (3, "Nf3", "no ply 3"),
            (0, "Ke2", "cannot be read"),
            (0, "d4 * [White \"x\"] 1. e4", "cannot be read"),
            (0, "e4 {x} c5", "cannot begin with comments"),
        ] {
            let refused = with(pgn, ply, text).unwrap_err();
            assert!(refused.contains(reason), "{text}: {refused}");
        }
    }

    #[test]
    fn variants_and_start_positions_have_variations_too() {
        let pgn = "[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 *";
        assert!(with(pgn, 6, "x").is_err());
        assert!(with(pgn, 5, "P@e6").unwrap().contains("(3... @e6)"));
        let pgn = "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 40\"]\n\n40... Kd7 41. e4 *";
        assert!(with(pgn, 0, "Ke7 e4").unwrap().contains("40... Kd7 (40... Ke7 41. e4)"));
    }
}
