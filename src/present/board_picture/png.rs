//! The image of a board as a bitmap, rendered by resvg.

use resvg::{
    tiny_skia::{Pixmap, Transform},
    usvg::{Options, Tree},
};

use super::BoardPicture;
use crate::present::PresentError;

/// The default width.
const WIDTH: u32 = 400;

impl BoardPicture {
    /// The image as PNG.
    ///
    /// # Errors
    /// There is not enough memory for an image of this size.
    pub fn png(&self) -> Result<Vec<u8>, PresentError> {
        let sized = BoardPicture { width: Some(self.width.unwrap_or(WIDTH)), ..self.clone() };
        let draw = || -> Option<Vec<u8>> {
            let tree = Tree::from_str(&sized.svg(), &Options::default()).ok()?;
            let size = tree.size().to_int_size();
            let mut pixels = Pixmap::new(size.width(), size.height())?;
            resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
            pixels.encode_png().ok()
        };
        draw().ok_or(PresentError::Picture)
    }
}
