//! The replies of a proof, for searches of similar positions.

use crate::{Certificate, CertifyError};
use lambda6_rules::{Move, Position, Side, Symmetry, stone_key};
use lambda6_threats::Board;

/// The replies of a proof, each with the stones that were added to its position.
///
/// Where two positions differ in a few stones, the win of one mostly wins the other: played in
/// it first ([`Solver::suggest`](crate::Solver::suggest)), it leaves little to be searched.
#[derive(Clone, Debug)]
pub struct Replies {
    attacker: Side,
    /// The key of the proof's position.
    root: u64,
    list: Vec<(u64, Move)>,
}

impl Replies {
    /// None yet, of a proof that the attacker wins this position.
    pub fn new(position: &Position, attacker: Side) -> Replies {
        let root = Board::from_position(position).key(attacker);
        Replies { attacker, root, list: Vec::new() }
    }

    /// Those of a certificate.
    pub fn of(certificate: &Certificate) -> Result<Replies, CertifyError> {
        let mut replies = Replies::new(certificate.position(), certificate.attacker());
        replies.list.reserve_exact(certificate.replies().len());
        certificate.for_each_reply(|board, reply| replies.add(board, reply))?;
        Ok(replies)
    }

    /// Those of a certificate, turned.
    pub fn turned(certificate: &Certificate, turn: Symmetry) -> Result<Replies, CertifyError> {
        if turn == Symmetry::IDENTITY {
            return Replies::of(certificate);
        }
        let (position, attacker) = (certificate.position(), certificate.attacker());
        let game = position.game();
        let start = stones_key(&Board::from_position(position), turn);
        let mut replies = Replies::new(&position.transformed(turn), attacker);
        certificate.for_each_reply(|board, reply| {
            replies.list.push((stones_key(board, turn) ^ start, turn.apply_to_move(game, reply)));
        })?;
        Ok(replies)
    }

    /// Adds the reply on a board.
    pub fn add(&mut self, board: &Board, reply: &Move) {
        self.list.push((board.key(self.attacker) ^ self.root, *reply));
    }

    /// The memory they take.
    pub fn bytes(&self) -> usize {
        self.list.capacity() * size_of::<(u64, Move)>()
    }

    /// The replies with the keys of the boards on which they are given.
    pub fn by_board(&self) -> impl Iterator<Item = (u64, Move)> + '_ {
        self.list.iter().map(|&(key, reply)| (key ^ self.root, reply))
    }

    /// The replies with the keys of the boards on which they would be given in a proof that
    /// begins with this position. Before these, the same with the keys of their own boards, since
    /// what is played later in one proof may stand on the board from the start in the other.
    pub fn seen_from(&self, position: &Position) -> Vec<(u64, Move)> {
        let theirs = Board::from_position(position).key(self.attacker);
        let from = |root: u64| self.list.iter().map(move |&(key, reply)| (key ^ root, reply));
        from(self.root).chain(from(theirs)).collect()
    }
}

/// The stones of a board, turned: a part of its key.
fn stones_key(board: &Board, turn: Symmetry) -> u64 {
    let game = board.game();
    let stones = game.squares().filter_map(|square| Some((board.at(square)?, square)));
    stones.fold(0, |key, (side, square)| key ^ stone_key(side, turn.apply(game, square)))
}
