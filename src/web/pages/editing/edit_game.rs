//! `GET /edit/game/{n}`: the tags, comments, glyphs and variations of a game, in forms. Comments and glyphs are those of
//! the ply that the URL names.

use askama::Template;

use super::{log::Toast, visit::back_to};
use crate::{
    chess::Annotation,
    edit::{fingerprint, text_of},
    limits::MAX_FORM_BYTES,
    present::movetext::{Movetext, MovetextItem, PlyChoice, ShownPosition},
    record::{GameId, StoredGame, title},
    web::{
        Answer, Failure, RequestContext, Result,
        pages::{
            Address, Board, Page, answer,
            game::numbered,
            list::{self, shown, tag},
            movetext::{self, NotePart, ScorePart, nag, named, score},
        },
    },
};

/// Tags that are offered even if the game does not have them.
const USUAL: [&str; 11] = [
    "White",
    "WhiteElo",
    "Black",
    "BlackElo",
    "Result",
    "Event",
    "Site",
    "Date",
    "Round",
    "ECO",
    "Annotator",
];

/// Longest text of a game that a form can change: encoded, a character may take three bytes in the form.
const MAX_TEXT: usize = MAX_FORM_BYTES / 3;

#[derive(Template)]
#[template(path = "edit_game.html")]
struct EditPage<'a> {
    page: Page,
    title: String,
    result: &'static str,
    /// The page that shows the game, and this one.
    shown: Address,
    form: Address,
    fingerprint: String,
    tags: Vec<TagField>,
    /// `None` if the game is not chess.
    at: Option<EditedPly>,
    parts: Vec<ScorePart<'a>>,
    /// The text of the game, if it is short enough for a form.
    pgn: Option<String>,
    toast: Option<Toast>,
    /// The page to return to after undoing.
    back: Option<(GameId, usize)>,
}

/// A tag in a form.
struct TagField {
    name: String,
    value: String,
    /// Browsers drop some characters of a field.
    is_fixed: bool,
}

/// What a game has at a ply.
struct EditedPly {
    ply: usize,
    /// The last move, or a name for the start.
    name: String,
    comment: String,
    glyphs: String,
    board: Board,
    back: Option<Address>,
    forward: Option<Address>,
    last: Address,
    first: Address,
}

pub(in crate::web) fn edit_game(context: &RequestContext<'_>, page: &Page, id: &str) -> Result<Answer> {
    let id = numbered(id)?;
    let game = context.archive.checked_game(id)?;
    let ply = page.address.parsed("ply", "a number")?.unwrap_or(0).min(game.plies);
    let is_chess = game.kind.family().has_pgn();
    let text = if is_chess { Some(Movetext::new(&game, PlyChoice::Ply(ply))?) } else { None };
    let at = text.as_ref().map(|text| EditedPly::new(page, &game, text, ply)).transpose()?;
    let pgn = if is_chess { Some(text_of(&game)?).filter(|text| text.len() <= MAX_TEXT) } else { None };
    let [white, black, event, site] = ["White", "Black", "Event", "Site"].map(|name| tag(&game.tags, name));
    let title = shown(Some(&title(white, black, event, site)));
    answer(&EditPage {
        page: page.titled(&format!("{}: {title}", page.words.edit_title)),
        title,
        result: game.result.as_str(),
        shown: page.game_link(id).with("ply", ply),
        form: page.link(page.address.path()),
        fingerprint: fingerprint_text(&game)?,
        tags: if is_chess { tags(&game) } else { Vec::new() },
        at,
        parts: text.as_ref().map_or(Vec::new(), |text| score(text, &[])),
        pgn,
        toast: Toast::of(page, context)?,
        back: Some((id, ply)),
    })
}

/// The fingerprint of a game, as forms send it.
pub(super) fn fingerprint_text(game: &StoredGame) -> Result<String> {
    Ok(format!("{:016x}", fingerprint(game)?))
}

/// The tags of a game, each with its last value, and the usual ones that it does not have.
fn tags(game: &StoredGame) -> Vec<TagField> {
    let mut fields: Vec<TagField> = Vec::new();
    for name in USUAL.into_iter().chain(game.tags.iter().map(|(name, _)| name)) {
        if fields.iter().all(|field| field.name != name) {
            let value = game.tags.get(name).unwrap_or_default();
            let is_fixed = value.chars().any(char::is_control);
            fields.push(TagField { name: name.to_owned(), value: value.to_owned(), is_fixed });
        }
    }
    fields
}

impl EditedPly {
    fn new(page: &Page, game: &StoredGame, text: &Movetext, ply: usize) -> Result<EditedPly> {
        let to = |ply| back_to(page, game.id, ply);
        let (comment, glyphs) = annotations(page, game, ply)?;
        let (ShownPosition { position, last, .. }, variant) =
            (&text.shown, game.kind.variant().unwrap_or_default());
        let name = text.moves().find(|m| !m.is_variation && m.ply == ply).map(named);
        Ok(EditedPly {
            ply,
            name: name.unwrap_or_else(|| page.words.start.to_owned()),
            comment,
            glyphs,
            board: Board::new(page.words, position, variant, *last),
            first: to(0),
            back: ply.checked_sub(1).map(to),
            forward: (ply < game.plies).then(|| to(ply + 1)),
            last: to(game.plies),
        })
    }
}

/// The comments and glyphs of the mainline at a ply.
fn annotations(page: &Page, game: &StoredGame, ply: usize) -> Result<(String, String)> {
    let damaged = |error: crate::record::GameError| Failure::Damaged(error.to_string());
    let line = game.line().map_err(damaged)?;
    let (mut comments, mut glyphs, mut depth) = (Vec::new(), Vec::new(), 0usize);
    for (at, annotation) in game.annotations(&line).map_err(damaged)?.iter() {
        match annotation {
            Annotation::Continue => break,
            Annotation::Open => depth += 1,
            Annotation::Close => depth = depth.saturating_sub(1),
            Annotation::Comment(text) if depth == 0 && at == ply => comments.push(text.to_owned()),
            // As it is typed.
            Annotation::Nag(sign @ 1..=6) if depth == 0 && at == ply => glyphs.push(nag(sign, page.words).0),
            Annotation::Nag(number) if depth == 0 && at == ply => glyphs.push(format!("${number}")),
            _ => {}
        }
    }
    Ok((comments.join("\n"), glyphs.join(" ")))
}
