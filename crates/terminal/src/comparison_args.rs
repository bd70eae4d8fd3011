//! Options that replace the program's searches by searches of the literature, to
//! compare them.

use anyhow::{Result, bail};
use lambda6_literature::{
    ComparisonStrategy, VcdtVariant, Verifier,
    dbs::DbsOptions,
    staged::{TreeKind, TreeOptions},
};
use lambda6_proof::Class;
use lambda6_search::vcdt::VcdtOptions;

/// The options. None of them is set in a plain search.
#[derive(clap::Args, Clone)]
pub struct ComparisonArgs {
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

    /// Verify wins as in the literature: c6, c6-o1, c6-o2, ck (c6 for all games) and
    /// mutual are --method rzop, srzop1, srzop2, rzop and mutual; wu is the method of
    /// 2006, with double threats only after the first move
    #[arg(long, value_name = "VERIFIER", conflicts_with = "method")]
    pub verifier: Option<Verifier>,
}

impl ComparisonArgs {
    /// The search of the literature that the options name, or none where they leave
    /// the choice to the program. `nodes` limits the tree of a tree search.
    pub fn strategy(
        &self,
        class: Option<Class>,
        vcdt: VcdtOptions,
        nodes: Option<u64>,
    ) -> Result<Option<ComparisonStrategy>> {
        let wu = self.verifier == Some(Verifier::Wu);
        if let Some(kind) = self.search {
            if wu {
                bail!("--verifier wu: it is a search of its own, expected no --search");
            }
            let usual = TreeOptions::new(kind);
            let nodes = nodes.map_or(usual.nodes, |nodes| usize::try_from(nodes).unwrap_or(usize::MAX));
            let effort = self.effort.unwrap_or(usual.effort);
            return Ok(Some(ComparisonStrategy::Tree(TreeOptions { class, nodes, effort, ..usual })));
        }
        let class = class.unwrap_or_default();
        Ok(match (class, self.vcdt) {
            _ if wu => Some(ComparisonStrategy::Wu { order: class.order(), partners: vcdt.partners }),
            (Class::Vcdt, variant) if variant != VcdtVariant::Plain => {
                Some(ComparisonStrategy::Vcdt { variant, options: vcdt, dbs: DbsOptions::default() })
            }
            _ => None,
        })
    }

    /// The tree search of --search.
    pub fn tree(&self) -> Option<TreeKind> {
        self.search
    }

    /// Whether --nodes limits the nodes of a tree: in tree searches other than df-pn,
    /// which keeps a table.
    pub fn limits_tree(&self) -> bool {
        self.search.is_some_and(|kind| kind != TreeKind::Dfpn)
    }
}
