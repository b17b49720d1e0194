//! Operations on an entire archive: verify, salvage, copy, migrate, renew values, recompress, measure.

pub(super) mod backup;
mod copy;
pub(super) mod migrate;
mod page_faults;
mod rebuild_file;
mod recompress;
mod recovery_scan;
mod renew_values;
mod renumber_sections;
mod rows;
mod salvage;
mod size;
mod verify;
mod verify_games;
mod verify_report;

use super::Archive;

pub use copy::CopyRange;
pub(in crate::archive) use page_faults::PageFaults;
pub use salvage::{Salvaged, salvage};
pub use size::{Extent, FilePart, GameLength, Holdings, Sizes, VariantGames};
pub use verify_report::{Problem, Unproved, VerifyReport};

/// Operations on an entire archive.
#[derive(Clone, Copy, Debug)]
pub struct Maintenance<'a> {
    pub(in crate::archive) archive: &'a Archive,
}

impl Archive {
    /// Operations on the entire archive: verifying, copying and measuring it.
    pub fn maintenance(&self) -> Maintenance<'_> {
        Maintenance { archive: self }
    }
}
