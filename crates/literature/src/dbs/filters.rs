//! Which moves are searched.
//!
//! Each filter looks at a candidate after a line of macro-moves and at what the
//! hypergraph knows. F1 to F3 let more and more through; F4 takes most pairs of
//! independent single threats away again, F5 gives some back.
//!
//! # What a filter loses
//!
//! No filter of this kind is complete. The zones know only what has been
//! searched, and what is behind two half-moves together is behind neither: when
//! a move comes up that has nothing to do with the line as far as it is known,
//! nothing short of searching it tells whether it will.
//!
//! - A move that had to block comes where it comes because it was forced, so what
//!   follows need not depend on it, and what does not block could not come before
//!   it. So F3 asks of the next move what it would have asked without the block:
//!   such moves are left out of "all moves of the line", and the last move is the
//!   block together with the move before it. The filters of the paper do not.
//! - By the rule of F4, two single threats that lead nowhere alone are left out,
//!   which may win together.
//! - What blocks in advance, or is combined later, is known only once the other
//!   area has been searched, which may come after it.
//!
//! So where F4 comes to its end the search goes on with F3, and then with all
//! moves: [`Filter::falls_back_on`]. With the moves that takes nothing is lost
//! that the plain search finds.

use super::{
    graph::{EdgeId, Graph, Slots},
    macro_moves::{Category, Pieces},
    zones,
};
use lambda6_rules::{Game, Square};
use std::{fmt, str::FromStr};

/// Which moves are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Filter {
    /// All of them.
    Plain,
    /// Those that depend on every move of the line.
    F1,
    /// Those as well behind which there are squares on lines through the last
    /// move: the two may be combined later.
    F2,
    /// Those as well that block threats of the defender, now or in advance, and
    /// those that follow a block as they would have followed the move before it.
    F3,
    /// As F3, but of two independent single threats only those that are new,
    /// lead on or may be combined with one another; and one pair more for each
    /// single threat that would be left alone. F3 and then all moves, where that
    /// finds nothing.
    F4,
    /// As F4, with those as well that lie on one line with each other; a block
    /// in advance counts for every move before the threats it blocks; and where
    /// there is nothing to search, the line may go on elsewhere, once. All moves,
    /// where that finds nothing.
    F5,
}

impl Filter {
    /// All of them.
    pub const ALL: [Filter; 6] = [Filter::Plain, Filter::F1, Filter::F2, Filter::F3, Filter::F4, Filter::F5];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Filter::Plain => "plain",
            Filter::F1 => "f1",
            Filter::F2 => "f2",
            Filter::F3 => "f3",
            Filter::F4 => "f4",
            Filter::F5 => "f5",
        }
    }

    /// What is searched in turn where the filter finds nothing, for it leaves out
    /// moves that win. F1 to F3 have nothing to fall back on, as in the paper.
    pub fn falls_back_on(self) -> &'static [Filter] {
        match self {
            Filter::F4 => &[Filter::F3, Filter::Plain],
            Filter::F5 => &[Filter::Plain],
            Filter::Plain | Filter::F1 | Filter::F2 | Filter::F3 => &[],
        }
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// There is no filter of that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a filter: expected plain, f1, f2, f3, f4 or f5")]
pub struct NoSuchFilter(String);

impl FromStr for Filter {
    type Err = NoSuchFilter;

    fn from_str(text: &str) -> Result<Filter, NoSuchFilter> {
        let lower = text.to_ascii_lowercase();
        let found = Filter::ALL.into_iter().find(|filter| filter.name() == lower);
        found.ok_or_else(|| NoSuchFilter(text.chars().take(20).collect()))
    }
}

/// A primitive move of a candidate, before it is played.
#[derive(Clone, Copy, Debug)]
pub struct Primitive {
    /// Its stones.
    pub pieces: Pieces,
    /// What on the line it depends on.
    pub depends: Slots,
    /// What on the line it is reachable from.
    pub reach: Slots,
    /// Its hyperedge, if it was searched before with these dependencies.
    pub edge: Option<EdgeId>,
}

/// A candidate, split.
#[derive(Clone, Copy, Debug)]
pub struct SplitCandidate {
    /// Its kind.
    pub category: Category,
    /// The primitive move; the first of two.
    pub first: Primitive,
    /// The second half-move, or a free stone.
    pub second: Option<Primitive>,
}

impl SplitCandidate {
    /// The primitive moves that make threats.
    fn threats(&self) -> impl Iterator<Item = &Primitive> {
        let second = self.second.as_ref().filter(|_| self.category != Category::Other);
        std::iter::once(&self.first).chain(second)
    }
}

/// What the filters know of the position in which a candidate is looked at.
pub struct FilterContext<'a> {
    /// The game.
    pub game: Game,
    /// The graph, with the line active.
    pub graph: &'a Graph,
    /// The attacker's stones of the last macro-move. Where that had to block,
    /// those of the one before it too.
    pub last: &'a [Square],
    /// The to-be-combined zone Z* of these stones.
    pub star: &'a [u64],
    /// The defence against the last macro-move makes threats. (Candidates meet
    /// them: others are not generated.)
    pub inverted: bool,
    /// By square: whether this single threat was searched here already.
    pub paired: &'a dyn Fn(Square) -> bool,
}

impl FilterContext<'_> {
    /// Whether to search the candidate.
    pub fn will_search(&self, filter: Filter, candidate: &SplitCandidate) -> bool {
        match filter {
            Filter::Plain => true,
            Filter::F1 => self.depends_on_all(candidate),
            Filter::F2 => self.f2(candidate),
            Filter::F3 => self.f3(candidate),
            Filter::F4 => self.f3(candidate) && self.f4(candidate),
            Filter::F5 => self.f3(candidate) && (self.f4(candidate) || self.is_aligned(candidate)),
        }
    }

    fn f2(&self, candidate: &SplitCandidate) -> bool {
        self.depends_on_all(candidate) || self.may_combine(candidate)
    }

    fn f3(&self, candidate: &SplitCandidate) -> bool {
        self.inverted || self.f2(candidate) || self.is_blocked_in_advance(candidate)
    }

    /// F1. Every macro-move of the line (under F3 and above, every one that did
    /// not have to block) has a primitive move from which all
    /// parts of the candidate are reachable. Nothing is asked of a free stone.
    fn depends_on_all(&self, candidate: &SplitCandidate) -> bool {
        let reach = candidate.threats().fold(Slots::MAX, |all, primitive| all & primitive.reach);
        // The last move fails most often.
        self.graph.moves().rev().all(|slots| slots & reach != 0)
    }

    /// F2. Something behind the candidate lies on a line with the last move.
    fn may_combine(&self, candidate: &SplitCandidate) -> bool {
        candidate.threats().any(|primitive| self.meets_zone(primitive, self.star))
    }

    /// Whether the attacking zone of a primitive move meets this zone. It holds
    /// at least the move's own stones.
    fn meets_zone(&self, primitive: &Primitive, zone: &[u64]) -> bool {
        match primitive.edge {
            Some(edge) => zones::intersect(self.graph.attacking_zone(edge), zone),
            None => primitive.pieces.iter().any(|square| zones::contains(zone, square)),
        }
    }

    /// F3. The last move blocks threats that the defender got behind the
    /// candidate when it was searched without.
    fn is_blocked_in_advance(&self, candidate: &SplitCandidate) -> bool {
        candidate.threats().any(|primitive| self.is_blocked(primitive))
    }

    fn is_blocked(&self, primitive: &Primitive) -> bool {
        primitive.edge.is_some_and(|edge| {
            let zone = self.graph.inversion_zone(edge);
            self.last.iter().any(|&square| zones::contains(zone, square))
        })
    }

    /// F4. Of two independent single threats one has to do with the last move.
    /// The other, which is far from it, must be new, or have something behind
    /// it. One that was searched and leads nowhere only gains time: it is enough
    /// to search the near one with one such partner, whichever comes first.
    ///
    /// Where both have to do with the last move, neither is beside the point;
    /// where neither has, as at the root and when the move blocks, the rule has
    /// nothing to say.
    fn f4(&self, candidate: &SplitCandidate) -> bool {
        let (Category::Independent, Some(second)) = (candidate.category, &candidate.second) else {
            return true;
        };
        let first = &candidate.first;
        let on_last = self.graph.recent_slots();
        let depends = |half: &Primitive| half.depends & on_last != 0;
        let (near, far) = match (depends(first), depends(second)) {
            (true, true) => return true,
            (true, false) => (first, second),
            (false, true) => (second, first),
            (false, false) => match (self.is_related(first), self.is_related(second)) {
                (true, false) => (first, second),
                (false, true) => (second, first),
                _ => return true,
            },
        };
        let leads_on = far
            .edge
            .is_none_or(|edge| !self.graph.is_known(edge) || zones::len(self.graph.attacking_zone(edge)) > 1);
        leads_on || self.share_zone(near, far) || near.pieces.iter().all(|square| !(self.paired)(square))
    }

    /// Whether a half-move that does not depend on the last move may still be
    /// combined with it or be helped by its block.
    fn is_related(&self, half: &Primitive) -> bool {
        self.meets_zone(half, self.star) || self.is_blocked(half)
    }

    /// F5. The two stones lie on one line, so that they may be combined whatever
    /// has been found behind them: the zones know only what was searched.
    fn is_aligned(&self, candidate: &SplitCandidate) -> bool {
        let stones = candidate.threats().flat_map(|half| half.pieces.iter());
        zones::aligned(self.game, stones)
    }

    fn share_zone(&self, first: &Primitive, second: &Primitive) -> bool {
        match (first.edge, second.edge) {
            (Some(edge), _) => self.meets_zone(second, self.graph.attacking_zone(edge)),
            (None, Some(edge)) => self.meets_zone(first, self.graph.attacking_zone(edge)),
            (None, None) => false,
        }
    }
}
