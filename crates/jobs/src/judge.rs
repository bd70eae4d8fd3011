//! Nothing that a worker says is believed before it has been checked here.

use crate::{Answer, Kind, Proof, Task};
use checker::walk_except;
use rules::{Game, Move, Position, Side};
use search::Method;

/// Looks at answers.
pub trait Judge {
    /// Whether the answer is one to this task and proves what it claims.
    fn check(&self, task: &Task, answer: &Answer) -> Result<(), Refused>;
}

/// Why an answer is not believed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// Another question was asked.
    #[error("an answer to another kind of job")]
    Kind,
    /// A move that cannot be played.
    #[error("the move {mv} cannot be played: {why}")]
    Illegal {
        /// The move.
        mv: String,
        /// Why not.
        why: String,
    },
    /// A move that the question excludes, or one that is listed twice.
    #[error("the move {0} is known already")]
    Known(String),
    /// The proof is about something else.
    #[error("the proof is not one of the claim: {0}")]
    Beside(&'static str),
    /// The proof does not hold.
    #[error("the proof fails: {0}")]
    Fails(String),
}

/// Checks with the rules and with the checker of certificates.
#[derive(Clone, Copy, Debug, Default)]
pub struct Checked;

impl Judge for Checked {
    fn check(&self, task: &Task, answer: &Answer) -> Result<(), Refused> {
        check_moves(task, answer)?;
        check_proof(task, answer)
    }
}

/// The part that needs no proof: is it an answer to the question?
pub fn check_moves(task: &Task, answer: &Answer) -> Result<(), Refused> {
    let game = task.position.game();
    match (task.kind, answer) {
        // A verifier that cannot list all defences gives the best one.
        (Kind::Best | Kind::Verify, Answer::Best { mv, win, .. }) => {
            playable(&task.position, mv)?;
            // A win is news even if the move is not.
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
    // What the proof leaves out must be moves that the claim leaves out: the
    // whole move each time, for a part of one stands for many moves.
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

/// Whether the replies prove the proof's own claim about the position.
pub fn check_replies(position: &Position, proof: &Proof) -> Result<(), Refused> {
    let fails = |what: String| Refused::Fails(what);
    let header = header(position, proof.attacker, proof.method).map_err(fails)?;
    let except: Vec<checker::Move> =
        proof.except.iter().map(of_move).collect::<Option<_>>().ok_or(Refused::Beside("too many stones"))?;
    let mut source = Listed { replies: proof.replies.iter(), except: &except };
    let summary = walk_except(&header, &mut source).map_err(|rejection| fails(rejection.to_string()))?;
    if summary.replies != proof.replies.len() as u64 {
        return Err(Refused::Fails("there are replies that nobody asks for".to_string()));
    }
    Ok(())
}

struct Listed<'a> {
    replies: std::slice::Iter<'a, Move>,
    except: &'a [checker::Move],
}

impl checker::Replies for Listed<'_> {
    type Error = checker::Rejection;

    fn next(&mut self, number: u64, _: &checker::Board) -> Result<checker::Move, checker::Rejection> {
        let reject = |reason| checker::Rejection { reply: number, reason };
        let reply = self.replies.next().ok_or(reject(checker::Reason::RunOut))?;
        of_move(reply).ok_or(reject(checker::Reason::Repeated))
    }

    fn excepts(&mut self, stones: checker::Move, _: &checker::Board) -> Result<bool, checker::Rejection> {
        Ok(self.except.iter().any(|set| set.squares().iter().all(|&square| stones.contains(square))))
    }
}

/// The checker's word for a move.
pub(crate) fn of_move(mv: &Move) -> Option<checker::Move> {
    let squares: Vec<u16> = mv.iter().map(|square| square.index() as u16).collect();
    checker::Move::new(&squares)
}

/// The checker's word for a side.
pub(crate) fn of_side(side: Side) -> checker::Side {
    match side {
        Side::Black => checker::Side::Black,
        Side::White => checker::Side::White,
    }
}

/// The checker's words for a claim about a position.
pub(crate) fn header(position: &Position, attacker: Side, method: Method) -> Result<checker::Header, String> {
    let game: Game = position.game();
    let [m, n, k, p, q] = [game.cols(), game.rows(), game.k(), game.p(), game.q()].map(u64::from);
    let stones = |side| position.stones(side).map(|square| square.index() as u16).collect();
    Ok(checker::Header {
        game: checker::Game::new(m, n, k, p, q)?,
        black: stones(Side::Black),
        white: stones(Side::White),
        to_move: of_side(position.to_move()),
        attacker: of_side(attacker),
        method: match method {
            Method::Rzop => checker::Method::Rzop,
            Method::Srzop1 => checker::Method::Srzop1,
            Method::Srzop2 => checker::Method::Srzop2,
            Method::Mutual => checker::Method::Mutual,
        },
        replies: 0,
    })
}
