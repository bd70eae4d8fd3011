//! The solver: a position in, a verdict out, and no win without a certificate.

use crate::{
    Certificate, CertifyError, Class, Report, SolveError, Verdict, Win,
    small_proof::{self, Effort},
    verdict::connects_at_once,
};
use lambda6_rules::{Game, Move, Position, Side};
use lambda6_search::{
    Budget, Method, Observer, Why, WinSearch,
    lambda::{LambdaOptions, LambdaSearch},
    vcdt::{VcdtOptions, VcdtSolver},
    vcst_rounds::{RoundsOptions, VcstRounds},
};
use lambda6_threats::Board;

/// How a win is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// VCDT, depth first.
    Vcdt(VcdtOptions),
    /// VCST, depth first in rounds of growing effort. With a budget of a few
    /// thousand moves it solves more than proof numbers do.
    VcstRounds(RoundsOptions),
    /// Proof numbers, with moves of any order.
    Lambda {
        /// The highest order of a move.
        order: u8,
        /// Search threads. With one thread the search is deterministic.
        threads: usize,
        /// Try every move of the class from the start: for small boards.
        exhaustive: bool,
        /// Where the defender has all stones to spare, look first for a small
        /// proof by VCDT. Applies to [`Method::Mutual`] only.
        small_proofs: bool,
    },
}

impl Strategy {
    /// The strategy for a class of moves, with this many threads where it can use
    /// more than one.
    pub fn for_class(class: Class, threads: usize) -> Strategy {
        match class {
            Class::Vcdt => Strategy::Vcdt(VcdtOptions::default()),
            Class::Vcst | Class::Lambda3 | Class::Lambda4 | Class::Lambda5 => {
                Strategy::Lambda { order: class.order(), threads, exhaustive: false, small_proofs: true }
            }
        }
    }
}

/// The options of a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolverOptions {
    /// How a win is searched for.
    pub strategy: Strategy,
    /// The method of the certificate: which moves of a defender with spare
    /// stones it answers.
    pub method: Method,
    /// Memory for tables.
    pub table_bytes: usize,
}

impl SolverOptions {
    /// The usual options for a class of moves, with one thread.
    pub fn for_class(class: Class) -> SolverOptions {
        SolverOptions {
            strategy: Strategy::for_class(class, 1),
            method: Method::default(),
            table_bytes: 64 << 20,
        }
    }
}

impl Default for SolverOptions {
    fn default() -> SolverOptions {
        SolverOptions::for_class(Class::default())
    }
}

/// Solves positions of one game. It keeps its tables between calls.
pub struct Solver {
    game: Game,
    options: SolverOptions,
    search: Box<dyn WinSearch + Send>,
    /// The question for which no small proof was found: a search that is continued does not look for
    /// one again.
    without_small_proof: Option<(Position, Side)>,
}

impl Solver {
    /// A solver for this game.
    pub fn new(game: Game, options: SolverOptions) -> Solver {
        let SolverOptions { strategy, method, table_bytes } = options;
        let search: Box<dyn WinSearch + Send> = match strategy {
            Strategy::Vcdt(vcdt) => Box::new(VcdtSolver::new(game, vcdt, table_bytes)),
            Strategy::VcstRounds(rounds) => Box::new(VcstRounds::new(game, rounds, table_bytes)),
            Strategy::Lambda { order, threads, exhaustive, .. } => {
                let options = LambdaOptions { order, method, threads, exhaustive };
                Box::new(LambdaSearch::new(game, options, table_bytes))
            }
        };
        Solver { game, options, search, without_small_proof: None }
    }

    /// Clears the tables: a search after this does not depend on earlier ones.
    pub fn forget(&mut self) {
        *self = Solver::new(self.game, self.options);
    }

    /// Moves that have won positions in an earlier search, by the positions'
    /// keys, to be tried first by the searches that can use them.
    pub fn suggest(&mut self, known: &[(u64, Move)]) {
        self.search.suggest(known);
    }

    /// The moves that have won positions, by the positions' keys, in searches
    /// that can be resumed.
    pub fn known(&self) -> Vec<(u64, Move)> {
        self.search.known()
    }

    /// Searches for a win of `attacker`.
    pub fn solve(
        &mut self,
        position: &Position,
        attacker: Side,
        budget: &mut Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Report, SolveError> {
        if position.game() != self.game {
            return Err(SolveError::OtherGame { expected: self.game, found: position.game() });
        }
        SolveError::refuse(position)?;
        let before = budget.nodes();
        let question = (position.clone(), attacker);
        let small = match &self.without_small_proof {
            Some(tried) if *tried == question => Ok(None),
            _ => self.small_proof(position, attacker, budget),
        };
        if let Ok(None) = small {
            self.without_small_proof = Some(question);
        }
        let verdict = match small {
            Ok(Some(certificate)) => Verdict::Win(Box::new(Win::new(certificate))),
            Ok(None) => prove(&mut *self.search, position, attacker, self.options.method, budget, observer)?,
            Err(why) => Verdict::Unknown(why),
        };
        Ok(Report { verdict, nodes: budget.nodes() - before, elapsed: budget.elapsed() })
    }

    /// A small proof where the defender is to move, if there is an easy one.
    fn small_proof(
        &self,
        position: &Position,
        attacker: Side,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Certificate>, Why> {
        let Strategy::Lambda { small_proofs: true, .. } = self.options.strategy else { return Ok(None) };
        // The small-proof search does not limit its depth.
        if self.options.method != Method::Mutual
            || position.to_move() == attacker
            || budget.limits().depth.is_some()
        {
            return Ok(None);
        }
        small_proof::prove(position, attacker, Effort::LIGHT, budget, &mut |_| ())
    }
}

/// Searches for a win and makes a certificate of what the search found.
pub fn prove(
    search: &mut dyn WinSearch,
    position: &Position,
    attacker: Side,
    method: Method,
    budget: &mut Budget<'_>,
    observer: &mut dyn Observer,
) -> Result<Verdict, SolveError> {
    let mut board = Board::from_position(position);
    if let Err(why) = search.search(&mut board, position.to_move(), attacker, budget, observer) {
        return Ok(Verdict::Unknown(why));
    }
    let mut reply = |board: &mut Board| {
        // Replies that are known cost no moves, and there may be many.
        budget.interrupted()?;
        search.reply(board, attacker, budget)
    };
    let certified = Certificate::walk(position, attacker, method, &mut reply);
    of_certified(certified, budget)
}

/// The verdict for a certificate, which must be within the depth limit.
pub fn of_certified(
    certified: Result<Certificate, CertifyError>,
    budget: &Budget<'_>,
) -> Result<Verdict, SolveError> {
    match certified {
        Ok(certificate) => {
            let at_once = connects_at_once(certificate.position(), certificate.attacker());
            let depth = if at_once { 0 } else { certificate.depth() };
            // Searches with spare stones do not limit the depth of a line
            // themselves.
            if budget.limits().depth.is_some_and(|most| depth > most as usize) {
                return Ok(Verdict::Unknown(Why::Depth));
            }
            Ok(Verdict::Win(Box::new(Win::new(certificate))))
        }
        Err(CertifyError::NoReply(why)) => Ok(Verdict::Unknown(why)),
        Err(refused) => Err(SolveError::Caught(refused.to_string())),
    }
}
