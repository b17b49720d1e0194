//! What codecs require of positions of chess and its variants. Standard chess and Chess960 have a model of how people play;
//! the other variants have even weights.

use shakmaty::{Chess, Color, KnownOutcome, Move, Outcome, Position, variant::VariantPosition};

use crate::{
    bits::mixed_radix::MixedRadix,
    chess::{MoveSets, Placement, QuickChess, SortedMoves, VariantMoves},
    model::{Model, Predictor},
    rules::{DamagedModel, EvenWeights, LegalMoves, RESULTS, Rules, Taken, Weigher},
};

/// Positions of standard chess and Chess960.
pub trait StandardRules: Position + Clone + PartialEq {}

impl StandardRules for Chess {}
impl StandardRules for QuickChess {}

impl<P: StandardRules> Rules for P {
    type Move = Move;
    type Legal = MoveSets;
    type Weigher = Predictor<'static>;

    fn legal(&self) -> MoveSets {
        MoveSets::of(Placement::of(self))
    }

    // Overrides the default, which would dispatch on the features of the processor twice, for the count and for the
    // n-th move.
    #[inline]
    fn take(&self, number: &mut MixedRadix, others: u32) -> Taken<Move> {
        MoveSets::take_in(Placement::of(self), number, others)
    }

    #[inline]
    fn make(&mut self, m: Move) {
        self.play_unchecked(m);
    }

    fn turn(&self) -> Color {
        Position::turn(self)
    }

    fn board_outcome(&self) -> Outcome {
        let winner = self.is_check().then_some(!Position::turn(self));
        Outcome::Known(KnownOutcome::from_winner(winner))
    }
}

impl<P: StandardRules> Weigher<P> for Predictor<'static> {
    fn new(start: &P) -> Result<Predictor<'static>, DamagedModel> {
        Ok(Predictor::new(Model::shipped()?, start))
    }

    fn weigh(&mut self, position: &P, weights: &mut Vec<u32>) -> MoveSets {
        Predictor::weigh(self, position, weights)
    }

    fn result_weights(&self) -> [u16; RESULTS] {
        Predictor::result_weights(self)
    }

    fn play(&mut self, m: Move, turn: Color) {
        Predictor::play(self, m, turn);
    }
}

impl Rules for VariantPosition {
    type Move = Move;
    type Legal = VariantMoves;
    type Weigher = VariantWeigher;

    fn legal(&self) -> VariantMoves {
        match self {
            VariantPosition::Chess(position) => VariantMoves::Sets(MoveSets::new(position)),
            other => VariantMoves::Sorted(SortedMoves::new(other)),
        }
    }

    fn take(&self, number: &mut MixedRadix, others: u32) -> Taken<Move> {
        match self {
            VariantPosition::Chess(position) => position.take(number, others),
            other => SortedMoves::new(other).take(number, others),
        }
    }

    fn make(&mut self, m: Move) {
        self.play_unchecked(m);
    }

    fn turn(&self) -> Color {
        Position::turn(self)
    }

    fn board_outcome(&self) -> Outcome {
        self.outcome()
    }
}

/// The weights of a game of any variant.
#[derive(Clone, Debug)]
pub enum VariantWeigher {
    /// Standard chess and Chess960.
    Model(Box<Predictor<'static>>),
    /// All other variants.
    Even(EvenWeights),
}

impl Weigher<VariantPosition> for VariantWeigher {
    fn new(start: &VariantPosition) -> Result<VariantWeigher, DamagedModel> {
        match start {
            VariantPosition::Chess(start) => Ok(VariantWeigher::Model(Box::new(Weigher::new(start)?))),
            _ => Ok(VariantWeigher::Even(EvenWeights)),
        }
    }

    fn weigh(&mut self, position: &VariantPosition, weights: &mut Vec<u32>) -> VariantMoves {
        match (self, position) {
            (VariantWeigher::Model(predictor), VariantPosition::Chess(position)) => {
                VariantMoves::Sets(predictor.weigh(position, weights))
            }
            _ => EvenWeights.weigh(position, weights),
        }
    }

    fn result_weights(&self) -> [u16; RESULTS] {
        match self {
            VariantWeigher::Model(predictor) => predictor.result_weights(),
            VariantWeigher::Even(even) => Weigher::<VariantPosition>::result_weights(even),
        }
    }

    fn play(&mut self, m: Move, turn: Color) {
        if let VariantWeigher::Model(predictor) = self {
            predictor.play(m, turn);
        }
    }
}
