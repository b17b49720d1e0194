//! The API of the pages, as JSON: `/api/v1`.

mod info;

pub(super) use info::info;
