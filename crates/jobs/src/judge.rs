//! Checks the answers of workers before the search uses them.

use crate::{Answer, JobProof, Kind, Task};
use lambda6_checker::walk_except;
use lambda6_proof::convert;
use lambda6_rules::{Move, Position};

/// Checks answers.
pub trait Judge {
    /// Checks that the answer belongs to this task and proves what it claims.
    fn check(&self, task: &Task, answer: &Answer) -> Result<(), Refused>;
}

/// Why an answer is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The answer belongs to another kind of job.
    #[error("an answer to another kind of job")]
    Kind,
    /// A move that cannot be played.
    #[error("the move {mv} cannot be played: {why}")]
    Illegal {
        /// The move.
        mv: String,
        /// The reason.
        why: String,
    },
    /// A move that the task excludes, or that is listed twice.
    #[error("the move {0} is known already")]
    Known(String),
    /// The proof proves another claim.
    #[error("the proof is not one of the claim: {0}")]
    Beside(&'static str),
    /// The checker rejects the proof.
    #[error("the proof fails: {0}")]
    Fails(String),
}

/// Checks moves with the rules and proofs with the checker of certificates.
#[derive(Clone, Copy, Debug, Default)]
pub struct Checked;

impl Judge for Checked {
    fn check(&self, task: &Task, answer: &Answer) -> Result<(), Refused> {
        check_moves(task, answer)?;
        check_proof(task, answer)
    }
}

/// Checks the parts of an answer that need no proof.
pub fn check_moves(task: &Task, answer: &Answer) -> Result<(), Refused> {
    let game = task.position.game();
    match (task.kind, answer) {
        // A verifier that cannot list all defences returns the best one.
        (Kind::Best | Kind::Verify, Answer::Best { mv, win, .. }) => {
            playable(&task.position, mv)?;
            // A proof that an excluded move wins is still of use.
            if win.is_none() && task.excluded.contains(mv) {
                return Err(Refused::Known(game.move_name(mv)));
            }
        }
        (Kind::Best | Kind::Verify, Answer::OthersLose { .. }) => {}
        (Kind::Verify, Answer::Defences { moves, .. }) => {
            for (i, (mv, _)) in moves.iter().enumerate() {
                playable(&task.position, mv)?;
                if moves[..i].iter().any(|(other, _)| other == mv) {
                    return Err(Refused::Known(game.move_name(mv)));
                }
            }
        }
        (Kind::Best, Answer::Defences { .. }) => return Err(Refused::Kind),
    }
    Ok(())
}

fn playable(position: &Position, mv: &Move) -> Result<(), Refused> {
    let illegal = |why: String| Refused::Illegal { mv: position.game().move_name(mv), why };
    position.clone().play(mv).map_err(|why| illegal(why.to_string()))
}

fn check_proof(task: &Task, answer: &Answer) -> Result<(), Refused> {
    let to_move = task.position.to_move();
    let Some(proof) = answer.proof() else { return Ok(()) };
    if proof.method != task.method {
        return Err(Refused::Beside("another method was asked for"));
    }
    // The proof may except only moves that the claim excepts, and only whole
    // moves: a part of a move stands for many moves.
    let known: Vec<Move> = match answer {
        Answer::Best { mv, .. } => {
            if proof.attacker != to_move || !proof.except.is_empty() {
                return Err(Refused::Beside("the side to move should win against everything"));
            }
            if proof.replies.first() != Some(mv) {
                return Err(Refused::Beside("it begins with another move"));
            }
            Vec::new()
        }
        Answer::OthersLose { .. } => task.excluded.clone(),
        Answer::Defences { moves, .. } => moves.iter().map(|(mv, _)| *mv).collect(),
    };
    if !matches!(answer, Answer::Best { .. }) {
        if proof.attacker == to_move {
            return Err(Refused::Beside("the side to move should lose"));
        }
        let stones = task.position.stones_to_place();
        if proof.except.iter().any(|mv| mv.len() != stones || !known.contains(mv)) {
            return Err(Refused::Beside("it leaves out a move that is not known"));
        }
    }
    check_replies(&task.position, proof)
}

/// Checks that the replies prove the proof's own claim about the position.
pub fn check_replies(position: &Position, proof: &JobProof) -> Result<(), Refused> {
    let header = convert::checker_header(position, proof.attacker, proof.method)
        .map_err(|error| Refused::Fails(error.to_string()))?;
    let except: Option<Vec<lambda6_checker::Move>> = proof.except.iter().map(convert::checker_move).collect();
    let except = except.ok_or(Refused::Beside("too many stones"))?;
    let mut source = Listed { replies: proof.replies.iter(), except: &except };
    let summary = walk_except(&header, &mut source)
        .map_err(|rejection: lambda6_checker::Rejection| Refused::Fails(rejection.to_string()))?;
    if summary.replies != proof.replies.len() as u64 {
        return Err(Refused::Fails("there are replies that the walk does not ask for".to_string()));
    }
    Ok(())
}

/// The replies of a proof, for the checker's walk.
struct Listed<'a> {
    replies: std::slice::Iter<'a, Move>,
    except: &'a [lambda6_checker::Move],
}

impl lambda6_checker::Replies for Listed<'_> {
    type Error = lambda6_checker::Rejection;

    fn next(
        &mut self,
        number: u64,
        _: &lambda6_checker::Board,
    ) -> Result<lambda6_checker::Move, lambda6_checker::Rejection> {
        let reject = |reason| lambda6_checker::Rejection { reply: number, reason };
        let reply = self.replies.next().ok_or(reject(lambda6_checker::Reason::RunOut))?;
        convert::checker_move(reply).ok_or(reject(lambda6_checker::Reason::Repeated))
    }

    fn excepts(
        &mut self,
        stones: lambda6_checker::Move,
        _: &lambda6_checker::Board,
    ) -> Result<bool, lambda6_checker::Rejection> {
        Ok(self.except.iter().any(|set| set.squares().iter().all(|&square| stones.contains(square))))
    }
}
