//! The effect of moves on a position.

use super::{Direction, Motion, Move, Piece, PieceLocation, Position, Square};

impl Position {
    /// Plays a legal move. The result of an illegal move is unspecified.
    pub fn play(&mut self, m: Move) {
        match (m.motion, m.company) {
            (Motion::To(to), None) => self.step(m.piece, to),
            (Motion::To(to), Some(beside)) => self.step_together(m.piece, to, beside),
            (Motion::Turn, _) => self.turned_mut().toggle(m.piece),
            (Motion::Mount, _) => self.mount_instead(m.piece),
            (Motion::Unmount, _) => self.put(m.piece, PieceLocation::Hand),
        }
        self.pass_turn();
    }

    fn step(&mut self, piece: Piece, to: Square) {
        match self.at(to) {
            Some(Piece::Tem) => self.swap_with_tem(piece),
            Some(victim) => self.capture(piece, victim),
            None => {}
        }
        self.put(piece, PieceLocation::On(to));
    }

    /// Both pieces move by the same offset, so the follower is next to the leader again.
    fn step_together(&mut self, leader: Piece, to: Square, beside: Direction) {
        let next = self.square(leader).and_then(|from| from.offset(beside.vector()));
        let follower = next.and_then(|next| self.at(next));
        self.put(leader, PieceLocation::On(to));
        if let (Some(follower), Some(goal)) = (follower, to.offset(beside.vector())) {
            self.put(follower, PieceLocation::On(goal));
        }
    }

    /// Teems cannot be captured. It moves to the square that the capturer came from, and the opponent loses the
    /// mounted piece, which goes to the box. *Forced*; that this is allowed when nobody has a mounted piece is
    /// *inferred*.
    fn swap_with_tem(&mut self, capturer: Piece) {
        self.put(Piece::Tem, self.place(capturer));
        if let Some(mount) = self.mount(!self.mover()) {
            self.put(mount, PieceLocation::Boxed);
        }
    }

    /// A captured piece goes to the capturer's hand and is no longer turned. If Teems captures, the mounted piece goes
    /// to the box (*forced*), unless the captured piece belongs to the mover's own side: see
    /// [`Ruleset::tem_takes_own`](super::Ruleset::tem_takes_own).
    fn capture(&mut self, capturer: Piece, victim: Piece) {
        self.turned_mut().remove(victim);
        if victim.owner() == Some(self.mover()) {
            self.put(victim, PieceLocation::Boxed);
            return;
        }
        if let (Piece::Tem, Some(mount)) = (capturer, self.mount(self.mover())) {
            self.put(mount, PieceLocation::Boxed);
        }
        self.put(victim, PieceLocation::Hand);
    }

    /// Mounts a piece; a piece that is already mounted returns to the hand (張り替え). *Stated*.
    fn mount_instead(&mut self, piece: Piece) {
        if let Some(mount) = self.mount(self.mover()) {
            self.put(mount, PieceLocation::Hand);
        }
        self.put(piece, PieceLocation::Mounted);
    }
}
