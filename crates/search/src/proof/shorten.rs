//! Makes a proof smaller.
//!
//! The number of replies is the sum over the moves of the defender that the walk
//! asks about, so there are two ways: fewer replies to each ([`SmallSearch`]), and
//! fewer moves asked about. Which moves those are is told by zones: where the
//! defender has two stones to spare, the first zone of the win against no stone
//! says which single stones are asked about, and their first zones which pairs.
//! So for the pass and for single stones several wins are found, and those are
//! kept that leave the fewest and cheapest pairs.

use super::{
    small::SmallSearch,
    tree::{Proof, Root, answered},
    walk::{self, Answers, with},
    wide,
};
use crate::{Budget, Certificate, CertifyError, Clock, Limits, Method, Why, Zones};
use rules::{Move, Side, Square, stone_key};
use rustc_hash::FxHashMap;
use std::{collections::hash_map::Entry, rc::Rc, sync::atomic::AtomicBool};
use threats::Board;

/// How the work goes.
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
        let budget = Budget::new(limits, clock, stop);
        let anew = self.anew(certificate, budget, progress);
        let certificate = anew.as_ref().unwrap_or(certificate);
        let Some(root) = Root::read(certificate) else { return Ok(certificate.clone()) };
        let game = certificate.position().game();
        let mut best = (certificate.method() == self.method).then(|| certificate.clone());
        let mut old = root;
        let mut same = certificate.method() == self.method;
        loop {
            let mut work = Work {
                attacker: certificate.attacker(),
                method: self.method,
                same,
                small: SmallSearch::new(game, self.table_bytes),
                budget: Budget::new(limits, clock, stop),
                settled: 0,
                done: FxHashMap::default(),
                tell: &mut |settled| {
                    let replies = best.as_ref().map_or(before, |best| best.replies().len() as u64);
                    progress(ShortenProgress { before, replies, settled });
                },
            };
            let new = match work.root(certificate, &old) {
                Ok(new) => new,
                Err(_) => break,
            };
            let found = new.certificate(certificate.position(), certificate.attacker(), self.method)?;
            let smaller = best.as_ref().is_none_or(|best| found.replies().len() < best.replies().len());
            if !smaller {
                break;
            }
            best = Some(found);
            old = new;
            same = true;
        }
        Ok(best.unwrap_or_else(|| certificate.clone()))
    }

    /// A smaller proof that has nothing to do with the one that was there.
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
            wide::prove(position, attacker, wide::Effort::Thorough, &mut budget, &mut tell).ok()??;
        (found.replies().len() < certificate.replies().len()).then_some(found)
    }
}

struct Work<'a, 'b> {
    attacker: Side,
    method: Method,
    /// Whether the proof that was there is of the same method, so that its parts
    /// can be kept.
    same: bool,
    small: SmallSearch,
    budget: Budget<'b>,
    settled: u64,
    /// Positions that have been settled.
    done: FxHashMap<u64, Rc<Proof>>,
    tell: &'a mut dyn FnMut(u64),
}

/// Moves tried for one reply.
const NODES: u64 = 4_000;
/// Replies of a win by full threats at most.
const BOUND: u32 = 300;
/// How many more replies than the fewest a win against a pass or a single stone
/// may have, for the sake of its zones.
const SLACK: u32 = 0;

/// How often wins against single stones are chosen anew, with what is known of the
/// pairs by then.
const ROUNDS: usize = 6;

type Kids = Vec<(Move, Rc<Proof>)>;

impl Work<'_, '_> {
    fn root(&mut self, certificate: &Certificate, old: &Root) -> Result<Root, Why> {
        let mut board = Board::from_position(certificate.position());
        Ok(match old {
            Root::Attacker(proof) => Root::Attacker(self.attack(&mut board, Some(proof), &[])?),
            Root::Defender(kids) => Root::Defender(self.defend(&mut board, kids)?.1),
        })
    }

    fn part<T>(
        &mut self,
        nodes: u64,
        work: impl FnOnce(&mut SmallSearch, &mut Budget<'_>) -> T,
    ) -> Result<T, Why> {
        let mut part = self.budget.part(nodes, None);
        let done = work(&mut self.small, &mut part);
        self.budget.absorb(&part)?;
        Ok(done)
    }

    /// A small proof of the position on the board, the attacker to move.
    fn attack(
        &mut self,
        board: &mut Board,
        old: Option<&Rc<Proof>>,
        hints: &[Move],
    ) -> Result<Rc<Proof>, Why> {
        let attacker = self.attacker;
        let key = board.key(attacker);
        if let Some(done) = self.done.get(&key) {
            return Ok(Rc::clone(done));
        }
        self.settled += 1;
        if self.settled.is_multiple_of(256) {
            (self.tell)(self.settled);
        }
        let new = self.find(board, old, hints);
        let proof = match (new, old.filter(|_| self.same)) {
            (Ok(new), Some(old)) if old.replies < new.replies => Rc::clone(old),
            (Ok(new), _) => new,
            (Err(_), Some(old)) => return Ok(Rc::clone(old)),
            (Err(why), None) => return Err(why),
        };
        self.done.insert(key, Rc::clone(&proof));
        Ok(proof)
    }

    fn find(&mut self, board: &mut Board, old: Option<&Rc<Proof>>, hints: &[Move]) -> Result<Rc<Proof>, Why> {
        let attacker = self.attacker;
        let bound = old.map_or(BOUND, |old| old.replies.min(u64::from(BOUND)) as u32);
        let small = self.part(NODES, |small, part| small.best(board, attacker, bound, part))?;
        let mut best = small.ok().flatten();
        if best.is_none() {
            let replies = old.iter().map(|old| old.reply).chain(hints.iter().copied());
            for reply in replies {
                let kids: &[(Move, Rc<Proof>)] =
                    old.filter(|old| old.reply == reply).map_or(&[], |old| &old.kids);
                let found = answered(board, attacker, reply, |board| self.defend(board, kids));
                best = match found {
                    Ok(found) => found,
                    Err(Why::Narrowed) => None,
                    Err(why) => return Err(why),
                };
                if best.is_some() {
                    break;
                }
            }
        }
        best.ok_or(Why::Narrowed)
    }

    fn defend(&mut self, board: &mut Board, old: &[(Move, Rc<Proof>)]) -> Result<(Zones, Kids), Why> {
        let Some((zones, defences)) = walk::begin(board, self.attacker) else { return Err(Why::Narrowed) };
        let p = usize::from(board.game().p());
        if self.method == Method::Mutual && p == 2 && defences[..] == [Move::NULL] {
            return Pairs::new(self, board, old).solve(zones);
        }
        let (attacker, method) = (self.attacker, self.method);
        let mut hints: Vec<Move> = Vec::new();
        for (_, kid) in old {
            if !hints.contains(&kid.reply) && hints.len() < 8 {
                hints.push(kid.reply);
            }
        }
        let mut replay = Replay { work: self, old, hints };
        walk::defend(board, attacker, method, &mut replay)
    }
}

/// Answers with what [`Work::attack`] finds.
struct Replay<'w, 'a, 'b, 'o> {
    work: &'w mut Work<'a, 'b>,
    old: &'o [(Move, Rc<Proof>)],
    hints: Vec<Move>,
}

impl Answers for Replay<'_, '_, '_, '_> {
    type Answer = Rc<Proof>;
    type Stop = Why;

    fn attack(&mut self, board: &mut Board, stones: &Move) -> Result<Rc<Proof>, Why> {
        let old = self.old.iter().find(|(of, _)| of == stones).map(|(_, old)| old);
        self.work.attack(board, old, &self.hints)
    }

    fn zones(answer: &Rc<Proof>) -> &Zones {
        &answer.zones
    }

    fn refuse(&self) -> Why {
        Why::Narrowed
    }
}

/// A defender with two stones to spare.
struct Pairs<'w, 'a, 'b, 'o> {
    work: &'w mut Work<'a, 'b>,
    board: &'w mut Board,
    old: FxHashMap<Move, &'o Rc<Proof>>,
    /// The same in the order of the walk.
    kept: &'o [(Move, Rc<Proof>)],
    hints: Vec<Move>,
}

impl<'w, 'a, 'b, 'o> Pairs<'w, 'a, 'b, 'o> {
    fn new(work: &'w mut Work<'a, 'b>, board: &'w mut Board, old: &'o [(Move, Rc<Proof>)]) -> Self {
        let mut hints: Vec<Move> = Vec::new();
        for (_, kid) in old {
            if !hints.contains(&kid.reply) && hints.len() < 8 {
                hints.push(kid.reply);
            }
        }
        Pairs { work, board, old: old.iter().map(|(mv, kid)| (*mv, kid)).collect(), kept: old, hints }
    }

    fn answer(&mut self, stones: Move) -> Result<Rc<Proof>, Why> {
        let defender = self.work.attacker.other();
        stones.iter().for_each(|square| self.board.place(defender, square));
        let proof = self.work.attack(self.board, self.old.get(&stones).copied(), &self.hints);
        stones.iter().for_each(|square| self.board.remove(defender, square));
        proof
    }

    /// Several wins against these stones, the first with the fewest replies.
    fn choices(&mut self, stones: Move, slack: u32) -> Result<Vec<Rc<Proof>>, Why> {
        let (attacker, defender) = (self.work.attacker, self.work.attacker.other());
        let first = self.answer(stones)?;
        let bound = (first.replies as u32).saturating_add(slack);
        stones.iter().for_each(|square| self.board.place(defender, square));
        let board = &mut *self.board;
        let all = self.work.part(20 * NODES, |small, part| small.all(board, attacker, bound, part));
        stones.iter().for_each(|square| self.board.remove(defender, square));
        let mut choices = vec![first];
        choices.extend(all?);
        Ok(choices)
    }

    /// The smaller of what is found and of what was there, as far as there is time.
    fn solve(mut self, zones: Zones) -> Result<(Zones, Kids), Why> {
        let new = self.anew(zones.clone());
        if !self.work.same || self.kept.is_empty() {
            return new;
        }
        let old = self.keep(zones);
        Ok(match new {
            Ok(new) if replies(&new.1) <= replies(&old.1) => new,
            _ => old,
        })
    }

    /// The answers that were there, with those to pairs replaced by smaller ones:
    /// they have no say in what is asked about here.
    fn keep(&self, mut zones: Zones) -> (Zones, Kids) {
        let defender = self.work.attacker.other();
        let key = self.board.key(self.work.attacker);
        let mut kids = Vec::new();
        for (stones, old) in self.kept {
            let key = stones.iter().fold(key, |key, square| key ^ stone_key(defender, square));
            let done =
                self.work.done.get(&key).filter(|done| stones.len() == 2 && done.replies < old.replies);
            let proof = done.unwrap_or(old);
            zones.union_shifted(&proof.zones, 2 - stones.len());
            kids.push((*stones, Rc::clone(proof)));
        }
        (zones, kids)
    }

    fn anew(&mut self, mut zones: Zones) -> Result<(Zones, Kids), Why> {
        let mut nulls = self.choices(Move::NULL, SLACK)?;
        // The fewest single stones; each brings up many pairs.
        nulls.sort_by_key(|null| (count(&null.zones, self.board, 1), count(&null.zones, self.board, 2)));
        let null = Rc::clone(&nulls[0]);
        let squares: Vec<Square> = null.zones.empty_squares(self.board, 1).collect();
        let mut choices = Vec::new();
        for &s in &squares {
            choices.push(self.choices(Move::single(s), SLACK)?);
        }
        let place: FxHashMap<Square, usize> = squares.iter().enumerate().map(|(i, &s)| (s, i)).collect();
        let mut chosen = vec![0; squares.len()];
        // What the pairs take, as far as it is known.
        let mut known: FxHashMap<Move, u64> = FxHashMap::default();
        let mut usual = 10u64;
        for _ in 0..ROUNDS {
            loop {
                let mut changed = false;
                for i in 0..squares.len() {
                    let s = squares[i];
                    let cost = |choice: usize| {
                        let proof = &choices[i][choice];
                        let mut cost = proof.replies;
                        for t in proof.zones.empty_squares(self.board, 1).filter(|&t| t != s) {
                            let asked = match place.get(&t) {
                                Some(&j) => choices[j][chosen[j]].zones.contains(1, s),
                                None => true,
                            };
                            if asked {
                                cost += known.get(&with(&Move::NULL, &[s, t])).copied().unwrap_or(usual);
                            }
                        }
                        cost
                    };
                    let best =
                        (0..choices[i].len()).min_by_key(|&choice| (cost(choice), choice)).unwrap_or(0);
                    if cost(best) < cost(chosen[i]) {
                        chosen[i] = best;
                        changed = true;
                    }
                }
                if !changed {
                    break;
                }
            }
            let singles: Vec<(Square, &Zones)> =
                squares.iter().zip(&choices).zip(&chosen).map(|((&s, all), &c)| (s, &all[c].zones)).collect();
            let pairs = walk::pairs(
                self.board,
                self.work.attacker,
                self.work.method,
                &Move::NULL,
                &null.zones,
                &singles,
            );
            let mut news = 0;
            let mut total = 0;
            for &(s, t) in &pairs {
                let mv = with(&Move::NULL, &[s, t]);
                if let Entry::Vacant(entry) = known.entry(mv) {
                    entry.insert(self.answer(mv)?.replies);
                    news += 1;
                }
                total += known[&mv];
            }
            usual = (total / pairs.len().max(1) as u64).max(1);
            if news == 0 {
                break;
            }
        }
        let mut kids = vec![(Move::NULL, Rc::clone(&null))];
        zones.union_shifted(&null.zones, 2);
        let singles: Vec<Rc<Proof>> =
            choices.iter().zip(&chosen).map(|(all, &c)| Rc::clone(&all[c])).collect();
        for (&s, single) in squares.iter().zip(&singles) {
            zones.union_shifted(&single.zones, 1);
            kids.push((Move::single(s), Rc::clone(single)));
        }
        let of: Vec<(Square, &Zones)> = squares.iter().zip(&singles).map(|(&s, p)| (s, &p.zones)).collect();
        for (s, t) in
            walk::pairs(self.board, self.work.attacker, self.work.method, &Move::NULL, &null.zones, &of)
        {
            let mv = with(&Move::NULL, &[s, t]);
            let proof = self.answer(mv)?;
            zones.union(&proof.zones);
            kids.push((mv, proof));
        }
        Ok((zones, kids))
    }
}

fn replies(kids: &[(Move, Rc<Proof>)]) -> u64 {
    kids.iter().map(|(_, kid)| kid.replies).sum()
}

fn count(zones: &Zones, board: &Board, i: usize) -> usize {
    zones.empty_squares(board, i).count()
}
