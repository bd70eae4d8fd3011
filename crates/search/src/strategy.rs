//! The attacker's half of a won game.

use crate::{Budget, Why, Win};
use rules::{Move, Side};
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;
use threats::{Board, Defences, ThreatCount, defence};

/// A reply for every position that the attacker can be brought to.
///
/// Positions are known by their 64-bit keys. A clash of keys gives a wrong
/// reply, never a wrong claim: what is claimed is checked by walking all
/// defences with these replies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Strategy {
    replies: FxHashMap<u64, Reply>,
    line: Option<Line>,
}

/// Moves that win in this order whatever the defender does, up to the one that
/// connects.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    attacker: Side,
    moves: Vec<Move>,
    /// The empty squares before the first move. With full moves on both sides
    /// the number that is left says how far the game has got.
    empty: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Reply {
    mv: Move,
    /// The attacker's moves from here to the end, this one counted.
    length: u32,
}

impl Strategy {
    /// The reply where `attacker` is to move on this board.
    pub fn reply(&self, board: &Board, attacker: Side) -> Option<Move> {
        match &self.line {
            Some(line) => line.reply(board, attacker),
            None => self
                .replies
                .get(&board.key(attacker))
                .map(|reply| reply.mv)
                .or_else(|| connecting(board, attacker)),
        }
    }

    /// The number of positions with a reply; of a line, the number of moves.
    pub fn len(&self) -> usize {
        self.line.as_ref().map_or(self.replies.len(), |line| line.moves.len())
    }

    /// Whether there is no reply at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The strategy of playing these moves in turn, from this board on.
    pub(crate) fn of_line(board: &Board, attacker: Side, moves: &[Move]) -> Strategy {
        let line = Line { attacker, moves: moves.to_vec(), empty: board.empty_count() };
        Strategy { replies: FxHashMap::default(), line: Some(line) }
    }

    pub(crate) fn insert(&mut self, key: u64, mv: Move, length: u32) {
        self.replies.insert(key, Reply { mv, length });
    }

    pub(crate) fn length(&self, key: u64) -> Option<u32> {
        self.replies.get(&key).map(|reply| reply.length)
    }

    /// A line from here in which the defender holds out longest, among critical
    /// defences: the attacker's moves and the defences in turn, up to the move
    /// that connects. A defender with nothing to meet passes, and one who cannot
    /// meet everything meets something.
    pub fn longest_line(&self, board: &Board, to_move: Side, attacker: Side) -> Vec<Move> {
        let mut board = board.clone();
        let mut line = Vec::new();
        if to_move != attacker && self.defend(&mut board, attacker, &mut line).is_break() {
            return line;
        }
        while let Some(reply) = self.reply(&board, attacker) {
            if !reply.iter().all(|square| board.is_empty(square)) {
                break;
            }
            reply.iter().for_each(|square| board.place(attacker, square));
            line.push(reply);
            if board.has_row(attacker) || self.defend(&mut board, attacker, &mut line).is_break() {
                break;
            }
        }
        line
    }

    /// Adds a defence to the line; where there is none, also the move that wins.
    fn defend(&self, board: &mut Board, attacker: Side, line: &mut Vec<Move>) -> ControlFlow<()> {
        let mut defences = Defences::default();
        defences.find(board, attacker);
        if defences.count() == ThreatCount::More {
            line.extend(last_moves(board, attacker));
            return ControlFlow::Break(());
        }
        let after = |defence: &Move| {
            let mut board = board.clone();
            defence.iter().for_each(|square| board.place(attacker.other(), square));
            self.length(board.key(attacker))
        };
        let defence = defences.iter().copied().max_by_key(after).unwrap_or(Move::NULL);
        defence.iter().for_each(|square| board.place(attacker.other(), square));
        line.push(defence);
        ControlFlow::Continue(())
    }
}

/// A line of a proof, which may end with threats that cannot be met, up to the
/// row.
pub(crate) fn to_the_row(board: &mut Board, to_move: Side, attacker: Side, line: &[Move]) -> Vec<Move> {
    let mut side = to_move;
    for mv in line {
        mv.iter().for_each(|square| board.place(side, square));
        side = side.other();
    }
    let mut line = line.to_vec();
    if !board.has_row(attacker) {
        line.extend(last_moves(board, attacker));
    }
    line
}

/// What is left when there are more threats than the defender can meet: a move
/// that meets some, and the attacker's that connects on one that is left.
fn last_moves(board: &mut Board, attacker: Side) -> [Move; 2] {
    let mut block = Move::NULL;
    for _ in 0..board.game().p() {
        let Some(square) = first_threat(board, attacker).iter().next() else { break };
        board.place(attacker.other(), square);
        block.push(square);
    }
    [block, first_threat(board, attacker)]
}

/// The empty squares of a threat.
fn first_threat(board: &Board, attacker: Side) -> Move {
    let mut first = None;
    defence::for_each_threat(board, attacker, |threat| first = first.or(Some(*threat)));
    first.unwrap_or(Move::NULL)
}

impl Line {
    fn reply(&self, board: &Board, attacker: Side) -> Option<Move> {
        if attacker != self.attacker {
            return None;
        }
        if board.has_threat(attacker) {
            return connecting(board, attacker);
        }
        let played = self.empty.checked_sub(board.empty_count())?;
        let exchange = 2 * usize::from(board.game().p());
        self.moves.get(played / exchange).filter(|mv| mv.iter().all(|square| board.is_empty(square))).copied()
    }
}

/// Finds the defences against `side`, unless the budget ends first.
pub(crate) fn find_within(
    budget: &Budget<'_>,
    board: &Board,
    side: Side,
    defences: &mut Defences,
) -> Result<(), Why> {
    match defences.find_while(board, side, &mut || budget.goes_on()) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(budget.why_ended()),
    }
}

/// A search by full threats that has won the position on its board, and finds
/// the winning move in every position that follows.
pub(crate) trait Winner {
    /// The board, and the side that has won.
    fn board(&mut self) -> (&mut Board, Side);

    /// The winning move on the board; what has been forgotten is searched again.
    fn reply_here(&mut self) -> Result<Move, Why>;

    /// The defences against the threats that `side` has.
    fn find_defences(&self, defences: &mut Defences, side: Side) -> Result<(), Why>;
}

/// Walks all normal defences with the winning moves found, and notes them.
pub(crate) fn extract(winner: &mut impl Winner) -> Result<Win, Why> {
    let mut strategy = Strategy::default();
    extract_from(winner, &mut strategy)?;
    let (board, attacker) = winner.board();
    let line = strategy.longest_line(board, attacker, attacker);
    Ok(Win { line, strategy, certificate: None })
}

/// Notes the replies from here on; the number of moves to the end.
fn extract_from(winner: &mut impl Winner, strategy: &mut Strategy) -> Result<u32, Why> {
    let (board, attacker) = winner.board();
    let (key, defender) = (board.key(attacker), attacker.other());
    if let Some(length) = strategy.length(key) {
        return Ok(length);
    }
    let reply = winner.reply_here()?;
    let board = winner.board().0;
    reply.iter().for_each(|square| board.place(attacker, square));
    let mut length = Ok(1);
    if !board.has_row(attacker) {
        let mut defences = Defences::default();
        let found = winner.find_defences(&mut defences, attacker);
        if let Err(why) = found {
            length = Err(why);
        } else if defences.count() == ThreatCount::More {
            length = Ok(2);
        }
        for defence in defences.iter() {
            if length.is_err() {
                break;
            }
            defence.iter().for_each(|square| winner.board().0.place(defender, square));
            let rest = extract_from(winner, strategy);
            defence.iter().for_each(|square| winner.board().0.remove(defender, square));
            length = length.and_then(|longest: u32| Ok(longest.max(1 + rest?)));
        }
    }
    reply.iter().for_each(|square| winner.board().0.remove(attacker, square));
    let length = length?;
    strategy.insert(key, reply, length);
    Ok(length)
}

/// The stones that complete a row now, if there are such.
pub(crate) fn connecting(board: &Board, attacker: Side) -> Option<Move> {
    let mut winning = None;
    defence::for_each_threat(board, attacker, |threat| winning = winning.or(Some(*threat)));
    winning.filter(|mv| !mv.is_empty())
}
