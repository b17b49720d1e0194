//! `GET /edit/game/{n}`: the tags, comments, glyphs and variations of a game, in forms. Comments and glyphs are those of
//! the ply that the URL names.

use askama::Template;

use super::{Address, Answer, Board, Failure, Page, RequestContext, Result, answer};
use crate::{
    chess::Annotation,
    edit::{annotations_at, fingerprint, text_of},
    limits::MAX_FORM_BYTES,
    present::movetext::{Movetext, MovetextItem, MovetextMove, PlyChoice, ShownPosition},
    record::{GameId, StoredGame, title},
    rules::Outcome,
    web::pages::{
        from_list,
        game::numbered,
        list::{self, shown, tag},
        movetext::{self, NotePart, ScorePart, nag, named, score},
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

/// The glyphs that are chosen from menus: those of a move, and those of a position.
const GLYPHS: [&[u16]; 2] = [&[1, 3, 5, 6, 2, 4, 7], &[10, 13, 14, 15, 16, 17, 18, 19]];

/// Longest text of a game that a form can change: encoded, a character may take three bytes in the form.
const MAX_TEXT: usize = MAX_FORM_BYTES / 3;

#[derive(Template)]
#[template(path = "edit_game.html")]
struct EditPage<'a> {
    page: Page,
    title: String,
    result: Outcome,
    /// The page that shows the game, and this one.
    shown: Address,
    form: Address,
    fingerprint: String,
    tags: Vec<TagField>,
    /// `None` if the game is not chess.
    at: Option<EditedPly<'a>>,
    parts: Vec<ScorePart<'a>>,
    /// The text of the game, if it is short enough for a form.
    pgn: Option<String>,
    entered: Option<&'a Entered>,
    /// The list to which removing leads back.
    list: Address,
}

/// The prefix of the field of a tag: `tag.White`.
pub(in crate::web) const TAG: &str = "tag.";

/// What a form had that was refused.
#[derive(Debug)]
pub(in crate::web) struct Entered {
    fields: Vec<(String, String)>,
    /// The field that is wrong, or the action of the form.
    wrong: String,
    why: String,
    /// Whether a part of the text that is wrong can be kept as a comment.
    can_keep: bool,
}

impl Entered {
    /// The fields of a form, and why it was refused: perhaps with the name of a field before it.
    pub(super) fn new(fields: Vec<(String, String)>, why: &str, can_keep: bool) -> Entered {
        let is_field = |name: &str| fields.iter().any(|(known, _)| known == name);
        let (wrong, why) = match why.split_once(": ") {
            Some((name, why)) if name.starts_with(TAG) => {
                (Some(if is_field(name) { name } else { "value" }), why)
            }
            _ => (None, why),
        };
        let action = || fields.iter().find(|(name, _)| name == "action").map(|(_, action)| action.as_str());
        let wrong = wrong.or_else(action).unwrap_or_default().to_owned();
        Entered { wrong, why: why.to_owned(), fields, can_keep }
    }

    /// The value of a field.
    pub(super) fn field(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The value of a field of an action.
    fn of(&self, action: &str, name: &str) -> Option<&str> {
        self.field(name).filter(|_| self.field("action") == Some(action))
    }
}

/// A tag in a form.
struct TagField {
    name: String,
    value: String,
    /// The values from which one is chosen, if they are not typed.
    choices: Vec<String>,
    /// Browsers drop some characters of a field.
    is_fixed: bool,
}

/// What a game has at a ply.
struct EditedPly<'a> {
    ply: usize,
    /// The move whose line is edited: a move of a variation, or that of the ply.
    chosen: Option<&'a MovetextMove>,
    /// That move, if it is one of a variation.
    in_variation: Option<&'a MovetextMove>,
    /// The last move, or a name for the start.
    name: String,
    comment: String,
    /// The menus of glyphs: each with its number, its sign and name, and whether the move has it.
    glyphs: [Vec<(u16, String, bool)>; 2],
    /// Other glyphs, as they are typed.
    more_glyphs: String,
    board: Board,
    back: Option<Address>,
    forward: Option<Address>,
    last: Address,
    first: Address,
}

impl EditPage<'_> {
    /// Why a field, or the form with an action, was refused.
    fn why(&self, name: &str) -> Option<&str> {
        let entered = self.entered.filter(|entered| entered.wrong == name)?;
        Some(&entered.why)
    }

    /// Whether a part of the text that was refused can be kept as a comment.
    fn can_keep(&self) -> bool {
        self.entered.is_some_and(|entered| entered.can_keep)
    }

    /// What was entered in a field of a form that was refused.
    fn entered(&self, action: &str, name: &str) -> Option<&str> {
        self.entered?.of(action, name)
    }
}

pub(in crate::web) fn edit_game(
    context: &RequestContext<'_>,
    page: &Page,
    id: &str,
    entered: Option<&Entered>,
) -> Result<Answer> {
    let id = numbered(id)?;
    let game = context.archive.checked_game(id)?;
    let ply = page.address.parsed("ply", "a number")?.unwrap_or(0).min(game.plies);
    let is_chess = game.kind.family().has_pgn();
    let choice = page.address.parsed("node", "a number")?.map_or(PlyChoice::Ply(ply), PlyChoice::Node);
    let text = if is_chess { Some(Movetext::new(&game, choice)?) } else { None };
    let at = text.as_ref().map(|text| EditedPly::new(page, &game, text, ply)).transpose()?;
    let pgn = if is_chess { Some(text_of(&game)?).filter(|text| text.len() <= MAX_TEXT) } else { None };
    let [white, black, event, site] = ["White", "Black", "Event", "Site"].map(|name| tag(&game.tags, name));
    let title = shown(Some(&title(white, black, event, site)));
    answer(&EditPage {
        page: page.titled(&format!("{}: {title}", page.words.edit_title)),
        title,
        result: game.result,
        shown: page.address.to(format!("/game/{id}"), &["lang", "in"]).with("ply", ply),
        form: page.address.to(page.address.path(), &["lang", "in"]),
        fingerprint: fingerprint_text(&game)?,
        tags: if is_chess { tags(&game, entered) } else { Vec::new() },
        entered,
        list: from_list::list_of(&page.address).unwrap_or_else(|| page.link("/games")),
        at,
        parts: text.as_ref().map_or(Vec::new(), |text| score(text, &[])),
        pgn,
    })
}

/// The fingerprint of a game, as forms send it.
pub(in crate::web::pages) fn fingerprint_text(game: &StoredGame) -> Result<String> {
    Ok(format!("{:016x}", fingerprint(game)?))
}

/// The tags of a game, each with its last value, and the usual ones that it does not have.
fn tags(game: &StoredGame, entered: Option<&Entered>) -> Vec<TagField> {
    let mut fields: Vec<TagField> = Vec::new();
    for name in USUAL.into_iter().chain(game.tags.iter().map(|(name, _)| name)) {
        if fields.iter().all(|field| field.name != name) {
            let value = game.tags.get(name).unwrap_or_default();
            let is_fixed = value.chars().any(char::is_control);
            let value = entered.and_then(|entered| entered.field(&format!("{TAG}{name}"))).unwrap_or(value);
            let mut choices: Vec<String> = Vec::new();
            if name == "Result" {
                choices.extend(["1-0", "0-1", "1/2-1/2", "*"].map(str::to_owned));
                if !choices.iter().any(|choice| choice == value) {
                    choices.push(value.to_owned());
                }
            }
            fields.push(TagField { name: name.to_owned(), value: value.to_owned(), choices, is_fixed });
        }
    }
    fields
}

impl EditedPly<'_> {
    fn is_chosen(&self, m: &MovetextMove) -> bool {
        self.chosen.is_some_and(|chosen| chosen.node == m.node)
    }

    fn new<'a>(page: &Page, game: &StoredGame, text: &'a Movetext, ply: usize) -> Result<EditedPly<'a>> {
        let to = |ply| back_to(page, game.id, ply);
        let chosen = text.moves().find(|m| Some(m.node) == text.shown.node);
        let in_variation = chosen.filter(|m| m.is_variation);
        let (comment, nags) = match in_variation {
            Some(m) => annotations_at(game, m.node)?,
            None => annotations(game, ply)?,
        };
        let menus = GLYPHS.map(|menu| {
            let first = nags.iter().find(|nag| menu.contains(nag));
            let option = |number: &u16| {
                let (sign, name) = nag(*number, page.words);
                (*number, format!("{sign} {name}"), first == Some(number))
            };
            menu.iter().map(option).collect()
        });
        // A menu has one of its glyphs; a second one is typed.
        let second = |menu: &&[u16], index: usize| nags.iter().take(index).any(|nag| menu.contains(nag));
        let is_typed =
            |index: usize, nag: u16| GLYPHS.iter().all(|menu| !menu.contains(&nag) || second(menu, index));
        let more = nags.iter().enumerate().filter(|(index, nag)| is_typed(*index, **nag));
        let more: Vec<String> = more.map(|(_, nag)| format!("${nag}")).collect();
        let (ShownPosition { position, last, .. }, variant) =
            (&text.shown, game.kind.variant().unwrap_or_default());
        let name = chosen.map(named);
        Ok(EditedPly {
            ply,
            chosen,
            in_variation,
            name: name.unwrap_or_else(|| page.words.start.to_owned()),
            comment,
            glyphs: menus,
            more_glyphs: more.join(" "),
            board: Board::new(page.words, position, variant, *last),
            first: to(0),
            back: ply.checked_sub(1).map(to),
            forward: (ply < game.plies).then(|| to(ply + 1)),
            last: to(game.plies),
        })
    }
}

/// The comments and glyphs of the mainline at a ply.
fn annotations(game: &StoredGame, ply: usize) -> Result<(String, Vec<u16>)> {
    let damaged = |error: crate::record::GameError| Failure::Damaged(error.to_string());
    let line = game.line().map_err(damaged)?;
    let (mut comments, mut glyphs, mut depth) = (Vec::new(), Vec::new(), 0usize);
    for (at, annotation) in game.annotations(&line).map_err(damaged)?.iter() {
        match annotation {
            Annotation::Continue => break,
            Annotation::Open => depth += 1,
            Annotation::Close => depth = depth.saturating_sub(1),
            Annotation::Comment(text) if depth == 0 && at == ply => comments.push(text.to_owned()),
            Annotation::Nag(number) if depth == 0 && at == ply => glyphs.push(number),
            _ => {}
        }
    }
    Ok((comments.join("\n"), glyphs))
}

/// The page that edits a game at a ply.
pub(super) fn back_to(page: &Page, id: GameId, ply: usize) -> Address {
    let address = page.address.to(format!("/edit/game/{id}"), &["lang", "in"]);
    if ply == 0 { address } else { address.with("ply", ply) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        archive::{Archive, Filter},
        import::{Options, import_paths},
    };

    /// The glyphs of each move by its number, as pages have them: those directly after it.
    fn glyphs_on_pages(game: &StoredGame) -> Vec<(usize, Vec<u16>)> {
        let mut moves: Vec<(usize, Vec<u16>)> = Vec::new();
        let mut is_after_move = false;
        for item in Movetext::new(game, PlyChoice::Ply(0)).unwrap().items {
            match item {
                MovetextItem::Move(m) => moves.push((m.node, Vec::new())),
                MovetextItem::Nag(glyph) if is_after_move => moves.last_mut().unwrap().1.push(glyph),
                _ => {
                    is_after_move = false;
                    continue;
                }
            }
            is_after_move = true;
        }
        moves
    }

    #[test]
    fn edits_number_moves_like_pages() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let sources = ["annotated", "famous", "setup"].map(|name| format!("data/{name}.pgn").into());
        import_paths(&path, &sources, &Options::default()).unwrap();
        let archive = Archive::open(&path).unwrap();
        let (mut moves, mut in_variations, mut with_glyphs) = (0, 0, 0);
        for game in archive.games(&Filter::default()).map(Result::unwrap) {
            let shown = glyphs_on_pages(&game);
            for (number, (node, glyphs)) in shown.iter().enumerate() {
                assert_eq!(number, *node, "game {}", game.id);
                let (_, own) = annotations_at(&game, *node).unwrap();
                assert!(own.starts_with(glyphs), "game {}, move {node}: {own:?} {glyphs:?}", game.id);
                with_glyphs += usize::from(!glyphs.is_empty());
            }
            annotations_at(&game, shown.len()).unwrap_err();
            (moves, in_variations) = (moves + shown.len(), in_variations + shown.len() - game.plies);
        }
        assert!(
            moves > 3000 && in_variations > 10 && with_glyphs > 5,
            "{moves} {in_variations} {with_glyphs}"
        );
    }
}
