//! The position that games must come to, in words.

use super::{FilterText, PositionText, RequestError, names::variant};
use crate::{archive::Archive, chess::Variant, present::PresentError, query::Sought};

impl FilterText {
    /// The position that a text means, as it counts here: the pieces alone or not, with colours swapped or not, in
    /// games of the variant that is asked for; else of that of the stored game that the text names, or of chess.
    ///
    /// # Errors
    /// The text means no position, or none that a game can reach.
    pub fn sought(&self, text: &str, archive: &Archive) -> Result<Sought, PresentError> {
        let text: PositionText = text.parse()?;
        let variant = match (&self.variant, &text) {
            (Some(name), _) => variant(name)?,
            (None, PositionText::Stored { game, .. }) => archive.game(*game)?.variant()?,
            (None, PositionText::Setup(_)) => Variant::Standard,
        };
        let setup = text.setup(|| Ok::<_, PresentError>(archive))?;
        let sought = match self.board_only {
            true => Sought::board_only(variant, &setup.board),
            false => Sought::of_variant(variant, &setup).map_err(RequestError::from)?,
        };
        Ok(if self.mirror { sought.mirrored() } else { sought })
    }
}
