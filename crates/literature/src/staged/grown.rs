//! The searches that grow a tree, one [`Selection`] each.
//!
//! A certificate is made of the tree's replies. Where the checker's walk asks for
//! something that the tree has no answer to, the tree was wrong about what it had
//! to answer (by a clash of keys, or because the certificate's method asks for
//! more than the tree's). This gap goes back into the tree as one more reply of
//! the defender, and the search goes on.

use super::{
    Searched, TreeKind, TreeOptions,
    breadth_first::BreadthFirst,
    depth_first::DepthFirst,
    monte_carlo::MonteCarlo,
    most_proving::MostProving,
    selection::{Descent, Selection},
};
use crate::tree::{Growth, Kind, SearchNodeId, SearchTree, Stage, State, Tools};
use lambda6_rules::{Game, Move, Side, Square};
use lambda6_search::{Budget, Observer, Progress, Why, WinSearch};
use lambda6_threats::Board;

/// A search that grows a tree.
pub(crate) struct GrownTree {
    options: TreeOptions,
    stages: Vec<Stage>,
    tools: Tools,
    /// The tree of the last search.
    grown: Option<Grown>,
}

/// A tree with all that a search needs to resume.
struct Grown {
    tree: SearchTree,
    selection: Box<dyn Selection + Send>,
    /// The root.
    board: Board,
    to_move: Side,
    /// The replies given to the walk on the way to where it is now.
    given: Vec<Given>,
    /// The board on which the tree had no reply.
    gap: Option<Board>,
    widened: usize,
}

/// A reply that was given, by the number of the attacker's move.
struct Given {
    /// The node of the defender that it led to, if the tree has it.
    and: Option<SearchNodeId>,
    /// The node that the evaluation settled, if that gave the reply.
    settled: Option<SearchNodeId>,
    /// The defender's stones at that time.
    defender: Vec<Square>,
}

/// Expansions between two reports.
const REPORT_EVERY: usize = 256;

impl GrownTree {
    pub(super) fn new(game: Game, options: TreeOptions, table_bytes: usize) -> GrownTree {
        GrownTree {
            options,
            stages: options.kind.stages(options.class),
            tools: Tools::new(game, options.effort, table_bytes),
            grown: None,
        }
    }

    /// Forgets the tree: the next search begins a new one.
    pub(super) fn forget(&mut self) {
        self.grown = None;
    }

    /// Whether the last walk came to a gap, so that another search may find more.
    pub(super) fn has_gap(&self) -> bool {
        self.grown.as_ref().is_some_and(|grown| grown.gap.is_some())
    }

    /// Takes what the last search left behind.
    pub(super) fn take_searched(&mut self) -> Searched {
        let Some(Grown { tree, widened, .. }) = self.grown.take() else { return Searched::default() };
        if tree.is_empty() {
            return Searched::default();
        }
        let (nodes, stage) = (tree.len(), usize::from(tree.stage) + 1);
        Searched { tree: Some(tree), nodes, stage, widened }
    }

    /// The search of the position on the board, with nothing in its tree yet.
    fn begin(&self, board: &Board, to_move: Side, attacker: Side, depth: Option<u32>) -> Grown {
        let selection: Box<dyn Selection + Send> = match self.options.kind {
            TreeKind::Dfs => Box::new(DepthFirst::new(depth)),
            TreeKind::Bfs => Box::new(BreadthFirst::new()),
            TreeKind::Mcts => Box::new(MonteCarlo::new(board.game())),
            _ => Box::new(MostProving),
        };
        Grown {
            tree: SearchTree::new(attacker, self.options.nodes),
            selection,
            board: if self.options.naive { without_knowledge(board) } else { board.clone() },
            to_move,
            given: Vec::new(),
            gap: None,
            widened: 0,
        }
    }
}

/// The same stones on a board that keeps no knowledge.
pub(super) fn without_knowledge(board: &Board) -> Board {
    let mut naive = Board::naive(board.game());
    for square in board.game().squares() {
        if let Some(side) = board.at(square) {
            naive.place(side, square);
        }
    }
    naive
}

/// After a walk that came to a gap the search goes on with the same tree; else it
/// begins a new one.
impl WinSearch for GrownTree {
    fn search(
        &mut self,
        board: &mut Board,
        to_move: Side,
        attacker: Side,
        budget: &mut Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Result<(), Why> {
        let resumed = self.grown.take().filter(|grown| grown.gap.is_some());
        let grown = resumed.unwrap_or_else(|| self.begin(board, to_move, attacker, budget.limits().depth));
        let Grown { tree, selection, board, to_move, given, gap, widened } = self.grown.insert(grown);
        let mut growth = Growth { tree, stages: &self.stages, tools: &mut self.tools, budget };
        match gap.take() {
            None => growth.plant(board, *to_move)?,
            Some(mut gap) => {
                widen(&mut growth, board, &mut gap, given)?;
                *widened += 1;
            }
        }
        let mut descent = Descent::new(board, *to_move, attacker);
        let proved = prove(&mut growth, &mut descent, &mut **selection, observer);
        descent.rewind();
        proved
    }

    fn reply(&mut self, board: &mut Board, attacker: Side, budget: &mut Budget<'_>) -> Result<Move, Why> {
        let Some(Grown { tree, board: root, given, gap, .. }) = &mut self.grown else {
            return Err(Why::Narrowed);
        };
        let played = stones(board, attacker).count() - stones(root, attacker).count();
        given.truncate(played / usize::from(board.game().p()));
        let mut growth = Growth { tree, stages: &self.stages, tools: &mut self.tools, budget };
        let Some((reply, and, settled)) = reply(&mut growth, board)? else {
            *gap = Some(board.clone());
            return Err(Why::Narrowed);
        };
        given.push(Given { and, settled, defender: stones(board, attacker.other()).collect() });
        Ok(reply)
    }
}

/// Grows the tree until its root is proved.
fn prove(
    growth: &mut Growth<'_, '_>,
    descent: &mut Descent<'_>,
    selection: &mut dyn Selection,
    observer: &mut dyn Observer,
) -> Result<(), Why> {
    let mut expansions = 0;
    while !growth.tree.root().is_proved() {
        let selected = match growth.tree.root().is_open() {
            true => selection.select(growth.tree, descent),
            false => None,
        };
        match selected {
            Some(id) => {
                let expanded = growth.expand(descent.board, id);
                if expanded.is_ok() {
                    selection.back_up(growth, descent)?;
                }
                descent.rewind();
                match expanded {
                    // Without room it is the tree that is full, not the budget.
                    Err(Why::Nodes) if !growth.tree.has_room() => {
                        make_room(growth.tree, growth.stages.len(), selection)?;
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
                    return Err(selection.why());
                }
                growth.tree.open_stage();
            }
        }
        growth.budget.interrupted()?;
        expansions += 1;
        if expansions % REPORT_EVERY == 0 {
            observer.report(&Progress {
                depth: u32::from(growth.tree.stage) + 1,
                nodes: growth.budget.nodes(),
                elapsed: growth.budget.elapsed(),
                line: Vec::new(),
                numbers: Some((growth.tree.root().pn(), growth.tree.root().dn())),
                left: None,
            });
        }
    }
    Ok(())
}

/// Forgets the nodes that nothing depends on any more. An error when that leaves
/// too little room to go on.
fn make_room(tree: &mut SearchTree, stages: usize, selection: &mut dyn Selection) -> Result<(), Why> {
    let last = usize::from(tree.stage) + 1 >= stages;
    let moved = tree.collect(last);
    selection.moved(tree, &moved);
    if tree.is_nearly_full() { Err(Why::Nodes) } else { Ok(()) }
}

fn stones(board: &Board, side: Side) -> impl Iterator<Item = Square> + '_ {
    board.game().squares().filter(move |&square| board.at(square) == Some(side))
}

/// The tree's reply: the move, the node after it, and the node whose evaluation
/// it comes from.
type TreeReply = (Move, Option<SearchNodeId>, Option<SearchNodeId>);

fn reply(growth: &mut Growth<'_, '_>, board: &mut Board) -> Result<Option<TreeReply>, Why> {
    let attacker = growth.tree.attacker();
    let id = growth.tree.find(board.key(attacker)).filter(|&id| growth.tree.node(id).is_proved());
    if let Some(edge) = id.and_then(|id| growth.tree.winning(id)) {
        return Ok(Some((edge.mv, Some(edge.node), None)));
    }
    let reply = growth.tools.evaluator.reply(board, attacker, growth.budget)?;
    let settled = id.filter(|&id| growth.tree.node(id).state() == State::Threats);
    Ok(reply.map(|mv| (mv, None, settled)))
}

/// Puts a position that has no answer into the tree: as a reply in the position
/// it came from, or, inside a win that the evaluation saw, by giving that up.
fn widen(growth: &mut Growth<'_, '_>, root: &Board, gap: &mut Board, given: &[Given]) -> Result<(), Why> {
    let defender = growth.tree.attacker().other();
    let (and, before) = match given.last() {
        Some(last) => (last.and, last.defender.clone()),
        None => {
            let id = Some(SearchTree::ROOT).filter(|&id| growth.tree.node(id).kind() == Kind::And);
            (id, stones(root, defender).collect())
        }
    };
    let Some(and) = and else {
        let doubtful = given.iter().rev().find_map(|given| given.settled);
        growth.doubt(doubtful.ok_or(Why::Narrowed)?);
        return Ok(());
    };
    let mut defence = Move::NULL;
    for square in stones(gap, defender).filter(|square| !before.contains(square)).collect::<Vec<_>>() {
        defence.push(square);
        gap.remove(defender, square);
    }
    if growth.tree.node(and).children().iter().any(|edge| edge.mv == defence) {
        // Answered once and not again: another search would come to the same.
        return Err(Why::Narrowed);
    }
    growth.demand(gap, and, defence)
}
