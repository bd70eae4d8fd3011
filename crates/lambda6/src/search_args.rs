//! The options of a search, which every command that searches shares.

use anyhow::{Context, Result, bail};
use clap::{ValueEnum, builder::RangedU64ValueParser};
use lambda6_literature::{
    SolverOptions, Strategy, VcdtVariant, Verifier,
    dbs::DbsOptions,
    staged::{TreeKind, TreeOptions},
};
use lambda6_proof::Class;
use lambda6_search::{
    Limits, Method,
    vcdt::{Defence, Partners, VcdtOptions},
    vcst_rounds::RoundsOptions,
};
use std::time::Duration;

/// Options of a search.
#[derive(clap::Args, Clone)]
pub(crate) struct SearchArgs {
    /// The defences that are tried against threats
    #[arg(long, value_enum, default_value_t, value_name = "KIND")]
    defence: DefenceArg,

    /// The search for VCDT: plain; f1 to f3 (dependency-based, miss wins); f4 or
    /// f5 (dependency-based, then plain); mixed (f4 and plain in turn); or dfpn
    /// (proof numbers)
    #[arg(long, value_name = "HOW", default_value_t)]
    vcdt: VcdtVariant,

    /// Search a tree: pns (standard proof-number search), pns-1, pns-2a, pns-2b,
    /// pns-3 (in one to three stages), dfpn, dfs, bfs or mcts; --nodes then limits
    /// its nodes (dfpn has none: moves tried)
    #[arg(long, value_name = "SEARCH")]
    search: Option<TreeKind>,

    /// With --search: moves that the evaluation of one position may try
    #[arg(long, value_name = "N", requires = "search")]
    effort: Option<u64>,

    /// Try free stones on every empty square and leave no move of the class out
    /// (for small boards: it is slow)
    #[arg(long)]
    exhaustive: bool,

    /// The certificate's method: which moves of a defender with spare stones it answers
    #[arg(long, value_enum, default_value_t, value_name = "METHOD")]
    method: MethodArg,

    /// Verify wins as in the literature: c6, c6-o1, c6-o2, ck (c6 for all games) and
    /// mutual are --method rzop, srzop1, srzop2, rzop and mutual; wu is the method of
    /// 2006, with double threats only after the first move
    #[arg(long, value_name = "VERIFIER", conflicts_with = "method")]
    verifier: Option<Verifier>,

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
    /// The options of the solver. `memory` is in MiB.
    ///
    /// Without a class the solver uses its default, and tree searches use all moves.
    pub(crate) fn options(&self, class: Option<Class>, threads: usize, memory: u64) -> Result<SolverOptions> {
        let table_bytes = available(memory)?;
        Ok(SolverOptions { strategy: self.strategy(class, threads)?, method: self.method(), table_bytes })
    }

    fn strategy(&self, class: Option<Class>, threads: usize) -> Result<Strategy> {
        let wu = self.verifier == Some(Verifier::Wu);
        if let Some(kind) = self.search {
            if wu {
                bail!("--verifier wu: it is a search of its own, expected no --search");
            }
            let usual = TreeOptions::new(kind);
            let nodes = self.nodes.map_or(usual.nodes, |nodes| usize::try_from(nodes).unwrap_or(usize::MAX));
            let effort = self.effort.unwrap_or(usual.effort);
            return Ok(Strategy::Tree(TreeOptions { class, nodes, effort, ..usual }));
        }
        let class = class.unwrap_or_default();
        let defence = match self.defence {
            DefenceArg::Normal => Defence::Normal,
            DefenceArg::Conservative => Defence::Conservative,
        };
        let exhaustive = self.exhaustive;
        let partners = if exhaustive { Partners::All } else { VcdtOptions::default().partners };
        Ok(match class {
            _ if wu => Strategy::Wu { order: class.order(), partners },
            Class::Vcdt => {
                let options = VcdtOptions { defence, partners };
                Strategy::Vcdt { variant: self.vcdt, options, dbs: DbsOptions::default() }
            }
            Class::Vcst if exhaustive || defence == Defence::Conservative => {
                Strategy::Product(lambda6_proof::Strategy::VcstRounds(RoundsOptions { defence, exhaustive }))
            }
            class => Strategy::Product(lambda6_proof::Strategy::for_class(class, threads)),
        })
    }

    /// The limits of one search.
    pub(crate) fn limits(&self, time: Option<Duration>) -> Limits {
        // For tree searches other than df-pn, --nodes limits the nodes of the tree.
        let has_tree = self.search.is_some_and(|kind| kind != TreeKind::Dfpn);
        let nodes = self.nodes.filter(|_| !has_tree);
        Limits { depth: self.depth, nodes, time }
    }

    /// The tree search of --search.
    pub(crate) fn tree(&self) -> Option<TreeKind> {
        self.search
    }

    /// The certificate's method.
    pub(crate) fn method(&self) -> Method {
        self.verifier.map_or(self.method.into(), Verifier::method)
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
pub(crate) fn available(mib: u64) -> Result<usize> {
    let bytes = usize::try_from(mib << 20).unwrap_or(usize::MAX);
    if Vec::<u8>::new().try_reserve_exact(bytes).is_err() {
        bail!("--memory {mib}: there is not so much memory");
    }
    Ok(bytes)
}

#[derive(ValueEnum, Clone, Copy, Default)]
pub(crate) enum ClassArg {
    /// Order 1. Connect6: double threats, which leave no stone to spare; go-moku: fours
    #[value(alias = "vcf")]
    Vcdt,
    /// Order 2. Connect6: single threats too; go-moku: threes too
    #[default]
    #[value(alias = "vct")]
    Vcst,
    /// Order 3. Connect6: any move that threatens to win by double threats; go-moku: any
    /// move that threatens to win by fours and threes
    Lambda3,
    /// Order 4. Any move that threatens to win by moves of order 4 - p
    Lambda4,
    /// Order 5. Any move that threatens to win by moves of order 5 - p
    Lambda5,
}

impl From<ClassArg> for Class {
    fn from(class: ClassArg) -> Class {
        match class {
            ClassArg::Vcdt => Class::Vcdt,
            ClassArg::Vcst => Class::Vcst,
            ClassArg::Lambda3 => Class::Lambda3,
            ClassArg::Lambda4 => Class::Lambda4,
            ClassArg::Lambda5 => Class::Lambda5,
        }
    }
}

#[derive(ValueEnum, Clone, Copy, Default)]
enum DefenceArg {
    /// Each critical defence in turn: exact
    #[default]
    Normal,
    /// The squares of all at once: fast and sound, but it misses wins
    Conservative,
}

#[derive(ValueEnum, Clone, Copy, Default)]
pub(crate) enum MethodArg {
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
pub(crate) fn parse_seconds(text: &str) -> Result<Duration> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.context("expected a number of seconds such as 0.1")
}

/// Reads the memory for tables, in MiB.
pub(crate) fn parse_mib() -> RangedU64ValueParser<u64> {
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
