//! Values of tags of two records of one game.

use plybook_chess::chess::Tags;

/// Whether a value of a tag says nothing: it consists of signs for what is unknown, or is empty.
pub fn is_unknown(value: &str) -> bool {
    value.bytes().all(|byte| matches!(byte, b'?' | b'-' | b'*' | b'.' | b' '))
}

/// Whether a value of a tag says no more than another: it is unknown, or a part of the other is unknown in it.
pub(super) fn says_no_more(value: &str, than: &str) -> bool {
    value == than
        || is_unknown(value)
        || value.len() == than.len() && value.bytes().zip(than.bytes()).all(|(a, b)| a == b || a == b'?')
}

/// Whether some tag pairs say something that others do not.
pub(super) fn say_more(tags: &Tags, than: &Tags) -> bool {
    tags.iter().any(|(name, value)| !says_no_more(value, than.get(name).unwrap_or("?")))
}

/// The tag pairs but for those with a name.
pub(super) fn without(tags: &Tags, name: &str) -> Tags {
    let mut others = Tags::default();
    for (other, value) in tags.iter().filter(|(other, _)| *other != name) {
        others.push(other, value);
    }
    others
}

/// The tag pairs of both records, with the value of the first where both are known. `is_complete` is whether tags that
/// the first lacks are added.
pub(super) fn joined(first: &Tags, second: &Tags, is_complete: bool) -> Tags {
    let mut tags = Tags::default();
    for (name, value) in first.iter() {
        let other = second.get(name).unwrap_or(value);
        tags.push(name, if says_no_more(value, other) { other } else { value });
    }
    for (name, value) in second.iter().filter(|_| is_complete) {
        if first.get(name).is_none() {
            tags.push(name, value);
        }
    }
    tags
}
