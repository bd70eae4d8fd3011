//! Atlases of small games: built, interrupted, checked, spoilt.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use lambda6_atlas::{
    Atlas, Certificates, Log,
    build::{BuildOptions, BuildReport, Control, build},
    check::{Fault, certificate_text, check},
    entry::{Proved, Record, Token},
    export,
    whole::{self, WholeOptions},
};
use lambda6_proof::{Class, NoClock};
use lambda6_rules::{
    Game, Move, Symmetry,
    record::{ReadOptions, read},
};
use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

/// Four in a row on 7x7: Black wins against each of the 9 second moves.
fn small() -> Game {
    Game::new(7, 7, 4, 1, 1).unwrap()
}

fn options(threads: usize) -> BuildOptions {
    BuildOptions {
        class: Class::Lambda3,
        threads,
        table_bytes: 16 << 20,
        first: 100_000,
        most: 1_000_000,
        thirds: Vec::new(),
        only: Vec::new(),
    }
}

/// Builds until so many results have come.
fn build_some(directory: &Path, game: Game, options: &BuildOptions, results: usize) -> Atlas {
    let (log, records) = Log::open(directory, game).unwrap();
    let mut atlas = Atlas::new(game).unwrap();
    records.into_iter().for_each(|record| atlas.enter(record).unwrap());
    let (stop, seen) = (AtomicBool::new(false), AtomicUsize::new(0));
    let report = |report: &BuildReport<'_>| {
        if let BuildReport::Ended { .. } = report
            && seen.fetch_add(1, Ordering::Relaxed) + 1 == results
        {
            stop.store(true, Ordering::Relaxed);
        }
    };
    build(atlas, log, options, Control { stop: &stop, clock: &NoClock, report: &report }).unwrap()
}

fn faults(atlas: &Atlas) -> Vec<Fault> {
    let all: Vec<usize> = (0..atlas.openings().all().len()).collect();
    check(atlas, &all, 2, &AtomicBool::new(false), || ()).unwrap().unwrap()
}

fn files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap());
    entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())).collect()
}

#[test]
fn every_opening_is_proved_and_the_checker_agrees() {
    for threads in [1, 2] {
        let directory = tempfile::tempdir().unwrap();
        let built = build_some(directory.path(), small(), &options(threads), usize::MAX);
        let atlas = Atlas::read(directory.path(), small()).unwrap();
        assert_eq!(atlas.proofs().count(), 9);
        assert_eq!(export::tsv(&atlas), export::tsv(&built));
        assert_eq!(faults(&atlas), []);
        assert!(atlas.proofs().any(|(_, proved)| proved.base.is_some()), "no proof tells another");
    }
}

#[test]
fn an_atlas_is_the_same_however_often_it_was_interrupted() {
    let (whole, parts) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    build_some(whole.path(), small(), &options(1), usize::MAX);
    for results in [1, 2, 3, usize::MAX] {
        build_some(parts.path(), small(), &options(1), results);
    }
    assert_eq!(files(whole.path()), files(parts.path()));
}

/// What needs more moves than it gets at first is set aside, and comes again.
#[test]
fn an_opening_that_is_not_proved_comes_again_with_more() {
    let directory = tempfile::tempdir().unwrap();
    let little = BuildOptions { first: 60, most: 60, ..options(1) };
    let atlas = build_some(directory.path(), small(), &little, usize::MAX);
    let open: Vec<u64> = atlas.rows().filter(|row| row.proved.is_none()).map(|row| row.spent).collect();
    assert!(!open.is_empty() && open.iter().all(|&spent| (1..=60).contains(&spent)), "{open:?}");
    let more = BuildOptions { most: 1_000_000, ..little };
    let atlas = build_some(directory.path(), small(), &more, usize::MAX);
    assert_eq!(atlas.proofs().count(), 9);
    assert_eq!(faults(&atlas), []);
}

/// With two stones a move there are openings of both kinds: with a win in one move and without.
#[test]
fn openings_of_two_stones_are_proved() {
    let game = Game::new(9, 9, 5, 2, 1).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let options = BuildOptions { first: 20_000, ..options(1) };
    let atlas = build_some(directory.path(), game, &options, 60);
    assert!(atlas.proofs().count() >= 30);
    assert_eq!(faults(&atlas), []);
}

/// The atlas with another record of one opening.
fn spoilt(atlas: &Atlas, number: usize, spoil: impl FnOnce(&mut Proved)) -> Atlas {
    let mut changed = Atlas::new(atlas.game()).unwrap();
    let mut proved = atlas.row(number).proved.unwrap().clone();
    spoil(&mut proved);
    changed.enter(Record::Proved(Arc::new(proved))).unwrap();
    for (_, proof) in atlas.proofs() {
        changed.enter(Record::Proved(Arc::new(proof.clone()))).unwrap();
    }
    changed
}

#[test]
fn whatever_is_changed_is_found() {
    let directory = tempfile::tempdir().unwrap();
    let atlas = build_some(directory.path(), small(), &options(1), usize::MAX);
    let other =
        |mv: Move| Symmetry::of(small()).map(|turn| turn.apply_to_move(small(), &mv)).find(|&to| to != mv);
    for (number, proved) in atlas.proofs() {
        let found = |spoil: &dyn Fn(&mut Proved)| {
            let faults = faults(&spoilt(&atlas, number, spoil));
            assert!(faults.iter().any(|fault| fault.name == proved.name), "{}", proved.name);
        };
        found(&|proved| proved.sha256.0[31] ^= 1);
        found(&|proved| proved.replies += 1);
        found(&|proved| proved.longest += 1);
        found(&|proved| proved.third = other(proved.third).unwrap());
        found(&|proved| proved.tokens.truncate(proved.tokens.len() - 1));
        found(&|proved| proved.tokens.push(Token::AsBase(1)));
        if proved.base.is_some() {
            found(&|proved| proved.base = None);
            found(&|proved| proved.base.as_mut().unwrap().name.clone_from(&proved.name));
            found(&|proved| proved.base.as_mut().unwrap().turn = 8);
        }
    }
}

#[test]
fn a_certificate_is_written_as_the_digest_says_and_exports_name_every_opening() {
    let directory = tempfile::tempdir().unwrap();
    let atlas = build_some(directory.path(), small(), &options(1), usize::MAX);
    let certificates = Certificates::default();
    for number in 0..9 {
        let text = certificate_text(&atlas, &certificates, number).unwrap().unwrap();
        let checked = lambda6_checker::check(&text[..]).unwrap();
        let row = export::row(&atlas, number);
        assert_eq!(Some(checked.summary.replies), row.replies);
        assert!(!String::from_utf8(text).unwrap().contains("tool:"));
    }
    let sgf = export::sgf(&atlas).unwrap();
    let record = read(sgf.as_bytes(), &ReadOptions { game: Some(small()), rows: None }).unwrap();
    // The first move, and two for each opening.
    assert_eq!(record.node_count(), 1 + 1 + 2 * 9);
    let (tsv, html) = (export::tsv(&atlas), export::html(&atlas));
    for opening in atlas.openings().all() {
        assert!(tsv.contains(&format!("\n{}\td4 ", opening.name)), "{tsv}");
        assert!(html.contains(&format!("[\"{}\",", opening.name)));
    }
}

/// One certificate for the whole game, and one that leaves out what is not proved.
#[test]
fn one_certificate_says_which_second_moves_lose() {
    let (whole, parts) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let whole_atlas = build_some(whole.path(), small(), &options(1), usize::MAX);
    let part_atlas = build_some(parts.path(), small(), &options(1), 5);
    let open = part_atlas.rows().filter(|row| row.proved.is_none()).count();
    assert_eq!(open, 4);
    for (directory, atlas) in [(&whole, whole_atlas), (&parts, part_atlas)] {
        let file = directory.path().join("whole.zst");
        let options = WholeOptions { class: Class::Lambda3, table_bytes: 16 << 20, nodes: 1_000_000 };
        let (stop, report) = (AtomicBool::new(false), |_: &BuildReport<'_>| ());
        let control = Control { stop: &stop, clock: &NoClock, report: &report };
        let written = whole::write(&atlas, &options, control, &file, &mut |_| ()).unwrap();
        let text = zstd::decode_all(fs::File::open(&file).unwrap()).unwrap();
        let checked = lambda6_checker::check(&text[..]).unwrap();
        assert_eq!(
            (checked.summary.replies, checked.header.except.len()),
            (written.replies, written.except.len())
        );
        // The centre and nothing else; each open second move, in all its orientations, and no other.
        assert_eq!((checked.header.black.len(), checked.header.white.len()), (1, 0));
        for set in &written.except {
            let (number, _) = atlas.openings().of_white(set).unwrap();
            assert!(atlas.row(number).proved.is_none());
        }
        assert_eq!(written.except.is_empty(), atlas.rows().all(|row| row.proved.is_some()));
        assert!(fs::read_dir(directory.path()).unwrap().count() <= 3, "nothing else is left");
    }
}
