//! Receives the positions of a mainline while it is read, so that they need not be replayed.

use shakmaty::Move;

/// Receives the mainlines of games with a plain movetext and no custom start position.
pub trait Observer<P> {
    /// A game begins.
    fn begin(&mut self, _start: &P) {}

    /// A move was played and led to this position.
    fn moved(&mut self, _m: Move, _position: &P) {}

    /// The game ended in this position.
    fn ended(&mut self, _last: &P) {}

    /// The positions passed so far are not those of the game that was read.
    fn forget(&mut self);
}

/// Ignores everything.
impl<P> Observer<P> for () {
    fn forget(&mut self) {}
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use shakmaty::Position;

    use super::*;
    use crate::Reader;
    use plybook_chess::chess::QuickChess;

    /// The current game: its positions, the moves between them, and how often it ended.
    #[derive(Default)]
    struct Shown(Vec<QuickChess>, Vec<Move>, usize);

    impl Observer<QuickChess> for Shown {
        fn begin(&mut self, start: &QuickChess) {
            *self = Shown(vec![start.clone()], Vec::new(), 0);
        }

        fn moved(&mut self, m: Move, position: &QuickChess) {
            self.0.push(position.clone());
            self.1.push(m);
        }

        fn ended(&mut self, last: &QuickChess) {
            assert_eq!(self.0.last(), Some(last));
            self.2 += 1;
        }

        fn forget(&mut self) {
            *self = Shown::default();
        }
    }

    #[test]
    fn the_observer_gets_the_complete_game_or_nothing() {
        let plain = ["1. e4 e5 2. Nf3 Nc6 *", "1. e4 e5 2. Bc4 *", "*", "1. d4 d5 2. c4 e6 3. Nc3 Nf6 1-0"];
        let others = [
            "1. e4 e5 2. Nf3 {x} Nc6 *",
            "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0-0 *",
            "1. e4 e5 2. Ke3 *",
            "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *",
            "[Variant \"Atomic\"]\n\n1. e4 *",
        ];
        let mut reader = Reader::new();
        // A movetext that was read twice is in the cache, and the observer gets it from there.
        for (text, is_plain) in [(&plain[..], true), (&others, false)]
            .repeat(3)
            .into_iter()
            .flat_map(|(texts, is_plain)| texts.iter().map(move |text| (text, is_plain)))
        {
            let mut games = reader.read_observed(text.as_bytes(), Shown::default());
            let game = games.next().unwrap().1;
            let Shown(positions, moves, ends) = &games.observer;
            assert_eq!((!positions.is_empty(), *ends), (is_plain, usize::from(is_plain)), "{text}");
            let mut position = QuickChess::default();
            for (n, &m) in moves.iter().enumerate() {
                assert_eq!(positions[n], position, "{text}");
                position.play_unchecked(m);
            }
            if is_plain {
                assert_eq!((moves, positions.last()), (&game.unwrap().moves, Some(&position)), "{text}");
            }
        }
    }
}
