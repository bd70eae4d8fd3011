//! The search settings of the levels.

use crate::{
    Level,
    alpha_beta::TreeSettings,
    generator::Width,
    root::{RootSettings, VcstLimits},
};

/// How a level searches; `None` for the levels that do not search a tree.
pub fn root_settings(level: Level) -> Option<RootSettings> {
    let narrow = |moves| Width { first: 6, second: 5, moves };
    let small = RootSettings {
        free: Width { first: 10, second: 8, moves: 24 },
        defend: Width { first: 20, second: 8, moves: 40 },
        vcst: None,
        depth: 1,
        tree: TreeSettings {
            widths: [narrow(4); 4],
            defend: narrow(8),
            extend: narrow(4),
            solver: [1; 4],
            extra: 0,
        },
    };
    match level {
        Level::Defense | Level::Kagami => None,
        Level::Strong => Some(STRONG),
        Level::Club => Some(RootSettings {
            depth: 2,
            tree: TreeSettings {
                widths: [narrow(8); 4],
                defend: narrow(12),
                solver: [20, 50, 200, 400],
                extra: 1,
                ..small.tree
            },
            ..small
        }),
        Level::Casual | Level::Novice => Some(small),
    }
}

const STRONG: RootSettings = RootSettings {
    free: Width { first: 20, second: 14, moves: 60 },
    defend: Width { first: 60, second: 12, moves: 160 },
    vcst: Some(VcstLimits { nodes: 1_000_000, nodes_unlimited: 100_000, share: 6, reserve: 40 }),
    depth: 48,
    tree: TreeSettings {
        widths: [
            Width { first: 6, second: 5, moves: 10 },
            Width { first: 8, second: 6, moves: 16 },
            Width { first: 10, second: 8, moves: 24 },
            Width { first: 12, second: 10, moves: 32 },
        ],
        defend: Width { first: 16, second: 6, moves: 28 },
        extend: Width { first: 8, second: 4, moves: 8 },
        solver: [50, 100, 400, 1_500],
        extra: 3,
    },
};

/// The bound of the random error that is added to a level's scores, in
/// thousandths of the logarithm of the odds.
pub fn noise(level: Level) -> u32 {
    match level {
        Level::Novice => 4_000,
        Level::Casual => 1_000,
        _ => 0,
    }
}

/// Nodes when the caller sets no limit at all.
pub const DEFAULT_NODES: u64 = 1_000_000;
