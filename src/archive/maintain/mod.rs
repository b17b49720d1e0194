//! What is done to an archive as a whole: proof, rescue, copy, new versions, sizes.

pub(super) mod backup;
mod copy;
pub(super) mod migrate;
mod page_faults;
mod rows;
mod salvage;
mod size;
mod verify;

pub use copy::CopyRange;
pub(in crate::archive) use page_faults::{PageCheck, PageFaults};
pub use salvage::Salvaged;
pub use size::{FilePart, GameLength, Sizes};
pub use verify::{Problem, Unproved, VerifyReport};
