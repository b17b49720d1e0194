//! The [`functions`](plybook_record::functions) as SQL functions, and the table `positions(moves)`.
//!
//! `bindings/sqlite` includes this file too, with another version of rusqlite.

// A virtual table is an unsafe trait in rusqlite: its first field must be SQLite's own struct.
#![allow(unsafe_code)]
// The other version takes references.
#![allow(clippy::needless_borrows_for_generic_args)]

use std::{
    borrow::Cow,
    ffi::{CStr, c_int},
    marker::PhantomData,
};

use rusqlite::{
    Connection, Error, Result, ffi,
    functions::{Context, FunctionFlags},
    types::{ToSqlOutput, Value as Owned, ValueRef},
    vtab::{
        Context as ColumnContext, Filters, IndexConstraintOp, IndexInfo, Module, VTab, VTabConfig,
        VTabConnection, VTabCursor,
    },
};

use plybook_record::functions::{Answer, FUNCTIONS, Function, GamePosition, GamePositions, Value};

/// Registers all of them on a connection. They are deterministic and have no side effects.
pub(super) fn register(db: &Connection) -> Result<()> {
    let flags =
        FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_INNOCUOUS;
    for function in FUNCTIONS {
        let most = function.arguments.len();
        for arguments in most - function.optional..=most {
            let count = c_int::try_from(arguments).unwrap_or(c_int::MAX);
            db.create_scalar_function(function.name, count, flags, |context| call(function, context))?;
        }
    }
    const POSITIONS: Module<'_, Positions> = Module::eponymous_only_module();
    db.create_module(c"positions", &POSITIONS, None)
}

fn call(function: &Function, context: &Context<'_>) -> Result<ToSqlOutput<'static>> {
    let mut values = [Value::Null; 4];
    let values = values.get_mut(..context.len()).ok_or(Error::InvalidParameterCount(context.len(), 4))?;
    for (place, value) in values.iter_mut().enumerate() {
        *value = given(context.get_raw(place))?;
    }
    let answer = function.call(values).map_err(|error| Error::UserFunctionError(error.into()))?;
    Ok(ToSqlOutput::Owned(match answer {
        Answer::Null => Owned::Null,
        Answer::Integer(number) => Owned::Integer(number),
        Answer::Real(number) => Owned::Real(number),
        Answer::Text(text) => Owned::Text(text),
    }))
}

fn given(value: ValueRef<'_>) -> Result<Value<'_>> {
    Ok(match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Integer(number),
        ValueRef::Real(number) => Value::Real(number),
        ValueRef::Text(_) => Value::Text(value.as_str()?),
        ValueRef::Blob(bytes) => Value::Blob(bytes),
    })
}

/// The columns of the result, followed by hidden columns for the arguments. Their names do not occur in the view
/// `games`, so that its columns can be used without qualification.
const COLUMNS: &CStr =
    c"CREATE TABLE positions (ply INTEGER, san TEXT, uci TEXT, fen TEXT, key INTEGER, game_moves HIDDEN, game_start HIDDEN, game_variant HIDDEN)";
const FIRST_ARGUMENT: c_int = 5;
const ARGUMENTS: usize = 3;

/// The table of the positions of a game.
#[repr(C)]
struct Positions {
    /// SQLite's own struct, which must be first.
    base: ffi::sqlite3_vtab,
}

// SAFETY: the struct has C layout, and begins with SQLite's own.
unsafe impl<'vtab> VTab<'vtab> for Positions {
    type Aux = ();
    type Cursor = PositionsCursor<'vtab>;

    fn connect(
        db: &mut VTabConnection,
        _: Option<&()>,
        _: &[u8],
        _: &[u8],
        _: &[u8],
        _: &[&[u8]],
    ) -> Result<(Cow<'static, CStr>, Positions)> {
        db.config(VTabConfig::Innocuous)?;
        Ok((Cow::Borrowed(COLUMNS), Positions { base: ffi::sqlite3_vtab::default() }))
    }

    /// Takes the given arguments; without the moves the table cannot be read.
    fn best_index(&self, info: &mut IndexInfo) -> Result<bool> {
        let mut places = [None; ARGUMENTS];
        for (number, constraint) in info.constraints().enumerate() {
            let argument = usize::try_from(constraint.column() - FIRST_ARGUMENT).ok();
            let Some(place) = argument.and_then(|argument| places.get_mut(argument)) else { continue };
            if constraint.operator() != IndexConstraintOp::SQLITE_INDEX_CONSTRAINT_EQ {
                continue;
            }
            if !constraint.is_usable() {
                // In another join order the value is available.
                return Ok(false);
            }
            *place = Some(number);
        }
        let (mut taken, mut arguments) = (0, 0);
        for (argument, place) in places.into_iter().enumerate() {
            let Some(place) = place else { continue };
            taken |= 1 << argument;
            arguments += 1;
            let mut usage = info.constraint_usage(place);
            usage.set_argv_index(arguments);
            usage.set_omit(true);
        }
        info.set_idx_num(taken);
        info.set_estimated_rows(80);
        info.set_estimated_cost(if taken & 1 == 1 { 80.0 } else { 1e9 });
        Ok(true)
    }

    fn open(&'vtab mut self) -> Result<PositionsCursor<'vtab>> {
        Ok(PositionsCursor {
            base: ffi::sqlite3_vtab_cursor::default(),
            positions: GamePositions::default(),
            row: None,
            of: PhantomData,
        })
    }
}

/// A cursor over the table.
#[repr(C)]
struct PositionsCursor<'vtab> {
    /// SQLite's own struct, which must be first.
    base: ffi::sqlite3_vtab_cursor,
    positions: GamePositions,
    row: Option<GamePosition>,
    of: PhantomData<&'vtab Positions>,
}

// SAFETY: the struct has C layout, and begins with SQLite's own.
unsafe impl VTabCursor for PositionsCursor<'_> {
    fn filter(&mut self, taken: c_int, _: Option<&str>, given_values: &Filters<'_>) -> Result<()> {
        let mut values = [Value::Null; ARGUMENTS];
        let mut given_values = given_values.iter();
        for (argument, value) in values.iter_mut().enumerate() {
            if taken >> argument & 1 == 1
                && let Some(given_value) = given_values.next()
            {
                *value = given(given_value)?;
            }
        }
        self.positions = GamePositions::new(&values).map_err(refused)?;
        self.next()
    }

    fn next(&mut self) -> Result<()> {
        self.row = self.positions.next().transpose().map_err(refused)?;
        Ok(())
    }

    fn eof(&self) -> bool {
        self.row.is_none()
    }

    fn column(&self, context: &mut ColumnContext, column: c_int) -> Result<()> {
        let Some(row) = &self.row else { return Ok(()) };
        match column {
            0 => context.set_result(&(row.ply as i64)),
            1 => context.set_result(&row.san),
            2 => context.set_result(&row.uci),
            3 => context.set_result(&row.fen),
            4 => context.set_result(&row.key),
            _ => Ok(()),
        }
    }

    fn rowid(&self) -> Result<i64> {
        Ok(self.row.as_ref().map_or(0, |row| row.ply as i64))
    }
}

fn refused(error: plybook_record::functions::FunctionError) -> Error {
    Error::ModuleError(format!("positions: {error}"))
}
