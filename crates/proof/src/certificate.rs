//! Certificates: the attacker's replies in the order in which the checker asks
//! for them.
//!
//! The checker's walk is the only one. To write a certificate the walk is run
//! with a solver as the source of replies, so the certificate contains exactly
//! the replies that the checker will accept from the file.

use crate::convert;
use lambda6_rules::{Move, Position, Side, Square};
use lambda6_search::{Method, Why};
use lambda6_threats::{Board, Play};
use std::{fmt::Write as _, io, iter::zip, ops::ControlFlow};

/// A proof that the checker has accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    position: Position,
    attacker: Side,
    method: Method,
    replies: Vec<Move>,
    line: Vec<Move>,
}

/// Why there is no certificate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CertifyError {
    /// The walk refused a reply: the solver claimed a win that is none.
    #[error("the checker refuses the proof at reply {reply}: {reason}")]
    Refused {
        /// Which reply.
        reply: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// The source ran out of budget on the way.
    #[error("no reply: {0}")]
    NoReply(Why),
}

/// Why a text is not a certificate.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The checker does not accept it.
    #[error(transparent)]
    Check(#[from] lambda6_checker::CheckError),
    /// Its position is not one of the rules.
    #[error(transparent)]
    Position(#[from] convert::ConvertError),
    /// The walk refuses it.
    #[error(transparent)]
    Certify(#[from] CertifyError),
}

impl From<lambda6_checker::Rejection> for CertifyError {
    fn from(rejection: lambda6_checker::Rejection) -> CertifyError {
        CertifyError::Refused { reply: rejection.reply, reason: rejection.reason.to_string() }
    }
}

/// A square of the checker's board.
type Cell = Option<lambda6_checker::Side>;

/// The source of replies for the walk: calls `source` on a board that follows
/// the walk's board.
struct ReplySource<'a> {
    board: Board,
    /// The walk's board at the last question.
    shown: Vec<Cell>,
    source: &'a mut dyn FnMut(&mut Board) -> Result<Move, Why>,
    replies: Vec<Move>,
    line: LongestLine,
}

/// Squares that are compared at a time: between two questions few change.
const BLOCK: usize = 32;

impl ReplySource<'_> {
    /// Updates the board to the walk's.
    fn follow(&mut self, theirs: &[Cell]) {
        for (block, (shown, theirs)) in self.shown.chunks_mut(BLOCK).zip(theirs.chunks(BLOCK)).enumerate() {
            // Compares a whole block at once, which the compiler vectorises.
            if !zip(&*shown, theirs).fold(false, |differ, (a, b)| differ | (a != b)) {
                continue;
            }
            for (i, (shown, &cell)) in zip(shown, theirs).enumerate().filter(|(_, (a, b))| a != b) {
                let square = Square::new(block * BLOCK + i);
                self.board.replace(square, shown.map(convert::rules_side), cell.map(convert::rules_side));
                *shown = cell;
            }
        }
    }
}

/// Keeps the longest line of a walk. The walk gives boards only; the moves are
/// reconstructed from the boards along the line.
struct LongestLine {
    attacker: lambda6_checker::Side,
    attacker_first: bool,
    /// The attacker's stones before the first move.
    stones: usize,
    /// The board before the first move, and those on which the attacker was asked
    /// for the moves of the line.
    boards: Vec<Vec<Cell>>,
    /// The attacker's moves that led here.
    path: Vec<Move>,
    longest: Vec<Move>,
    /// The attacker's moves in it.
    most: usize,
}

impl LongestLine {
    fn new(position: &Position, attacker: Side) -> LongestLine {
        let mut start = vec![None; position.game().area()];
        for side in Side::ALL {
            position
                .stones(side)
                .for_each(|square| start[square.index()] = Some(convert::checker_side(side)));
        }
        LongestLine {
            attacker: convert::checker_side(attacker),
            attacker_first: position.to_move() == attacker,
            stones: position.stone_count(attacker),
            boards: vec![start],
            path: Vec::new(),
            longest: Vec::new(),
            most: 0,
        }
    }

    /// A reply on a board. Its number in the line follows from the attacker's stones:
    /// only the last move of a line can have fewer than `p`.
    fn answer(&mut self, board: &lambda6_checker::Board, reply: Move) {
        let cells = board.cells();
        let stones = cells.iter().filter(|&&cell| cell == Some(self.attacker)).count();
        let number = (stones - self.stones) / usize::from(board.game().p()) + 1;
        self.path.truncate(number - 1);
        self.path.push(reply);
        match self.boards.get_mut(number) {
            Some(board) => board.copy_from_slice(cells),
            None => self.boards.push(cells.to_vec()),
        }
        if number <= self.most {
            return;
        }
        self.most = number;
        self.longest.clear();
        for (i, reply) in self.path.iter().enumerate() {
            if i > 0 || !self.attacker_first {
                let new = |&square: &usize| {
                    let [before, after] = [i, i + 1].map(|at| self.boards[at][square]);
                    before.is_none() && after.is_some_and(|side| side != self.attacker)
                };
                let mut defence = Move::NULL;
                for square in (0..cells.len()).filter(new) {
                    defence.push(Square::new(square));
                }
                self.longest.push(defence);
            }
            self.longest.push(*reply);
        }
    }
}

impl lambda6_checker::Replies for ReplySource<'_> {
    type Error = CertifyError;

    fn next(
        &mut self,
        number: u64,
        theirs: &lambda6_checker::Board,
    ) -> Result<lambda6_checker::Move, CertifyError> {
        self.follow(theirs.cells());
        let reply = (self.source)(&mut self.board).map_err(CertifyError::NoReply)?;
        self.replies.push(reply);
        self.line.answer(theirs, reply);
        reply_to_checker(&reply, number)
    }
}

/// Replies from a list.
struct Listed<'a> {
    replies: std::slice::Iter<'a, Move>,
    line: LongestLine,
}

impl lambda6_checker::Replies for Listed<'_> {
    type Error = CertifyError;

    fn next(
        &mut self,
        number: u64,
        theirs: &lambda6_checker::Board,
    ) -> Result<lambda6_checker::Move, CertifyError> {
        let reply = self.replies.next().ok_or(CertifyError::NoReply(Why::Exhausted))?;
        self.line.answer(theirs, *reply);
        reply_to_checker(reply, number)
    }
}

/// A reply for the checker.
fn reply_to_checker(mv: &Move, number: u64) -> Result<lambda6_checker::Move, CertifyError> {
    let refused =
        || CertifyError::Refused { reply: number, reason: "more stones than a move has".to_string() };
    convert::checker_move(mv).ok_or_else(refused)
}

/// The claim for the checker.
fn header(
    position: &Position,
    attacker: Side,
    method: Method,
) -> Result<lambda6_checker::Header, CertifyError> {
    convert::checker_header(position, attacker, method)
        .map_err(|error| CertifyError::Refused { reply: 0, reason: error.to_string() })
}

impl Certificate {
    /// Walks the proof that `attacker` wins the position, with the replies that
    /// `source` gives on the boards it is shown (the attacker to move).
    pub fn walk(
        position: &Position,
        attacker: Side,
        method: Method,
        source: &mut dyn FnMut(&mut Board) -> Result<Move, Why>,
    ) -> Result<Certificate, CertifyError> {
        let header = header(position, attacker, method)?;
        let line = LongestLine::new(position, attacker);
        let (board, shown) = (Board::from_position(position), line.boards[0].clone());
        let mut asked = ReplySource { board, shown, source, replies: Vec::new(), line };
        lambda6_checker::walk(&header, &mut asked)?;
        let (replies, line) = (asked.replies, asked.line.longest);
        Ok(Certificate { position: position.clone(), attacker, method, replies, line })
    }

    /// Walks the proof with a list of replies, which must have none left over.
    pub fn of_replies(
        position: &Position,
        attacker: Side,
        method: Method,
        replies: Vec<Move>,
    ) -> Result<Certificate, CertifyError> {
        let header = header(position, attacker, method)?;
        let mut listed = Listed { replies: replies.iter(), line: LongestLine::new(position, attacker) };
        lambda6_checker::walk(&header, &mut listed)?;
        if !listed.replies.as_slice().is_empty() {
            let reply = (replies.len() - listed.replies.as_slice().len()) as u64 + 1;
            return Err(CertifyError::Refused { reply, reason: "the walk does not ask for it".to_string() });
        }
        let line = listed.line.longest;
        Ok(Certificate { position: position.clone(), attacker, method, replies, line })
    }

    /// Reads the text of a certificate and checks it.
    pub fn read(text: &[u8]) -> Result<Certificate, ReadError> {
        let mut replies = Vec::new();
        let go_on = |_| ControlFlow::Continue(());
        let checked = lambda6_checker::check_showing(text, go_on, |_, _, _, reply| {
            replies.extend(convert::rules_move(reply));
        })?;
        let header = &checked.header;
        let (attacker, method) = (convert::rules_side(header.attacker), convert::rules_method(header.method));
        Ok(Certificate::of_replies(&convert::rules_position(header)?, attacker, method, replies)?)
    }

    /// The position it is about.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Who wins.
    pub fn attacker(&self) -> Side {
        self.attacker
    }

    /// How the defender's moves are walked.
    pub fn method(&self) -> Method {
        self.method
    }

    /// The attacker's replies.
    pub fn replies(&self) -> &[Move] {
        &self.replies
    }

    /// A longest line of the proof, from the position's side to move to the
    /// attacker's last move: the one that connects or that makes more threats
    /// than can be met. A defence has fewer than `p` stones where the position of the others
    /// makes no difference.
    pub fn line(&self) -> &[Move] {
        &self.line
    }

    /// The attacker's moves in the longest line, up to the one that connects or
    /// that makes more threats than can be met.
    pub fn depth(&self) -> usize {
        self.line.len().div_ceil(2)
    }

    /// Walks the proof again and shows each board on which the attacker is asked
    /// for a reply, with the reply.
    pub fn for_each_reply(&self, mut visit: impl FnMut(&Board, &Move)) -> Result<(), CertifyError> {
        let mut replies = self.replies.iter();
        let mut source = |board: &mut Board| {
            let reply = replies.next().copied().ok_or(Why::Exhausted)?;
            visit(board, &reply);
            Ok(reply)
        };
        Certificate::walk(&self.position, self.attacker, self.method, &mut source).map(|_| ())
    }

    /// Writes the text of the certificate, which names this program.
    pub fn write(&self, out: impl io::Write) -> io::Result<()> {
        self.write_by(Some(concat!("lambda6 ", env!("CARGO_PKG_VERSION"))), out)
    }

    /// The same with another name of the program that made it, or with none.
    pub fn write_by(&self, tool: Option<&str>, mut out: impl io::Write) -> io::Result<()> {
        let game = self.position.game();
        let mut text = String::from("connect-proof 1\n");
        let _ = write!(text, "{}", self.position.setup());
        let _ = writeln!(text, "attacker: {}", self.attacker);
        let _ = writeln!(text, "method: {}", self.method.name());
        let _ = writeln!(text, "replies: {}", self.replies.len());
        if let Some(tool) = tool {
            let _ = writeln!(text, "tool: {tool}");
        }
        text.push('\n');
        out.write_all(text.as_bytes())?;
        for reply in &self.replies {
            writeln!(out, "{}", game.move_name(reply))?;
        }
        out.flush()
    }
}

#[cfg(test)]
mod tests {
    use crate::{Budget, Class, Limits, Silent, Solver, SolverOptions, Verdict};
    use lambda6_rules::{Outcome, Setup, Side};

    /// Three stones and the other side to move: the line begins with a defence,
    /// and it can be played.
    #[test]
    fn the_line_is_as_long_as_the_checker_says_and_legal() {
        for (class, to_move) in [(Class::Vcst, "white"), (Class::Vcst, "black"), (Class::Vcdt, "black")] {
            let text = format!("game: 19 19 6 2 1\nblack: j10 j12 i11\nto-move: {to_move}\n");
            let position = Setup::parse(&text).unwrap().position().unwrap();
            let mut solver = Solver::new(position.game(), SolverOptions::for_class(class));
            let mut budget = Budget::within(Limits::default());
            let report = solver.solve(&position, Side::Black, &mut budget, &mut Silent).unwrap();
            let Verdict::Win(win) = report.verdict else { panic!("{class:?} {to_move}") };
            let certificate = win.certificate();
            assert!(win.line().starts_with(certificate.line()));
            let mut text = Vec::new();
            certificate.write(&mut text).unwrap();
            let checked = lambda6_checker::check(&text[..]).unwrap();
            assert_eq!(checked.summary.longest, certificate.depth() as u64);
            let mut position = position;
            win.line().iter().for_each(|mv| position.play_partial(mv).unwrap());
            assert_eq!(position.outcome(), Some(Outcome::Win(Side::Black)));
        }
    }
}
