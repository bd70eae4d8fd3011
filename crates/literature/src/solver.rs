//! One solver for the searches of the literature and those of the product.

use crate::{
    VcdtVariant, WuSearch,
    dbs::DbsOptions,
    staged::{Searched, TreeOptions, TreeSearch},
    vcdt_variants::VariantSearch,
};
use lambda6_proof::{Report, SolveError};
use lambda6_rules::{Game, Move, Position, Side};
use lambda6_search::{
    Budget, Method, Observer, WinSearch,
    vcdt::{Partners, VcdtOptions},
};

/// How a win is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// A search of the product.
    Product(lambda6_proof::Strategy),
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
    /// A tree.
    Tree(TreeOptions),
}

/// How to solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolverOptions {
    /// How a win is searched for.
    pub strategy: Strategy,
    /// How the certificate cuts the defender's spare stones down.
    pub method: Method,
    /// Memory for tables.
    pub table_bytes: usize,
}

impl Default for SolverOptions {
    fn default() -> SolverOptions {
        let lambda6_proof::SolverOptions { strategy, method, table_bytes } =
            lambda6_proof::SolverOptions::default();
        SolverOptions { strategy: Strategy::Product(strategy), method, table_bytes }
    }
}

/// What came of a search.
#[derive(Clone, Debug)]
pub struct Compared {
    /// The verdict, and what it took.
    pub report: Report,
    /// What the search of a tree left behind.
    pub searched: Option<Searched>,
}

/// Solves positions of one game. It keeps its memory from one to the next.
pub struct Solver {
    game: Game,
    options: SolverOptions,
    search: Search,
}

enum Search {
    Product(Box<lambda6_proof::Solver>),
    Other(Box<dyn WinSearch + Send>),
    Tree(Box<TreeSearch>),
}

impl Solver {
    /// A solver for this game.
    pub fn new(game: Game, options: SolverOptions) -> Solver {
        let SolverOptions { strategy, method, table_bytes } = options;
        let search = match strategy {
            Strategy::Product(strategy) => {
                let options = lambda6_proof::SolverOptions { strategy, method, table_bytes };
                Search::Product(Box::new(lambda6_proof::Solver::new(game, options)))
            }
            Strategy::Vcdt { variant, options, dbs } => {
                Search::Other(Box::new(VariantSearch::new(game, variant, options, dbs, table_bytes)))
            }
            Strategy::Wu { order, partners } => {
                Search::Other(Box::new(WuSearch::new(game, order, partners, table_bytes)))
            }
            Strategy::Tree(tree) => Search::Tree(Box::new(TreeSearch::new(game, tree, table_bytes))),
        };
        Solver { game, options, search }
    }

    /// Forgets what earlier searches have left: the same question after this gets
    /// the same answer.
    pub fn forget(&mut self) {
        *self = Solver::new(self.game, self.options);
    }

    /// Moves that have won positions in an earlier search, by the positions'
    /// keys, to be tried first by the searches that can use them.
    pub fn suggest(&mut self, known: &[(u64, Move)]) {
        if let Search::Product(solver) = &mut self.search {
            solver.suggest(known);
        }
    }

    /// The moves that have won positions, by the positions' keys, in searches
    /// that can be resumed.
    pub fn known(&self) -> Vec<(u64, Move)> {
        match &self.search {
            Search::Product(solver) => solver.known(),
            Search::Other(_) | Search::Tree(_) => Vec::new(),
        }
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
            Search::Product(solver) => {
                let report = solver.solve(position, attacker, budget, observer)?;
                return Ok(Compared { report, searched: None });
            }
            Search::Other(search) => {
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
