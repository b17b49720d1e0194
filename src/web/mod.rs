//! A local HTTP server for an archive: the explorer routes that clients of opening explorers use, an API, and pages. It
//! is read-only, unless its owner wants to [edit](Editing).
//!
//! A thin layer, like the command line: handlers read parameters, call [`present`](crate::present) and
//! [`query`](crate::query), and respond. They share the [`AppState`]: it queries the archive in its own threads, a
//! limited number at a time, answers equal questions once, and caches the answers until the archive changes. [`Server`]
//! limits everything that a client can do: see [`limits`](crate::limits).

mod answers;
mod api;
mod assets;
mod bounded;
mod connections;
mod cross_origin;
mod edit;
mod explorer;
mod form;
mod guard;
mod packing;
mod pages;
mod pairs;
mod parameters;
mod query_pool;
mod question;
mod reply;
mod routes;
mod server;
mod state;
mod stream;
mod write_timeout;

use question::Question;
use reply::{Answer, Failure};
use routes::is_page;
use state::RequestContext;

/// The result of a request, or of part of it.
type Result<T, E = Failure> = std::result::Result<T, E>;

pub use cross_origin::check_origin;
pub use edit::Editing;
pub use server::{Access, Server, Stopper};
pub use state::AppState;
