//! The loop that all strategies share, from a position to a verdict.

use super::{
    Descent, Strategy, TreeKind,
    bfs::BreadthFirst,
    certify::{Error, Outcome, certify},
    dfpn::DfpnSearch,
    dfs::DepthFirst,
    mcts::MonteCarlo,
    number_table::NumberTable,
    proof_numbers::MostProving,
};
use crate::{
    Budget, Certificate, CertifyError, Class, Clock, Limits, Method, Observer, Progress, Report, SolveError,
    Verdict, Why, Win,
    full::Values,
    strategy,
    tree::{Candidates, Evaluator, Growth, Stage, Tree},
};
use rules::{Game, Position, Side};
use std::sync::atomic::AtomicBool;
use threats::Board;

/// How a tree is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeOptions {
    /// The search.
    pub kind: TreeKind,
    /// The moves that the attacker may use; all of those that the search knows
    /// if not given.
    pub class: Option<Class>,
    /// Nodes of the tree at most. [`TreeKind::Dfpn`] has no tree and keeps to
    /// its memory.
    pub nodes: usize,
    /// Moves that the evaluation of one position may try; with 0 it sees
    /// nothing but rows.
    pub effort: u64,
    /// Search on a board that keeps no knowledge, to measure what it is worth.
    pub naive: bool,
    /// Memory for tables.
    pub table_bytes: usize,
    /// How the certificate cuts spare stones down.
    pub method: Method,
}

impl TreeOptions {
    /// The usual options of a search.
    pub fn new(kind: TreeKind) -> TreeOptions {
        TreeOptions {
            kind,
            class: None,
            nodes: 1 << 20,
            effort: 2_000,
            naive: false,
            table_bytes: 64 << 20,
            method: Method::default(),
        }
    }
}

/// What a search left behind.
#[derive(Clone, Debug, Default)]
pub struct Searched {
    /// The tree; df-pn has none.
    pub tree: Option<Tree>,
    /// Its nodes, or those that df-pn has looked at.
    pub nodes: usize,
    /// The stage that was reached, from 1.
    pub stage: usize,
    /// How often the certificate asked for what the tree had no answer to.
    pub widened: usize,
}

/// Searches trees of one game. It keeps its memory from one to the next.
pub(crate) struct TreeSearch {
    options: TreeOptions,
    stages: Vec<Stage>,
    evaluator: Evaluator,
    candidates: Candidates,
    values: Values,
    /// For df-pn.
    numbers: NumberTable,
    salt: u64,
    searched: Searched,
}

/// Expansions between two reports.
const REPORT_EVERY: usize = 256;

impl TreeSearch {
    pub(crate) fn new(game: Game, options: TreeOptions) -> TreeSearch {
        // df-pn needs its memory for its own table.
        let dfpn = options.kind == TreeKind::Dfpn;
        let bytes = if dfpn { options.table_bytes / 8 } else { options.table_bytes };
        TreeSearch {
            options,
            stages: options.kind.stages(options.class),
            evaluator: Evaluator::new(game, options.effort, bytes),
            candidates: Candidates::new(game),
            values: Values::new(game),
            numbers: NumberTable::with_bytes(if dfpn { options.table_bytes / 2 } else { 0 }),
            salt: 0,
            searched: Searched::default(),
        }
    }

    /// Searches for a win of `attacker`. The limits are on moves tried, as
    /// everywhere; the tree's nodes are limited by the options.
    pub(crate) fn solve(
        &mut self,
        position: &Position,
        attacker: Side,
        (limits, clock, stop): (Limits, &dyn Clock, &AtomicBool),
        observer: &mut dyn Observer,
    ) -> Result<Report, SolveError> {
        self.searched = Searched::default();
        let mut budget = Budget::new(limits, clock, stop);
        let found = self.certified(position, attacker, &mut budget, observer);
        let verdict = match found {
            Ok(certificate) => win(position, attacker, certificate, limits)?,
            Err(Error::Why(why)) => Verdict::Unknown(why),
            Err(Error::Caught(error)) => return Err(error),
        };
        let searched = Some(std::mem::take(&mut self.searched));
        Ok(Report { verdict, nodes: budget.nodes(), elapsed: budget.elapsed(), searched })
    }

    fn certified(
        &mut self,
        position: &Position,
        attacker: Side,
        budget: &mut Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Certificate, Error> {
        let naive = self.options.naive;
        let mut board =
            if naive { Board::naive_from_position(position) } else { Board::from_position(position) };
        let depth = budget.limits().depth;
        match self.options.kind {
            TreeKind::Dfpn => self.depth_first(position, attacker, &mut board, budget, observer),
            TreeKind::Dfs => {
                let mut strategy = DepthFirst::new(depth);
                let found = self.grow(position, attacker, &mut board, &mut strategy, budget, observer);
                match found {
                    Err(Error::Why(Why::Narrowed)) if strategy.cut => Err(Error::Why(Why::Depth)),
                    found => found,
                }
            }
            TreeKind::Bfs => {
                self.grow(position, attacker, &mut board, &mut BreadthFirst::new(), budget, observer)
            }
            TreeKind::Mcts => {
                let mut strategy = MonteCarlo::new(position.game());
                self.grow(position, attacker, &mut board, &mut strategy, budget, observer)
            }
            TreeKind::Pns | TreeKind::Pns1 | TreeKind::Pns2a | TreeKind::Pns2b | TreeKind::Pns3 => {
                self.grow(position, attacker, &mut board, &mut MostProving, budget, observer)
            }
        }
    }

    fn depth_first(
        &mut self,
        position: &Position,
        attacker: Side,
        board: &mut Board,
        budget: &mut Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Certificate, Error> {
        let TreeSearch { options, stages, evaluator, candidates, values, numbers, salt, searched } = self;
        let parts = (evaluator, candidates, values);
        // Stages are fewer than the searches are apart.
        *salt += 16;
        let proofs_bytes = options.table_bytes / 8 * 3;
        let mut search =
            DfpnSearch::new(attacker, stages, parts, (numbers, *salt), proofs_bytes, budget, observer);
        let found = search.run(board, position.to_move());
        searched.stage = search.stage() + 1;
        let certificate = found.and_then(|()| {
            let mut source = |board: &mut Board| search.reply(board);
            Certificate::walk(position, attacker, options.method, &mut source).map_err(|error| match error {
                CertifyError::NoReply(why) => Error::Why(why),
                refused => Error::Caught(SolveError::Caught(refused.to_string())),
            })
        });
        searched.nodes = search.visited();
        certificate
    }

    fn grow(
        &mut self,
        position: &Position,
        attacker: Side,
        board: &mut Board,
        strategy: &mut dyn Strategy,
        budget: &mut Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Certificate, Error> {
        let TreeSearch { options, stages, evaluator, candidates, values, searched, .. } = self;
        let to_move = position.to_move();
        let parts = (evaluator, candidates, values);
        let mut growth = Growth::new(board, (to_move, attacker), stages, parts, budget, options.nodes)?;
        let attacker_first = to_move == attacker;
        let found = loop {
            let mut descent = Descent { board, attacker, attacker_first, path: Vec::new() };
            let proved = prove(&mut growth, &mut descent, strategy, observer);
            descent.rewind();
            if let Err(why) = proved {
                break Err(Error::Why(why));
            }
            match certify(&mut growth, position, options.method) {
                Ok(Outcome::Certified(certificate)) => break Ok(*certificate),
                Ok(Outcome::Widened) => searched.widened += 1,
                Err(error) => break Err(error),
            }
        };
        searched.nodes = growth.tree.len();
        searched.stage = usize::from(growth.tree.stage) + 1;
        searched.tree = Some(growth.tree);
        found
    }
}

/// Grows the tree until its root is proved.
fn prove(
    growth: &mut Growth<'_, '_>,
    descent: &mut Descent<'_>,
    strategy: &mut dyn Strategy,
    observer: &mut dyn Observer,
) -> Result<(), Why> {
    let mut expansions = 0;
    loop {
        if growth.tree.root().is_proved() {
            return Ok(());
        }
        let selected = match growth.tree.root().is_open() {
            true => strategy.select(&mut growth.tree, descent),
            false => None,
        };
        match selected {
            Some(id) => {
                let expanded = growth.expand(descent.board, id);
                if expanded.is_ok() {
                    strategy.back_up(growth, descent)?;
                }
                descent.rewind();
                match expanded {
                    // Without room it is the tree that is full, not the budget.
                    Err(Why::Nodes) if !growth.tree.has_room() => {
                        make_room(&mut growth.tree, growth.stages.len(), strategy)?;
                    }
                    expanded => expanded?,
                }
            }
            None => {
                descent.rewind();
                if growth.tree.root().is_proved() {
                    return Ok(());
                }
                if usize::from(growth.tree.stage) + 1 >= growth.stages.len() {
                    return Err(Why::Narrowed);
                }
                growth.tree.open_stage();
                strategy.new_stage(&growth.tree);
            }
        }
        growth.budget.interrupted()?;
        expansions += 1;
        if expansions % REPORT_EVERY == 0 {
            observer.report(&Progress {
                depth: u32::from(growth.tree.stage) + 1,
                nodes: growth.budget.nodes(),
                elapsed: growth.budget.elapsed(),
                line: &[],
                numbers: Some((growth.tree.root().pn(), growth.tree.root().dn())),
                left: None,
            });
        }
    }
}

/// Forgets the nodes that nothing depends on any more. An error when that leaves
/// too little room to go on.
fn make_room(tree: &mut Tree, stages: usize, strategy: &mut dyn Strategy) -> Result<(), Why> {
    let last = usize::from(tree.stage) + 1 >= stages;
    let moved = tree.collect(last);
    strategy.moved(tree, &moved);
    if tree.is_nearly_full() { Err(Why::Nodes) } else { Ok(()) }
}

/// A win with its line and its replies, all from the certificate.
fn win(
    position: &Position,
    attacker: Side,
    certificate: Certificate,
    limits: Limits,
) -> Result<Verdict, SolveError> {
    let mut board = Board::from_position(position);
    let connects = position.to_move() == attacker && board.has_threat(attacker);
    let longest = if connects { 0 } else { certificate.depth() };
    if limits.depth.is_some_and(|most| longest > most as usize) {
        return Ok(Verdict::Unknown(Why::Depth));
    }
    let mut replies = strategy::Strategy::default();
    certificate
        .for_each_reply(|board, reply| replies.insert(board.key(attacker), *reply, 0))
        .map_err(|refused| SolveError::Caught(refused.to_string()))?;
    let line = strategy::to_the_row(&mut board, position.to_move(), attacker, certificate.line());
    Ok(Verdict::Win(Box::new(Win { line, strategy: replies, certificate: Some(certificate) })))
}
