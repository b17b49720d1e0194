//! Changing comments and glyphs of the mainline.

use super::text::{damaged, edited_record, game_of, text_of};
use crate::{
    archive::ArchiveError,
    chess::{Annotation, Annotations},
    codec::annotation,
    limits::MAX_COMMENT_BYTES,
    record::{Record, StoredGame},
};

/// A game with another comment after a ply of its mainline: 0 is before the first move. It replaces the comments that
/// the ply has; an empty text deletes them. `None` if the game has it already.
///
/// # Errors
/// It is not a game of chess, it is damaged, there is no such ply, or the comment cannot be written as PGN.
pub fn with_comment(game: &StoredGame, ply: usize, text: &str) -> Result<Option<Record>, ArchiveError> {
    if text.len() > MAX_COMMENT_BYTES {
        return Err(ArchiveError::Edit(format!("the comment is longer than {MAX_COMMENT_BYTES} bytes")));
    }
    if text.contains('}') {
        return Err(ArchiveError::Edit("a comment must not contain }, which ends it in PGN".to_owned()));
    }
    edited(game, ply, |annotations| {
        let is_comment = |annotation: &Annotation<'_>| matches!(annotation, Annotation::Comment(_));
        let place = |annotation: &Annotation<'_>| matches!(annotation, Annotation::Nag(_));
        let new = Some(Annotation::Comment(text)).filter(|_| !text.is_empty());
        replaced(annotations, ply, is_comment, place, new)
    })
}

/// A game with other glyphs at a ply of its mainline, instead of those it has there.
///
/// # Errors
/// It is not a game of chess, it is damaged, or there is no such ply.
pub fn with_glyphs(game: &StoredGame, ply: usize, glyphs: &[u16]) -> Result<Option<Record>, ArchiveError> {
    if ply == 0 && !glyphs.is_empty() {
        return Err(ArchiveError::Edit("there is no move at ply 0; a glyph follows a move".to_owned()));
    }
    edited(game, ply, |annotations| {
        let is_glyph = |annotation: &Annotation<'_>| matches!(annotation, Annotation::Nag(_));
        replaced(annotations, ply, is_glyph, |_| false, glyphs.iter().map(|glyph| Annotation::Nag(*glyph)))
    })
}

/// The number of a glyph, written as `!?`, `$5` or `+-`.
///
/// # Errors
/// It is not a glyph.
pub fn parse_glyph(text: &str) -> Result<u16, String> {
    let read = game_of(format!("1. e4 {text} *").as_bytes()).ok();
    let found = read.iter().flat_map(|game| game.annotations.iter()).map(|(_, annotation)| annotation);
    match found.collect::<Vec<_>>().as_slice() {
        [Annotation::Nag(nag)] => Ok(*nag),
        _ => Err(format!(
            "{text:?} is not a glyph; write !, ?, !!, ??, !?, ?!, a sign such as +- or =, or $1 to $255"
        )),
    }
}

/// A game with edited annotations, read back from its text.
pub(super) fn edited(
    game: &StoredGame,
    ply: usize,
    edit: impl FnOnce(&Annotations) -> Annotations,
) -> Result<Option<Record>, ArchiveError> {
    // The check that it is chess.
    text_of(game)?;
    if ply > game.plies {
        let (id, plies) = (game.id, game.plies);
        return Err(ArchiveError::Edit(format!("game {id} has no ply {ply}; it has {plies}")));
    }
    let line = game.line().map_err(|error| damaged(game, &error))?;
    let before = game.annotations(&line).map_err(|error| damaged(game, &error))?;
    let after = edit(&before);
    if after == before {
        return Ok(None);
    }
    let marks = match after.is_empty() {
        true => Vec::new(),
        false => annotation::encode(&after, &line.start, &line.moves)
            .map_err(|error| ArchiveError::Edit(format!("game {}: {error}", game.id)))?,
    };
    let read = game_of(text_of(&StoredGame { marks, ..game.clone() })?.as_bytes())?;
    if read.annotations != after || read.tags != game.tags {
        let what = "this cannot be written as PGN: it would not be read back as it is";
        return Err(ArchiveError::Edit(format!("game {}: {what}", game.id)));
    }
    edited_record(game, read)
}

/// Replaces the annotations of one kind on a ply of the mainline. The new ones come after those that `comes_before`.
fn replaced<'a>(
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
        if at > ply || is_over || at == ply && !(is_here && comes_before(&annotation)) {
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
