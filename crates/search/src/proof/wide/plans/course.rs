//! How a win goes on.

use rules::Move;

/// What is replied, after which defences.
#[derive(Clone, Debug)]
pub(in super::super) enum Course {
    /// A plan: the same moves whatever the defender answers.
    Plan(Box<[Move]>),
    /// A tree, which need not answer all defences alike.
    Tree(Branch),
    /// It has been searched for with a stone on the board, and is again for another.
    Searched,
}

impl Course {
    /// The reply after these defences, by their numbers.
    pub(in super::super) fn reply_after(&self, defences: &[usize]) -> Option<Move> {
        match self {
            Course::Plan(moves) => moves.get(defences.len()).copied(),
            Course::Tree(branch) => branch.reply_after(defences),
            Course::Searched => None,
        }
    }
}

/// A move, and the same after each defence.
#[derive(Clone, Debug)]
pub(in super::super) struct Branch {
    pub(super) reply: Move,
    pub(super) kids: Vec<Branch>,
}

impl Branch {
    /// What is replied after these defences. There may be more of them than where the defender
    /// had more stones: the last serves for the rest.
    pub(super) fn reply_after(&self, defences: &[usize]) -> Option<Move> {
        let mut branch = self;
        for &defence in defences {
            branch = branch.kids.get(defence).or(branch.kids.last())?;
        }
        Some(branch.reply)
    }
}
