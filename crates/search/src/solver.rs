//! The front door: a position in, a verdict out, and no win without a
//! certificate.

use crate::{
    Budget, Certificate, CertifyError, Clock, Limits, Method, Observer, Strategy, Verdict, Why, Win,
    any::{AnyOptions, AnySearch},
    dbs::DbsOptions,
    full::{Defence, Options},
    lambda::{LambdaOptions, LambdaSearch},
    pns::{Searched, TreeOptions, TreeSearch},
    proof::wide,
    strategy,
    vcdt::{Vcdt, VcdtSearch},
    wu::WuSearch,
};
use rules::{Game, Move, Outcome, Position, Side};
use std::{sync::atomic::AtomicBool, time::Duration};
use threats::Board;

/// Which moves the attacker may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Class {
    /// Moves that make `p` threats or more: VCDT in Connect6.
    Vcdt,
    /// Moves that make a threat or more: VCST.
    #[default]
    Vcst,
    /// Any moves, as long as they threaten to win by full threats.
    Lambda3,
    /// Any moves, as long as they threaten to win by threats.
    Lambda4,
}

impl Class {
    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Class::Vcdt => "vcdt",
            Class::Vcst => "vcst",
            Class::Lambda3 => "lambda3",
            Class::Lambda4 => "lambda4",
        }
    }

    /// The highest order of a move.
    fn order(self) -> u8 {
        match self {
            Class::Vcdt => 1,
            Class::Vcst => 2,
            Class::Lambda3 => 3,
            Class::Lambda4 => 4,
        }
    }
}

/// How VCST is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Vcst {
    /// By proof numbers, see [`lambda`](crate::lambda).
    #[default]
    Numbers,
    /// Depth first, in rounds of growing effort, see [`any`](crate::any). It is
    /// better at using up a few thousand moves.
    Rounds,
}

/// How to solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolverOptions {
    /// Which moves the attacker may use.
    pub class: Class,
    /// How VCDT is searched.
    pub vcdt: Vcdt,
    /// The plain search for VCDT.
    pub full: Options,
    /// Dependency-based search for VCDT. [`Vcdt`] has its own say on the filter.
    pub dbs: DbsOptions,
    /// How VCST is searched.
    pub vcst: Vcst,
    /// What VCST tries in rounds. What is left out by proof numbers, they do:
    /// all moves, and defences taken together.
    pub any: AnyOptions,
    /// How the certificate cuts spare stones down.
    pub method: Method,
    /// Search as in 2006, see [`wu`](crate::wu): after the first move full threats
    /// only, and certificates of the method `rzop`.
    pub wu: bool,
    /// Where the defender has all stones to spare, look first for a proof by full
    /// threats that is small. Not for comparisons: only one method has that.
    pub small: bool,
    /// Memory for tables.
    pub table_bytes: usize,
    /// Threads that search, where the class can use more than one.
    pub threads: usize,
    /// Search a tree instead: the class, the method and the memory are those of
    /// the tree's options then.
    pub tree: Option<TreeOptions>,
}

impl Default for SolverOptions {
    fn default() -> SolverOptions {
        SolverOptions {
            class: Class::default(),
            vcdt: Vcdt::default(),
            full: Options::default(),
            dbs: DbsOptions::default(),
            vcst: Vcst::default(),
            any: AnyOptions::default(),
            method: Method::default(),
            wu: false,
            small: true,
            table_bytes: 64 << 20,
            threads: 1,
            tree: None,
        }
    }
}

/// What came of a search.
#[derive(Clone, Debug)]
pub struct Report {
    /// What was found out.
    pub verdict: Verdict,
    /// Moves of the attacker tried.
    pub nodes: u64,
    /// Time used.
    pub elapsed: Duration,
    /// What the search of a tree left behind.
    pub searched: Option<Searched>,
}

/// Why a position cannot be searched at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// The game is over.
    #[error("the game is over: {}", match .0 {
        Outcome::Win(side) => format!("{side} has won"),
        Outcome::Draw => "the board is full".to_string(),
    })]
    Over(Outcome),
    /// The board is empty, and the first move has another number of stones than
    /// those that searches and certificates are about.
    #[error("the board is empty: the first move places {q}, a search places {p}; play a first move")]
    FirstMove {
        /// Stones of a move.
        p: u8,
        /// Stones of the first.
        q: u8,
    },
    /// A solver made for another game.
    #[error("the solver is for {expected:?}, the position is of {found:?}")]
    OtherGame {
        /// The solver's game.
        expected: Game,
        /// The position's.
        found: Game,
    },
    /// A search claimed a win that the checker refuses: a fault in the search.
    /// Nothing is claimed.
    #[error("a search was wrong and was caught: {0}")]
    Caught(String),
}

/// Solves positions of one game. It keeps its memory from one to the next.
pub struct Solver {
    game: Game,
    options: SolverOptions,
    searches: Searches,
}

enum Searches {
    Full(Box<VcdtSearch>),
    Any(Box<AnySearch>),
    Lambda(Box<LambdaSearch>),
    Wu(Box<WuSearch>),
    Tree(Box<TreeSearch>),
}

impl Solver {
    /// A solver for this game.
    pub fn new(game: Game, options: SolverOptions) -> Solver {
        let searches = match (options.tree, options.class) {
            (Some(tree), _) => Searches::Tree(Box::new(TreeSearch::new(game, tree))),
            (None, class) if options.wu => {
                let partners = options.full.partners;
                Searches::Wu(Box::new(WuSearch::new(game, class.order(), partners, options.table_bytes)))
            }
            (None, Class::Vcdt) => {
                Searches::Full(Box::new(VcdtSearch::new(game, options.vcdt, options.table_bytes)))
            }
            (None, Class::Vcst)
                if options.vcst == Vcst::Rounds
                    || options.any.exhaustive
                    || options.any.defence == Defence::Conservative =>
            {
                Searches::Any(Box::new(AnySearch::new(game, options.table_bytes)))
            }
            (None, class) => {
                let order = class.order();
                let lambda = LambdaOptions { order, method: options.method, threads: options.threads };
                Searches::Lambda(Box::new(LambdaSearch::new(game, lambda, options.table_bytes)))
            }
        };
        Solver { game, options, searches }
    }

    /// Forgets what earlier searches have left: the same question after this gets
    /// the same answer.
    pub fn forget(&mut self) {
        self.searches = Solver::new(self.game, self.options).searches;
    }

    /// Moves that have won positions in an earlier search, by the positions'
    /// keys, to be tried first by the searches that can use them.
    pub fn suggest(&mut self, known: impl IntoIterator<Item = (u64, Move)>) {
        if let Searches::Lambda(lambda) = &mut self.searches {
            lambda.suggest(known);
        }
    }

    /// The moves that have won positions, by the positions' keys, in searches
    /// that take long enough to be gone on with.
    pub fn known(&self) -> Vec<(u64, Move)> {
        match &self.searches {
            Searches::Lambda(lambda) => lambda.known(),
            Searches::Full(_) | Searches::Any(_) | Searches::Wu(_) | Searches::Tree(_) => Vec::new(),
        }
    }

    /// Searches for a win of `attacker`.
    pub fn solve(
        &mut self,
        position: &Position,
        attacker: Side,
        limits: Limits,
        clock: &dyn Clock,
        stop: &AtomicBool,
        observer: &mut dyn Observer,
    ) -> Result<Report, SolveError> {
        if position.game() != self.game {
            return Err(SolveError::OtherGame { expected: self.game, found: position.game() });
        }
        refuse(position)?;
        if let Searches::Tree(tree) = &mut self.searches {
            return tree.solve(position, attacker, (limits, clock, stop), observer);
        }
        let mut budget = Budget::new(limits, clock, stop);
        let mut board = Board::from_position(position);
        let to_move = position.to_move();
        match self.small_proof(position, attacker, &mut budget) {
            Ok(None) => {}
            Ok(Some(certificate)) => {
                let line = strategy::to_the_row(&mut board, to_move, attacker, certificate.line());
                let win = Win { line, strategy: Strategy::default(), certificate: Some(certificate) };
                return Ok(report(Verdict::Win(Box::new(win)), &budget));
            }
            Err(why) => return Ok(report(Verdict::Unknown(why), &budget)),
        }
        let mut verdict = match &mut self.searches {
            // A defender to move has stones to spare, which full threats never
            // leave: nothing of the class wins.
            Searches::Full(_) if to_move != attacker => Verdict::Unknown(Why::Exhausted),
            Searches::Full(full) => {
                let SolverOptions { vcdt, full: plain, dbs, .. } = self.options;
                full.solve(&mut board, attacker, (vcdt, plain, dbs), &mut budget, observer)
            }
            Searches::Any(any) => {
                any.solve(&mut board, to_move, attacker, self.options.any, &mut budget, observer)
            }
            Searches::Lambda(lambda) => lambda.solve(&board, to_move, attacker, &mut budget, observer),
            Searches::Wu(wu) => wu.solve(&mut board, to_move, attacker, &mut budget, observer),
            Searches::Tree(_) => Verdict::Unknown(Why::Exhausted),
        };
        if let Verdict::Win(win) = &mut verdict {
            let SolverOptions { full, any, .. } = self.options;
            let mut reply = |board: &mut Board| {
                // Replies that are known cost no moves, and there may be many.
                budget.interrupted()?;
                match &mut self.searches {
                    Searches::Full(search) => match win.strategy.reply(board, attacker) {
                        Some(reply) => Ok(reply),
                        None => search.reply(board, attacker, full, &mut budget),
                    },
                    Searches::Any(search) => search.reply(board, attacker, any, &mut budget),
                    Searches::Lambda(search) => search.reply(board, attacker, &mut budget),
                    Searches::Wu(search) => search.reply(board, attacker, &mut budget),
                    Searches::Tree(_) => Err(Why::Exhausted),
                }
            };
            let method = if self.options.wu { Method::Rzop } else { self.options.method };
            match Certificate::walk(position, attacker, method, &mut reply) {
                Ok(certificate) => {
                    // Searches with spare stones do not count moves as they go.
                    let connects = to_move == attacker && board.has_threat(attacker);
                    let longest = if connects { 0 } else { certificate.depth() };
                    win.line = strategy::to_the_row(&mut board, to_move, attacker, certificate.line());
                    win.certificate = Some(certificate);
                    if limits.depth.is_some_and(|most| longest > most as usize) {
                        verdict = Verdict::Unknown(Why::Depth);
                    }
                }
                Err(CertifyError::NoReply(why)) => verdict = Verdict::Unknown(why),
                Err(refused) => return Err(SolveError::Caught(refused.to_string())),
            }
        }
        Ok(report(verdict, &budget))
    }

    /// A small proof where the defender is to move, if there is an easy one.
    fn small_proof(
        &self,
        position: &Position,
        attacker: Side,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Certificate>, Why> {
        let SolverOptions { small, method, .. } = self.options;
        let applies = small && method == Method::Mutual && matches!(self.searches, Searches::Lambda(_));
        // How deep it gets is not what it looks at.
        if !applies || position.to_move() == attacker || budget.limits().depth.is_some() {
            return Ok(None);
        }
        wide::prove(position, attacker, wide::Effort::Light, budget, &mut |_| ())
    }
}

fn report(verdict: Verdict, budget: &Budget<'_>) -> Report {
    Report { verdict, nodes: budget.nodes(), elapsed: budget.elapsed(), searched: None }
}

/// Refuses positions that no search is about.
pub(crate) fn refuse(position: &Position) -> Result<(), SolveError> {
    if let Some(outcome) = position.outcome() {
        return Err(SolveError::Over(outcome));
    }
    let game = position.game();
    let (p, q) = (game.p(), game.q());
    if position.empty_count() == game.area() && p != q {
        return Err(SolveError::FirstMove { p, q });
    }
    Ok(())
}

/// The text is not the name of a class.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a class of moves: expected vcdt, vcst, lambda3 or lambda4")]
pub struct ClassParseError(pub String);

impl std::str::FromStr for Class {
    type Err = ClassParseError;

    fn from_str(text: &str) -> Result<Class, ClassParseError> {
        [Class::Vcdt, Class::Vcst, Class::Lambda3, Class::Lambda4]
            .into_iter()
            .find(|class| class.name() == text)
            .ok_or_else(|| ClassParseError(text.chars().take(20).collect()))
    }
}
