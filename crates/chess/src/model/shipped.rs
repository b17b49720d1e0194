//! The model that is part of every build of plybook. `data/models/README.md` says how it was trained.

use std::sync::OnceLock;

use super::Model;
use crate::{codec::zstd_frame::Unpacker, rules::DamagedModel};

/// The compressed file.
///
/// # Stability
/// Frozen: it determines the numbers of games in the codec `model`. Another model needs another codec.
pub(super) const FILE: &[u8] = include_bytes!("../../../../data/models/model.zst");

/// Maximum size of an uncompressed model, in bytes.
const MAX_BYTES: usize = 1 << 24;

impl Model {
    /// The model that the codec `model` uses. The first call unpacks it.
    ///
    /// # Errors
    /// This program is damaged.
    pub fn shipped() -> Result<&'static Model, DamagedModel> {
        static MODEL: OnceLock<Result<Model, DamagedModel>> = OnceLock::new();
        MODEL.get_or_init(|| unpacked(FILE)).as_ref().map_err(|&damaged| damaged)
    }
}

/// The model in a file.
pub(super) fn unpacked(file: &[u8]) -> Result<Model, DamagedModel> {
    let bytes = Unpacker::new(&[]).unpack(file, MAX_BYTES).map_err(|_| DamagedModel)?;
    Model::from_bytes(&bytes)
}
