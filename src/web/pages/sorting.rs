//! By what a list is sorted, and the links that sort it by another column.

use super::{Address, Failure, Result};

/// The order of a list.
#[derive(Debug)]
pub(super) struct Sorting {
    /// The first page of the list.
    pub(super) address: Address,
    /// The name of the order; empty if it is none of the columns'.
    pub(super) by: String,
    pub(super) is_falling: bool,
    /// The parameters of the order, and of its direction.
    pub(super) parameters: [&'static str; 2],
}

/// The parameters of the main list of a page.
pub(super) const SORT: [&str; 2] = ["sort", "desc"];

/// The heading of a column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    pub(super) label: &'static str,
    /// The name of its order.
    pub(super) sort: &'static str,
    /// For the style.
    pub(super) class: &'static str,
}

/// A column by which rows can be sorted.
#[derive(Debug)]
pub(super) struct Column<T> {
    pub(super) head: Head,
    /// Sorts rows, least first; equal ones keep their order.
    order: fn(&mut [T]),
    /// Which rows come after the others in both directions.
    is_last: fn(&T) -> bool,
}

impl<T> Column<T> {
    pub(super) fn new(label: &'static str, sort: &'static str, order: fn(&mut [T])) -> Column<T> {
        Column { head: Head { label, sort, class: "" }, order, is_last: |_| false }
    }

    /// The column with some rows after the others, however it is sorted.
    pub(super) fn with_last(self, is_last: fn(&T) -> bool) -> Column<T> {
        Column { is_last, ..self }
    }

    /// The column with a style.
    pub(super) fn in_style(mut self, class: &'static str) -> Column<T> {
        self.head.class = class;
        self
    }
}

impl Sorting {
    /// The order that some parameters of an address name.
    pub(super) fn of(address: &Address, parameters: [&'static str; 2]) -> Sorting {
        let [by, falling] = parameters;
        Sorting {
            by: address.get(by).unwrap_or_default().to_owned(),
            is_falling: address.get(falling).is_some(),
            address: address.without(&["page"]),
            parameters,
        }
    }

    /// The same if it is an order, or else that of a column with the greatest first.
    pub(super) fn or(self, usual: &str) -> Sorting {
        if self.by.is_empty() { Sorting { by: usual.to_owned(), is_falling: true, ..self } } else { self }
    }

    /// Sorts rows by the column of this name.
    pub(super) fn sort<T>(&self, columns: &[Column<T>], rows: &mut [T]) -> Result<()> {
        let Some(column) = columns.iter().find(|column| column.head.sort == self.by) else {
            let why = format_args!("{:?} is not a column of this list", self.by);
            return Err(Failure::invalid(self.parameters[0], why));
        };
        // Reversed twice, so that equal rows keep their order in both directions.
        if self.is_falling {
            rows.reverse();
        }
        (column.order)(rows);
        if self.is_falling {
            rows.reverse();
        }
        rows.sort_by_key(column.is_last);
        Ok(())
    }

    /// The rows in this order, or as they are if none is chosen.
    pub(super) fn sorted<T: Clone>(&self, columns: &[Column<T>], rows: &[T]) -> Result<Vec<T>> {
        let mut rows = rows.to_vec();
        if !self.by.is_empty() {
            self.sort(columns, &mut rows)?;
        }
        Ok(rows)
    }

    /// The link that sorts by a column, and `ascending` or `descending` if the list is sorted by it.
    pub(super) fn by(&self, sort: &str) -> (Address, Option<&'static str>) {
        let is_sorted = sort == self.by;
        // People look first for the strongest, the latest and the most.
        let falls = match is_sorted {
            true => !self.is_falling,
            false => matches!(sort, "elo" | "date" | "plies" | "games" | "score" | "year"),
        };
        let [by, falling] = self.parameters;
        let link = self.address.with(by, sort).with(falling, if falls { "yes" } else { "" });
        (link, is_sorted.then_some(if self.is_falling { "descending" } else { "ascending" }))
    }
}
