//! `GET /game/{n}`: a game with its tags and annotations, shown at a ply from the URL; and a game of another family than
//! chess, with its diagram and moves in its own notation.

use askama::Template;

use super::{
    Address, Answer, Board, Failure, Page, RequestContext, Result, answer,
    eval_graph::{Curve, share},
    from_list::{FromList, Neighbours},
    game_head::GameHead,
    known_ground::{GamesHere, KnownGround, NewMove},
    movetext::{self, Landmark, NotePart, ScorePart, mainline, score},
    plates::{Plate, plates},
};
use crate::{
    archive::ArchiveError,
    chess::{BoardStyle, Variant},
    openings::Opening,
    present::{
        game::replay,
        movetext::{Movetext, MovetextItem, MovetextMove, PlyChoice},
    },
    record::{GameId, Ply, StoredGame, fen},
};

/// Most plies of a game whose moves are weighed for its page: 3 µs each.
const MOST_WEIGHED: usize = 1_000;

#[derive(Template)]
#[template(path = "game.html")]
struct GamePage<'a> {
    page: Page,
    game: &'a StoredGame,
    head: GameHead,
    board: Board,
    /// The plates above and below the board.
    plates: [Plate; 2],
    text: &'a Movetext,
    parts: &'a [ScorePart<'a>],
    known: Option<&'a KnownGround>,
    here: Option<GamesHere>,
    /// The address of the game, to which each move adds its ply.
    address: Address,
    /// What the engine wrote at the shown position, if it wrote at any.
    engine: Option<String>,
    evals: Option<Curve>,
    clocks: Option<Curve>,
    surprise: Option<Curve>,
    /// The expected score of White at the shown ply, in percent, if the game has evaluations.
    expected: Option<String>,
    steps: Steps,
    /// The ply of the shown position, or of the one at which its variation begins.
    mainline_ply: usize,
    neighbours: Option<Neighbours>,
    explorer: Address,
}

/// The links that step through a game.
struct Steps {
    first: Address,
    back: Option<Address>,
    forward: Option<Address>,
    last: Option<Address>,
}

pub(in crate::web) fn game(context: &RequestContext<'_>, page: &Page, id: &str) -> Result<Answer> {
    let (words, id) = (page.words, numbered(id)?);
    let game = context.archive.checked_game(id)?;
    let place = place(&page.address)?;
    let list = FromList::read(&page.address, context);
    let flip = page.address.get("flip").is_some();
    let neighbours = list.as_ref().map(|list| list.neighbours(context, page, id, flip)).transpose()?;
    if !game.kind.family().has_pgn() {
        let ply = if let PlyChoice::Ply(ply) = place { ply } else { 0 };
        return record(context, page, &game, ply, neighbours);
    }
    let text = Movetext::new(&game, place)?;
    let variant = game.kind.variant().unwrap_or_default();
    let moves: Vec<&MovetextMove> = text.moves().collect();
    // Every move is a link: other parameters are not repeated thousands of times.
    let mut address = page.link(page.address.path()).with("flip", if flip { "1" } else { "" });
    if let Some(list) = &list {
        list.name_in(&mut address, moves.len());
    }
    let at = text.shown.node.and_then(|node| moves.get(node).copied());
    let path = path(&moves, at);
    let known = KnownGround::new(context, page, &game, &text)?;
    let parts = score(&text, &landmarks(known.as_ref()));
    let line: Vec<_> = mainline(&parts).collect();
    let mut board = Board::new(words, &text.shown.position, variant, text.shown.last);
    let notes = at.map_or(&text.start_notes, |m| &m.notes);
    board.image.shapes = notes.shapes.clone();
    board.image.flip = flip;
    let mut explorer = page.link("/explorer").with("fen", &board.fen);
    if !matches!(variant, Variant::Standard | Variant::Chess960) {
        explorer.set("variant", variant.name());
    }
    let [white, black] = plates(page, &game.tags, &fen(&text.start), &path, &line);
    let head = GameHead::new(page, &game, known.as_ref().and_then(KnownGround::opening));
    let evals = Curve::of_evals(&line, page.language);
    let here = known.as_ref().map(|known| known.here(context, page, &text, &path, &address)).transpose()?;
    answer(&GamePage {
        page: page.titled(&head.title_with_result()),
        game: &game,
        head,
        board,
        plates: if flip { [white, black] } else { [black, white] },
        expected: evals.as_ref().map(|_| expected(&line, path.len())),
        engine: has_engine(&text).then(|| movetext::paragraphs(&notes.engine)),
        evals,
        clocks: Curve::of_clocks(&line, page.language),
        surprise: surprise(&game, &line, page)?,
        steps: Steps::new(&moves, at, &address),
        mainline_ply: path.iter().filter(|m| !m.is_variation).count(),
        parts: &parts,
        known: known.as_ref(),
        here: here.flatten(),
        text: &text,
        address,
        explorer,
        neighbours,
    })
}

/// The number of a game in a path.
pub(super) fn numbered(id: &str) -> Result<GameId> {
    id.parse().map_err(|_| Failure::BadRequest(format!("{id:?} is not a valid game number")))
}

/// The lines between the moves.
fn landmarks(known: Option<&KnownGround>) -> Vec<(usize, Landmark)> {
    let opening = known.and_then(KnownGround::opening_ply).map(|ply| (ply + 1, Landmark::Opening));
    let new_move = known.and_then(|known| known.new_move.as_ref()).map(|m| (m.ply, Landmark::NewMove));
    opening.into_iter().chain(new_move).collect()
}

/// Whether comments have the numbers of an engine.
fn has_engine(text: &Movetext) -> bool {
    let mut notes = text.moves().map(|m| &m.notes).chain([&text.start_notes]);
    notes.any(|notes| !notes.engine.is_empty())
}

/// The moves that lead to a move, and the move itself.
fn path<'a>(moves: &[&'a MovetextMove], at: Option<&'a MovetextMove>) -> Vec<&'a MovetextMove> {
    let before = |m: &&MovetextMove| m.before.and_then(|node| moves.get(node).copied());
    let mut path: Vec<_> = std::iter::successors(at, before).collect();
    path.reverse();
    path
}

/// How surprising the moves are, if there is a model for the variant and the game has no more moves than people play.
fn surprise(game: &StoredGame, line: &[&movetext::ScoreMove<'_>], page: &Page) -> Result<Option<Curve>> {
    if !game.kind.variant().is_some_and(Variant::has_model) || game.plies > MOST_WEIGHED {
        return Ok(None);
    }
    let bits = game.move_bits().map_err(|error| ArchiveError::damaged(game.id, error))?;
    Ok(Curve::of_surprise(line, &bits, page.language))
}

/// The expected score of White by the last evaluation up to a ply.
fn expected(mainline: &[&movetext::ScoreMove<'_>], ply: usize) -> String {
    let known = mainline.iter().take(ply).rev().find_map(|m| movetext::centipawns(m.eval?));
    format!("{:.0}", 100.0 * share(known.unwrap_or(0)))
}

impl GamePage<'_> {
    /// The ply at which the curves mark the shown position.
    fn shown_ply(&self) -> usize {
        let shown = self.text.shown.node;
        let shown = self.text.moves().find(|m| Some(m.node) == shown);
        shown.map_or(0, |m| m.ply)
    }

    fn new_move(&self) -> Option<&NewMove> {
        self.known?.new_move.as_ref()
    }

    fn opening(&self) -> Option<&'static Opening> {
        self.known?.opening()
    }
}

/// The ply that a URL names.
fn place(address: &Address) -> Result<PlyChoice> {
    Ok(match address.parsed("at", "a number")? {
        Some(node) => PlyChoice::Node(node),
        None => PlyChoice::Ply(address.parsed("ply", "a number")?.unwrap_or(0)),
    })
}

impl Steps {
    /// The steps from a ply of a game without variations.
    fn between(ply: usize, plies: usize, to: impl Fn(usize) -> Address) -> Steps {
        Steps {
            first: to(0),
            back: ply.checked_sub(1).map(&to),
            forward: (ply < plies).then(|| to(ply + 1)),
            last: (ply < plies).then(|| to(plies)),
        }
    }

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
            Some(before) => movetext::link(before, address),
            None => bare.with("ply", 0),
        });
        Steps {
            first: bare.with("ply", 0),
            back,
            forward: next(at.map(|m| m.node)).map(|m| movetext::link(m, address)),
            last: last.map(|m| movetext::link(m, address)),
        }
    }
}

/// A game of another family than chess.
#[derive(Template)]
#[template(path = "record.html")]
struct RecordPage<'a> {
    page: Page,
    game: &'a StoredGame,
    head: GameHead,
    neighbours: Option<Neighbours>,
    /// The players, the board and the last move.
    shown: String,
    /// The moves in the notation of the game, with their links.
    moves: Vec<(String, Address)>,
    /// The shown ply.
    ply: usize,
    steps: Steps,
}

/// The page of a game of another family than chess: the text that the command line prints, at a ply.
fn record(
    context: &RequestContext<'_>,
    page: &Page,
    game: &StoredGame,
    ply: usize,
    neighbours: Option<Neighbours>,
) -> Result<Answer> {
    let ply = ply.min(game.plies);
    let at = replay(context.archive, game.id, Some(Ply::After(ply)))?;
    let mut shown = Vec::new();
    at.write_text(&mut shown, BoardStyle::default()).map_err(Failure::internal)?;
    let whole = replay(context.archive, game.id, None)?;
    let bare = page.link(page.address.path());
    let to = |ply: usize| bare.with("ply", ply);
    let moves = whole.moves().iter().zip(1..).map(|(text, ply)| (text.clone(), to(ply)));
    let head = GameHead::new(page, game, None);
    answer(&RecordPage {
        page: page.titled(&head.title_with_result()),
        game,
        neighbours,
        shown: String::from_utf8_lossy(&shown).into_owned(),
        moves: moves.collect(),
        ply,
        steps: Steps::between(ply, game.plies, to),
        head,
    })
}
