//! Reads certificates from files, and checks them as they are read.

use crate::{files, output, progress};
use anyhow::{Context, Result, bail};
use lambda6_checker::{CheckError, Checked, Header};
use lambda6_proof::{Certificate, convert};
use lambda6_rules::{Move, Position, Side};
use std::{
    ops::ControlFlow,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

/// A certificate that the checker accepts, and counts of its replies.
pub(super) struct Seen {
    pub(super) checked: Checked,
    /// Replies by the number of the attacker's move in its line, from 1.
    pub(super) by_depth: Vec<u64>,
    /// The replies, if they are kept.
    pub(super) replies: Vec<Move>,
}

/// Checks a file. `None` if the checker rejects it, which is told on standard
/// error. The replies are kept only if `keep` is set: without them memory does not
/// depend on the size of the file.
pub(super) fn read(path: &Path, keep: bool, stop: &AtomicBool) -> Result<Option<Seen>> {
    let name = path.display();
    files::check_readable(path)?;
    let input = lambda6_checker::open(path).map_err(|error| files::unreadable(path, &error))?;
    let (mut by_depth, mut replies) = (Vec::new(), Vec::new());
    let spinner = progress::spinner();
    let go_on = |replies: u64| {
        spinner.set_message(format!("{name}: {replies} replies"));
        match stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    };
    let checked = lambda6_checker::check_showing(input, go_on, |header, _, board, reply| {
        let stones = board.cells().iter().filter(|&&cell| cell == Some(header.attacker)).count();
        let depth = (stones - start(header)) / usize::from(header.game.p());
        if by_depth.len() <= depth {
            by_depth.resize(depth + 1, 0);
        }
        by_depth[depth] += 1;
        if keep {
            replies.extend(convert::rules_move(reply));
        }
    });
    drop(spinner);
    match checked {
        Ok(checked) => Ok(Some(Seen { checked, by_depth, replies })),
        Err(CheckError::Rejected(rejection)) => {
            output::note(&format!("{name}: rejected at reply {}: {}", rejection.reply, rejection.reason));
            Ok(None)
        }
        Err(CheckError::Stopped) => bail!("{name}: stopped"),
        Err(error) => bail!("{name}: {error}"),
    }
}

/// The certificate in a file.
pub(crate) fn certificate(path: &Path, stop: &AtomicBool) -> Result<Certificate> {
    let seen = read(path, true, stop)?;
    seen.with_context(|| format!("{}: not a proof", path.display()))?.certificate()
}

/// The attacker's stones in the header's position.
fn start(header: &Header) -> usize {
    match header.attacker {
        lambda6_checker::Side::Black => header.black.len(),
        lambda6_checker::Side::White => header.white.len(),
    }
}

impl Seen {
    /// The position that is won.
    pub(super) fn position(&self) -> Result<Position> {
        Ok(convert::rules_position(&self.checked.header)?)
    }

    /// The side that wins.
    pub(super) fn attacker(&self) -> Side {
        convert::rules_side(self.checked.header.attacker)
    }

    /// The certificate. Its replies must have been kept.
    pub(super) fn certificate(&self) -> Result<Certificate> {
        let method = convert::rules_method(self.checked.header.method);
        Ok(Certificate::of_replies(&self.position()?, self.attacker(), method, self.replies.clone())?)
    }
}
