//! The functions of plybook as a loadable extension of SQLite: see the README beside this crate.

use std::ffi::{c_char, c_int};

use rusqlite::{Connection, ffi};

#[path = "../../../crates/archive/src/archive/sql_functions.rs"]
mod sql_functions;

/// What SQLite calls when it loads the library under any name.
///
/// # Safety
/// The pointers are those that SQLite gives an extension.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sqlite3_extension_init(
    db: *mut ffi::sqlite3,
    error: *mut *mut c_char,
    api: *mut ffi::sqlite3_api_routines,
) -> c_int {
    // SAFETY: they are given on as they came.
    unsafe { Connection::extension_init2(db, error, api, init) }
}

/// The same under the name that SQLite derives of that of the file.
///
/// # Safety
/// As for [`sqlite3_extension_init`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sqlite3_plybooksqlite_init(
    db: *mut ffi::sqlite3,
    error: *mut *mut c_char,
    api: *mut ffi::sqlite3_api_routines,
) -> c_int {
    // SAFETY: they are given on as they came.
    unsafe { sqlite3_extension_init(db, error, api) }
}

fn init(db: Connection) -> rusqlite::Result<bool> {
    sql_functions::register(&db)?;
    Ok(false)
}
