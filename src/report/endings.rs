//! Endings: the pieces left at the end of games.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use serde::Serialize;

use super::results::{Results, ResultsById, Tallied, ranked};
use crate::{
    archive::Result,
    chess::{Color, Role},
    query::{self, Context, final_material},
    rules::Outcome,
    trail::Material,
};

/// The maximum number of pieces of a side in an ending, not counting king and pawns.
const MOST: usize = 2;

/// The pieces that distinguish endings, with their letters and values.
const PIECES: [(Role, char, u32); 4] =
    [(Role::Queen, 'Q', 9), (Role::Rook, 'R', 5), (Role::Bishop, 'B', 3), (Role::Knight, 'N', 3)];

/// Games that ended with the same pieces, at most two per side, not counting kings and pawns.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EndingResults {
    /// The pieces of both sides regardless of colour, the more valuable ones first: `KR KR`, `KQ KRB`; pawns are
    /// omitted. `None` for games that ended with more pieces.
    pub ending: Option<String>,
    /// The results of these games.
    #[serde(flatten)]
    pub results: Results,
}

/// The endings of games, given with their results: the number of endings, and those with the most games.
pub(super) fn endings(
    context: Context<'_>,
    games: &ResultsById,
    most: usize,
) -> Result<(u64, Vec<EndingResults>)> {
    let by_material = context.or_without_index(|context| {
        let mut by_material: HashMap<Material, query::Results, RandomState> = HashMap::default();
        let mut result_of = games.finder();
        final_material(context, &games.games, |id, material| {
            by_material.entry(material).or_default().add(result_of(id).unwrap_or(Outcome::Unknown));
        })?;
        Ok(by_material)
    })?;
    let mut by_pieces: HashMap<Option<[u8; 8]>, query::Results> = HashMap::new();
    for (material, results) in &by_material {
        by_pieces.entry(pieces(*material)).or_default().merge(results);
    }
    let endings = ranked(by_pieces);
    let of = |(pieces, results): &(Option<[u8; 8]>, query::Results)| EndingResults {
        ending: pieces.map(name),
        results: results.answer(),
    };
    let different = endings.iter().filter(|(pieces, _)| pieces.is_some()).count() as u64;
    Ok((different, endings.iter().take(most).map(of).collect()))
}

/// The number of each of [`PIECES`] on each side, the more valuable side first; if equal, the one with more of the
/// first kind.
fn pieces(material: Material) -> Option<[u8; 8]> {
    let side = |color| PIECES.map(|(role, ..)| material.count(color, role));
    let worth = |counts: &[u8; 4]| -> u32 {
        counts.iter().zip(PIECES).map(|(count, (.., worth))| u32::from(*count) * worth).sum()
    };
    let mut sides = [side(Color::White), side(Color::Black)];
    if sides.iter().any(|counts| counts.iter().map(|count| usize::from(*count)).sum::<usize>() > MOST) {
        return None;
    }
    sides.sort_by_key(|counts| (worth(counts), *counts));
    let [weak, strong] = sides;
    let mut all = [0; 8];
    all[..4].copy_from_slice(&strong);
    all[4..].copy_from_slice(&weak);
    Some(all)
}

fn name(pieces: [u8; 8]) -> String {
    let side = |counts: &[u8]| -> String {
        let letters = counts.iter().zip(PIECES);
        letters.fold("K".to_owned(), |text, (count, (_, letter, _))| {
            text + &letter.to_string().repeat(usize::from(*count))
        })
    };
    format!("{} {}", side(&pieces[..4]), side(&pieces[4..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(white: &[Role], black: &[Role]) -> Option<String> {
        let mut material = Material::default();
        for (color, roles) in [(Color::White, white), (Color::Black, black)] {
            for role in roles {
                material = material.plus(Material::one(color, *role));
            }
        }
        pieces(material).map(name)
    }

    #[test]
    fn an_ending_has_the_stronger_side_first_regardless_of_colour() {
        use Role::{Bishop, Knight, Pawn, Queen, Rook};
        for (white, black, name) in [
            (&[][..], &[][..], Some("K K")),
            (&[Pawn, Pawn, Rook], &[Rook, Pawn], Some("KR KR")),
            (&[Knight], &[Bishop], Some("KB KN")),
            (&[Rook, Bishop], &[Queen], Some("KQ KRB")),
            (&[Knight, Knight], &[Rook], Some("KNN KR")),
            (&[Rook, Knight, Bishop], &[], None),
        ] {
            assert_eq!(of(white, black).as_deref(), name);
            assert_eq!(of(black, white).as_deref(), name);
        }
    }
}
