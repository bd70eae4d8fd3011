//! Monte-Carlo tree search in two stages, type II. A position is worth the share
//! of playouts that the attacker won below it; the next one looked at has the
//! best bound on that, and what is proved or refuted is left out.
//!
//! In a playout the attacker makes random threats and the defender meets them at
//! random, until the threats are too many or there are none.
//!
//! The bound is that of PUCT rather than UCT: it takes a square root, which is
//! the same on every machine, and no logarithm, which is not.

use super::selection::{Descent, Selection};
use crate::tree::{Edge, Growth, Kind, SearchNodeId, SearchTree};
use lambda6_rules::{Game, Move, Side, Square};
use lambda6_search::{Budget, Random, Why};
use lambda6_threats::{Attack, Board, Defences, FreeStones, Play, ThreatCount, ThreatMoves};

/// How much a position that was looked at little is favoured.
const EXPLORE: f64 = 1.5;

/// Moves of the attacker in a playout at most.
const PLAYOUT: usize = 10;

/// Free stones go on one of the best so many squares.
const FREE: usize = 12;

#[derive(Clone, Copy, Default)]
struct Visits {
    visits: u32,
    wins: u32,
}

/// The search.
pub(super) struct MonteCarlo {
    tallies: Vec<Visits>,
    random: Random,
    attack: Attack,
    free: FreeStones,
    moves: ThreatMoves,
    defences: Defences,
    squares: Vec<Square>,
}

impl MonteCarlo {
    pub(super) fn new(game: Game) -> MonteCarlo {
        MonteCarlo {
            tallies: vec![Visits::default()],
            random: Random::new(6),
            attack: Attack::new(game),
            free: FreeStones::new(game),
            moves: ThreatMoves::default(),
            defences: Defences::default(),
            squares: Vec::new(),
        }
    }

    /// How good a child looks to the side that chooses it.
    fn bound(&self, kind: Kind, parent: Visits, edge: &Edge) -> f64 {
        let Visits { visits, wins } = self.tallies[edge.node.index()];
        // As if one playout had been won and one lost before the first.
        let share = f64::from(wins + 1) / f64::from(visits + 2);
        let good = if kind == Kind::Or { share } else { 1.0 - share };
        good + EXPLORE * f64::from(parent.visits).sqrt() / f64::from(visits + 1) / 4.0
    }

    /// Whether the attacker wins a random game from here.
    fn playout(&mut self, board: &mut Board, attacker: Side, kind: Kind, budget: &Budget<'_>) -> bool {
        let mut played: Vec<(Side, Move)> = Vec::new();
        let mut won = false;
        let mut defend = kind == Kind::And;
        for _ in 0..2 * PLAYOUT {
            let side = if defend { attacker.other() } else { attacker };
            let mv =
                if defend { self.defence(board, attacker) } else { self.threat(board, attacker, budget) };
            match mv {
                Next::Play(mv) => {
                    board.place_all(side, mv);
                    played.push((side, mv));
                }
                Next::Over(by_attacker) => {
                    won = by_attacker;
                    break;
                }
            }
            defend = !defend;
        }
        for (side, mv) in played.into_iter().rev() {
            board.remove_all(side, mv);
        }
        won
    }

    fn threat(&mut self, board: &mut Board, attacker: Side, budget: &Budget<'_>) -> Next {
        let found =
            self.attack.threat_moves_while(board, attacker, &mut self.moves, &mut || budget.goes_on());
        if found.is_break() {
            // The search ends with the playout.
            return Next::Over(false);
        }
        let ThreatMoves { winning, full, partial } = &self.moves;
        if !winning.is_empty() {
            return Next::Over(true);
        }
        let list = match (full.is_empty(), partial.is_empty()) {
            (true, true) => return Next::Over(false),
            (false, true) => full,
            (true, false) => partial,
            (false, false) if self.random.below(4) > 0 => full,
            (false, false) => partial,
        };
        let set = list[self.random.below(list.len() as u64) as usize];
        self.completed(board, attacker, set)
    }

    fn defence(&mut self, board: &mut Board, attacker: Side) -> Next {
        self.defences.find(board, attacker);
        if self.defences.count() == ThreatCount::More {
            return Next::Over(true);
        }
        let all = self.defences.iter();
        let set = match all.len() {
            0 => Move::NULL,
            count => all.as_slice()[self.random.below(count as u64) as usize],
        };
        self.completed(board, attacker.other(), set)
    }

    /// A move of `p` stones with these among them; the game is over without a
    /// winner where there is no room.
    fn completed(&mut self, board: &Board, side: Side, mut mv: Move) -> Next {
        let p = usize::from(board.game().p());
        if mv.len() < p {
            self.free.find(board, side, &mut self.squares);
            self.squares.retain(|&square| !mv.contains(square));
            if self.squares.len() < p {
                let empty = board.game().squares().filter(|&s| board.is_empty(s) && !mv.contains(s));
                self.squares = empty.collect();
            }
            self.squares.truncate(FREE);
            self.random.shuffle(&mut self.squares);
            while mv.len() < p {
                let Some(square) = self.squares.pop() else { return Next::Over(false) };
                mv.push(square);
            }
        }
        Next::Play(mv)
    }
}

enum Next {
    Play(Move),
    /// The game is over; whether the attacker has won.
    Over(bool),
}

impl Selection for MonteCarlo {
    fn select(&mut self, tree: &mut SearchTree, descent: &mut Descent<'_>) -> Option<SearchNodeId> {
        loop {
            let id = descent.node();
            let node = tree.node(id);
            let parent = self.tallies[id.index()];
            let children = || node.children().iter().filter(|edge| tree.node(edge.node).is_open());
            // More moves have their turn as the visits grow.
            let wide = node.kind() == Kind::And || children().count().pow(2) as u32 > parent.visits;
            let best = children().map(|edge| (self.bound(node.kind(), parent, edge), edge));
            // The first of equals.
            let best = best.reduce(|best, next| if next.0 > best.0 { next } else { best });
            match best {
                Some((_, edge)) if wide || node.rest().is_none() => descent.down(edge.mv, edge.node),
                _ => return Some(id),
            }
        }
    }

    fn back_up(&mut self, growth: &mut Growth<'_, '_>, descent: &mut Descent<'_>) -> Result<(), Why> {
        let tree = &*growth.tree;
        self.tallies.resize(tree.len(), Visits::default());
        let node = tree.node(descent.node());
        let won = match (node.is_proved(), node.is_refuted()) {
            (true, _) => true,
            (_, true) => false,
            _ => self.playout(descent.board, tree.attacker(), node.kind(), growth.budget),
        };
        let path = descent.path().iter().map(|&(id, _)| id);
        for id in [SearchTree::ROOT].into_iter().chain(path) {
            let tally = &mut self.tallies[id.index()];
            tally.visits += 1;
            tally.wins += u32::from(won);
        }
        Ok(())
    }

    fn moved(&mut self, tree: &SearchTree, moved: &[Option<SearchNodeId>]) {
        let mut tallies = vec![Visits::default(); tree.len()];
        // Nodes of an expansion that was broken off have no tally yet.
        for (tally, id) in self.tallies.iter().zip(moved) {
            if let Some(id) = id {
                tallies[id.index()] = *tally;
            }
        }
        self.tallies = tallies;
    }
}
