//! The script and styles of the pages, which are part of the binary. `web/build.sh` builds them; building plybook
//! builds nothing of them, and no path leads to a file.

use std::sync::LazyLock;

use axum::{
    extract::Path,
    http::{
        HeaderMap, HeaderValue,
        header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, VARY},
    },
    response::{IntoResponse, Response},
};
use twox_hash::XxHash3_64;

use super::{
    Failure,
    packing::{BY_ENCODING, GZIP, takes_gzip},
    reply::Missing,
};

/// A file of the pages.
#[derive(Debug)]
pub(super) struct Asset {
    /// The name with a hash of the contents: `app.0a1b2c3d.js`. Different contents have a different name, so browsers
    /// can cache files permanently.
    name: String,
    pub(super) kind: AssetType,
    /// The first segments of the paths of the pages that need it; empty if all do.
    views: &'static [&'static str],
    plain: &'static [u8],
    /// The same, compressed with gzip.
    packed: Option<&'static [u8]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AssetType {
    /// A script that runs before the page is drawn.
    Script,
    /// A script that runs after the page has loaded.
    Module,
    Style,
    Text,
}

/// The pages on players, events and openings, and of near duplicates.
const PEOPLE: [&str; 9] =
    ["duplicates", "player", "players", "event", "events", "opening", "openings", "prepare", "report"];

/// The pages with a board that the script draws.
const BOARDS: [&str; 5] = ["", "explorer", "editor", "game", "edit"];

/// The pages for editing.
const EDITING: [&str; 3] = ["edit", "import", "log"];

/// All files, in the order in which pages refer to them.
static ASSETS: LazyLock<[Asset; 11]> = LazyLock::new(|| {
    macro_rules! asset {
        ($name:literal, $ending:literal, $kind:ident, $views:expr) => {{
            const PLAIN: &[u8] = include_bytes!(concat!("../../web/dist/", $name, ".", $ending));
            const PACKED: &[u8] = include_bytes!(concat!("../../web/dist/", $name, ".", $ending, ".gz"));
            Asset::new($name, AssetType::$kind, &$views, PLAIN, Some(PACKED))
        }};
    }
    let licences = include_bytes!("../../web/dist/LICENCES.txt");
    [
        asset!("theme", "js", Script, []),
        asset!("chessground", "css", Style, BOARDS),
        asset!("app", "css", Style, []),
        asset!("explorer", "css", Style, ["", "explorer", "editor"]),
        asset!("game", "css", Style, ["game"]),
        asset!("games", "css", Style, ["games", "search"]),
        asset!("people", "css", Style, PEOPLE),
        asset!("edit", "css", Style, EDITING),
        asset!("app", "js", Module, []),
        asset!("edit", "js", Module, EDITING),
        Asset::new("LICENCES", AssetType::Text, &[], licences, None),
    ]
});

impl Asset {
    fn new(
        name: &str,
        kind: AssetType,
        views: &'static [&'static str],
        plain: &'static [u8],
        packed: Option<&'static [u8]>,
    ) -> Asset {
        let hash = XxHash3_64::oneshot(plain) >> 32;
        let ending = match kind {
            AssetType::Script | AssetType::Module => "js",
            AssetType::Style => "css",
            AssetType::Text => "txt",
        };
        Asset { name: format!("{name}.{hash:08x}.{ending}"), kind, views, plain, packed }
    }

    /// All files.
    pub(super) fn all() -> &'static [Asset] {
        &*ASSETS
    }

    /// The files that the page at a path needs.
    pub(super) fn of_page(path: &str) -> impl Iterator<Item = &'static Asset> {
        let view = path.split('/').nth(1).unwrap_or_default();
        let needed = Asset::all().iter().filter(|asset| asset.kind != AssetType::Text);
        needed.filter(move |asset| asset.views.is_empty() || asset.views.contains(&view))
    }

    /// Its URL path.
    pub(super) fn path(&self) -> String {
        format!("/assets/{}", self.name)
    }

    fn media_type(&self) -> HeaderValue {
        HeaderValue::from_static(match self.kind {
            AssetType::Script | AssetType::Module => "text/javascript; charset=utf-8",
            AssetType::Style => "text/css; charset=utf-8",
            AssetType::Text => "text/plain; charset=utf-8",
        })
    }
}

/// `GET /assets/{name}`
pub(super) async fn asset(Path(name): Path<String>, headers: HeaderMap) -> Response {
    let Some(asset) = Asset::all().iter().find(|asset| asset.name == name) else {
        return Failure::from(Missing::File).into_response();
    };
    let packed = asset.packed.filter(|_| takes_gzip(&headers));
    let mut response = packed.unwrap_or(asset.plain).into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, asset.media_type());
    headers.insert(CACHE_CONTROL, const { HeaderValue::from_static("public, max-age=31536000, immutable") });
    headers.insert(VARY, BY_ENCODING);
    if packed.is_some() {
        headers.insert(CONTENT_ENCODING, GZIP);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_stays_within_its_budget_of_script_and_style() {
        let views = Asset::all().iter().flat_map(|asset| asset.views).chain(&["about"]);
        for view in views {
            let sum = |is_counted: &dyn Fn(&Asset) -> bool, size: fn(&Asset) -> usize| -> usize {
                Asset::of_page(&format!("/{view}")).filter(|asset| is_counted(asset)).map(size).sum()
            };
            let packed = |asset: &Asset| asset.packed.unwrap().len();
            let is_own_style =
                |asset: &Asset| asset.kind == AssetType::Style && !asset.name.starts_with("chessground");
            assert!(sum(&|asset| asset.kind != AssetType::Style, packed) <= 45_000, "script of {view}");
            assert!(sum(&is_own_style, packed) <= 10_000, "style of {view}");
            assert!(sum(&is_own_style, |asset| asset.plain.len()) <= 33_000, "uncompressed style of {view}");
        }
    }
}
