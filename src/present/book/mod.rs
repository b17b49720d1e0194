//! Answers of an opening explorer, in the JSON form of the public ones. `docs/serve.md` lists the differences.

mod answer;
mod id;
mod rows;

pub use answer::{BookAnswer, BookRequest, Dialect, book_answer};
pub use id::{public_id, read_public_id};
