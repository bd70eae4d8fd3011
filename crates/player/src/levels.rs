//! What the levels that search differ in.

use crate::{
    Level,
    moves::Width,
    root::{RootShape, Singles},
    tree::{STRONG, Shape},
};

/// How a level searches; `None` for the two that do not search a tree.
pub fn shape(level: Level) -> Option<RootShape> {
    let narrow = |moves| Width { first: 6, second: 5, moves };
    match level {
        Level::Defense | Level::Kagami => None,
        Level::Strong => Some(RootShape {
            free: Width { first: 20, second: 14, moves: 60 },
            defend: Width { first: 60, second: 12, moves: 160 },
            single_threats: Some(Singles { nodes: 1_000_000, nodes_unlimited: 100_000, share: 6, sure: 40 }),
            depth: 48,
            tree: STRONG,
        }),
        Level::Club => Some(RootShape {
            free: Width { first: 10, second: 8, moves: 24 },
            defend: Width { first: 20, second: 8, moves: 40 },
            single_threats: None,
            depth: 2,
            tree: Shape {
                widths: [narrow(8), narrow(8), narrow(8), narrow(8)],
                defend: narrow(12),
                extend: narrow(4),
                solver: [20, 50, 200, 400],
                extra: 1,
            },
        }),
        Level::Casual | Level::Novice => Some(RootShape {
            free: Width { first: 10, second: 8, moves: 24 },
            defend: Width { first: 20, second: 8, moves: 40 },
            single_threats: None,
            depth: 1,
            tree: Shape {
                widths: [narrow(4), narrow(4), narrow(4), narrow(4)],
                defend: narrow(8),
                extend: narrow(4),
                solver: [1, 1, 1, 1],
                extra: 0,
            },
        }),
    }
}

/// How far off the scores of a level are, at most, in thousandths: people of
/// that level do not agree on them either.
pub fn noise(level: Level) -> u32 {
    match level {
        Level::Novice => 4_000,
        Level::Casual => 1_000,
        _ => 0,
    }
}

/// Nodes when the caller sets no limit at all.
pub const DEFAULT_NODES: u64 = 1_000_000;
