//! What a stored game had of its own: oddities that were kept as they are, and parts that were dropped.

use std::ops::AddAssign;

/// A kind of oddity. Each is counted once a game, but dropped parts once a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// Comments that are not stored.
    CommentsDropped,
    /// Numeric annotation glyphs (also as `!?`) that are not stored.
    NagsDropped,
    /// Variations that are not stored.
    VariationsDropped,
    /// A date that no calendar has, kept as text.
    ImpossibleDate,
    /// More than one blank line between tags and moves.
    ExtraBlankLines,
    /// No result at the end of the movetext.
    NoTermination,
    /// The result of the movetext is not that of the Result tag; the tag's counts.
    ResultDiffers,
    /// The Result tag contradicts the board (checkmate, stalemate); both are kept.
    ResultContradictsBoard,
    /// Text that was not UTF-8 and was read as Windows-1252.
    NotUtf8,
    /// A tag pair with stray quotes or without its closing bracket, read as it was meant.
    OddTag,
    /// No tag pairs at all.
    NoTags,
}

impl Note {
    /// Every kind, in the order of reports.
    pub const ALL: [Note; 11] = [
        Note::CommentsDropped,
        Note::NagsDropped,
        Note::VariationsDropped,
        Note::ImpossibleDate,
        Note::ExtraBlankLines,
        Note::NoTermination,
        Note::ResultDiffers,
        Note::ResultContradictsBoard,
        Note::NotUtf8,
        Note::OddTag,
        Note::NoTags,
    ];

    /// The key in machine-readable reports.
    pub const fn key(self) -> &'static str {
        match self {
            Note::CommentsDropped => "comments_dropped",
            Note::NagsDropped => "nags_dropped",
            Note::VariationsDropped => "variations_dropped",
            Note::ImpossibleDate => "impossible_dates",
            Note::ExtraBlankLines => "extra_blank_lines",
            Note::NoTermination => "no_termination",
            Note::ResultDiffers => "result_differs",
            Note::ResultContradictsBoard => "result_contradicts_board",
            Note::NotUtf8 => "not_utf8",
            Note::OddTag => "odd_tags",
            Note::NoTags => "no_tags",
        }
    }

    /// What a person reads in a report.
    pub const fn text(self) -> &'static str {
        match self {
            Note::CommentsDropped => "comments not stored",
            Note::NagsDropped => "annotation glyphs (NAGs) not stored",
            Note::VariationsDropped => "variations not stored",
            Note::ImpossibleDate => "games with an impossible date, kept as text",
            Note::ExtraBlankLines => "games with extra blank lines between tags and moves",
            Note::NoTermination => "games without a result after the moves",
            Note::ResultDiffers => {
                "games whose result after the moves is not that of the Result tag (the tag counts)"
            }
            Note::ResultContradictsBoard => {
                "games whose Result tag contradicts the final position (both kept)"
            }
            Note::NotUtf8 => "games not in UTF-8, read as Windows-1252",
            Note::OddTag => "games with a malformed tag pair, read as it was meant",
            Note::NoTags => "games without tag pairs",
        }
    }
}

/// How often each kind of oddity was met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Notes([u64; Note::ALL.len()]);

impl Notes {
    /// Counts one more.
    pub fn add(&mut self, note: Note) {
        self.add_many(note, 1);
    }

    /// Counts some more.
    pub fn add_many(&mut self, note: Note, times: u64) {
        if let Some(count) = self.0.get_mut(note as usize) {
            *count += times;
        }
    }

    /// How often this kind was met.
    pub fn count(&self, note: Note) -> u64 {
        self.0.get(note as usize).copied().unwrap_or(0)
    }

    /// The kinds that were met.
    pub fn iter(&self) -> impl Iterator<Item = (Note, u64)> + '_ {
        Note::ALL.into_iter().map(|note| (note, self.count(note))).filter(|(_, count)| *count > 0)
    }
}

impl AddAssign for Notes {
    fn add_assign(&mut self, other: Notes) {
        for (to, from) in self.0.iter_mut().zip(other.0) {
            *to += from;
        }
    }
}
