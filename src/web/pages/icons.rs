//! The icons of the pages, drawn in the colour of the text. They are decoration: the control has a name.

/// An icon of 20 by 20 units, made of SVG elements.
macro_rules! icon {
    ($shapes:literal) => {
        concat!(r#"<svg class="i" viewBox="0 0 20 20" aria-hidden="true">"#, $shapes, "</svg>")
    };
}

pub(super) const MENU: &str = icon!(r#"<path d="M3 5.500h14M3 10h14M3 14.500h14"/>"#);
pub(super) const MOON: &str = icon!(r#"<path d="M16 12.300A6.7 6.7 0 0 1 7.7 4a6.7 6.7 0 1 0 8.3 8.300z"/>"#);
pub(super) const SEARCH: &str = icon!(r#"<circle cx="9" cy="9" r="5.5"/><path d="M13.2 13.2 17 17"/>"#);
