//! Xelto: rules, notation, diagrams and encodings, tested with the records of the sources and a second implementation
//! of the rules.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod golden;
mod random;
mod records;

mod codecs;
mod diagram;
mod notation;
mod rules;
mod twin;
