//! What games are searched for besides positions, in words.

use shakmaty::{Color, Role};

use super::{
    FilterText, RequestError,
    any_file::Placement,
    filter::read,
    material::{material, material_by_side},
    names::{listed, variant},
    pattern::{placed, side},
    result::AskedResult,
};
use crate::{
    chess::Variant,
    limits::MAX_CONDITIONS,
    query::{Course, Line, Search, Step, StepWay},
    trail::{Castled, Final},
};

/// What the last position of a game may be called.
pub const ENDS: [(&str, Final); 5] = [
    ("mate", Final::Mate),
    ("stalemate", Final::Stalemate),
    ("insufficient", Final::Insufficient),
    ("fifty", Final::FiftyMoves),
    ("repetition", Final::Repetition),
];

/// How a side may castle.
pub const CASTLED: [(&str, Castled); 3] =
    [("short", Castled::Short), ("long", Castled::Long), ("no", Castled::No)];

/// What a pawn may become.
pub const PROMOTIONS: [(&str, &[Role]); 6] = [
    ("any", &[Role::Queen, Role::Rook, Role::Bishop, Role::Knight]),
    ("under", &[Role::Rook, Role::Bishop, Role::Knight]),
    ("queen", &[Role::Queen]),
    ("rook", &[Role::Rook]),
    ("bishop", &[Role::Bishop]),
    ("knight", &[Role::Knight]),
];

impl FilterText {
    /// What games are searched for; `None` if that is nothing besides what stands in their rows.
    ///
    /// # Errors
    /// Something cannot be understood.
    pub fn search(&self) -> Result<Option<Search>, RequestError> {
        let search = Search {
            variant: Variant::Standard,
            lines: self.lines()?,
            never: self.never()?,
            course: self.course()?,
        };
        if search.is_everything() {
            return Ok(None);
        }
        let variant = read(&self.variant, variant)?.unwrap_or_default();
        let search = Search { variant, ..search };
        if search.course.asks_facts() && !search.is_of(Variant::Standard) {
            return Err(RequestError::Unused(
                "ends-in, castling and en-passant",
                "games of standard chess or Chess960",
            ));
        }
        Ok(Some(if self.mirror { search.mirrored() } else { search }))
    }

    /// The positions, one after the other; where a side of the material is to have won, those for each colour of it.
    fn lines(&self) -> Result<Vec<Line>, RequestError> {
        let sides = match self.asked_result()? {
            Some(AskedResult::OfMaterial { won }) => {
                Color::ALL.map(|first| (Some(first), Some(if won { first } else { !first }))).to_vec()
            }
            _ => vec![(None, None)],
        };
        let mut lines = Vec::new();
        for place in self.places()? {
            for &(first, winner) in &sides {
                let line = Line { steps: self.steps(first, place)?, winner };
                let is_there = line.steps.iter().all(|step| place.is_written() || !step.ways.is_empty());
                if is_there && !line.steps.is_empty() && !lines.contains(&line) {
                    lines.push(line);
                }
            }
        }
        Ok(lines)
    }

    /// What never stands on the board.
    fn never(&self) -> Result<Vec<StepWay>, RequestError> {
        let mut never = Vec::new();
        for place in self.places()? {
            for text in &self.not_pattern {
                never.extend(placed(text, place)?.filter(|way| !never.contains(way)));
            }
        }
        Ok(never)
    }

    /// Where patterns are searched for. Several are shifted together.
    fn places(&self) -> Result<Vec<Placement>, RequestError> {
        let mut places = vec![Placement::WRITTEN];
        if self.any_file {
            if [&self.pattern, &self.then, &self.not_pattern].iter().all(|patterns| patterns.is_empty()) {
                return Err(RequestError::Unused("any-file", "pattern, then or not-pattern"));
            }
            places.extend(Placement::others());
        }
        Ok(places)
    }

    /// The same at a place, where the first side of the first material has a colour, if it is one. A step that cannot be
    /// there has no way.
    fn steps(&self, first: Option<Color>, place: Placement) -> Result<Vec<Step>, RequestError> {
        let conditions = [&self.material, &self.pattern, &self.then, &self.not_pattern].map(Vec::len);
        if conditions.iter().sum::<usize>() > MAX_CONDITIONS {
            return Err(RequestError::Conditions);
        }
        let mut ways = vec![StepWay { turn: read(&self.to_move, side)?, ..StepWay::default() }];
        for (number, text) in self.material.iter().enumerate() {
            let of_material = match first.filter(|_| number == 0) {
                Some(first) => {
                    let [white, black] = material_by_side(text)?;
                    first.fold_wb(white, black).into_iter().collect()
                }
                None => material(text)?,
            };
            ways = both(&ways, &of_material);
        }
        for text in &self.pattern {
            ways = both(&ways, placed(text, place)?.as_slice());
        }
        let is_asked = self.to_move.is_some() || !self.material.is_empty() || !self.pattern.is_empty();
        // N plies are what lies between N + 1 positions.
        let positions = self.min_plies.map_or(1, |plies| plies.saturating_add(1));
        if self.min_plies.is_some() && !is_asked {
            return Err(RequestError::Unused("min-plies", "material or pattern"));
        }
        let mut steps: Vec<Step> =
            is_asked.then_some(Step { ways, positions, within: None }).into_iter().collect();
        if !self.within.is_empty()
            && (self.then.is_empty() || ![1, self.then.len()].contains(&self.within.len()))
        {
            return Err(RequestError::Unused("within", "then: give it once for all, or once for each"));
        }
        if !self.then.is_empty() && steps.is_empty() {
            return Err(RequestError::Unused("then", "material or pattern, after which it comes"));
        }
        for (number, text) in self.then.iter().enumerate() {
            let within = self.within.get(number).or(self.within.first()).copied();
            steps.push(Step { ways: placed(text, place)?.into_iter().collect(), positions: 1, within });
        }
        Ok(steps)
    }

    fn course(&self) -> Result<Course, RequestError> {
        let castled = |text: &Option<String>| read(text, |text| one_of("way to castle", text, &CASTLED));
        let promotes_to = read(&self.promotes, |text| one_of("promotion", text, &PROMOTIONS))?;
        Ok(Course {
            ends_in: read(&self.ends_in, |text| one_of("end of a game", text, &ENDS))?,
            castled: [castled(&self.white_castles)?, castled(&self.black_castles)?],
            en_passant: self.en_passant,
            promotes_to: promotes_to.unwrap_or_default().to_vec(),
            checks: self.checks,
        })
    }
}

/// Each of some ways together with each of others.
fn both(one: &[StepWay], other: &[StepWay]) -> Vec<StepWay> {
    let pairs = one.iter().flat_map(|one| other.iter().map(move |other| (one, other)));
    let joined = pairs.filter_map(|(one, other)| {
        let turns = [one.turn, other.turn];
        // Nobody is to move twice.
        if let [Some(one), Some(other)] = turns
            && one != other
        {
            return None;
        }
        Some(StepWay {
            material: [&one.material[..], &other.material[..]].concat(),
            patterns: [&one.patterns[..], &other.patterns[..]].concat(),
            turn: one.turn.or(other.turn),
        })
    });
    joined.collect()
}

/// What a word means.
fn one_of<T: Copy>(what: &'static str, text: &str, known: &[(&'static str, T)]) -> Result<T, RequestError> {
    let found = known.iter().find(|(name, _)| *name == text);
    found.map(|(_, value)| *value).ok_or_else(|| RequestError::Word {
        what,
        text: text.to_owned(),
        known: listed(known.iter().map(|(name, _)| *name)),
    })
}
