//! The options of a search, which every command that searches shares.

use anyhow::{Result, bail};
use clap::ValueEnum;
use search::{
    Class, Limits, Method, SolverOptions, Vcdt, Verifier,
    any::AnyOptions,
    full::{Defence, Options, Partners},
    pns::{TreeKind, TreeOptions},
};
use std::time::Duration;

/// How a position is searched.
#[derive(clap::Args, Clone)]
pub(crate) struct SearchArgs {
    /// The defences that are tried against threats
    #[arg(long, value_enum, default_value_t, value_name = "KIND")]
    defence: DefenceArg,

    /// How VCDT is searched: plain; f1 to f3 (dependency-based, miss wins); f4 or
    /// f5 (dependency-based, then plain); mixed (f4 and plain in turn); or dfpn
    /// (proof numbers)
    #[arg(long, value_name = "HOW", default_value_t)]
    vcdt: Vcdt,

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

    /// How the certificate cuts the defender's spare stones down
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

/// The memory for tables; its default differs from command to command.
pub(crate) const MAX_MEMORY_MIB: u64 = 1 << 20;

impl SearchArgs {
    /// What the solver is told. `memory` is in MiB.
    ///
    /// Without a class the solver has its default, and trees have no limit on
    /// the moves.
    pub(crate) fn options(&self, class: Option<Class>, memory: u64) -> Result<SolverOptions> {
        let table_bytes = available(memory)?;
        let tree = self.search.map(|kind| {
            let usual = TreeOptions::new(kind);
            TreeOptions {
                class,
                nodes: self.nodes.map_or(usual.nodes, |nodes| usize::try_from(nodes).unwrap_or(usize::MAX)),
                effort: self.effort.unwrap_or(usual.effort),
                method: self.method(),
                table_bytes,
                ..usual
            }
        });
        let defence = match self.defence {
            DefenceArg::Normal => Defence::Normal,
            DefenceArg::Conservative => Defence::Conservative,
        };
        if self.verifier == Some(Verifier::Wu) && tree.is_some() {
            bail!("--verifier wu: it is a search of its own, expected no --search");
        }
        let partners = if self.exhaustive { Partners::All } else { Options::default().partners };
        let options = SolverOptions {
            class: class.unwrap_or_default(),
            vcdt: self.vcdt,
            full: Options { defence, partners },
            any: AnyOptions { defence, exhaustive: self.exhaustive },
            method: self.method(),
            table_bytes,
            tree,
            ..SolverOptions::default()
        };
        Ok(self.verifier.map_or(options, |verifier| verifier.with(options)))
    }

    /// The limits of one search.
    pub(crate) fn limits(&self, time: Option<Duration>) -> Limits {
        // The nodes of a tree are no moves tried; df-pn has none.
        let has_tree = self.search.is_some_and(|kind| kind != TreeKind::Dfpn);
        let nodes = self.nodes.filter(|_| !has_tree);
        Limits { depth: self.depth, nodes, time }
    }

    /// The search of a tree, if one was asked for.
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

/// That many MiB in bytes. What cannot be had is an error here, for a program
/// that runs out of memory later is ended without a word.
pub(crate) fn available(mib: u64) -> Result<usize> {
    let bytes = usize::try_from(mib << 20).unwrap_or(usize::MAX);
    if Vec::<u8>::new().try_reserve_exact(bytes).is_err() {
        bail!("--memory {mib}: there is not so much memory");
    }
    Ok(bytes)
}

#[derive(ValueEnum, Clone, Copy, Default)]
pub(crate) enum ClassArg {
    /// Moves that leave the defender no stone to spare (double threats)
    Vcdt,
    /// Moves that make a threat at least
    #[default]
    Vcst,
    /// Any move that threatens to win by double threats
    Lambda3,
    /// Any move that threatens to win by threats
    Lambda4,
}

impl From<ClassArg> for Class {
    fn from(class: ClassArg) -> Class {
        match class {
            ClassArg::Vcdt => Class::Vcdt,
            ClassArg::Vcst => Class::Vcst,
            ClassArg::Lambda3 => Class::Lambda3,
            ClassArg::Lambda4 => Class::Lambda4,
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
    /// Pairs must answer every line found: the shortest certificates
    #[default]
    Mutual,
}

/// Reads a number of seconds, such as `0.1`.
pub(crate) fn parse_seconds(text: &str) -> Result<Duration, String> {
    let expected = || "expected a number of seconds such as 0.1".to_string();
    let seconds: f64 = text.parse().map_err(|_| expected())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| expected())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_numbers_from_0() {
        assert_eq!(parse_seconds("0"), Ok(Duration::ZERO));
        assert_eq!(parse_seconds("0.25"), Ok(Duration::from_millis(250)));
        for text in ["", "-1", "1s", "nan", "inf", "1e300"] {
            assert!(parse_seconds(text).is_err(), "{text}");
        }
    }
}
