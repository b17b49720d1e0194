//! The SQL functions of plybook as a loadable SQLite extension: see the README of this crate.

use std::ffi::{c_char, c_int};

use rusqlite::{Connection, ffi};

#[path = "../../../crates/archive/src/archive/sql_functions.rs"]
mod sql_functions;

#[path = "../../../crates/archive/src/archive/text_views.rs"]
mod text_views;

/// The entry point that SQLite calls if it does not find one named after the file.
///
/// # Safety
/// The pointers must be those that SQLite passes to an extension.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sqlite3_extension_init(
    db: *mut ffi::sqlite3,
    error: *mut *mut c_char,
    api: *mut ffi::sqlite3_api_routines,
) -> c_int {
    // SAFETY: the pointers are passed on unchanged.
    unsafe { Connection::extension_init2(db, error, api, init) }
}

/// The entry point whose name SQLite derives from the file name.
///
/// # Safety
/// As for [`sqlite3_extension_init`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sqlite3_plybooksqlite_init(
    db: *mut ffi::sqlite3,
    error: *mut *mut c_char,
    api: *mut ffi::sqlite3_api_routines,
) -> c_int {
    // SAFETY: the pointers are passed on unchanged.
    unsafe { sqlite3_extension_init(db, error, api) }
}

fn init(db: Connection) -> rusqlite::Result<bool> {
    sql_functions::register(&db)?;
    text_views::replace_former(&db)?;
    Ok(false)
}
