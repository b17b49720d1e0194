//! Answers of an opening explorer, in the form that programs know from the public ones, as JSON. Where it says
//! something else than they do, or leaves something out, is told in `docs/serve.md`.

mod answer;
mod id;
mod rows;

pub use answer::{BookAnswer, BookRequest, Dialect, book_answer};
pub use id::{public_id, read_public_id};
