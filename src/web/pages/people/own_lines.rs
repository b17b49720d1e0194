//! The reader's own lines, which a preparation is compared with.

use std::ops::ControlFlow::{Break, Continue};

use super::{
    super::{Language, board},
    Address, Failure, Messages, Page, RequestContext, Result,
    rows::score,
};
use crate::{
    chess::{Color, Move, Position, SanPlus, Variant, VariantPosition},
    import::{ReadGamesError, read_games_of_text},
    limits::MAX_LINE_MOVES,
    pgn::ReadOptions,
    present::repertoire::{DepartureRow, line},
    query::{DepartureKind, DepartureSums, Departures, LineMove, Repertoire},
    record::fen,
    rules::Rules,
};

/// The most frequent gaps that the page lists.
const GAPS: usize = 10;

/// The lines without games that it lists.
const UNMET: usize = 100;

/// What a move of the tree is in the reader's lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// The reader's own move.
    Own,
    /// A position of the lines.
    Known,
    /// A move of the opponent after which the lines end.
    Unanswered,
    /// A move of the opponent that leaves the lines.
    Gap,
}

/// The reader's lines, and where the opponent's games leave them.
#[derive(Clone, Copy)]
pub(super) struct OwnLines<'a> {
    pub(super) lines: &'a Repertoire,
    pub(super) found: &'a Departures,
}

/// A move of the reader, with the opponent's games that reach the position after it.
pub(super) struct OwnMove {
    pub(super) san: String,
    pub(super) uci: String,
    pub(super) games: u64,
}

/// How the opponent's games compare with the lines.
pub(super) struct Comparison {
    /// The games by how they end in the lines or leave them, with their share.
    pub(super) counts: [(&'static str, String, String); 4],
    pub(super) gaps: Vec<GapRow>,
    /// The first moves of lines that the opponent never met, and the number of all of them.
    pub(super) unmet: Vec<(String, Address)>,
    pub(super) all_unmet: usize,
}

/// Games after which the lines have no answer.
pub(super) struct GapRow {
    pub(super) games: String,
    /// The opponent's score.
    pub(super) score: String,
    /// The opponent's move, or the end of the line before it.
    pub(super) played: String,
    pub(super) line: String,
    pub(super) link: Address,
}

impl Mark {
    /// The mark of a move, if there is something to say about it.
    pub(super) fn of(
        lines: &Repertoire,
        before: &VariantPosition,
        m: Move,
        after: &VariantPosition,
    ) -> Option<Mark> {
        let is_own = Position::turn(before) == lines.owner();
        match (lines.moves_in(before), lines.moves_in(after)) {
            (Some(moves), _) if is_own && moves.contains(&m) => Some(Mark::Own),
            (_, Some([])) if !is_own => Some(Mark::Unanswered),
            (_, Some(_)) => Some(Mark::Known),
            (Some(_), None) if !is_own => Some(Mark::Gap),
            _ => None,
        }
    }

    pub(super) fn is_gap(self) -> bool {
        matches!(self, Mark::Unanswered | Mark::Gap)
    }

    pub(super) fn text(self, words: &Messages) -> &'static str {
        match self {
            Mark::Own => words.own_move,
            Mark::Known => words.in_own_pgn,
            Mark::Unanswered => words.no_own_answer,
            Mark::Gap => words.not_in_own_pgn,
        }
    }
}

/// Reads the lines of a PGN. One that cannot be read completely is an error: it would seem to have gaps.
pub(super) fn read(
    context: &RequestContext<'_>,
    pgn: &[u8],
    owner: Color,
    language: Language,
) -> Result<Repertoire> {
    let words = language.words();
    let (mut lines, mut wrong) = (Repertoire::new(owner), None);
    let read = read_games_of_text(pgn, ReadOptions::default(), &mut |read| {
        // A PGN can have many variations, and the client may be gone.
        if context.watch().is_break() {
            return Break(());
        }
        let added = read.game.map_err(|reason| language.said(&reason));
        match added.and_then(|game| lines.add(&game).map_err(|error| language.said(&error))) {
            Ok(()) => Continue(()),
            Err(why) => {
                let [game, line] = [read.location.game, read.location.line].map(|number| number.to_string());
                let place = words.own_pgn_place.replace("{game}", &game).replace("{line}", &line);
                wrong = Some(format!("{place}: {why}"));
                Break(())
            }
        }
    });
    let why = match (read, wrong) {
        (_, Some(wrong)) => return Err(Failure::BadPgn(wrong)),
        (Ok(false), None) => return Err(Failure::Unwanted),
        (Err(ReadGamesError::Read { why, .. }), None) => why,
        (Err(error), None) => error.to_string(),
        (Ok(_), None) if lines.variant().is_some() => words.own_pgn_variant.to_owned(),
        // Each departure from a line shows all of its moves.
        (Ok(_), None) if lines.longest() > MAX_LINE_MOVES => words.own_pgn_long.to_owned(),
        (Ok(_), None) if lines.positions() < 2 => words.own_pgn_empty.to_owned(),
        (Ok(_), None) => return Ok(lines),
    };
    Err(Failure::BadPgn(why))
}

impl Comparison {
    /// `explorer` is the explorer with the opponent's games.
    pub(super) fn new(page: &Page, own: OwnLines<'_>, explorer: &Address) -> Comparison {
        let OwnLines { lines, found } = own;
        let (words, language) = (page.words, page.language);
        let (of, gaps) = (|kind| found.games_of(kind), found.gaps(lines));
        // Lines that end with a move of the opponent have no answer to it.
        let ends = gaps.iter().filter(|gap| gap.kind == DepartureKind::End && gap.played.is_none());
        let unanswered: u64 = ends.map(|gap| gap.games.games()).sum();
        let counts = [
            (words.stay_in_lines, of(DepartureKind::End) + of(DepartureKind::Finished) - unanswered),
            (words.leave_by_opponent, of(DepartureKind::Reply) + unanswered),
            (words.leave_by_own, of(DepartureKind::Own)),
            (words.never_in_lines, found.outside),
        ];
        let count = |(text, games)| (text, language.games(games), language.percent(games, found.games));
        let gaps = gaps.iter().filter_map(|gap| GapRow::new(page, lines, gap, explorer));
        let unmet = own.unmet_places();
        let shown = unmet.iter().take(UNMET).filter_map(|&place| {
            let text = match line(lines, place) {
                // The line begins there.
                none if none.is_empty() => fen(lines.position(place)?),
                moves => moves,
            };
            Some((text, link(lines, place, None, explorer)?))
        });
        Comparison {
            counts: counts.map(count),
            gaps: gaps.take(GAPS).collect(),
            unmet: shown.collect(),
            all_unmet: unmet.len(),
        }
    }
}

impl GapRow {
    fn new(page: &Page, lines: &Repertoire, gap: &DepartureSums, explorer: &Address) -> Option<GapRow> {
        let row = DepartureRow::new(lines, gap)?;
        // After a line, a move of Black needs no number.
        let played = row.played.map(|played| match played.split_once("... ") {
            Some((_, played)) if !row.line.is_empty() => played.to_owned(),
            _ => played,
        });
        Some(GapRow {
            games: page.language.number(row.results.games),
            score: score(page, row.results.of(!lines.owner())),
            played: played.unwrap_or_else(|| page.words.no_own_answer.to_owned()),
            line: row.line,
            link: link(lines, gap.place, gap.played, explorer)?,
        })
    }
}

/// The explorer after a line, and one more move of it.
fn link(lines: &Repertoire, place: usize, more: Option<Move>, explorer: &Address) -> Option<Address> {
    let (line, last) = (lines.line(place), lines.position(place)?);
    let start = line.first().map_or(last, |(position, _)| *position);
    let mut play: Vec<String> = line
        .iter()
        .filter_map(|(position, san)| Some(board::uci(position, san.san.to_move(*position).ok()?)))
        .collect();
    play.extend(more.map(|m| board::uci(last, m)));
    let root = if *start == Variant::Standard.start() { String::new() } else { fen(start) };
    Some(explorer.with("fen", root).with("play", play.join(",")))
}

impl OwnLines<'_> {
    /// The reader's moves in a position, except those shown already.
    pub(super) fn other_moves(self, position: &VariantPosition, shown: &[LineMove]) -> Vec<OwnMove> {
        let moves = self.lines.moves_in(position).filter(|_| Position::turn(position) == self.lines.owner());
        let own_move = |&m: &Move| {
            let mut after = position.clone();
            Rules::make(&mut after, m);
            OwnMove {
                san: SanPlus::from_move(position.clone(), m).to_string(),
                uci: board::uci(position, m),
                games: self.lines.place_of(&after).map_or(0, |place| self.games(place)),
            }
        };
        let moves = moves.unwrap_or_default().iter().map(own_move);
        moves.filter(|own| shown.iter().all(|line| line.played.san != own.san)).collect()
    }

    /// The positions of the lines that no game reaches, though one reaches the position before.
    fn unmet_places(self) -> Vec<usize> {
        let is_met = |place: usize| self.games(place) > 0;
        let places = 0..self.lines.positions();
        places.filter(|&place| !is_met(place) && self.lines.before(place).is_none_or(is_met)).collect()
    }

    /// The games that reach a position of the lines.
    fn games(self, place: usize) -> u64 {
        self.found.reached.get(place).copied().unwrap_or(0)
    }
}
