//! Positions in EPD: the first fields of a FEN, then operations, each with a semicolon after it.

use shakmaty::fen::{Fen, ParseFenError};

/// Parses a FEN, or a line of EPD. The clocks are those of the operations `hmvc` and `fmvn`, or the numbers after the
/// position; other operations, and the text after a semicolon, are ignored.
///
/// ```
/// use plybook_chess::chess::fen_or_epd;
/// let epd = fen_or_epd("4k3/8/8/8/8/8/8/4K2R w K - hmvc 1; bm O-O; fmvn 7;")?;
/// assert_eq!(epd.to_string(), "4k3/8/8/8/8/8/8/4K2R w K - 1 7");
/// # Ok::<(), shakmaty::fen::ParseFenError>(())
/// ```
///
/// # Errors
/// The text is neither.
pub fn fen_or_epd(text: &str) -> Result<Fen, ParseFenError> {
    let text = text.trim();
    text.parse().or_else(|error| fen_of_epd(text).and_then(|fen| fen.parse().ok()).ok_or(error))
}

/// The FEN of a line of EPD, if it has a semicolon.
fn fen_of_epd(text: &str) -> Option<String> {
    let (first, _) = text.split_once(';')?;
    let words: Vec<&str> = first.split_whitespace().collect();
    let (position, rest) = words.split_at_checked(4).unwrap_or((&words, &[]));
    // Three-check has one more field.
    let (checks, rest) =
        rest.split_at_checked(1).filter(|(field, _)| field.concat().contains('+')).unwrap_or((&[], rest));
    let number = |text: &str| text.parse::<u32>().ok();
    let after_position =
        |index: usize| rest.get(..=index)?.iter().map(|word| number(word)).collect::<Option<Vec<_>>>()?.pop();
    // Operations in a text between quotes are part of it; the first one begins after the position.
    let unquoted: String = text.split('"').step_by(2).collect();
    let operations =
        unquoted.split_whitespace().skip(position.len() + checks.len()).collect::<Vec<_>>().join(" ");
    let operand = |opcode: &str| {
        let mut operations = operations.split(';').filter_map(|operation| operation.trim().split_once(' '));
        operations.find(|(name, _)| *name == opcode).and_then(|(_, operand)| number(operand.trim()))
    };
    let half_moves = operand("hmvc").or_else(|| after_position(0)).unwrap_or(0);
    let moves = operand("fmvn").or_else(|| after_position(1)).unwrap_or(1);
    Some(format!("{} {half_moves} {moves}", [position, checks].concat().join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_epd_are_read_like_their_fen() {
        let position = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";
        for (rest, clocks) in [
            ("", "0 1"),
            (";", "0 1"),
            (" ;", "0 1"),
            (" 3 7", "3 7"),
            (" 3 7;", "3 7"),
            (" 3 7; a semicolon after a FEN", "3 7"),
            (" bm Nf3; id \"plain\";", "0 1"),
            (" hmvc 3; fmvn 7; bm Nf3;", "3 7"),
            (" bm Nf3; fmvn 7;", "0 7"),
            (" c0 \"hmvc 3; fmvn 9;\"; fmvn 7", "0 7"),
            (" sm Nf3; c9 \"1-0\"; id \"1:2\";", "0 1"),
        ] {
            let fen = fen_or_epd(&format!("{position}{rest}")).map(|fen| fen.to_string());
            assert_eq!(fen.as_deref(), Ok(format!("{position} {clocks}").as_str()), "{rest}");
        }
        let three_check = fen_or_epd("4k3/8/8/8/8/8/8/4K3 w - - 3+2 hmvc 5; id \"x\";").unwrap();
        assert_eq!(three_check.to_string(), "4k3/8/8/8/8/8/8/4K3 w - - 3+2 5 1");
    }

    #[test]
    fn other_text_is_neither() {
        for text in
            ["", ";", "8/8 w - -;", "1. e4 e5; a comment", "4k3/8/8/8/8/8/8/4K3 w - - bm Ke2", "\"; \";\""]
        {
            assert!(fen_or_epd(text).is_err(), "{text}");
        }
    }
}
