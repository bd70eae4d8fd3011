//! The atlas as other programs read it.

mod html;
mod sgf;
mod table;

pub use html::html;
pub use sgf::sgf;
pub use table::{TableRow, row, table, tsv};
