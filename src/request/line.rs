//! A line as clients of opening explorers describe it: a FEN and moves from there in UCI notation.

use shakmaty::uci::UciMove;

use super::RequestError;
use crate::{
    chess::{Variant, VariantPosition, fen_or_epd},
    limits::MAX_LINE_MOVES,
    query::TargetPosition,
    rules::Rules,
};

/// The positions of a line, including the first and the last. Fields of the FEN may be separated by `_`; without a FEN,
/// or with an empty one, the line starts at the initial position of the variant. Moves are separated by commas;
/// castling may be written as the king's move or as king takes rook.
///
/// # Errors
/// The FEN is invalid or not a position of the variant, a move is illegal, or there are more than [`MAX_LINE_MOVES`].
pub fn line(
    variant: Variant,
    fen: Option<&str>,
    play: Option<&str>,
) -> Result<Vec<VariantPosition>, RequestError> {
    let mut position = match fen.map(str::trim).filter(|fen| !fen.is_empty()) {
        None => variant.start(),
        Some(text) => {
            let fen = fen_or_epd(text);
            let fen = fen.map_err(|error| RequestError::Fen { text: text.to_owned(), error })?;
            TargetPosition::position(variant, fen.into_setup())?
        }
    };
    let mut line = vec![position.clone()];
    for text in play.unwrap_or_default().split(',').filter(|text| !text.is_empty()) {
        if line.len() > MAX_LINE_MOVES {
            return Err(RequestError::LongLine);
        }
        let m = text.parse::<UciMove>().ok().and_then(|m| m.to_move(&position).ok());
        position
            .make(m.ok_or_else(|| RequestError::IllegalMove { text: text.to_owned(), place: line.len() })?);
        line.push(position.clone());
    }
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::fen;

    fn last(play: &str) -> Result<String, RequestError> {
        line(Variant::Standard, None, Some(play)).map(|line| fen(line.last().unwrap()))
    }

    #[test]
    fn castling_may_be_the_kings_move_or_king_takes_rook() {
        let open = "e2e4,e7e5,g1f3,b8c6,f1c4,f8c5";
        let [one, other] = ["e1g1", "e1h1"].map(|castling| last(&format!("{open},{castling}")).unwrap());
        assert_eq!(one, other);
        assert!(one.starts_with("r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq "));
    }

    #[test]
    fn a_line_has_its_limit_and_says_where_it_cannot_be_played() {
        let there_and_back = ["g1f3", "g8f6", "f3g1", "f6g8"];
        let moves =
            |count: usize| there_and_back.iter().cycle().take(count).copied().collect::<Vec<_>>().join(",");
        for count in [0, 1, MAX_LINE_MOVES - 1, MAX_LINE_MOVES] {
            assert!(last(&moves(count)).is_ok(), "{count}");
        }
        assert!(matches!(last(&moves(MAX_LINE_MOVES + 1)), Err(RequestError::LongLine)));
        for (play, wrong) in
            [("e2e5", 1), ("e2e4,e2e4", 2), ("e2e4,zz", 2), ("e2e4,e7e5,N@f3", 3), ("0000", 1)]
        {
            let error = last(play);
            assert!(
                matches!(&error, Err(RequestError::IllegalMove { place, .. }) if *place == wrong),
                "{play}: {error:?}"
            );
        }
        assert!(last(",e2e4,").is_ok());
    }

    #[test]
    fn fields_of_a_fen_are_parted_by_spaces_or_underscores() {
        for text in [
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9",
            "r3k2r/8/8/8/8/8/8/R3K2R_w_KQkq_-",
            "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1",
            // Castling rights that cannot be used, and an en passant square without a pawn.
            "r3k2r/8/8/8/8/8/8/R3K2R_w_KQkq_e6_0_1",
        ] {
            let line = line(Variant::Standard, Some(text), None).unwrap();
            assert!(fen(&line[0]).starts_with("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -"), "{text}");
        }
        for text in
            ["x", "8/8/8/8/8/8/8/8 w - -", "8/8/8/8/8/8/8/K1k5/8 w - -", "kK6/8/8/8/8/8/8/8 w - - 0 1"]
        {
            assert!(line(Variant::Standard, Some(text), None).is_err(), "{text}");
        }
        assert_eq!(line(Variant::Standard, Some(" "), None).unwrap(), [Variant::Standard.start()]);
    }
}
