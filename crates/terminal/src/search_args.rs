//! The options of a search, which every command that searches shares.

use crate::{comparison_args::ComparisonArgs, solver_choice::SolverChoice};
use anyhow::{Context, Result, bail};
use clap::{ValueEnum, builder::RangedU64ValueParser};
use lambda6_literature::{ComparisonOptions, Verifier, staged::TreeKind};
use lambda6_proof::{Class, SolverOptions, Strategy};
use lambda6_rules::Game;
use lambda6_search::{
    Limits, Method,
    vcdt::{Defence, Partners, VcdtOptions},
    vcst_rounds::RoundsOptions,
};
use std::time::Duration;

/// Options of a search.
#[derive(clap::Args, Clone)]
pub struct SearchArgs {
    /// The defences that are tried against threats
    #[arg(long, value_enum, default_value_t, value_name = "KIND")]
    defence: DefenceArg,

    #[command(flatten)]
    comparison: ComparisonArgs,

    /// Try free stones on every empty square and leave no move of the class out
    /// (for small boards: it is slow)
    #[arg(long)]
    exhaustive: bool,

    /// The certificate's method: which moves of a defender with spare stones it answers
    #[arg(long, value_enum, default_value_t, value_name = "METHOD")]
    method: MethodArg,

    /// Give up on wins of more than N moves of the attacker
    #[arg(long, value_name = "N")]
    depth: Option<u32>,

    /// Give up after N moves tried
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
}

/// The most memory for tables, in MiB.
const MAX_MEMORY_MIB: u64 = 1 << 20;

impl SearchArgs {
    /// The solver and its options. `memory` is in MiB.
    ///
    /// Without a class the solver uses its default, and tree searches use all moves.
    pub fn solver(&self, class: Option<Class>, threads: usize, memory: u64) -> Result<SolverChoice> {
        let (method, table_bytes) = (self.method(), available(memory)?);
        Ok(match self.comparison.strategy(class, self.vcdt_options(), self.nodes)? {
            Some(strategy) => SolverChoice::Comparison(ComparisonOptions { strategy, method, table_bytes }),
            None => {
                let strategy = self.strategy(class.unwrap_or_default(), threads);
                SolverChoice::Own(SolverOptions { strategy, method, table_bytes })
            }
        })
    }

    fn strategy(&self, class: Class, threads: usize) -> Strategy {
        let (vcdt, exhaustive) = (self.vcdt_options(), self.exhaustive);
        match class {
            Class::Vcdt => Strategy::Vcdt(vcdt),
            Class::Vcst if exhaustive || vcdt.defence == Defence::Conservative => {
                Strategy::VcstRounds(RoundsOptions { defence: vcdt.defence, exhaustive })
            }
            class => Strategy::for_class(class, threads),
        }
    }

    fn vcdt_options(&self) -> VcdtOptions {
        let defence = match self.defence {
            DefenceArg::Normal => Defence::Normal,
            DefenceArg::Conservative => Defence::Conservative,
        };
        let partners = if self.exhaustive { Partners::All } else { VcdtOptions::default().partners };
        VcdtOptions { defence, partners }
    }

    /// The limits of one search.
    pub fn limits(&self, time: Option<Duration>) -> Limits {
        let nodes = self.nodes.filter(|_| !self.comparison.limits_tree());
        Limits { depth: self.depth, nodes, time }
    }

    /// The tree search of --search.
    pub fn tree(&self) -> Option<TreeKind> {
        self.comparison.tree()
    }

    /// The certificate's method.
    pub fn method(&self) -> Method {
        self.comparison.verifier.map_or(self.method.into(), Verifier::method)
    }
}

impl From<MethodArg> for Method {
    fn from(method: MethodArg) -> Method {
        match method {
            MethodArg::Rzop => Method::Rzop,
            MethodArg::Srzop1 => Method::Srzop1,
            MethodArg::Srzop2 => Method::Srzop2,
            MethodArg::Mutual => Method::Mutual,
        }
    }
}

/// This many MiB in bytes. Memory that is not available is an error here: a program
/// that runs out of memory later is killed without a message.
pub fn available(mib: u64) -> Result<usize> {
    let bytes = usize::try_from(mib << 20).unwrap_or(usize::MAX);
    if Vec::<u8>::new().try_reserve_exact(bytes).is_err() {
        bail!("--memory {mib}: there is not so much memory");
    }
    Ok(bytes)
}

/// The text on classes in the help of commands that search: every game's names, and what
/// they mean there.
pub fn classes_help() -> String {
    let games = [Game::GO_MOKU, Game::CONNECT6].into_iter().chain(Game::new(19, 19, 8, 3, 1));
    let mut text =
        "Classes of moves, each with those before it. A name of one game is read in all.\n".to_string();
    for game in games {
        text += &format!("  {} in a row, {} a move", game.k(), stones(game.p()));
        text += &game.name().map_or_else(|| ":\n".to_string(), |name| format!(" ({name}):\n"));
        for class in Class::ALL {
            text += &format!("    {:<8} {}\n", class.name_in(game), class.describe(game));
        }
    }
    text
}

fn stones(count: u8) -> String {
    if count == 1 { "1 stone".to_string() } else { format!("{count} stones") }
}

#[derive(ValueEnum, Clone, Copy, Default)]
enum DefenceArg {
    /// Each critical defence in turn: exact
    #[default]
    Normal,
    /// The squares of all at once: fast and sound, but it misses wins
    Conservative,
}

/// A method of a certificate, as an option.
#[derive(ValueEnum, Clone, Copy, Default)]
pub enum MethodArg {
    /// Relevance zones
    Rzop,
    /// Segmented relevance zones, first form
    Srzop1,
    /// Segmented relevance zones, second form
    Srzop2,
    /// As srzop2, and a pair must lie in the zone of the answer to each of its stones: the
    /// shortest certificates
    #[default]
    Mutual,
}

/// Reads a number of seconds, such as `0.1`.
pub fn parse_seconds(text: &str) -> Result<Duration> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.context("expected a number of seconds such as 0.1")
}

/// Reads the memory for tables, in MiB.
pub fn parse_mib() -> RangedU64ValueParser<u64> {
    clap::value_parser!(u64).range(1..=MAX_MEMORY_MIB)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_numbers_from_0() {
        assert_eq!(parse_seconds("0").unwrap(), Duration::ZERO);
        assert_eq!(parse_seconds("0.25").unwrap(), Duration::from_millis(250));
        for text in ["", "-1", "1s", "nan", "inf", "1e300"] {
            assert!(parse_seconds(text).is_err(), "{text}");
        }
    }
}
