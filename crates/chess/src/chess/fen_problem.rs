//! What is wrong with a FEN.

use shakmaty::fen::ParseFenError;

/// Why a text is not a FEN, and what is expected.
pub fn fen_problem(error: &ParseFenError) -> &'static str {
    match error {
        ParseFenError::InvalidFen => "it has too few or too many fields",
        ParseFenError::InvalidBoard => {
            "expected 8 ranks of 8 squares, separated by /, with the pieces PNBRQKpnbrqk"
        }
        ParseFenError::InvalidPocket => "invalid pieces in hand",
        ParseFenError::InvalidTurn => "the side to move must be w or b",
        ParseFenError::InvalidCastling => "invalid castling field; expected - or letters of KQkq",
        ParseFenError::InvalidEpSquare => "invalid en passant field; expected - or a square",
        ParseFenError::InvalidRemainingChecks => "invalid remaining checks; expected a field like 3+3",
        ParseFenError::InvalidHalfmoveClock => "the half-move clock must be a number",
        ParseFenError::InvalidFullmoves => "the move number must be a number",
    }
}
