//! Reads a movetext: a plain one, which has the moves of the mainline and nothing else, from its words alone; every
//! other one in full. The lexer's fast path has found the words of a plain one, pgn-reader parses them as SAN, and each
//! move is played immediately.

use std::ops::Range;

use pgn_reader::SanPlus;
use shakmaty::Position;

use super::{
    common_san::common_san,
    lexer::PlainMovetext,
    movetext::{Movetext, ReadMovetext},
    observer::Observer,
    piece_letters::PieceLetters,
    read_ambiguous::read_any,
    read_full::read_to_fault,
    reject::Reject,
    resolve::{Resolve, over_disambiguated},
    san_cache::{Node, SanCache, ShortWord},
    warning::Warning,
    warnings::Warnings,
};
use plybook_chess::{
    chess::{Annotations, NullMove, Resolved},
    limits::MAX_PLIES,
    rules::{FinalPosition, MoveIndex},
};

/// Position of the reader in the mainline.
enum MainlinePosition<P> {
    /// Inside a cached opening.
    Known(Node),
    /// After the cached part.
    Own(P),
}

impl<P: Resolve> SanCache<P> {
    /// Reads a movetext from a start position; `plain` has its words if it is plain. Then passes it to the observer.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub(super) fn read(
        &mut self,
        start: &P,
        movetext: &Movetext<'_>,
        plain: &PlainMovetext,
        letters: PieceLetters,
        observer: &mut impl Observer<P>,
    ) -> Result<ReadMovetext, Reject>
    where
        P: Position + NullMove,
    {
        if movetext.is_plain && movetext.comments.is_empty() && letters.is_english() {
            // On failure, the full reader below reports the error.
            if let Some(read) = self.read_plain(start, movetext.text, plain, observer) {
                return Ok(read);
            }
            observer.forget();
        }
        let mut furthest = match read_any(movetext, start, letters) {
            Ok(read) => return Ok(read),
            Err(reject) => (reject, letters),
        };
        for other in PieceLetters::others().filter(|_| letters == PieceLetters::Auto) {
            match read_any(movetext, start, other) {
                Ok(read) => return Ok(read),
                // The language in which most of the game can be played is probably its own.
                Err(reject) if reject.at > furthest.0.at => furthest = (reject, other),
                Err(_) => {}
            }
        }
        let (reject, letters) = furthest;
        if movetext.keeps_broken { read_to_fault(movetext, start.clone(), letters) } else { Err(reject) }
    }

    /// Plays a plain movetext from a start position and passes it to the observer. Returns `None` if it has too many
    /// moves, or a word that is not SAN for a legal move.
    fn read_plain(
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
        let known = self.start(start).map(MainlinePosition::Known);
        let mut place = known.unwrap_or_else(|| MainlinePosition::Own(start.clone()));
        observer.begin(start);
        for word in plain.words() {
            let at = word.start;
            let (resolved, warning) = self.step(&mut place, movetext, word)?;
            if let Some(warning) = warning {
                warnings.mark(warning, at);
            }
            observer.moved(resolved.m(), self.place(&place)?);
            moves.push(resolved.m());
            steps.push(MoveIndex { index: resolved.index(), count: resolved.count() });
        }
        let position = self.place(&place)?;
        observer.ended(position);
        let last = FinalPosition::of(position);
        Some(ReadMovetext {
            moves,
            steps,
            last,
            board_outcome: (last.count == 0).then(|| position.board_outcome()),
            outcome: plain.result(),
            annotations: Annotations::default(),
            warnings,
            broken: None,
        })
    }

    #[inline]
    fn place<'a>(&'a self, place: &'a MainlinePosition<P>) -> Option<&'a P> {
        match place {
            MainlinePosition::Known(node) => self.position(*node),
            MainlinePosition::Own(position) => Some(position),
        }
    }

    /// Plays a move, and caches it if it is the first one that is not in the cache.
    #[inline(always)]
    fn step(
        &mut self,
        place: &mut MainlinePosition<P>,
        movetext: &[u8],
        word: Range<usize>,
    ) -> Option<(Resolved, Option<Warning>)> {
        let mut new = None;
        let short = ShortWord::of(movetext.get(word.start..)?, word.len());
        // In the cached part of a game a ply costs a lookup instead of parsing, move generation and playing. Most
        // plies that games share are at their beginning, so the cache is a tree from the start position and is left
        // for good at the first unknown move.
        if let MainlinePosition::Known(node) = *place {
            if let Some((next, resolved)) = short.and_then(|short| self.follow(node, short)) {
                *place = MainlinePosition::Known(next);
                return Some((resolved, None));
            }
            new = short.map(|short| (node, short));
            *place = MainlinePosition::Own(self.position(node)?.clone());
        }
        let MainlinePosition::Own(position) = place else { return None };
        let san = match short.and_then(|short| common_san(short, word.len())) {
            Some(san) => san,
            None => SanPlus::from_ascii(movetext.get(word)?).ok()?.san,
        };
        let resolved = position.resolve(san)?;
        // Checked only for words that were parsed: a cached word had no warning when it was learned, because words
        // with one are never cached.
        let warning = over_disambiguated(san, position);
        position.make(resolved.m());
        if let (Some((node, short)), None) = (new, warning) {
            self.learn(node, short, resolved, position.clone());
        }
        Some((resolved, warning))
    }
}
