//! Parses material: how many pieces each side has.

use shakmaty::{Color, Role};

use crate::{
    query::{MaterialRange, StepWay},
    request::{MaterialError, RequestError},
    trail::{MOST, Material, ROLES},
};

/// The number of pieces of each role that a side may have, as ranges.
#[derive(Clone, Copy)]
struct Side {
    color: Option<Color>,
    /// In the order of [`ROLES`].
    counts: [(u8, u8); ROLES.len()],
}

/// Parses material: two sides separated by a space, such as `KRPPP KRPP`. A repeated letter is several pieces, `P{0,8}`
/// is a range, `*` allows any additional pieces, and the king is optional. Either side may be White, unless one has the
/// prefix `w:` or `b:`. Returns one or two alternatives.
///
/// # Errors
/// The text is not valid material.
pub(super) fn material(text: &str) -> Result<Vec<StepWay>, RequestError> {
    let mut ways: Vec<StepWay> = material_by_side(text)?.into_iter().flatten().collect();
    ways.dedup();
    Ok(ways)
}

/// The alternative in which the first side is White, and the one in which it is Black, if allowed.
pub(super) fn material_by_side(text: &str) -> Result<[Option<StepWay>; 2], RequestError> {
    let error = |why| RequestError::Material { text: text.to_owned(), why };
    let sides: Vec<&str> = text.split_whitespace().collect();
    let [one, other] = sides[..] else {
        return Err(error(MaterialError::Sides));
    };
    let [one, other] = [side(one).map_err(error)?, side(other).map_err(error)?];
    let white = match (one.color, other.color) {
        (Some(one), Some(other)) if one == other => return Err(error(MaterialError::SameColour)),
        (Some(color), _) => Some(color == Color::White),
        (None, Some(color)) => Some(color == Color::Black),
        (None, None) => None,
    };
    let range = MaterialRange {
        least: total(&one, &other, |count| count.0),
        most: total(&one, &other, |count| count.1),
    };
    let way = |range| StepWay { material: vec![range], ..StepWay::default() };
    Ok([(white != Some(false)).then(|| way(range)), (white != Some(true)).then(|| way(range.mirrored()))])
}

fn total(white: &Side, black: &Side, count: impl Fn((u8, u8)) -> u8) -> Material {
    let mut material = Material::default();
    for (color, side) in [(Color::White, white), (Color::Black, black)] {
        for (role, range) in ROLES.into_iter().zip(side.counts) {
            material = material.with(color, role, count(range));
        }
    }
    material
}

fn side(text: &str) -> Result<Side, MaterialError> {
    let (color, text) = match text.split_once(':') {
        Some(("w" | "W", rest)) => (Some(Color::White), rest),
        Some(("b" | "B", rest)) => (Some(Color::Black), rest),
        Some(_) => return Err(MaterialError::Colour),
        None => (None, text),
    };
    let mut side = Side { color, counts: [(0, 0); ROLES.len()] };
    let (mut letters, mut with_others, mut kings) = (text.chars().peekable(), false, 0);
    while let Some(letter) = letters.next() {
        if letter == '*' {
            with_others = true;
            continue;
        }
        let role = Role::from_char(letter.to_ascii_lowercase()).ok_or(MaterialError::Piece)?;
        if role == Role::King {
            kings += 1;
            continue;
        }
        let (least, most) = if letters.next_if_eq(&'{').is_some() { range(&mut letters)? } else { (1, 1) };
        let place = ROLES.iter().position(|known| *known == role);
        let Some(counts) = place.and_then(|place| side.counts.get_mut(place)) else { continue };
        *counts = (counts.0.saturating_add(least), counts.1.saturating_add(most));
        if counts.0 > MOST {
            return Err(MaterialError::TooMany);
        }
    }
    if kings > 1 {
        return Err(MaterialError::Kings);
    }
    if with_others {
        side.counts.iter_mut().for_each(|count| count.1 = MOST);
    }
    Ok(side)
}

/// Parses the rest of a range in braces: `0,8}`, `2}`, `2,}` or `,3}`.
fn range(letters: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Result<(u8, u8), MaterialError> {
    let mut inside = String::new();
    loop {
        match letters.next() {
            Some('}') => break,
            Some(letter) if inside.len() < 8 => inside.push(letter),
            _ => return Err(MaterialError::Braces),
        }
    }
    let number = |text: &str, empty: u8| match text.trim() {
        "" => Ok(empty),
        text => text.parse::<u8>().map(|number| number.min(MOST)).map_err(|_| MaterialError::Braces),
    };
    let (least, most) = match inside.split_once(',') {
        Some((least, most)) => (number(least, 0)?, number(most, MOST)?),
        None if inside.trim().is_empty() => return Err(MaterialError::Braces),
        None => (number(&inside, 0)?, number(&inside, 0)?),
    };
    if least <= most { Ok((least, most)) } else { Err(MaterialError::Backward) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Fen;

    fn has(text: &str, fen: &str) -> bool {
        let board = fen.parse::<Fen>().unwrap().into_setup().board;
        let of = Material::of(&board);
        material(text).unwrap().iter().any(|way| way.material.iter().all(|range| range.has(of)))
    }

    #[test]
    fn material_is_counted_side_by_side() {
        let fen = "8/5k2/1p3p2/1r6/8/R4PPP/5K2/8 w - - 0 1";
        let same = [
            "KRPPP KRPP",
            "RPPP RPP",
            "KRPP KRPPP",
            "w:KRPPP KRPP",
            "KRPP w:KRPPP",
            "b:KRPP KRPPP",
            "w:rppp b:rpp",
            "KRP{0,8} KRP{0,8}",
            "RP{3} RP{2}",
            "R{1}P{,3} RP{2,}",
            "KR* KR*",
            "* *",
            "KRPP* KRPP",
        ];
        for text in same {
            assert!(has(text, fen), "{text}");
        }
        for text in
            ["KRPPP KRPPP", "b:KRPPP KRPP", "KRPP KRPP", "KR KR", "KQ* K*", "RPPPP* R*", "RP{4,8} *", "R R*"]
        {
            assert!(!has(text, fen), "{text}");
        }
    }

    #[test]
    fn what_is_no_material_is_told() {
        for text in [
            "",
            "KR",
            "KR KR KR",
            "KK K",
            "w:K w:K",
            "x:K K",
            "KX K",
            "KP{ K",
            "KP{} K",
            "KP{3,1} K",
            "KP{a} K",
            "KP{1,2,3} K",
            "KP{999} K",
        ] {
            assert!(material(text).is_err(), "{text}");
        }
        assert!(material(&format!("{} K", "P".repeat(100_000))).is_err());
    }
}
