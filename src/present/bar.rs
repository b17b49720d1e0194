//! Results as bars of block characters.

/// Won by White, drawn, won by Black, and their colours: white, grey, dark.
const BLOCKS: [(char, &str); 3] = [('█', "\x1b[97m"), ('▒', "\x1b[37m"), ('░', "\x1b[90m")];

/// Three parts of a whole as a bar. Each boundary is rounded, so the rest of the bar corresponds to the rest of the
/// whole.
pub(super) fn bar(parts: [u64; 3], whole: u64, width: usize) -> String {
    let place = |sum: u64| {
        let place =
            (2 * u128::from(sum) * width as u128 + u128::from(whole)) / (2 * u128::from(whole.max(1)));
        usize::try_from(place).unwrap_or(width)
    };
    let (mut bar, mut sum, mut end) = (String::new(), 0, 0);
    for ((block, _), part) in BLOCKS.into_iter().zip(parts) {
        sum += part;
        bar.extend(std::iter::repeat_n(block, place(sum) - end));
        end = place(sum);
    }
    bar
}

/// A text with coloured bars.
pub(super) fn coloured(text: &str) -> String {
    let code_of = |c| BLOCKS.into_iter().find(|(block, _)| *block == c).map(|(_, code)| code);
    let (mut coloured, mut under) = (String::with_capacity(2 * text.len()), None);
    for c in text.chars() {
        let code = code_of(c);
        if code != under {
            coloured.push_str(code.unwrap_or("\x1b[0m"));
            under = code;
        }
        coloured.push(c);
    }
    coloured
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_long_as_its_games_and_its_parts_are_in_order() {
        for (parts, whole, text) in [
            ([1, 1, 1], 3, "███▒▒▒░░░"),
            ([3, 0, 0], 3, "█████████"),
            ([0, 0, 3], 3, "░░░░░░░░░"),
            ([0, 0, 0], 3, ""),
            ([1, 0, 1], 3, "███░░░"),
            ([1000, 1, 1000], 2001, "████▒░░░░"),
            ([0, 0, 0], 0, ""),
        ] {
            assert_eq!(bar(parts, whole, 9), text, "{parts:?}");
        }
    }

    #[test]
    fn colours_end_where_a_bar_ends() {
        assert_eq!(coloured("a █▒\nb"), "a \x1b[97m█\x1b[37m▒\x1b[0m\nb");
        assert_eq!(coloured("e4  12"), "e4  12");
    }
}
