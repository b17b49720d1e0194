//! The number style of a game.

use memchr::memmem;

/// How a game writes its numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Style {
    /// Times have tenths of a second unless they are 0.
    pub tenths: bool,
    /// Hours have two digits.
    pub padded: bool,
    /// Evaluations have two digits after the point; otherwise one, or two if the second is not 0.
    pub fixed: bool,
}

impl Style {
    /// The style of concatenated comments.
    pub(super) fn of(comments: &str) -> Style {
        let mut style = Style::default();
        for at in memmem::find_iter(comments.as_bytes(), b"[%") {
            style.look_at(comments.get(at + 2..).unwrap_or_default());
        }
        style
    }

    fn look_at(&mut self, command: &str) {
        if let Some(time) = command.strip_prefix("clk ").or_else(|| command.strip_prefix("emt ")) {
            let (time, _) = split_number(time);
            self.tenths |= time.contains('.');
            self.padded |= time.starts_with('0') && !time.starts_with("0:");
        } else if let Some(eval) = command.strip_prefix("eval ") {
            let (eval, _) = split_number(eval);
            let decimals = eval.split_once('.').map_or("", |(_, decimals)| decimals);
            self.fixed |= decimals.len() == 2 && decimals.ends_with('0');
        }
    }
}

/// The number at the start of a text, that is its longest prefix of number characters, and the rest.
pub(super) fn split_number(text: &str) -> (&str, &str) {
    let is_sign = |byte: &u8| matches!(byte, b'0'..=b':' | b'.' | b'-' | b'#');
    let length = text.bytes().take_while(|byte| is_sign(byte)).count();
    text.split_at_checked(length).unwrap_or((text, ""))
}
