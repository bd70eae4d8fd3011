//! Makes a proof smaller.
//!
//! A proof consists of answers to the moves that the walk asks about. It shrinks in two
//! ways: by fewer replies in an answer ([`FewestReplies`]) and by fewer questions.
//! Zones decide on the questions; where the defender has two spare stones this is a
//! problem of its own ([`small_proof`]).

use crate::{
    Certificate, CertifyError,
    fewest_replies::FewestReplies,
    proof_tree::{AnswerList, ProofTree, ReplyTree, answers_of_list, count},
    small_proof::{self, Effort},
};
use lambda6_rules::{Move, Side};
use lambda6_search::{
    Budget, Clock, Limits, Method, Why, Zones,
    walk::{Answers, answer_all, critical_defences},
};
use lambda6_threats::{Board, Play};
use rustc_hash::FxHashMap;
use std::{rc::Rc, sync::atomic::AtomicBool};

/// Progress of shortening.
#[derive(Clone, Copy, Debug)]
pub struct ShortenProgress {
    /// Replies of the certificate as it was.
    pub before: u64,
    /// Replies of the smallest found.
    pub replies: u64,
    /// Moves of the defender settled.
    pub settled: u64,
}

/// Makes certificates smaller.
pub struct Shorten {
    /// The method of the result.
    pub method: Method,
    /// Memory for tables.
    pub table_bytes: usize,
}

impl Shorten {
    /// A certificate of the same position with fewer replies, or the same one.
    /// The checker has walked it.
    pub fn run(
        &self,
        certificate: &Certificate,
        limits: Limits,
        clock: &dyn Clock,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(ShortenProgress),
    ) -> Result<Certificate, CertifyError> {
        let before = certificate.replies().len() as u64;
        let anew = self.anew(certificate, Budget::new(limits, clock, stop), progress);
        let certificate = anew.as_ref().unwrap_or(certificate);
        let (position, attacker) = (certificate.position(), certificate.attacker());
        let Some(mut tree) = ProofTree::read(certificate) else { return Ok(certificate.clone()) };
        let mut best = (certificate.method() == self.method).then(|| certificate.clone());
        loop {
            let mut work = Work {
                attacker,
                method: self.method,
                may_keep: best.is_some(),
                root: Board::from_position(position).key(attacker),
                fewest: FewestReplies::new(position.game(), self.table_bytes),
                budget: Budget::new(limits, clock, stop),
                settled: 0,
                done: FxHashMap::default(),
                tell: &mut |settled| {
                    let replies = best.as_ref().map_or(before, |best| best.replies().len() as u64);
                    progress(ShortenProgress { before, replies, settled });
                },
            };
            let Ok(new) = work.proof(&mut Board::from_position(position), &tree) else { break };
            let found = new.certificate(position, attacker, self.method)?;
            if best.as_ref().is_some_and(|best| found.replies().len() >= best.replies().len()) {
                break;
            }
            best = Some(found);
            tree = new;
        }
        Ok(best.unwrap_or_else(|| certificate.clone()))
    }

    /// A smaller proof that is built without parts of the old one.
    fn anew(
        &self,
        certificate: &Certificate,
        mut budget: Budget<'_>,
        progress: &mut dyn FnMut(ShortenProgress),
    ) -> Option<Certificate> {
        let (position, attacker) = (certificate.position(), certificate.attacker());
        if self.method != Method::Mutual || position.to_move() == attacker {
            return None;
        }
        let before = certificate.replies().len() as u64;
        let mut tell = |replies: u64| {
            progress(ShortenProgress { before, replies: replies.min(before), settled: 0 });
        };
        let found =
            small_proof::prove(position, attacker, Effort::THOROUGH, &mut budget, &mut tell).ok()??;
        (found.replies().len() < certificate.replies().len()).then_some(found)
    }
}

/// Moves tried for one reply.
const NODES_EACH: u64 = 4_000;

/// The most replies of a win that is searched for.
const MOST_REPLIES: u64 = 300;

/// Replies from other answers to try where the old reply no longer fits.
const MOST_HINTS: usize = 8;

struct Work<'a, 'b> {
    attacker: Side,
    method: Method,
    /// Whether the old proof is of the same method, so that its parts can be kept.
    may_keep: bool,
    /// The key of the certificate's position, for which a small proof has been searched
    /// already.
    root: u64,
    fewest: FewestReplies,
    budget: Budget<'b>,
    settled: u64,
    /// Positions that have been settled.
    done: FxHashMap<u64, Rc<ReplyTree>>,
    tell: &'a mut dyn FnMut(u64),
}

impl Work<'_, '_> {
    fn proof(&mut self, board: &mut Board, old: &ProofTree) -> Result<ProofTree, Why> {
        Ok(match old {
            ProofTree::Attacker(tree) => ProofTree::Attacker(self.attack(board, Some(tree), &[])?),
            ProofTree::Defender(answers) => ProofTree::Defender(self.defend(board, answers)?.1),
        })
    }

    /// A small proof of the position on the board, the attacker to move.
    fn attack(
        &mut self,
        board: &mut Board,
        old: Option<&Rc<ReplyTree>>,
        hints: &[Move],
    ) -> Result<Rc<ReplyTree>, Why> {
        let key = board.key(self.attacker);
        if let Some(done) = self.done.get(&key) {
            return Ok(Rc::clone(done));
        }
        self.settled += 1;
        if self.settled.is_multiple_of(256) {
            (self.tell)(self.settled);
        }
        let new = self.find(board, old, hints);
        let tree = match (new, old.filter(|_| self.may_keep)) {
            (Ok(new), Some(old)) if old.replies < new.replies => Rc::clone(old),
            (Ok(new), _) => new,
            (Err(_), Some(old)) => return Ok(Rc::clone(old)),
            (Err(why), None) => return Err(why),
        };
        self.done.insert(key, Rc::clone(&tree));
        Ok(tree)
    }

    fn find(
        &mut self,
        board: &mut Board,
        old: Option<&Rc<ReplyTree>>,
        hints: &[Move],
    ) -> Result<Rc<ReplyTree>, Why> {
        let attacker = self.attacker;
        let bound = old.map_or(MOST_REPLIES, |old| old.replies.min(MOST_REPLIES)) as u32;
        let mut part = self.budget.part(NODES_EACH, None);
        let found = self.fewest.best(board, attacker, bound, &mut part);
        self.budget.absorb(&part)?;
        if let Ok(Some(tree)) = found {
            return Ok(tree);
        }
        for reply in old.iter().map(|old| old.reply).chain(hints.iter().copied()) {
            let answers: &[(Move, Rc<ReplyTree>)] =
                old.filter(|old| old.reply == reply).map_or(&[], |old| &old.answers);
            match ReplyTree::after(board, attacker, reply, |board| self.defend(board, answers)) {
                Ok(Some(tree)) => return Ok(tree),
                Ok(None) | Err(Why::Narrowed) => {}
                Err(why) => return Err(why),
            }
        }
        Err(Why::Narrowed)
    }

    /// A small proof of the position on the board, the defender to move.
    fn defend(
        &mut self,
        board: &mut Board,
        old: &[(Move, Rc<ReplyTree>)],
    ) -> Result<(Zones, AnswerList), Why> {
        let (attacker, method) = (self.attacker, self.method);
        let Some((zones, defences)) = critical_defences(board, attacker) else { return Err(Why::Narrowed) };
        if defences[..] == [Move::NULL] {
            let kept = (self.may_keep && !old.is_empty()).then(|| old.to_vec());
            let anew = if method == Method::Mutual { self.anew(board)? } else { None };
            if let Some(answers) = kept.into_iter().chain(anew).min_by_key(|answers| count(answers)) {
                return self.shorten_whole_moves(board, zones, answers);
            }
        }
        let mut hints: Vec<Move> = Vec::new();
        for (_, answer) in old {
            if !hints.contains(&answer.reply) && hints.len() < MOST_HINTS {
                hints.push(answer.reply);
            }
        }
        answer_all(board, attacker, method, &mut Replay { work: self, old, hints })
    }

    /// A small proof built without parts of the old one, where the defender has two spare
    /// stones.
    fn anew(&mut self, board: &mut Board) -> Result<Option<AnswerList>, Why> {
        if board.key(self.attacker) == self.root {
            return Ok(None);
        }
        let found = small_proof::replies(board, self.attacker, Effort::LIGHT, &mut self.budget, &mut |_| ())?;
        let Some(replies) = found else { return Ok(None) };
        Ok(answers_of_list(board, self.attacker, Method::Mutual, &replies).ok().map(|(_, answers)| answers))
    }

    /// Replaces answers to whole moves by smaller ones. Their zones do not affect the
    /// questions here, so all other answers stay valid.
    fn shorten_whole_moves(
        &mut self,
        board: &mut Board,
        mut zones: Zones,
        mut answers: AnswerList,
    ) -> Result<(Zones, AnswerList), Why> {
        let p = usize::from(board.game().p());
        for (stones, answer) in &mut answers {
            if stones.len() == p {
                let shorter =
                    board.play(self.attacker.other(), *stones, |board| self.attack(board, Some(answer), &[]));
                // Without time left the answer stays as it is.
                *answer = shorter.unwrap_or_else(|_| Rc::clone(answer));
            }
            zones.union_shifted(&answer.zones, p - stones.len());
        }
        Ok((zones, answers))
    }
}

/// Answers with what [`Work::attack`] finds.
struct Replay<'w, 'a, 'b, 'o> {
    work: &'w mut Work<'a, 'b>,
    old: &'o [(Move, Rc<ReplyTree>)],
    hints: Vec<Move>,
}

impl Answers for Replay<'_, '_, '_, '_> {
    type Answer = Rc<ReplyTree>;
    type Stop = Why;

    fn attack(&mut self, board: &mut Board, stones: &Move) -> Result<Rc<ReplyTree>, Why> {
        let old = self.old.iter().find(|(of, _)| of == stones).map(|(_, old)| old);
        self.work.attack(board, old, &self.hints)
    }

    fn zones(answer: &Rc<ReplyTree>) -> &Zones {
        &answer.zones
    }

    fn refuse(&self) -> Why {
        Why::Narrowed
    }
}
