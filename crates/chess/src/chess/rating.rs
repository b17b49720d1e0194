//! Ratings in tags.

/// The digits of a rating at most. Five are a slip of the pen.
const MAX_DIGITS: usize = 4;

/// A rating, unless it contains more than its digits: `+2700`, `0999`, `1820?`.
pub fn rating(value: &str) -> Option<u16> {
    let plain = value == "0" || value.as_bytes().first().is_some_and(|first| (b'1'..=b'9').contains(first));
    value.parse().ok().filter(|_| plain && value.len() <= MAX_DIGITS)
}

/// The rating that a tag means: the number that it begins with. If marks follow (`1820?`, `1820P`, `1820 (FIDE)`), only a
/// number of three or four digits is one.
pub fn rating_of_tag(value: &str) -> Option<u16> {
    rating(value).or_else(|| {
        let value = value.trim();
        let digits = value.bytes().take_while(u8::is_ascii_digit).count();
        let (number, marks) = value.split_at_checked(digits)?;
        rating(number).filter(|_| marks.is_empty() || digits > 2 && !marks.starts_with(['.', ',']))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rating_with_marks_is_its_leading_number() {
        for text in ["1820", "1820?", "1820P", "1820 (FIDE)", " 1820 ", "1820*", "1820/12", "1820-1850"] {
            assert_eq!(rating_of_tag(text), Some(1820), "{text}");
        }
        assert_eq!(["0", "5", " 5", "950 p", "4500"].map(rating_of_tag), [0, 5, 5, 950, 4500].map(Some));
        for text in ["18200", "18200?", "", "?", "-", "+2700", "0999", "3 (new)", "unrated", "1e3"] {
            assert_eq!(rating_of_tag(text), None, "{text}");
        }
        assert_eq!(["0", "1820", "18200", "1820?"].map(rating), [Some(0), Some(1820), None, None]);
    }
}
