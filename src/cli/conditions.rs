//! What games come to: the conditions on their positions and on their course that all filters share.

use clap::{Args, builder::PossibleValuesParser, value_parser};

use crate::present::{
    FilterText,
    request::{CASTLED, ENDS, PROMOTIONS},
};

/// The heading of conditions that are not about single positions.
const COURSE: &str = "Course of the game";

/// --material, --pattern and --to-move are about one position of a game, all at once. docs/search.md has twenty examples.
#[derive(Debug, Args)]
#[command(next_help_heading = "Positions and patterns")]
pub(super) struct ConditionArgs {
    /// A position that the game comes to: a FEN, moves ('1. e4 c5'), GAME:PLY, or an opening's name
    #[arg(id = "reached", long = "position", value_name = "POSITION")]
    pub(super) position: Option<String>,
    /// Of positions only the pieces count: either side to move, with whatever castling rights
    #[arg(long)]
    pub(super) board_only: bool,
    /// Positions and patterns also with colours swapped and the board turned upside down
    #[arg(long)]
    pub(super) mirror: bool,
    /// Patterns also shifted left and right as far as all squares but ? and * stay on the board, and mirrored left to
    /// right; several patterns are shifted together, and a rank that begins and ends with * stays as it is
    #[arg(long)]
    any_file: bool,
    /// How many pieces each side has: 'KRPPP KRPP', 'KRP{0,8} KRP{0,8}' for so many pawns, 'KQ* K*' for any others
    /// besides; either side may be White, but not in 'w:KRP KR'
    #[arg(long, value_name = "SIDES")]
    material: Vec<String>,
    /// What stands where: ranks 8 to 1 as in a FEN, where ? is anything, 3 three empty squares, [NB] one of these,
    /// [^P] anything else, * any squares
    #[arg(long, value_name = "RANKS")]
    pattern: Vec<String>,
    /// Who is to move in that position
    #[arg(long, value_name = "SIDE", value_parser = ["white", "black"])]
    to_move: Option<String>,
    /// It stays like that for at least N plies in a row, which are N + 1 positions [default: one position]
    #[arg(long, value_name = "N", value_parser = count())]
    min_plies: Option<u64>,
    /// A pattern that comes later; several come one after the other
    #[arg(long, value_name = "RANKS")]
    then: Vec<String>,
    /// It comes at most so many plies after the one before; once for all, or once for each --then
    #[arg(long, value_name = "N", value_parser = count())]
    within: Vec<u64>,
    /// A pattern that never stands on the board
    #[arg(long, value_name = "RANKS")]
    not_pattern: Vec<String>,
    /// How the game ends on the board: fifty means fifty moves without a capture or a pawn's move, repetition a
    /// position that stands there for the third time
    #[arg(long, value_name = "END", value_parser = PossibleValuesParser::new(ENDS.map(|(name, _)| name)), help_heading = COURSE)]
    ends_in: Option<String>,
    /// On which side White castles
    #[arg(long, value_name = "SIDE", value_parser = PossibleValuesParser::new(CASTLED.map(|(name, _)| name)), help_heading = COURSE)]
    white_castles: Option<String>,
    /// On which side Black castles
    #[arg(long, value_name = "SIDE", value_parser = PossibleValuesParser::new(CASTLED.map(|(name, _)| name)), help_heading = COURSE)]
    black_castles: Option<String>,
    /// A pawn is taken en passant
    #[arg(long, help_heading = COURSE)]
    en_passant: bool,
    /// What a pawn becomes; under is anything but a queen
    #[arg(long, value_name = "PIECE", value_parser = PossibleValuesParser::new(PROMOTIONS.map(|(name, _)| name)), help_heading = COURSE)]
    promotes: Option<String>,
    /// A side gives check so many times running
    #[arg(long, value_name = "N", value_parser = count(), help_heading = COURSE)]
    checks: Option<u64>,
}

fn count() -> clap::builder::RangedU64ValueParser<u64> {
    value_parser!(u64).range(1..=100_000)
}

impl ConditionArgs {
    /// Puts the conditions into words that all front ends share.
    pub(super) fn text(&self, rest: FilterText) -> FilterText {
        let number = |number: &u64| usize::try_from(*number).unwrap_or(usize::MAX);
        FilterText {
            position: self.position.clone(),
            board_only: self.board_only,
            mirror: self.mirror,
            any_file: self.any_file,
            material: self.material.clone(),
            pattern: self.pattern.clone(),
            to_move: self.to_move.clone(),
            min_plies: self.min_plies.as_ref().map(number),
            then: self.then.clone(),
            within: self.within.iter().map(number).collect(),
            not_pattern: self.not_pattern.clone(),
            ends_in: self.ends_in.clone(),
            white_castles: self.white_castles.clone(),
            black_castles: self.black_castles.clone(),
            en_passant: self.en_passant,
            promotes: self.promotes.clone(),
            checks: self.checks.as_ref().map(number),
            ..rest
        }
    }

    /// Whether patterns are asked for, which may be mirrored.
    pub(super) fn has_patterns(&self) -> bool {
        [&self.pattern, &self.then, &self.not_pattern].iter().any(|patterns| !patterns.is_empty())
    }
}
