//! Checks the certificates of an atlas.

use crate::{
    Atlas, AtlasError, Certificates, METHOD, WINNER, archive,
    entry::{Digest, Proved},
};
use lambda6_checker::{CheckError, Checked};
use lambda6_proof::convert;
use lambda6_search::runner;
use std::{
    ops::ControlFlow,
    sync::atomic::{AtomicBool, Ordering},
};

/// What is wrong with the record of an opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The opening.
    pub name: String,
    /// What is wrong.
    pub problem: String,
}

/// The text of an opening's certificate, put together from the archive; `None` if the opening is
/// not proved.
pub fn certificate_text(
    atlas: &Atlas,
    certificates: &Certificates,
    number: usize,
) -> Result<Option<Vec<u8>>, AtlasError> {
    let certificate = certificates.certificate(atlas, number)?;
    Ok(certificate.map(|certificate| archive::text(&certificate)))
}

/// Checks the certificates of these openings, so many at a time: the checker reads the text, and
/// what it says must be what the record says. `done` is called after each. Those that are not
/// proved are passed over. `None` if it was stopped.
pub fn check(
    atlas: &Atlas,
    numbers: &[usize],
    threads: usize,
    stop: &AtomicBool,
    done: impl Fn() + Sync,
) -> Result<Option<Vec<Fault>>, runner::RunError> {
    let certificates = Certificates::default();
    let check_one = |i: usize| -> Result<Option<Fault>, runner::RunError> {
        let Some(proved) = atlas.row(numbers[i]).proved else { return Ok(None) };
        let checked = check_certificate(atlas, &certificates, numbers[i], proved, stop);
        Ok(checked.err().map(|problem| Fault { name: proved.name.clone(), problem }))
    };
    let checked = runner::run_all(numbers.len(), threads, stop, done, check_one)?;
    if stop.load(Ordering::Relaxed) {
        return Ok(None);
    }
    Ok(Some(checked.into_iter().flatten().flatten().collect()))
}

fn check_certificate(
    atlas: &Atlas,
    certificates: &Certificates,
    number: usize,
    proved: &Proved,
    stop: &AtomicBool,
) -> Result<(), String> {
    let text = certificate_text(atlas, certificates, number).map_err(|error| error.to_string())?;
    let text = text.ok_or("is not proved")?;
    let sha256: Digest = archive::digest(&text);
    if sha256 != proved.sha256 {
        return Err(format!("its certificate's digest is {sha256}, expected {}", proved.sha256));
    }
    let go_on = |_| match stop.load(Ordering::Relaxed) {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    let mut third = None;
    let checked = lambda6_checker::check_showing(&text[..], go_on, |_, number, _, reply| {
        if number <= 1 && third.is_none() {
            third = convert::rules_move(reply);
        }
    });
    let Checked { header, summary } = match checked {
        Ok(checked) => checked,
        Err(CheckError::Stopped) => return Ok(()),
        Err(error) => return Err(error.to_string()),
    };
    let expected = convert::checker_header(&atlas.openings().position(number), WINNER, METHOD);
    let expected = expected.map_err(|error| error.to_string())?;
    let about = |header: &lambda6_checker::Header| {
        let mut stones = [header.black.clone(), header.white.clone()];
        stones.iter_mut().for_each(|side| side.sort());
        (header.game, stones, header.to_move, header.attacker, header.method)
    };
    if about(&header) != about(&expected) {
        return Err("its certificate is about another position".to_string());
    }
    if (summary.replies, summary.longest) != (proved.replies, proved.longest) {
        let (replies, longest) = (summary.replies, summary.longest);
        return Err(format!("{replies} replies, longest line {longest}: the record says otherwise"));
    }
    if third.map(|third| third.sorted()) != Some(proved.third.sorted()) {
        return Err("its certificate begins with another third move".to_string());
    }
    Ok(())
}
