//! The index of a proof: every question of the checker's walk with its place in
//! the tree, the defender's stones that brought it about, the reply and the
//! zones.

use super::Room;
use lambda6_rules::{Move, Square};

/// The questions of a walk, in its order.
pub(super) struct Index(Vec<Question>);

/// A position in which the walk asked for a reply.
pub(super) struct Question {
    /// The number of the first question that does not belong below this one.
    end: u32,
    /// The defender's stones since the last reply.
    pub(super) base: Move,
    pub(super) reply: Move,
    /// The replies of the longest line that begins with this one.
    pub(super) longest: u32,
    /// For every square the first zone that has it.
    first_zones: Box<[u8]>,
}

impl Index {
    /// The memory of a question on a board of so many squares.
    fn cost(area: usize) -> usize {
        area + size_of::<Question>()
    }

    pub(super) fn bytes(&self) -> usize {
        self.0.first().map_or(0, |question| self.0.len() * Index::cost(question.first_zones.len()))
    }

    pub(super) fn question(&self, number: usize) -> &Question {
        &self.0[number]
    }

    /// The replies at and below a question.
    pub(super) fn replies(&self, number: usize) -> u32 {
        self.0[number].end - number as u32
    }

    /// The questions one reply below a question; without one, the first ones.
    pub(super) fn below(&self, question: Option<usize>) -> impl Iterator<Item = usize> + '_ {
        let (first, end) = match question {
            Some(at) => (at + 1, self.0[at].end as usize),
            None => (0, self.0.len()),
        };
        let within = move |at: usize| (at < end).then_some(at);
        std::iter::successors(within(first), move |&at| within(self.0[at].end as usize))
    }
}

impl Question {
    /// The first zone that has the square.
    pub(super) fn first_zone(&self, square: Square) -> u8 {
        self.first_zones[square.index()]
    }

    /// Whether the reply still wins when the defender has these stones too: when
    /// they can be ordered with the first outside Z1, the second outside Z2, and
    /// so on. Zones are nested, so the order by first zone is the best one.
    pub(super) fn withstands(&self, extra: impl Iterator<Item = Square>) -> bool {
        let mut firsts: Vec<u8> = extra.map(|square| self.first_zone(square)).collect();
        firsts.sort_unstable();
        firsts.iter().zip(1..).all(|(&first, place)| first > place)
    }
}

/// Builds an index during a walk, as long as there is memory for it.
pub(super) struct Indexer {
    /// Nothing once the memory has run out.
    questions: Option<Vec<Question>>,
    /// The questions that lead to the last one, each with the defender's stones
    /// on its board.
    path: Vec<(usize, Vec<lambda6_checker::Square>)>,
}

impl Indexer {
    pub(super) fn new() -> Indexer {
        Indexer { questions: Some(Vec::new()), path: Vec::new() }
    }

    /// The walk asked for a reply on this board and got it.
    pub(super) fn reply(
        &mut self,
        header: &lambda6_checker::Header,
        board: &lambda6_checker::Board,
        reply: &lambda6_checker::Move,
        room: &mut Room<'_>,
    ) {
        let Some(questions) = &mut self.questions else { return };
        let cost = Index::cost(header.game.area());
        if !room.grow(cost) {
            room.shrink(questions.len() * cost);
            self.questions = None;
            return;
        }
        let (ours, theirs) = match header.attacker {
            lambda6_checker::Side::Black => (&header.black, &header.white),
            lambda6_checker::Side::White => (&header.white, &header.black),
        };
        let number = questions.len();
        let replies = board.stones(header.attacker).count() - ours.len();
        // Only a reply that ends the line has fewer than p stones.
        let depth = replies / usize::from(header.game.p());
        for (ended, _) in self.path.drain(depth.min(self.path.len())..) {
            questions[ended].end = number as u32;
        }
        let defender: Vec<lambda6_checker::Square> = board.stones(header.attacker.other()).collect();
        let is_new = |square: &&lambda6_checker::Square| match self.path.last() {
            Some((_, before)) => before.binary_search(square).is_err(),
            None => !theirs.contains(square),
        };
        let base = move_of(defender.iter().filter(is_new));
        let reply = move_of(reply.squares());
        questions.push(Question { end: u32::MAX, base, reply, longest: 1, first_zones: Box::default() });
        self.path.push((number, defender));
    }

    /// Everything behind the reply of this number, counted from 1, was walked.
    pub(super) fn settled(&mut self, number: u64, first_zones: &[u8]) {
        let Some(questions) = &mut self.questions else { return };
        let end = questions.len() as u32;
        let question = &mut questions[number as usize - 1];
        (question.end, question.first_zones) = (end, first_zones.into());
    }

    /// The index, if there was memory for all of it.
    pub(super) fn finish(self) -> Option<Index> {
        let mut questions = self.questions?;
        // Backwards, so that everything below a question is known.
        for at in (0..questions.len()).rev() {
            let end = questions[at].end.min(questions.len() as u32) as usize;
            let within = |next: usize| (next < end).then_some(next);
            let below = std::iter::successors(within(at + 1), |&next| within(questions[next].end as usize));
            let longest = below.map(|next| questions[next].longest).max();
            (questions[at].end, questions[at].longest) = (end as u32, 1 + longest.unwrap_or(0));
        }
        Some(Index(questions))
    }
}

fn move_of<'a>(squares: impl IntoIterator<Item = &'a lambda6_checker::Square>) -> Move {
    let mut mv = Move::NULL;
    for &square in squares {
        mv.push(Square::new(usize::from(square)));
    }
    mv
}
