//! A local HTTP server over an archive, which it only reads: the explorer routes that clients of opening explorers
//! know, and an API for pages.
//!
//! A layer on top, as the command line is: handlers read parameters, call [`present`](crate::present) and
//! [`query`](crate::query), and answer. [`AppState`] is what they share: it asks the archive in threads of its own, so
//! many at a time, equal questions once, and keeps the answers until the archive changes. [`Server`] is bounded in
//! everything a client may do: see [`limits`](crate::limits).

mod answers;
mod api;
mod assets;
mod cross_origin;
mod explorer;
mod guard;
mod health;
mod pages;
mod parameters;
mod question;
mod refused_names;
mod reply;
mod routes;
mod server;
mod state;
mod stream;
mod work;
mod write_timeout;

use question::Question;
use reply::{Answer, Failure};
use routes::is_page;
use state::Asked;

pub use server::{Access, Server, Stopper};
pub use state::AppState;
