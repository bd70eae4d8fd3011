//! What the commands of `lambda6` share.
//!
//! - Arguments: a position ([`position_arg`]), a search ([`search_args`],
//!   [`comparison_args`], [`solver_choice`]).
//! - Work: a search that is watched ([`search_thread`]), stopped ([`interrupt`]), shown
//!   while it runs ([`progress`]) and taken up again ([`resume`]).
//! - Text in and out: [`input`], [`output`], [`files`], [`json`], boards ([`board`], [`marks`]),
//!   tables of positions ([`table`]) and figures ([`figure`]).
//!
//! The commands themselves are in the crate `lambda6`; what is here has no command's name in it.

pub mod board;
pub mod comparison_args;
pub mod figure;
pub mod files;
pub mod input;
pub mod interrupt;
pub mod json;
pub mod marks;
pub mod output;
pub mod position_arg;
pub mod progress;
pub mod resume;
pub mod search_args;
pub mod search_thread;
pub mod solver_choice;
pub mod table;
