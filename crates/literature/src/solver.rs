//! One solver for all searches of the literature.

use crate::{
    VcdtVariant, WuSearch,
    dbs::DbsOptions,
    staged::{Searched, TreeOptions, TreeSearch},
    vcdt_variants::VariantSearch,
};
use lambda6_proof::{Report, SolveError};
use lambda6_rules::{Game, Position, Side};
use lambda6_search::{
    Budget, Method, Observer, WinSearch,
    vcdt::{Partners, VcdtOptions},
};

/// A search of the literature with its options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComparisonStrategy {
    /// VCDT by a search of the literature.
    Vcdt {
        /// The search.
        variant: VcdtVariant,
        /// How the plain search, and that by proof numbers, search.
        options: VcdtOptions,
        /// How dependency-based search does. The variant says which filter.
        dbs: DbsOptions,
    },
    /// V_Wu: see [`WuSearch`]. Its certificates are of [`Method::Rzop`].
    Wu {
        /// The highest order of the first move.
        order: u8,
        /// Where free stones are tried.
        partners: Partners,
    },
    /// A tree search.
    Tree(TreeOptions),
}

/// The options of a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComparisonOptions {
    /// The search.
    pub strategy: ComparisonStrategy,
    /// The method of the certificate: which moves of a defender with spare stones
    /// it answers.
    pub method: Method,
    /// Memory for tables.
    pub table_bytes: usize,
}

impl ComparisonOptions {
    /// The usual method of certificates and the usual memory.
    pub fn new(strategy: ComparisonStrategy) -> ComparisonOptions {
        ComparisonOptions { strategy, method: Method::default(), table_bytes: 64 << 20 }
    }
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Compared {
    /// The verdict, and what it took.
    pub report: Report,
    /// The tree of a tree search and what was counted in it.
    pub searched: Option<Searched>,
}

/// Solves positions of one game. It keeps its memory from one to the next.
pub struct ComparisonSolver {
    game: Game,
    options: ComparisonOptions,
    search: Search,
}

enum Search {
    Plain(Box<dyn WinSearch + Send>),
    Tree(Box<TreeSearch>),
}

impl ComparisonSolver {
    /// A solver for this game.
    pub fn new(game: Game, options: ComparisonOptions) -> ComparisonSolver {
        let ComparisonOptions { strategy, table_bytes, .. } = options;
        let search = match strategy {
            ComparisonStrategy::Vcdt { variant, options, dbs } => {
                Search::Plain(Box::new(VariantSearch::new(game, variant, options, dbs, table_bytes)))
            }
            ComparisonStrategy::Wu { order, partners } => {
                Search::Plain(Box::new(WuSearch::new(game, order, partners, table_bytes)))
            }
            ComparisonStrategy::Tree(tree) => {
                Search::Tree(Box::new(TreeSearch::new(game, tree, table_bytes)))
            }
        };
        ComparisonSolver { game, options, search }
    }

    /// Forgets what earlier searches have left: the same question after this gets
    /// the same answer.
    pub fn forget(&mut self) {
        *self = ComparisonSolver::new(self.game, self.options);
    }

    /// Searches for a win of `attacker`.
    pub fn solve(
        &mut self,
        position: &Position,
        attacker: Side,
        budget: &mut Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Compared, SolveError> {
        if position.game() != self.game {
            return Err(SolveError::OtherGame { expected: self.game, found: position.game() });
        }
        SolveError::refuse(position)?;
        let (before, method) = (budget.nodes(), self.options.method);
        let (verdict, searched) = match &mut self.search {
            Search::Plain(search) => {
                (lambda6_proof::prove(&mut **search, position, attacker, method, budget, observer)?, None)
            }
            Search::Tree(search) => {
                let verdict = search.solve(position, attacker, method, budget, observer)?;
                (verdict, Some(search.take_searched()))
            }
        };
        let report = Report { verdict, nodes: budget.nodes() - before, elapsed: budget.elapsed() };
        Ok(Compared { report, searched })
    }
}
