//! The moves that can be searched in a position, and what the filters need to
//! know of each.

use super::{
    filters::{FilterContext, Primitive, SplitCandidate},
    graph::{EdgeId, Slots},
    macro_moves::{Category, Pieces, Split, threat_stones},
    search::{DbsSearch, Ply, Run},
    zones,
};
use lambda6_rules::{Move, Square};
use lambda6_search::vcdt::Defence;

/// A move and its score in one number: the better the higher. It holds the
/// squares too, so that equal scores come in one order everywhere.
#[derive(Clone, Copy)]
pub(super) struct Ranked(u64);

impl Ranked {
    fn new(a: Square, b: Square, score: u32) -> Ranked {
        let squares = (a.min(b).index() as u32) << 16 | a.max(b).index() as u32;
        Ranked(u64::from(score) << 32 | u64::from(!squares))
    }

    /// The two squares in order.
    pub(super) fn squares(self) -> [Square; 2] {
        let squares = !(self.0 as u32);
        [squares >> 16, squares & 0xffff].map(|index| Square::new(index as usize))
    }

    pub(super) fn mv(self) -> Move {
        let [a, b] = self.squares();
        Move::pair(a, b)
    }
}

impl Run<'_, '_, '_> {
    /// What won against one defence often wins against the next.
    pub(super) fn killer(&self, here: &Ply) -> Option<Move> {
        here.killer.filter(|_| self.options.defence == Defence::Normal)
    }

    /// Fills in the moves that make double threats, the most promising first.
    pub(super) fn generate(&mut self, here: &mut Ply) {
        let attacker = self.attacker;
        let DbsSearch { attack, free, values, .. } = &mut *self.search;
        let board = &mut *self.board;
        if here.theirs.count().is_none() {
            attack.full_threats(board, attacker, &mut here.sets);
        } else {
            attack.full_threats_meeting(board, attacker, &here.theirs, &mut here.sets);
        }
        values.forget();
        let mut worth = |square| values.of(board, attacker, square);
        here.moves.clear();
        let mut partners_known = false;
        for set in &here.sets {
            if let [a, b] = *set.squares() {
                here.moves.push(Ranked::new(a, b, worth(a) + worth(b)));
                continue;
            }
            if !partners_known {
                partners_known = true;
                free.find(board, attacker, &mut here.squares);
                here.squares.truncate(self.options.partners);
            }
            let Some(a) = set.iter().next() else { continue };
            for &b in here.squares.iter().filter(|&&b| b != a) {
                here.moves.push(Ranked::new(a, b, worth(a) + worth(b) / 2));
            }
        }
        here.moves.sort_unstable_by_key(|ranked| std::cmp::Reverse(ranked.0));
        here.moves.dedup_by_key(|ranked| ranked.squares());
        if let Some(killer) = self.killer(here)
            && let Some(i) = here.moves.iter().position(|ranked| ranked.mv() == killer)
        {
            here.moves[..=i].rotate_right(1);
        }
    }

    /// Finds out what a candidate depends on and whether it is in the graph.
    pub(super) fn resolve(&self, here: &mut Ply, split: &Split) -> SplitCandidate {
        let (board, attacker, graph) = (&*self.board, self.attacker, &self.search.graph);
        let slots = |square, beside| {
            let mut slots = 0;
            threat_stones(board, attacker, square, beside, |stone| slots |= graph.slot_of(stone));
            slots
        };
        let mut alone = |square: Square| match here.cells.iter().find(|(known, _)| *known == square) {
            Some(&(_, slots)) => slots,
            None => {
                here.cells.push((square, slots(square, None)));
                here.cells.last().map_or(0, |&(_, slots)| slots)
            }
        };
        let primitive = |pieces, depends, half: Option<(Slots, Option<EdgeId>)>| {
            let (half_reach, half_edge) = half.unwrap_or((0, None));
            let edge = match half {
                Some((_, None)) => None,
                _ => graph.find(pieces, depends, half_edge),
            };
            Primitive { pieces, depends, reach: graph.reach(depends) | half_reach, edge }
        };
        let mut squares = split.first.iter();
        let (a, b) = (squares.next(), squares.next());
        let depends = match (a, b) {
            (Some(a), None) => alone(a),
            (Some(a), Some(b)) => slots(a, Some(b)) | slots(b, Some(a)),
            _ => 0,
        };
        let first = primitive(split.first, depends, None);
        let second = split.second.map(|second| {
            let pieces = Pieces::one(second);
            match split.category {
                Category::Independent => primitive(pieces, alone(second), None),
                Category::Dependent => primitive(pieces, slots(second, a), Some((first.reach, first.edge))),
                // A free stone: it depends on nothing.
                Category::Other => primitive(pieces, 0, None),
            }
        });
        SplitCandidate { category: split.category, first, second }
    }

    pub(super) fn will_search(&self, here: &mut Ply, candidate: &SplitCandidate) -> bool {
        if !here.star_known {
            here.star_known = true;
            let recent = self.line.len() - self.search.graph.recent();
            here.last.clear();
            here.last.extend(self.line[recent..].iter().flat_map(Move::iter));
            zones::star(self.board, self.attacker, &here.last, &mut here.star);
        }
        let node = FilterContext {
            game: self.board.game(),
            graph: &self.search.graph,
            star: &here.star,
            last: &here.last,
            inverted: !here.theirs.count().is_none(),
            paired: &|square| here.paired.contains(&square),
        };
        node.will_search(self.options.filter, candidate)
    }
}
