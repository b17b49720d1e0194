//! Names that may be misspellings of the same person's name: "Kasparov, Gary" and "Kasparov, Garry".

use super::person::{Parts, Person, Word, agree, each, joined};
use crate::near_name::differ_by_a_letter;

impl Person {
    /// Whether the family name or a given name differs by one letter from that of a name, and everything else agrees.
    pub(super) fn is_similar_to(&self, name: &Person) -> bool {
        let names = name.in_order();
        self.in_order().iter().any(|(family, given)| {
            names.iter().any(|(own_family, own_given)| {
                are_near(&joined(family), &joined(own_family)) && given_are_near(given, own_given)
            })
        })
    }

    /// Its family name and given names. Without a comma, both the first and the last word are tried as the family
    /// name.
    fn in_order(&self) -> Vec<(&[Word], Parts<'_>)> {
        if self.has_comma {
            return vec![(&self.family, self.behind_comma())];
        }
        let size = self.family.len();
        let (first, behind) = self.family.split_at(size.min(1));
        let (before, last) = self.family.split_at(size.saturating_sub(1));
        vec![(first, Parts::without_comma(behind)), (last, Parts::without_comma(before))]
    }
}

fn are_near(one: &str, other: &str) -> bool {
    one == other || differ_by_a_letter(one, other)
}

fn given_are_near(sought: &Parts<'_>, name: &Parts<'_>) -> bool {
    let (one, other) = (each(sought.given.iter().copied()), each(name.given.iter().copied()));
    let mut pairs = one.iter().zip(&other);
    one.is_empty()
        || !other.is_empty() && pairs.all(|(&a, &b)| agree(a, sought, b, name) || differ_by_a_letter(a, b))
}
