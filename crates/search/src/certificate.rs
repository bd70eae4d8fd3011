//! Certificates: the attacker's replies in the order in which the checker asks
//! for them.
//!
//! There is one walk, the checker's. To write a certificate it is walked with a
//! solver as the source of replies; what the walk accepts here it accepts from
//! the file.

use crate::Why;
use rules::{Move, Position, Side, Square};
use std::{fmt::Write as _, io};
use threats::Board;

/// How the defender's spare stones are cut down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Method {
    /// Relevance zones.
    Rzop,
    /// Segmented relevance zones, first form.
    Srzop1,
    /// Segmented relevance zones, second form.
    Srzop2,
    /// Pairs must answer every line found.
    #[default]
    Mutual,
}

impl Method {
    /// All methods.
    pub const ALL: [Method; 4] = [Method::Rzop, Method::Srzop1, Method::Srzop2, Method::Mutual];

    /// The name in a certificate.
    pub fn name(self) -> &'static str {
        match self {
            Method::Rzop => "rzop",
            Method::Srzop1 => "srzop1",
            Method::Srzop2 => "srzop2",
            Method::Mutual => "mutual",
        }
    }

    fn of_checker(self) -> checker::Method {
        match self {
            Method::Rzop => checker::Method::Rzop,
            Method::Srzop1 => checker::Method::Srzop1,
            Method::Srzop2 => checker::Method::Srzop2,
            Method::Mutual => checker::Method::Mutual,
        }
    }
}

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
    /// The walk did not accept a reply. A solver that thought it had won was
    /// wrong.
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

impl From<checker::Rejection> for CertifyError {
    fn from(rejection: checker::Rejection) -> CertifyError {
        CertifyError::Refused { reply: rejection.reply, reason: rejection.reason.to_string() }
    }
}

/// The walk asks, `source` answers, on a board of ours that follows the walk's.
struct Asked<'a> {
    board: Board,
    source: &'a mut dyn FnMut(&mut Board) -> Result<Move, Why>,
    replies: Vec<Move>,
    line: LongestLine,
}

/// Keeps the longest line of a walk. The walk shows boards, not lines: which
/// stones belong to which move follows from the order in which they appear.
struct LongestLine {
    attacker: Side,
    attacker_first: bool,
    /// The attacker's stones before the first move.
    stones: usize,
    /// By square: 0 for an empty one and for a stone of the start, d for a stone
    /// of the defender that was there when the attacker was first asked for move
    /// d of the line.
    level: Vec<u32>,
    /// The attacker's moves that led here.
    path: Vec<Move>,
    longest: Vec<Move>,
    /// The attacker's moves in it.
    most: usize,
}

impl LongestLine {
    fn new(position: &Position, attacker: Side) -> LongestLine {
        LongestLine {
            attacker,
            attacker_first: position.to_move() == attacker,
            stones: position.stone_count(attacker),
            level: vec![0; position.game().area()],
            path: Vec::new(),
            longest: Vec::new(),
            most: 0,
        }
    }

    /// The number, in its line, of the move that the attacker is asked for, on a
    /// board with so many stones of the attacker. Only a move that ends the line
    /// has fewer than `p` stones.
    fn number(&self, stones: usize, p: u8) -> u32 {
        ((stones - self.stones) / usize::from(p)) as u32 + 1
    }

    /// A stone of the defender: new, or there before.
    fn see(&mut self, square: Square, new: bool, number: u32) {
        let level = &mut self.level[square.index()];
        // A stone that another line had later belongs to this line's last move.
        if new || *level > number {
            *level = number;
        }
    }

    fn answer(&mut self, reply: Move, number: u32) {
        self.path.truncate(number as usize - 1);
        self.path.push(reply);
        if self.path.len() <= self.most {
            return;
        }
        self.most = self.path.len();
        self.longest.clear();
        for (i, reply) in self.path.iter().enumerate() {
            if i > 0 || !self.attacker_first {
                let mut defence = Move::NULL;
                for (index, _) in self.level.iter().enumerate().filter(|&(_, &level)| level as usize == i + 1)
                {
                    defence.push(Square::new(index));
                }
                self.longest.push(defence);
            }
            self.longest.push(*reply);
        }
    }
}

impl checker::Replies for Asked<'_> {
    type Error = CertifyError;

    fn next(&mut self, _: u64, theirs: &checker::Board) -> Result<checker::Move, CertifyError> {
        let attacker = self.line.attacker;
        let cells = theirs.cells();
        let is_attacker = |cell: &&Option<checker::Side>| cell.map(of_checker) == Some(attacker);
        let number = self.line.number(cells.iter().filter(is_attacker).count(), self.board.game().p());
        for (index, cell) in cells.iter().enumerate() {
            let square = Square::new(index);
            let side = cell.map(of_checker);
            let here = self.board.at(square);
            if side == Some(attacker.other()) {
                self.line.see(square, here != side, number);
            } else {
                self.line.level[index] = 0;
            }
            if here != side {
                if let Some(here) = here {
                    self.board.remove(here, square);
                }
                if let Some(side) = side {
                    self.board.place(side, square);
                }
            }
        }
        let reply = (self.source)(&mut self.board).map_err(CertifyError::NoReply)?;
        self.replies.push(reply);
        self.line.answer(reply, number);
        let squares: Vec<u16> = reply.iter().map(|square| square.index() as u16).collect();
        checker::Move::new(&squares).ok_or(CertifyError::Refused {
            reply: self.replies.len() as u64,
            reason: "more stones than a move has".to_string(),
        })
    }
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
        let header = header(position, attacker, method, 0)?;
        let line = LongestLine::new(position, attacker);
        let mut asked = Asked { board: Board::from_position(position), source, replies: Vec::new(), line };
        checker::walk(&header, &mut asked)?;
        let (replies, line) = (asked.replies, asked.line.longest);
        Ok(Certificate { position: position.clone(), attacker, method, replies, line })
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
    /// than can be met. A defence has fewer than `p` stones where the others can
    /// be anywhere without a difference.
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

    /// Writes the text of the certificate.
    pub fn write(&self, mut out: impl io::Write) -> io::Result<()> {
        let game = self.position.game();
        let mut text = String::from("connect-proof 1\n");
        let _ = write!(text, "{}", self.position.setup());
        let _ = writeln!(text, "attacker: {}", self.attacker);
        let _ = writeln!(text, "method: {}", self.method.name());
        let _ = writeln!(text, "replies: {}", self.replies.len());
        let _ = writeln!(text, "tool: lambda6 {}\n", env!("CARGO_PKG_VERSION"));
        out.write_all(text.as_bytes())?;
        for reply in &self.replies {
            writeln!(out, "{}", game.move_name(reply))?;
        }
        out.flush()
    }
}

fn of_checker(side: checker::Side) -> Side {
    match side {
        checker::Side::Black => Side::Black,
        checker::Side::White => Side::White,
    }
}

/// The checker's own words for a position.
fn header(
    position: &Position,
    attacker: Side,
    method: Method,
    replies: u64,
) -> Result<checker::Header, CertifyError> {
    let side = |side| match side {
        Side::Black => checker::Side::Black,
        Side::White => checker::Side::White,
    };
    let game = position.game();
    let [m, n, k, p, q] = [game.cols(), game.rows(), game.k(), game.p(), game.q()].map(u64::from);
    let game = checker::Game::new(m, n, k, p, q)
        .map_err(|reason| CertifyError::Refused { reply: 0, reason: reason.to_string() })?;
    let stones = |side| position.stones(side).map(|square| square.index() as u16).collect();
    Ok(checker::Header {
        game,
        black: stones(Side::Black),
        white: stones(Side::White),
        to_move: side(position.to_move()),
        attacker: side(attacker),
        method: method.of_checker(),
        replies,
    })
}

#[cfg(test)]
mod tests {
    use crate::{Class, Limits, NoClock, Silent, Solver, SolverOptions, Verdict};
    use rules::{Outcome, Setup, Side};
    use std::sync::atomic::AtomicBool;

    /// Three stones and the other side to move: the line begins with a defence,
    /// and it can be played.
    #[test]
    fn the_line_is_as_long_as_the_checker_says_and_legal() {
        for (class, to_move) in [(Class::Vcst, "white"), (Class::Vcst, "black"), (Class::Vcdt, "black")] {
            let text = format!("game: 19 19 6 2 1\nblack: j10 j12 i11\nto-move: {to_move}\n");
            let position = Setup::parse(&text).unwrap().position().unwrap();
            let options = SolverOptions { class, ..SolverOptions::default() };
            let mut solver = Solver::new(position.game(), options);
            let stop = AtomicBool::new(false);
            let report = solver
                .solve(&position, Side::Black, Limits::default(), &NoClock, &stop, &mut Silent)
                .unwrap();
            let Verdict::Win(win) = report.verdict else { panic!("{class:?} {to_move}") };
            let certificate = win.certificate.as_ref().unwrap();
            assert!(win.line.starts_with(certificate.line()));
            let mut text = Vec::new();
            certificate.write(&mut text).unwrap();
            let checked = checker::check(&text[..]).unwrap();
            assert_eq!(checked.summary.longest, certificate.depth() as u64);
            let mut position = position;
            win.line.iter().for_each(|mv| position.play_partial(mv).unwrap());
            assert_eq!(position.outcome(), Some(Outcome::Win(Side::Black)));
        }
    }
}
