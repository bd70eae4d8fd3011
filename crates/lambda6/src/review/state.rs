//! Reviews in a file, so that a review goes on where it was stopped.
//!
//! One line of JSON a game, with the certificates of its wins. The file is not trusted: the
//! checker reads the certificates again, and a win without one is searched anew.

use super::games::ReviewedGame;
use crate::{files, output};
use anyhow::{Context, Result, bail};
use lambda6_api::{Ceiling, Proofs, ReviewDoc, Work};
use lambda6_review::{Review, Standing};
use lambda6_search::NoClock;
use serde::{Deserialize, Serialize};
use std::{fs, io::ErrorKind, path::Path, sync::atomic::AtomicBool};

/// What was loaded.
pub(crate) struct Loaded {
    /// Positions that need not be looked at again.
    pub(crate) positions: usize,
    /// The games that they belong to.
    pub(crate) games: usize,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    kind: String,
    schema: u32,
    review: ReviewDoc,
    certificates: Vec<String>,
}

const KIND: &str = "review-state";

/// The review of a game as a document. `keep` is given each certificate with the number of moves
/// before its position.
pub(crate) fn document(
    review: &Review,
    mut keep: impl FnMut(usize, &[u8]) -> Result<()>,
) -> Result<ReviewDoc> {
    let proofs = Proofs::new(usize::MAX >> 1);
    let stop = AtomicBool::new(false);
    let work = Work { clock: &NoClock, stop: &stop, report: &mut |_| {} };
    ReviewDoc::of(review, |after, certificate| {
        let mut text = Vec::new();
        certificate.write(&mut text)?;
        let doc = proofs.check(&text[..], &unlimited(), &work, &mut |_| {})?;
        keep(after, &text)?;
        Ok(Some(doc))
    })
}

fn unlimited() -> Ceiling {
    Ceiling { certificate: usize::MAX >> 1, time: std::time::Duration::MAX, ..Ceiling::default() }
}

/// The reviews as the text of a file. Games of which nothing is known are left out.
pub(crate) fn text(games: &[ReviewedGame]) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    for game in games.iter().filter(|game| game.review.progress().1 > 0) {
        let mut certificates = Vec::new();
        let review = document(&game.review, |_, text| {
            certificates.push(String::from_utf8_lossy(text).into_owned());
            Ok(())
        })?;
        let line = Line { kind: KIND.to_string(), schema: output::JSON_SCHEMA, review, certificates };
        serde_json::to_writer(&mut text, &line)?;
        text.push(b'\n');
    }
    Ok(text)
}

/// Takes over what the file knows of these games; nothing if there is no file yet.
pub(crate) fn load(path: &Path, games: &mut [ReviewedGame]) -> Result<Option<Loaded>> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(files::unreadable(path, &error)),
    };
    let mut loaded = Loaded { positions: 0, games: 0 };
    for (at, line) in text.lines().enumerate() {
        let place = || format!("{}: line {}", path.display(), at + 1);
        let line: Line = serde_json::from_str(line).with_context(place)?;
        if line.kind != KIND || line.schema != output::JSON_SCHEMA {
            bail!("{}: expected the kind {KIND:?} and the schema {}", place(), output::JSON_SCHEMA);
        }
        let proofs = Proofs::new(usize::MAX >> 1);
        let stop = AtomicBool::new(false);
        let work = Work { clock: &NoClock, stop: &stop, report: &mut |_| {} };
        for certificate in &line.certificates {
            proofs.check(certificate.as_bytes(), &unlimited(), &work, &mut |_| {}).with_context(place)?;
        }
        let known = line.review.review(&proofs, "").with_context(place)?;
        let same = |game: &&mut ReviewedGame| is_same(&game.review, &known) && game.review.progress().1 == 0;
        let Some(game) = games.iter_mut().find(same) else { continue };
        let found = (0..known.progress().0).filter_map(|after| Some((after, known.seen(after)?.clone())));
        for (after, standing) in found {
            let _: Vec<usize> = game.review.set(after, Standing::clone(&standing));
            loaded.positions += 1;
        }
        loaded.games += 1;
    }
    Ok(Some(loaded))
}

fn is_same(one: &Review, other: &Review) -> bool {
    let [one, other] = [one, other].map(Review::game);
    one.positions()[0] == other.positions()[0] && one.moves() == other.moves()
}
