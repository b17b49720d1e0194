//! Integers and bits as codecs need them.
//!
//! [`Integer`] is the public number type: num-bigint's, which is also the reference that the fast limbs of
//! [`mixed`] are tested against.

pub mod mixed;

pub use num_bigint::BigUint as Integer;
