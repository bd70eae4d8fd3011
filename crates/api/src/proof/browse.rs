//! Browsing: the proof's answers to whatever the defender plays.
//!
//! Not every move of the defender's is asked for in a certificate. The rest is
//! covered by the zones' promise: the answer to a part of the move still wins if
//! the other stones can be put in an order with the first outside Z1, the second
//! outside Z2, and so on. The zones of the whole tree make sure that for every
//! move there is such a part among the questions, and that stones that were
//! disregarded before do not come to matter later; a move that leaves a threat
//! is answered by connecting. So browsing needs no search, and cannot get stuck.

use super::{Proof, index::Index};
use crate::{
    ApiError, Code, Stones,
    notation::{line_names, move_name, parse_move, square_names},
};
use lambda6_rules::{Move, Outcome, Position, Side, Square};
use lambda6_threats::{Board, Defences, ThreatCount, defence};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use utoipa::ToSchema;

/// The defender's moves so far.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnswerRequest {
    /// In order; the attacker's replies come in between. `-` passes, and a move may have fewer
    /// stones than the rules allow.
    #[serde(default)]
    pub defences: Vec<String>,
}

/// Where the defender's moves lead.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AnswerDoc {
    /// All moves from the proof's position, in turn.
    pub moves: Vec<String>,
    /// Black's squares after them.
    pub black: Vec<String>,
    /// White's squares after them.
    pub white: Vec<String>,
    /// The defender, unless the game is over.
    pub to_move: String,
    /// The attacker's last reply; nothing before the first.
    pub reply: Option<String>,
    /// `open`, `unstoppable` (more threats than can be met) or `won`.
    pub status: String,
    /// How many stones the defender may place.
    pub stones_to_place: usize,
    /// What the certificate says of the last reply: the part of the defender's move that it
    /// answers. The defender's other stones make no difference.
    pub answers: Option<String>,
    /// Z1, Z2, ... of the position that the last reply answered: where extra stones of the
    /// defender could matter. Empty where the reply connects.
    pub zones: Vec<Vec<String>>,
    /// The critical defences against the reply; every other move leaves a threat.
    pub defences: Vec<String>,
    /// The defender's moves, or parts of them, that the certificate answers here one by one; those
    /// that resist longest first.
    pub named: Vec<DefenceDoc>,
}

/// A defence and how long it resists.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct DefenceDoc {
    /// The stones; `-` for a pass.
    pub r#move: String,
    /// The attacker's moves in the longest line after it.
    pub longest: u32,
    /// The replies of the certificate after it.
    pub replies: u32,
}

impl Proof {
    /// The attacker's answer to these moves of the defender's.
    pub fn answer(&self, request: &AnswerRequest) -> Result<AnswerDoc, ApiError> {
        let Some(index) = &self.index else {
            return Err(ApiError::new(Code::TooLarge, "this proof is too long to be browsed here"));
        };
        let position = self.position.clone();
        let mut line =
            Line { proof: self, index, position, moves: Vec::new(), question: None, connected: false };
        if line.position.to_move() == self.attacker {
            line.reply(Move::NULL)?;
        }
        for (i, text) in request.defences.iter().enumerate() {
            let field = || format!("defences[{i}]");
            let defence = parse_move(self.game(), text).map_err(|e| ApiError::field(field(), e))?;
            line.position.play_partial(&defence).map_err(|e| ApiError::field(field(), e))?;
            line.moves.push(defence);
            line.reply(defence)?;
        }
        Ok(line.doc())
    }
}

/// A line of the proof that is being played.
struct Line<'a> {
    proof: &'a Proof,
    index: &'a Index,
    position: Position,
    moves: Vec<Move>,
    /// The question that was answered last.
    question: Option<usize>,
    /// Whether the attacker has connected without being asked.
    connected: bool,
}

impl Line<'_> {
    /// Plays the answer to a move of the defender's that has been played.
    fn reply(&mut self, defence: Move) -> Result<(), ApiError> {
        // A threat that the defender has left is filled up.
        let left = if self.moves.is_empty() { None } else { connecting(&self.position, self.proof.attacker) };
        let reply = match left {
            Some(stones) => {
                self.connected = true;
                stones
            }
            None => {
                let number = self.answering(defence).ok_or_else(|| {
                    ApiError::internal("the proof has no answer to this move: please report it")
                })?;
                self.question = Some(number);
                self.index.question(number).reply
            }
        };
        self.position.play_partial(&reply).map_err(ApiError::internal)?;
        self.moves.push(reply);
        Ok(())
    }

    /// The question whose reply answers this move: of those about a part of the
    /// move whose promise covers the rest, the one about the largest part.
    fn answering(&self, defence: Move) -> Option<usize> {
        let answers = |&at: &usize| {
            let question = self.index.question(at);
            let base = question.base;
            base.iter().all(|square| defence.contains(square))
                && question.withstands(defence.iter().filter(|&square| !base.contains(square)))
        };
        let asked = self.index.below(self.question).filter(answers);
        asked.max_by_key(|&at| self.index.question(at).base.len())
    }

    fn doc(&self) -> AnswerDoc {
        let game = self.proof.game();
        let won = self.position.outcome() == Some(Outcome::Win(self.proof.attacker));
        let mut defences = Defences::default();
        if !won {
            defences.find(&Board::from_position(&self.position), self.proof.attacker);
        }
        let status = match defences.count() {
            _ if won => "won",
            ThreatCount::More => "unstoppable",
            ThreatCount::Exactly(_) => "open",
        };
        let asked_below = self.index.below(self.question).filter(|_| status == "open");
        let replied = self.question.filter(|_| !self.connected).map(|at| self.index.question(at));
        let zone = |i: u8| {
            let question = replied?;
            // Squares that were occupied before the reply are left out.
            let was_empty = |s: &Square| self.position.at(*s).is_none() || question.reply.contains(*s);
            let inside = game.squares().filter(|&s| question.first_zone(s) <= i);
            let squares: Vec<_> = inside.filter(was_empty).collect();
            Some(square_names(game, &squares))
        };
        let (k, p) = (game.k(), game.p());
        let zones = p.max(k.saturating_sub(p + 1)).max(1);
        let Stones { black, white, to_move } = Stones::of(&self.position);
        AnswerDoc {
            moves: line_names(game, &self.moves),
            black,
            white,
            to_move,
            reply: self.moves.last().map(|mv| move_name(game, mv)),
            status: status.to_string(),
            stones_to_place: if won { 0 } else { usize::from(p).min(self.position.empty_count()) },
            answers: replied.map(|question| move_name(game, &question.base)),
            zones: (1..=zones).filter_map(zone).collect(),
            defences: defences.iter().map(|mv| move_name(game, mv)).collect(),
            named: self.by_resistance(asked_below),
        }
    }

    /// The defences of these questions, those that resist longest first; of the same
    /// length, those that need more replies.
    fn by_resistance(&self, questions: impl Iterator<Item = usize>) -> Vec<DefenceDoc> {
        let doc = |at: usize| DefenceDoc {
            r#move: move_name(self.proof.game(), &self.index.question(at).base),
            longest: self.index.question(at).longest,
            replies: self.index.replies(at),
        };
        let mut named: Vec<DefenceDoc> = questions.map(doc).collect();
        named.sort_by_key(|defence| Reverse((defence.longest, defence.replies)));
        named
    }
}

/// Stones that complete a row of this side now, if there are such.
fn connecting(position: &Position, side: Side) -> Option<Move> {
    let board = Board::from_position(position);
    let mut stones = None;
    defence::for_each_threat(&board, side, |threat| stones = stones.or(Some(*threat)));
    stones.filter(|mv: &Move| !mv.is_empty())
}
