//! Proofs that can be browsed: every defence one may try, the answer at once.
//!
//! A certificate is the attacker's replies in the order in which the checker
//! asks for them. The checker says whether it is valid; walking it once more, we
//! note for every question where it belongs in the tree, the stones that the
//! defender placed to bring it about, the reply, and the zones.
//!
//! Not every move of the defender's is asked for. The rest is covered by the
//! zones' promise: the answer to a part of the move still wins if the other
//! stones can be put in an order with the first outside Z1, the second outside
//! Z2, and so on. The zones of the whole tree make sure that for every move there
//! is such a part among the questions, and that stones that were let pass before
//! do not come to matter later; a move that leaves a threat is answered by
//! connecting. So browsing needs no search, and cannot get stuck.

use crate::{
    ApiError, Code, GameDoc, Stones,
    wire::{move_name, square_names},
    work::Ceiling,
};
use checker::{Checked, Replies};
use rules::{Game, Move, Outcome, Position, Setup, Side, Square};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::{
    io::Read,
    ops::ControlFlow,
    sync::atomic::{AtomicBool, Ordering},
};
use threats::{Board, Defences, ThreatCount, defence};
use utoipa::ToSchema;

/// A valid certificate, and where to find its answers.
pub struct Proof {
    id: String,
    text: Vec<u8>,
    checked: Checked,
    position: Position,
    attacker: Side,
    /// In the order of the walk. Empty if there are too many to keep.
    questions: Vec<Asked>,
    /// For every question and square the first zone that has the square.
    zones: Vec<u8>,
}

/// A question of the walk.
struct Asked {
    /// The number of the first question that does not belong below this one.
    end: u32,
    /// The stones of the defender since the last reply.
    base: Move,
    reply: Move,
}

/// What a certificate claims and how long it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ProofDoc {
    /// The name under which it can be browsed and downloaded.
    pub id: String,
    /// The game.
    pub game: GameDoc,
    /// The position.
    pub start: Stones,
    /// Who wins.
    pub attacker: String,
    /// How the defender's moves are walked.
    pub method: String,
    /// How many replies there are.
    pub replies: u64,
    /// How many of them connect.
    pub wins: u64,
    /// The attacker's moves in the longest line.
    pub longest: u64,
    /// Of the others, how many leave 0, 1, ... threats; the last, more than can be met.
    pub by_threats: Vec<u64>,
    /// Bytes of the text.
    pub bytes: usize,
    /// Whether it is small enough to be browsed here.
    pub browsable: bool,
}

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
    /// The position after them; the defender is to move unless it is over.
    #[serde(flatten)]
    pub stones: Stones,
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
    /// The defender's moves, or parts of them, that the certificate answers here one by one.
    pub named: Vec<String>,
}

impl Proof {
    /// Reads a certificate, as text or compressed with zstd, and has it checked.
    pub fn check(
        bytes: Vec<u8>,
        ceiling: &Ceiling,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Proof, ApiError> {
        let text = unpack(bytes, ceiling.certificate)?;
        let checked = checker::check_with(&text[..], |replies| {
            progress(replies);
            if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
        .map_err(|error| match error {
            checker::CheckError::Rejected(rejection) => {
                ApiError::new(Code::Rejected, format!("the checker rejects it at {rejection}"))
            }
            checker::CheckError::Stopped => ApiError::new(Code::Busy, "the check was stopped"),
            other => ApiError::new(Code::BadRequest, format!("not a certificate: {other}")),
        })?;
        let head = text.windows(2).position(|pair| pair == b"\n\n").map_or(text.len(), |at| at + 1);
        let header = std::str::from_utf8(&text[..head]).map_err(ApiError::internal)?;
        let position = Setup::parse(header)
            .and_then(|setup| setup.position())
            .map_err(|e| ApiError::new(Code::BadRequest, format!("not a position to browse: {e}")))?;
        let attacker = match checked.header.attacker {
            checker::Side::Black => Side::Black,
            checker::Side::White => Side::White,
        };
        let id = Sha256::digest(&text).iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        let mut proof =
            Proof { id, text, checked, position, attacker, questions: Vec::new(), zones: Vec::new() };
        if proof.cost() <= ceiling.proofs {
            proof.index(head)?;
        }
        Ok(proof)
    }

    /// The memory that browsing takes.
    fn cost(&self) -> usize {
        let replies = usize::try_from(self.checked.summary.replies).unwrap_or(usize::MAX);
        let each = self.game().area() + size_of::<Asked>();
        replies.saturating_mul(each).saturating_add(self.text.len())
    }

    /// Walks the certificate again and takes notes.
    fn index(&mut self, head: usize) -> Result<(), ApiError> {
        let mut notes = Notes {
            game: self.game(),
            attacker: self.checked.header.attacker,
            tokens: self.text[head..].split(u8::is_ascii_whitespace),
            stones: self.position.stone_count(self.attacker),
            start: self
                .position
                .stones(self.attacker.other())
                .map(|square| square.index() as checker::Square)
                .collect(),
            path: Vec::new(),
            questions: Vec::new(),
            zones: Vec::new(),
        };
        checker::walk(&self.checked.header, &mut notes)
            .map_err(|e| ApiError::internal(format!("a valid certificate could not be walked again: {e}")))?;
        (self.questions, self.zones) = (notes.questions, notes.zones);
        Ok(())
    }

    /// The memory it takes.
    pub fn bytes(&self) -> usize {
        self.text.len() + self.zones.len() + self.questions.len() * size_of::<Asked>()
    }

    /// The name: a hash of the text.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The certificate.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    fn game(&self) -> Game {
        self.position.game()
    }

    /// What it claims.
    pub fn doc(&self) -> ProofDoc {
        let summary = &self.checked.summary;
        ProofDoc {
            id: self.id.clone(),
            game: self.game().into(),
            start: Stones::of(&self.position),
            attacker: self.attacker.name().to_string(),
            method: self.checked.header.method.to_string(),
            replies: summary.replies,
            wins: summary.wins,
            longest: summary.longest,
            by_threats: summary.by_threats.clone(),
            bytes: self.text.len(),
            browsable: !self.questions.is_empty() || summary.replies == 0,
        }
    }

    /// The attacker's answer to these moves of the defender's.
    pub fn answer(&self, request: &AnswerRequest) -> Result<AnswerDoc, ApiError> {
        if self.questions.is_empty() && self.checked.summary.replies > 0 {
            return Err(ApiError::new(Code::TooLarge, "this proof is too long to be browsed here"));
        }
        let mut at = Line {
            proof: self,
            position: self.position.clone(),
            moves: Vec::new(),
            question: None,
            connected: None,
        };
        if at.position.to_move() == self.attacker {
            at.reply(Move::NULL)?;
        }
        for (i, text) in request.defences.iter().enumerate() {
            let field = || format!("defences[{i}]");
            let defence =
                crate::wire::parse_move(self.game(), text).map_err(|e| ApiError::field(field(), e))?;
            let mut after = at.position.clone();
            after.play_partial(&defence).map_err(|e| ApiError::field(field(), e))?;
            at.position = after;
            at.moves.push(defence);
            at.reply(defence)?;
        }
        Ok(at.doc())
    }

    /// The questions one reply below a question (or the first ones).
    fn below(&self, question: Option<usize>) -> impl Iterator<Item = usize> + '_ {
        let (first, end) = match question {
            Some(at) => (at + 1, self.questions[at].end as usize),
            None => (0, self.questions.len()),
        };
        let within = move |at: usize| (at < end).then_some(at);
        std::iter::successors(within(first), move |&at| within(self.questions[at].end as usize))
    }

    /// The first zone of a question that has the square.
    fn first_zone(&self, question: usize, square: Square) -> u8 {
        self.zones[question * self.game().area() + square.index()]
    }

    /// Whether the answer to a question still wins when the defender has these
    /// stones too.
    fn bears(&self, question: usize, extra: &[Square]) -> bool {
        let mut firsts: Vec<u8> = extra.iter().map(|&s| self.first_zone(question, s)).collect();
        // Zones are nested, so the squares that come late are put late.
        firsts.sort_unstable();
        firsts.iter().zip(1..).all(|(&first, place)| first > place)
    }
}

/// A line of the proof that is being played.
struct Line<'a> {
    proof: &'a Proof,
    position: Position,
    moves: Vec<Move>,
    /// The question that was answered last.
    question: Option<usize>,
    /// The stones with which the attacker connected, without being asked.
    connected: Option<Move>,
}

impl Line<'_> {
    /// Plays the answer to a move of the defender's that has been played.
    fn reply(&mut self, defence: Move) -> Result<(), ApiError> {
        let proof = self.proof;
        let attacker = proof.attacker;
        let asked_first = self.moves.is_empty();
        // A threat that was left is filled up.
        let connecting = if asked_first { None } else { connecting(&self.position, attacker) };
        let reply = match connecting {
            Some(stones) => {
                self.connected = Some(stones);
                stones
            }
            None => {
                let missing = |at: usize| -> Vec<Square> {
                    let base = &proof.questions[at].base;
                    defence.iter().filter(|&square| !base.contains(square)).collect()
                };
                let question = proof
                    .below(self.question)
                    .filter(|&at| proof.questions[at].base.iter().all(|square| defence.contains(square)))
                    .filter(|&at| proof.bears(at, &missing(at)))
                    .max_by_key(|&at| proof.questions[at].base.len());
                let Some(question) = question else {
                    return Err(ApiError::internal("the proof has no answer to this move: please report it"));
                };
                self.question = Some(question);
                proof.questions[question].reply
            }
        };
        self.position.play_partial(&reply).map_err(ApiError::internal)?;
        self.moves.push(reply);
        Ok(())
    }

    fn doc(&self) -> AnswerDoc {
        let (proof, game) = (self.proof, self.proof.game());
        let won = self.position.outcome() == Some(Outcome::Win(proof.attacker));
        let mut defences = Defences::default();
        if !won {
            defences.find(&Board::from_position(&self.position), proof.attacker);
        }
        let status = match defences.count() {
            _ if won => "won",
            ThreatCount::More => "unstoppable",
            ThreatCount::Exactly(_) => "open",
        };
        let replied = self.question.filter(|_| self.connected.is_none());
        let zone = |i: u8| {
            let question = replied?;
            let reply = proof.questions[question].reply;
            // Stones that are there already matter to nobody.
            let free = |s: &Square| self.position.at(*s).is_none() || reply.contains(*s);
            let inside = game.squares().filter(|&s| proof.first_zone(question, s) <= i);
            let squares: Vec<_> = inside.filter(free).collect();
            Some(square_names(game, &squares))
        };
        let (k, p) = (game.k(), game.p());
        let r = p.max(k.saturating_sub(p + 1)).max(1);
        let by_us = |moves: &[Move]| moves.last().map(|mv| move_name(game, mv));
        AnswerDoc {
            moves: crate::wire::line_names(game, &self.moves),
            stones: Stones::of(&self.position),
            reply: by_us(&self.moves),
            status: status.to_string(),
            stones_to_place: if won { 0 } else { usize::from(p).min(self.position.empty_count()) },
            answers: replied.map(|at| move_name(game, &proof.questions[at].base)),
            zones: (1..=r).filter_map(zone).collect(),
            defences: defences.iter().map(|mv| move_name(game, mv)).collect(),
            named: match status {
                "open" => {
                    proof.below(self.question).map(|at| move_name(game, &proof.questions[at].base)).collect()
                }
                _ => Vec::new(),
            },
        }
    }
}

/// The stones that complete a row now, if there are such.
fn connecting(position: &Position, side: Side) -> Option<Move> {
    let board = Board::from_position(position);
    let mut stones = None;
    defence::for_each_threat(&board, side, |threat| stones = stones.or(Some(*threat)));
    stones.filter(|mv: &Move| !mv.is_empty())
}

/// Follows the walk of a valid certificate.
struct Notes<T> {
    game: Game,
    attacker: checker::Side,
    tokens: T,
    /// The attacker's stones at the start.
    stones: usize,
    /// The defender's, in order.
    start: Vec<checker::Square>,
    /// The questions that lead to the last one, each with the defender's stones
    /// on its board.
    path: Vec<(usize, Vec<checker::Square>)>,
    questions: Vec<Asked>,
    zones: Vec<u8>,
}

/// Why the second walk failed. It cannot, after the first.
#[derive(Debug)]
struct Astray(String);

impl From<checker::Rejection> for Astray {
    fn from(rejection: checker::Rejection) -> Astray {
        Astray(rejection.to_string())
    }
}

impl std::fmt::Display for Astray {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'a, T: Iterator<Item = &'a [u8]>> Replies for Notes<T> {
    type Error = Astray;

    fn next(&mut self, _: u64, board: &checker::Board) -> Result<checker::Move, Astray> {
        let astray = || Astray("a reply could not be read a second time".to_string());
        let token = self.tokens.by_ref().find(|token| !token.is_empty()).ok_or_else(astray)?;
        let text = std::str::from_utf8(token).map_err(|_| astray())?;
        let reply = self.game.parse_move(text).map_err(|_| astray())?;
        let number = self.questions.len();
        let replies = board.stones(self.attacker).count() - self.stones;
        let depth = replies / usize::from(self.game.p());
        for (ended, _) in self.path.drain(depth..) {
            self.questions[ended].end = number as u32;
        }
        let defender: Vec<checker::Square> = board.stones(self.attacker.other()).collect();
        let before = self.path.last().map_or(&self.start, |(_, stones)| stones);
        let mut base = Move::NULL;
        for square in defender.iter().filter(|square| before.binary_search(square).is_err()) {
            base.push(Square::new(usize::from(*square)));
        }
        self.questions.push(Asked { end: u32::MAX, base, reply });
        self.path.push((number, defender));
        let squares: Vec<_> = reply.iter().map(|square| square.index() as checker::Square).collect();
        checker::Move::new(&squares).ok_or_else(astray)
    }

    fn settled(&mut self, number: u64, first_zones: &[u8]) {
        let (area, index) = (first_zones.len(), number as usize - 1);
        if self.zones.len() < self.questions.len() * area {
            self.zones.resize(self.questions.len() * area, 0);
        }
        self.zones[index * area..(index + 1) * area].copy_from_slice(first_zones);
        self.questions[index].end = self.questions.len() as u32;
    }
}

/// The text of a certificate, unpacked if it was compressed.
fn unpack(bytes: Vec<u8>, most: usize) -> Result<Vec<u8>, ApiError> {
    if bytes.len() > most {
        return Err(Ceiling::too_large("a certificate", bytes.len(), most));
    }
    if !bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        return Ok(bytes);
    }
    let broken = |e: String| ApiError::new(Code::BadRequest, format!("cannot be unpacked with zstd: {e}"));
    let decoder = ruzstd::decoding::StreamingDecoder::new(&bytes[..]).map_err(|e| broken(e.to_string()))?;
    let mut text = Vec::new();
    decoder.take(most as u64 + 1).read_to_end(&mut text).map_err(|e| broken(e.to_string()))?;
    if text.len() > most {
        return Err(Ceiling::too_large("a certificate", text.len(), most));
    }
    Ok(text)
}
