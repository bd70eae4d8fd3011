//! The searches of trees, from a position to a verdict.

use super::{TreeKind, dfpn::TreeDfpn, grown::GrownTree};
use crate::tree::SearchTree;
use lambda6_proof::{Class, SolveError, Verdict, prove};
use lambda6_rules::{Game, Position, Side};
use lambda6_search::{Budget, Method, Observer};

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
}

impl TreeOptions {
    /// The usual options of a search.
    pub fn new(kind: TreeKind) -> TreeOptions {
        TreeOptions { kind, class: None, nodes: 1 << 20, effort: 2_000, naive: false }
    }
}

/// What a search left behind.
#[derive(Clone, Debug, Default)]
pub struct Searched {
    /// The tree; df-pn has none.
    pub tree: Option<SearchTree>,
    /// Its nodes, or those that df-pn has looked at.
    pub nodes: usize,
    /// The stage that was reached, from 1.
    pub stage: usize,
    /// How often the certificate asked for what the tree had no answer to.
    pub widened: usize,
}

/// Searches trees of one game. It keeps its memory from one to the next.
pub(crate) enum TreeSearch {
    Grown(Box<GrownTree>),
    Dfpn(Box<TreeDfpn>),
}

impl TreeSearch {
    pub(crate) fn new(game: Game, options: TreeOptions, table_bytes: usize) -> TreeSearch {
        match options.kind {
            TreeKind::Dfpn => TreeSearch::Dfpn(Box::new(TreeDfpn::new(game, options, table_bytes))),
            _ => TreeSearch::Grown(Box::new(GrownTree::new(game, options, table_bytes))),
        }
    }

    /// Searches for a win of `attacker`. The limits are on moves tried, as
    /// everywhere; the tree's nodes are limited by the options.
    pub(crate) fn solve(
        &mut self,
        position: &Position,
        attacker: Side,
        method: Method,
        budget: &mut Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Verdict, SolveError> {
        match self {
            TreeSearch::Grown(search) => {
                search.forget();
                loop {
                    let verdict = prove(&mut **search, position, attacker, method, budget, observer)?;
                    if !search.has_gap() {
                        return Ok(verdict);
                    }
                }
            }
            TreeSearch::Dfpn(search) => prove(&mut **search, position, attacker, method, budget, observer),
        }
    }

    /// Takes what the last search left behind.
    pub(crate) fn take_searched(&mut self) -> Searched {
        match self {
            TreeSearch::Grown(search) => search.take_searched(),
            TreeSearch::Dfpn(search) => search.searched(),
        }
    }
}
