//! The icons of the pages, drawn in the colour of the text. They are decoration: the control has a name.

/// An icon of 20 by 20 units, made of SVG elements.
macro_rules! icon {
    ($shapes:literal) => {
        concat!(r#"<svg class="i" viewBox="0 0 20 20" aria-hidden="true">"#, $shapes, "</svg>")
    };
}

pub(super) const BACK: &str = icon!(r#"<path d="m12 5-5 5 5 5"/>"#);
pub(super) const BOARD: &str =
    icon!(r#"<rect x="3.5" y="3.5" width="13" height="13" rx="1.5"/><path d="M10 3.500v13M3.5 10h13"/>"#);
pub(super) const CLOSE: &str = icon!(r#"<path d="m5.5 5.5 9 9M14.5 5.500l-9 9"/>"#);
pub(super) const COPY: &str = icon!(
    r#"<rect x="7" y="7" width="9.5" height="9.5" rx="1.8"/><path d="M13 7V5.3A1.8 1.8 0 0 0 11.2 3.5H5.3a1.8 1.8 0 0 0-1.8 1.8v5.9A1.8 1.8 0 0 0 5.3 13H7"/>"#
);
pub(super) const DOWN: &str = icon!(r#"<path d="m5 8 5 5 5-5"/>"#);
pub(super) const FILTER: &str = icon!(r#"<path d="M3 5.5h14M6 10h8M8.5 14.500h3"/>"#);
pub(super) const FIRST: &str = icon!(r#"<path d="m15 5-5 5 5 5M6 5v10"/>"#);
pub(super) const FLIP: &str = icon!(r#"<path d="M6 16.5v-13M3 6.5l3-3 3 3M14 3.5v13M11 13.5l3 3 3-3"/>"#);
pub(super) const FORWARD: &str = icon!(r#"<path d="m8 5 5 5-5 5"/>"#);
pub(super) const GET: &str = icon!(r#"<path d="M10 3v9.500M6.5 9l3.5 3.500L13.5 9M4 16.500h12"/>"#);
pub(super) const LAST: &str = icon!(r#"<path d="m5 5 5 5-5 5M14 5v10"/>"#);
pub(super) const MENU: &str = icon!(r#"<path d="M3 5.500h14M3 10h14M3 14.500h14"/>"#);
pub(super) const MOON: &str = icon!(r#"<path d="M16 12.300A6.7 6.7 0 0 1 7.7 4a6.7 6.7 0 1 0 8.3 8.300z"/>"#);
pub(super) const PEN: &str =
    icon!(r#"<path d="m4 16 .8-3.800 8.400-8.400 3 3-8.400 8.400zM11.500 5.500l3 3"/>"#);
pub(super) const PLAY: &str = icon!(r#"<path d="M6.5 4v12l9-6z"/>"#);
pub(super) const PRINT: &str =
    icon!(r#"<path d="M6 7V3.500h8V7M6 14H3.500V7.500h13V14H14M6 12h8v4.500H6z"/>"#);
pub(super) const SEARCH: &str = icon!(r#"<circle cx="9" cy="9" r="5.5"/><path d="M13.2 13.2 17 17"/>"#);
pub(super) const STAR: &str =
    icon!(r#"<path d="m10 3 2.2 4.5 4.9.7-3.6 3.5.9 4.900L10 14.300l-4.4 2.3.9-4.900L2.9 8.200l4.9-.7z"/>"#);
pub(super) const TREE: &str = icon!(
    r#"<path d="M4 3.500v13M4 7h6M4 13.500h6"/><circle cx="12.5" cy="7" r="2"/><circle cx="12.5" cy="13.5" r="2"/>"#
);
