//! What one of two records of a game has that the other lacks.

use plybook_chess::chess::{Annotation, Annotations, BROKEN, Move, Tags, VariantPosition};
use plybook_chess::{codec::game::GameMoves, rules::Outcome};

use super::{Identities, annotations::ByPly, tags};
use crate::{GameError, StoredGame};

/// Two records that may be of one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// They are of two games, and have nothing in common that a game has only once.
    Others,
    /// They are of two games with the same address or id.
    SameAddress,
    /// The second says nothing that the first does not.
    NothingNew,
    /// The second says all that the first does, and more.
    OnlyNew,
    /// Each says something that the other does not.
    Both,
}

/// A decoded record.
pub(super) struct Contents {
    pub line: GameMoves<VariantPosition>,
    pub annotations: Annotations,
    pub tags: Tags,
}

impl Contents {
    /// What a record says that is not outdated by another one: a game that was kept up to an illegal move has the rest as
    /// a comment, and a mark, until a whole version of it comes.
    pub(super) fn of(game: &StoredGame, beside: &StoredGame) -> Result<Contents, GameError> {
        let line = game.line()?;
        let (mut annotations, mut tags) = (game.annotations(&line)?, game.tags.clone());
        let is_whole = beside.tags.get(BROKEN).is_none() && beside.plies >= game.plies;
        if let Some(illegal) = game.tags.get(BROKEN).filter(|_| is_whole) {
            let is_rest = |ply, annotation: &Annotation<'_>| {
                ply == game.plies
                    && matches!(annotation, Annotation::Comment(text) if text.trim_start().starts_with(illegal))
            };
            annotations = without(&annotations, is_rest);
            tags = tags::without(&tags, BROKEN);
        }
        Ok(Contents { line, annotations, tags })
    }

    pub(super) fn moves(&self) -> &[Move] {
        &self.line.moves
    }
}

/// Compares a stored game with a new record.
///
/// # Errors
/// One of them is damaged.
pub fn compare(stored: &StoredGame, new: &StoredGame) -> Result<Comparison, GameError> {
    let (known, found) = (Identities::of(&stored.tags), Identities::of(&new.tags));
    let has_address = known.have_address_in_common(&found);
    let is_chess = stored.kind == new.kind && stored.kind.variant().is_some();
    if !is_chess || !has_address && !known.have_meeting_in_common(&found) {
        return Ok(Comparison::Others);
    }
    let (old, of_new) = (Contents::of(stored, new)?, Contents::of(new, stored)?);
    let common = common_plies(old.moves(), of_new.moves());
    let shorter = stored.plies.min(new.plies);
    let is_one = old.line.start == of_new.line.start
        && if has_address {
            2 * common >= shorter && have_player_in_common(&stored.tags, &new.tags)
        } else {
            common == shorter && !is_walkover(stored, new) && !has_ended_before(stored, new)
        };
    if !is_one {
        return Ok(if has_address { Comparison::SameAddress } else { Comparison::Others });
    }
    let says_more = |one: (&StoredGame, &Contents), other: (&StoredGame, &Contents)| {
        one.0.plies > common
            || tags::say_more(&one.1.tags, &other.1.tags)
            || !tags::says_no_more(one.0.result.as_str(), other.0.result.as_str())
            || ByPly::of(&one.1.annotations).say_more(&ByPly::of(&other.1.annotations))
    };
    let is_more = says_more((stored, &old), (new, &of_new));
    Ok(match says_more((new, &of_new), (stored, &old)) {
        false => Comparison::NothingNew,
        true if is_more => Comparison::Both,
        true => Comparison::OnlyNew,
    })
}

fn without(annotations: &Annotations, left_out: impl Fn(usize, &Annotation<'_>) -> bool) -> Annotations {
    let mut rest = Annotations::default();
    let kept = annotations.iter().filter(|(ply, annotation)| !left_out(*ply, annotation));
    kept.for_each(|(ply, annotation)| rest.push(ply, annotation));
    rest
}

/// Whether one of the players is the same, as far as is known. Some files give every game the same address.
fn have_player_in_common(some: &Tags, others: &Tags) -> bool {
    ["White", "Black"].into_iter().any(|name| {
        let [one, other] = [some, others].map(|tags| tags.get(name).unwrap_or("?"));
        tags::says_no_more(one, other) || tags::says_no_more(other, one)
    })
}

/// Whether one was decided without a move, and the other was played: it may have been another game.
fn is_walkover(one: &StoredGame, other: &StoredGame) -> bool {
    let is_decided = |game: &StoredGame| game.plies == 0 && game.result.as_str() != "*";
    (is_decided(one) && other.plies > 0) || (is_decided(other) && one.plies > 0)
}

/// Whether the shorter one has ended with another result than the longer one: a draw that was agreed has no more moves.
fn has_ended_before(one: &StoredGame, other: &StoredGame) -> bool {
    let results = [one.result, other.result];
    one.plies != other.plies && results[0] != results[1] && !results.contains(&Outcome::Unknown)
}

/// The number of moves with which two games begin alike.
pub(super) fn common_plies(some: &[Move], others: &[Move]) -> usize {
    some.iter().zip(others).take_while(|(one, other)| one == other).count()
}
