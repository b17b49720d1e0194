//! Reads plain movetexts: the moves of the mainline and nothing else. The lexer's fast lane has found the words,
//! pgn-reader says what they mean as SAN, and the moves are played as they come.

use pgn_reader::SanPlus;
use shakmaty::san::San;

use super::{
    lexer::PlainMovetext,
    observer::Observer,
    read_movetext::ReadMovetext,
    resolve::{Resolve, over_disambiguated},
    san_cache::{Node, SanCache},
    warning::{Warning, Warnings},
};
use crate::{
    chess::{Annotations, Resolved},
    limits::MAX_PLIES,
    rules::{FinalPosition, MoveIndex, Rules},
};

/// Reads mainlines; remembers the openings of its games.
#[derive(Debug)]
pub(super) struct MainlineReader<P: Rules> {
    cache: SanCache<P>,
}

impl<P: Rules> Default for MainlineReader<P> {
    /// Remembers nothing.
    fn default() -> Self {
        MainlineReader { cache: SanCache::default() }
    }
}

/// Where the mainline is.
enum Place<P> {
    /// In an opening that is known.
    Known(Node),
    /// In a position that is not.
    Own(P),
}

impl<P: Resolve + PartialEq> MainlineReader<P> {
    /// Remembers the openings of its games from one start position.
    pub(super) fn with_cache(start: P) -> MainlineReader<P> {
        MainlineReader { cache: SanCache::from(start) }
    }

    /// Plays a plain movetext from a start position, and shows it. `None` if it has too many moves, or a word that is
    /// not the SAN of a legal move.
    pub(super) fn read_plain(
        &mut self,
        start: &P,
        movetext: &[u8],
        plain: &PlainMovetext,
        observer: &mut impl Observer<P>,
    ) -> Option<ReadMovetext> {
        let plies = plain.count();
        if plies > MAX_PLIES {
            return None;
        }
        let (mut moves, mut steps) = (Vec::with_capacity(plies), Vec::with_capacity(plies));
        let mut warnings = Warnings::default();
        let mut place = self.cache.start(start).map_or_else(|| Place::Own(start.clone()), Place::Known);
        observer.begin(start);
        for word in plain.words() {
            let at = word.start;
            let SanPlus { san, .. } = SanPlus::from_ascii(movetext.get(word)?).ok()?;
            let (Resolved { m, index, count }, warning) = self.step(&mut place, san)?;
            if let Some(warning) = warning {
                warnings.mark(warning, at);
            }
            observer.moved(m, self.position(&place)?);
            moves.push(m);
            steps.push(MoveIndex { index, count });
        }
        let position = self.position(&place)?;
        let last = FinalPosition::of(position);
        Some(ReadMovetext {
            moves,
            steps,
            last,
            board_outcome: (last.count == 0).then(|| position.board_outcome()),
            outcome: plain.result(),
            annotations: Annotations::default(),
            warnings,
        })
    }

    #[inline]
    fn position<'a>(&'a self, place: &'a Place<P>) -> Option<&'a P> {
        match place {
            Place::Known(node) => self.cache.position(*node),
            Place::Own(position) => Some(position),
        }
    }

    /// Plays a move; the first that no game before had is remembered.
    #[inline]
    fn step(&mut self, place: &mut Place<P>, san: San) -> Option<(Resolved, Option<Warning>)> {
        let position = match place {
            Place::Own(position) => return play(position, san),
            Place::Known(node) => {
                if let Some((next, resolved)) = self.cache.follow(*node, san) {
                    *node = next;
                    return Some((resolved, None));
                }
                self.cache.position(*node)?.clone()
            }
        };
        let mut position = position;
        let (resolved, warning) = play(&mut position, san)?;
        if let (Place::Known(node), None) = (&*place, warning) {
            self.cache.learn(*node, san, resolved, position.clone());
        }
        *place = Place::Own(position);
        Some((resolved, warning))
    }
}

/// Plays a move that is not known yet; says also what its SAN has too much.
#[inline]
fn play<P: Resolve>(position: &mut P, san: San) -> Option<(Resolved, Option<Warning>)> {
    let resolved = position.resolve(san).ok()?;
    let warning = over_disambiguated(san, |shorter| position.fits(shorter));
    position.make(resolved.m);
    Some((resolved, warning))
}
