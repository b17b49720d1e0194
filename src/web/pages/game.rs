//! `GET /game/{n}`: a game with its tags and annotations, shown at a ply from the URL.

use askama::Template;
use axum::{extract::Path, response::Response};

use super::{
    address::Address,
    board::Board,
    eval_graph::EvalGraph,
    layout::{Page, rendered, respond},
    list::{shown, tag},
    movetext::link,
    report,
};
use crate::{
    chess::{BoardStyle, Tags, Variant},
    present::{
        game::replay,
        games::known_date,
        movetext::{Movetext, MovetextItem, MovetextMove, PlyChoice},
    },
    record::{GameId, GameKind, Ply, StoredGame, title},
    web::{Failure, Question, RequestContext},
};

#[derive(Template)]
#[template(path = "game.html")]
struct GamePage {
    page: Page,
    id: GameId,
    head: GameHead,
    /// The players, with links to their reports.
    players: Vec<(String, Address)>,
    board: Board,
    text: Movetext,
    /// The address of the game, to which each move adds its ply.
    address: Address,
    evals: Option<EvalGraph>,
    steps: Steps,
    explorer: Address,
    flipped: Address,
    tags: Tags,
}

/// A game of another family than chess.
#[derive(Template)]
#[template(path = "record.html")]
struct RecordPage {
    page: Page,
    id: GameId,
    kind: GameKind,
    head: GameHead,
    /// The players, with links to their reports.
    players: Vec<(String, Address)>,
    /// The players, the board and the last move.
    shown: String,
    moves: Vec<RecordMove>,
    steps: Steps,
    tags: Tags,
}

/// A move in the notation of the game.
struct RecordMove {
    text: String,
    link: Address,
    is_shown: bool,
}

/// The players and the result.
struct GameHead {
    /// The title in one line: the event if no player is named.
    title: String,
    /// Whether any player is named.
    has_players: bool,
    white: String,
    black: String,
    result: &'static str,
    /// Event, site, date and similar tags.
    about: String,
}

/// The links that step through a game.
struct Steps {
    first: Address,
    back: Option<Address>,
    forward: Option<Address>,
    last: Option<Address>,
}

pub(in crate::web) async fn game(Path(id): Path<String>, question: Question) -> Response {
    respond(question, move |_, context, page| {
        let wrong = || Failure::BadRequest(format!("{id:?} is not a valid game number"));
        write(context, page, id.parse().map_err(|_| wrong())?)
    })
    .await
}

fn write(context: &RequestContext<'_>, page: &Page, id: GameId) -> Result<String, Failure> {
    let words = page.words;
    let game = context.archive.checked_game(id)?;
    let place = place(&page.address)?;
    if !game.kind.family().has_pgn() {
        let ply = if let PlyChoice::Ply(ply) = place { ply } else { 0 };
        return write_record(context, page, &game, ply);
    }
    let text = Movetext::new(&game, place)?;
    let flip = page.address.get("flip").is_some();
    // Every move is a link: other parameters are not repeated thousands of times.
    let mut address = page.link(page.address.path());
    address.set("flip", if flip { "1" } else { "" });
    let variant = game.kind.variant().unwrap_or_default();
    let moves: Vec<&MovetextMove> = text.moves().collect();
    let at = text.shown.node.and_then(|node| moves.get(node).copied());
    let shapes = at.map_or(&text.start_shapes, |m| &m.shapes).clone();
    let board = Board::new(words, &text.shown.position, variant, text.shown.last, shapes, flip);
    let mut explorer = page.link("/explorer").with("fen", &board.fen);
    if !matches!(variant, Variant::Standard | Variant::Chess960) {
        explorer.set("variant", variant.name());
    }
    let head = GameHead::new(&game);
    rendered(&GamePage {
        page: page.titled(&format!("{}, {}", head.title, head.result)),
        id,
        players: report::of_players(page, &game),
        head,
        board,
        evals: EvalGraph::of(&text),
        steps: Steps::new(&moves, at, &address),
        text,
        address,
        explorer,
        flipped: page.address.with("flip", if flip { "" } else { "1" }),
        tags: game.tags,
    })
}

/// The page of a game of another family than chess: the text that the command line prints, at a ply.
fn write_record(
    context: &RequestContext<'_>,
    page: &Page,
    game: &StoredGame,
    ply: usize,
) -> Result<String, Failure> {
    let ply = ply.min(game.plies);
    let at = replay(context.archive, game.id, Some(Ply::After(ply)))?;
    let mut shown = Vec::new();
    at.write_text(&mut shown, BoardStyle::default()).map_err(|error| Failure::Internal(error.to_string()))?;
    let whole = replay(context.archive, game.id, None)?;
    let bare = page.link(page.address.path());
    let to = |ply: usize| bare.with("ply", ply);
    let moves = whole.moves().iter().zip(1..).map(|(text, number)| RecordMove {
        text: text.clone(),
        link: to(number),
        is_shown: number == ply,
    });
    let head = GameHead::new(game);
    rendered(&RecordPage {
        id: game.id,
        page: page.titled(&format!("{}, {}", head.title, head.result)),
        kind: game.kind,
        players: report::of_players(page, game),
        shown: String::from_utf8_lossy(&shown).into_owned(),
        moves: moves.collect(),
        steps: Steps {
            first: to(0),
            back: ply.checked_sub(1).map(to),
            forward: (ply < game.plies).then(|| to(ply + 1)),
            last: (ply < game.plies).then(|| to(game.plies)),
        },
        tags: game.tags.clone(),
        head,
    })
}

/// The ply that a URL names.
fn place(address: &Address) -> Result<PlyChoice, Failure> {
    let number = |name: &str| {
        let wrong = |text| Failure::BadRequest(format!("{name}: {text:?} is not a number"));
        address.get(name).map(|text| text.parse::<usize>().map_err(|_| wrong(text))).transpose()
    };
    Ok(match number("at")? {
        Some(node) => PlyChoice::Node(node),
        None => PlyChoice::Ply(number("ply")?.unwrap_or(0)),
    })
}

impl GameHead {
    fn new(game: &StoredGame) -> GameHead {
        let tags = &game.tags;
        let [white, black] = [player(tags, "White", "WhiteElo"), player(tags, "Black", "BlackElo")];
        let title = title(white.as_deref(), black.as_deref(), tag(tags, "Event"), tag(tags, "Site"));
        let about = ["Event", "Site", "Round", "Date", "ECO", "Opening", "TimeControl"];
        let about = about.into_iter().filter_map(|name| {
            let value = tag(tags, name).filter(|value| *value != title)?;
            Some(shown(Some(if name == "Date" { known_date(value) } else { value })))
        });
        GameHead {
            about: about.collect::<Vec<_>>().join(" · "),
            title: shown(Some(&title)),
            has_players: white.is_some() || black.is_some(),
            white: shown(white.as_deref()),
            black: shown(black.as_deref()),
            result: game.result.as_str(),
        }
    }
}

/// A player and the rating, as far as they are known.
fn player(tags: &Tags, name: &str, elo: &str) -> Option<String> {
    let name = tag(tags, name)?;
    Some(tag(tags, elo).map_or(name.to_owned(), |elo| format!("{name} ({elo})")))
}

impl Steps {
    /// The steps from a move, or from the start.
    fn new(moves: &[&MovetextMove], at: Option<&MovetextMove>, address: &Address) -> Steps {
        let bare = address.without(&["ply", "at"]);
        let next = |node: Option<usize>| {
            // The first move in a position is that of the line itself.
            let from = node.map_or(0, |node| node + 1);
            moves.iter().skip(from).find(|m| m.before == node).copied()
        };
        let mut last = next(at.map(|m| m.node));
        while let Some(further) = last.and_then(|m| next(Some(m.node))) {
            last = Some(further);
        }
        let back = at.map(|m| match m.before.and_then(|node| moves.get(node)) {
            Some(before) => link(before, address),
            None => bare.with("ply", 0),
        });
        Steps {
            first: bare.with("ply", 0),
            back,
            forward: next(at.map(|m| m.node)).map(|m| link(m, address)),
            last: last.map(|m| link(m, address)),
        }
    }
}

/// Whether the value of a tag is a URL that the page may link.
pub(super) fn is_link(name: &str, value: &str) -> bool {
    matches!(name, "Site" | "Link") && is_web_address(value)
}

/// Whether the whole text is a web URL.
fn is_web_address(text: &str) -> bool {
    let scheme = text.split_once("://").map(|(scheme, rest)| (scheme.to_ascii_lowercase(), rest));
    let is_known = scheme.is_some_and(|(scheme, rest)| {
        matches!(scheme.as_str(), "http" | "https")
            && rest.starts_with(|c: char| c.is_alphanumeric() || c == '[')
    });
    is_known && !text.contains(|c: char| c.is_whitespace() || c.is_control() || "\"'<>\\`".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_web_urls_become_links() {
        for (text, is_link) in [
            ("https://lichess.org/abcdefgh", true),
            ("HTTP://example.org/?a=b&c=d#e", true),
            ("javascript:alert(1)", false),
            ("javascript://https://x/%0aalert(1)", false),
            ("data:text/html,x", false),
            ("//example.org", false),
            ("https:example.org", false),
            ("https://", false),
            (" https://example.org", false),
            ("https://example.org/ x", false),
            ("https://example.org/\"onclick=x", false),
            ("Paris", false),
        ] {
            assert_eq!(is_web_address(text), is_link, "{text}");
        }
    }
}
