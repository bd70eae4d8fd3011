//! The options of a player, which every command that plays shares.

use crate::search_args::parse_mib;
use lambda6_player::{Level, PlayerOptions};

/// Resources of a player.
#[derive(clap::Args, Clone)]
pub(crate) struct PlayerArgs {
    /// Threads of the search; more than one makes moves depend on timing
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=256))]
    threads: u64,

    /// Memory for tables, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = parse_mib())]
    memory: u64,

    /// Seed of random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
}

/// Whether the strongest level uses its opening book.
#[derive(clap::Args, Clone, Copy)]
pub(crate) struct OpeningArgs {
    /// Do not use the opening book
    #[arg(long)]
    no_openings: bool,
}

impl PlayerArgs {
    /// The options of a player of this level.
    pub(crate) fn options(&self, level: Level) -> PlayerOptions {
        PlayerOptions {
            level,
            threads: self.threads as usize,
            table_bytes: usize::try_from(self.memory << 20).unwrap_or(usize::MAX),
            seed: self.seed,
            openings: false,
        }
    }
}

impl OpeningArgs {
    /// The options with the use of the opening book.
    pub(crate) fn add_to(self, options: PlayerOptions) -> PlayerOptions {
        PlayerOptions { openings: !self.no_openings, ..options }
    }
}

/// A paragraph for the help of commands that take a level.
macro_rules! levels_help {
    () => {
        "\
Levels, from the weakest, with Elo of games of Connect6 at 0.1 s a move:
  defense  -391  the defensive strategy of Kagami, without looking ahead
  novice   -229  sees rows and threats, and little else
  casual   -106  plays what looks best at a glance, most of the time
  kagami     41  the strategy of Kagami, checked by threat-space search
  club      193  looks a few moves ahead and finds short attacks
  strong    492  searches the game tree with the threat solvers at its leaves

Times: 1s or 500ms a move, 300s+2s a game with increment, 5000n nodes a move.
"
    };
}
pub(crate) use levels_help;
