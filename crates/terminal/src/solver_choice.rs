//! The solver that the options of a command name: the program's own, or a search of
//! the literature that is compared with it.

use crate::resume::WinningMoves;
use lambda6_literature::{Compared, ComparisonOptions, ComparisonSolver, staged::Searched};
use lambda6_proof::{Report, SolveError, Solver, SolverOptions};
use lambda6_rules::{Move, Position, Side};
use lambda6_search::{Budget, Observer};

/// A solver with its options.
#[derive(Clone, Copy)]
pub enum SolverChoice {
    /// The program's own solver.
    Own(SolverOptions),
    /// A search of the literature.
    Comparison(ComparisonOptions),
}

/// The result of a search.
pub struct Solved {
    /// The verdict, nodes and time.
    pub report: Report,
    /// The tree, after a tree search of the literature.
    pub searched: Option<Searched>,
    /// The winning moves, if the search began with those of an earlier one. Searches
    /// of the literature cannot be resumed.
    pub known: WinningMoves,
}

impl Solved {
    /// The result of a search that left nothing but a report.
    pub fn of(report: Report) -> Solved {
        Solved { report, searched: None, known: WinningMoves::new() }
    }
}

impl SolverChoice {
    /// Searches the position with a new solver. `known` are the winning moves of an
    /// earlier search of the position, `like` moves that won similar ones.
    pub fn solve(
        self,
        position: &Position,
        attacker: Side,
        (known, like): (Option<&WinningMoves>, &[(u64, Move)]),
        budget: &mut Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Solved, SolveError> {
        match self {
            SolverChoice::Own(options) => {
                let mut solver = Solver::new(position.game(), options);
                solver.suggest(like);
                if let Some(known) = known {
                    solver.suggest(known);
                }
                let report = solver.solve(position, attacker, budget, observer)?;
                let known = known.map_or_else(WinningMoves::new, |_| solver.known());
                Ok(Solved { known, ..Solved::of(report) })
            }
            SolverChoice::Comparison(options) => {
                let mut solver = ComparisonSolver::new(position.game(), options);
                let Compared { report, searched } = solver.solve(position, attacker, budget, observer)?;
                Ok(Solved { searched, ..Solved::of(report) })
            }
        }
    }
}
