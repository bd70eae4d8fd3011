//! Sets of positions: tables read from files, and searches over all their rows.

pub(crate) mod run;
pub(crate) mod table;
