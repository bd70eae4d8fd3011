//! Certificates from files: checked as they are read.

use anyhow::{Context, Result, anyhow, bail};
use checker::{CheckError, Checked, Header};
use rules::{Game, Move, Position, Setup, Side, Square};
use search::{Certificate, Method};
use std::{
    ops::ControlFlow,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

/// What the checker said of a file, and what was counted on the way.
pub(super) struct Seen {
    pub(super) checked: Checked,
    /// Replies by the number of the attacker's move in its line, from 1.
    pub(super) by_depth: Vec<u64>,
    /// The replies, if they were asked for.
    pub(super) replies: Vec<Move>,
}

/// Checks a file. None if it was rejected, which has been told then. The replies
/// are kept only if `keep` says so: without them memory does not depend on the
/// size of the file.
pub(super) fn read(path: &Path, keep: bool, stop: &AtomicBool) -> Result<Result<Seen, String>> {
    let name = path.display();
    let input = checker::open(path).with_context(|| format!("{name}: cannot be opened"))?;
    let (mut by_depth, mut replies) = (Vec::new(), Vec::new());
    let checked = checker::check_showing(input, |header, number, board, reply| {
        let stones = board.cells().iter().filter(|&&cell| cell == Some(header.attacker)).count();
        let depth = (stones - start(header)) / usize::from(header.game.p());
        if by_depth.len() <= depth {
            by_depth.resize(depth + 1, 0);
        }
        by_depth[depth] += 1;
        if keep {
            replies.extend(to_move(reply));
        }
        match number.is_multiple_of(1024) && stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    match checked {
        Ok(checked) => Ok(Ok(Seen { checked, by_depth, replies })),
        Err(CheckError::Rejected(rejection)) => {
            Ok(Err(format!("{name}: rejected at reply {}: {}", rejection.reply, rejection.reason)))
        }
        Err(CheckError::Stopped) => bail!("{name}: stopped"),
        Err(error) => bail!("{name}: {error}"),
    }
}

/// The attacker's stones in the header's position.
fn start(header: &Header) -> usize {
    match header.attacker {
        checker::Side::Black => header.black.len(),
        checker::Side::White => header.white.len(),
    }
}

fn to_move(mv: &checker::Move) -> Option<Move> {
    let squares: Vec<Square> = mv.squares().iter().map(|&square| Square::new(square.into())).collect();
    Move::new(&squares)
}

pub(super) fn side(side: checker::Side) -> Side {
    match side {
        checker::Side::Black => Side::Black,
        checker::Side::White => Side::White,
    }
}

fn method(method: checker::Method) -> Method {
    match method {
        checker::Method::Rzop => Method::Rzop,
        checker::Method::Srzop1 => Method::Srzop1,
        checker::Method::Srzop2 => Method::Srzop2,
        checker::Method::Mutual => Method::Mutual,
    }
}

impl Seen {
    /// The position that is won.
    pub(super) fn position(&self) -> Result<Position> {
        let header = &self.checked.header;
        let [m, n, k, p, q] =
            [header.game.m(), header.game.n(), header.game.k(), header.game.p(), header.game.q()]
                .map(u32::from);
        let game = Game::new(m, n, k, p, q)?;
        let stones = |list: &[u16]| list.iter().map(|&square| Square::new(square.into())).collect();
        let setup = Setup {
            game,
            black: stones(&header.black),
            white: stones(&header.white),
            to_move: side(header.to_move),
        };
        Ok(setup.position()?)
    }

    /// The certificate, if its replies have been kept.
    pub(super) fn certificate(&self) -> Result<Certificate> {
        let header = &self.checked.header;
        let (attacker, method) = (side(header.attacker), method(header.method));
        Certificate::of_replies(&self.position()?, attacker, method, self.replies.clone())
            .map_err(|error| anyhow!("{error}"))
    }
}
