//! Fills an atlas.

use crate::{
    Atlas, AtlasError, Certificates, Log, METHOD, WINNER, archive,
    archive::LONGEST_CHAIN,
    delta::{Foretold, Told, shortened},
    entry::{Base, Proved, Record},
    neighbours::{self, Idea},
};
use lambda6_proof::{Class, Report, Solver, SolverOptions, Strategy, Verdict};
use lambda6_rules::{Move, Symmetry};
use lambda6_search::{Budget, Clock, Limits, Observer, Progress, Why, runner};
use std::{
    collections::BTreeSet,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

/// Third moves of neighbours that are tried.
const IDEAS: usize = 3;

/// How an atlas is filled.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// The moves that the searches may use.
    pub class: Class,
    /// Openings that are searched at the same time. With one the result does not depend on the
    /// machine.
    pub threads: usize,
    /// Memory for the tables of each search.
    pub table_bytes: usize,
    /// Moves tried for an opening at first. What is left gets as much again as it has had, again
    /// and again.
    pub first: u64,
    /// No opening gets more than this at once.
    pub most: u64,
    /// Third moves to be tried in every opening, after those of its neighbours, and turned in
    /// every way.
    pub thirds: Vec<Move>,
    /// The only openings to be tried, by number; none for all.
    pub only: Vec<usize>,
}

/// What happens while an atlas is filled.
#[derive(Clone, Debug)]
pub enum BuildReport<'a> {
    /// An opening is being searched.
    Searching {
        /// The opening.
        name: &'a str,
        /// Moves tried for it in this attempt.
        nodes: u64,
        /// Moves that it may have.
        budget: u64,
        /// What the search says.
        progress: &'a Progress,
    },
    /// An attempt has ended.
    Ended {
        /// The result.
        record: &'a Record,
        /// Moves tried in this attempt.
        nodes: u64,
        /// The atlas with it.
        atlas: &'a Atlas,
    },
}

/// The caller's side of the work.
#[derive(Clone, Copy)]
pub struct Control<'a> {
    /// Ends it.
    pub stop: &'a AtomicBool,
    /// The time, for reports.
    pub clock: &'a dyn Clock,
    /// Hears of it.
    pub report: &'a (dyn Fn(&BuildReport<'_>) + Sync),
}

/// What the threads share.
struct Shared {
    atlas: Atlas,
    log: Log,
    /// Openings that a thread is at work on, and those that are not worth another attempt.
    taken: BTreeSet<usize>,
}

/// One thread's work.
struct Worker<'a> {
    shared: &'a Mutex<Shared>,
    certificates: &'a Certificates,
    options: &'a BuildOptions,
    control: Control<'a>,
}

/// Fills the atlas until every opening is proved or has had its share, or until it is stopped.
pub fn build(
    atlas: Atlas,
    log: Log,
    options: &BuildOptions,
    control: Control<'_>,
) -> Result<Atlas, AtlasError> {
    let shared = Mutex::new(Shared { atlas, log, taken: BTreeSet::new() });
    let certificates = Certificates::default();
    let worker = Worker { shared: &shared, certificates: &certificates, options, control };
    let threads = options.threads.max(1);
    let done = runner::run_all(threads, threads, control.stop, || (), |_| worker.work());
    done.map_err(|failure| match failure {
        Failure::Atlas(error) => error,
        Failure::Panic(error) => {
            AtlasError::Search { name: "a search".to_string(), problem: error.to_string() }
        }
    })?;
    let mut shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    let finished = next(&shared, options).is_none() && !control.stop.load(Ordering::Relaxed);
    if finished && options.only.is_empty() {
        shared.log.seal()?;
    }
    Ok(shared.atlas)
}

enum Failure {
    Atlas(AtlasError),
    Panic(runner::RunError),
}

impl From<runner::RunError> for Failure {
    fn from(error: runner::RunError) -> Failure {
        Failure::Panic(error)
    }
}

impl<E: Into<AtlasError>> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure::Atlas(error.into())
    }
}

/// The opening to be searched next, and what it may cost: the one that needs least.
fn next(shared: &Shared, options: &BuildOptions) -> Option<(usize, u64)> {
    let Shared { atlas, taken, .. } = shared;
    let open = atlas.rows().filter(|row| {
        let asked = options.only.is_empty() || options.only.contains(&row.number);
        asked && row.proved.is_none() && !taken.contains(&row.number)
    });
    let cost = |spent: u64| if spent == 0 { options.first } else { spent.max(options.first * 2) };
    let costs = open.map(|row| (cost(row.spent), row.number));
    let (cost, number) = costs.filter(|&(cost, _)| cost <= options.most).min()?;
    Some((number, cost))
}

/// A win of an opening.
struct Found {
    replies: Vec<Move>,
    /// The opening that told the win.
    from: Option<(usize, u8)>,
}

impl Worker<'_> {
    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self) -> Result<(), Failure> {
        while !self.control.stop.load(Ordering::Relaxed) {
            let mut shared = self.lock();
            let Some((number, budget)) = next(&shared, self.options) else { break };
            shared.taken.insert(number);
            let atlas = shared.atlas.clone();
            drop(shared);
            self.attempt(&atlas, number, budget)?;
        }
        Ok(())
    }

    /// Tries an opening and records the result, unless the attempt was stopped.
    fn attempt(&self, atlas: &Atlas, number: usize, budget: u64) -> Result<(), Failure> {
        let (row, name) = (atlas.row(number), &atlas.openings().all()[number].name);
        let nodes = AtomicU64::new(0);
        let found = self.search(atlas, number, budget, &nodes)?;
        let nodes = nodes.into_inner();
        let spent = row.spent + nodes;
        let record = match found {
            Ok(found) => Record::Proved(Arc::new(self.proved(atlas, number, spent, &found)?)),
            Err(Why::Stopped) => return Ok(()),
            Err(_) => Record::Open { name: name.clone(), spent },
        };
        let mut shared = self.lock();
        shared.log.append(&record)?;
        shared.atlas.enter(record.clone())?;
        // What costs less than it may has nothing left to be tried.
        if nodes >= budget / 2 || matches!(record, Record::Proved(_)) {
            shared.taken.remove(&number);
        }
        (self.control.report)(&BuildReport::Ended { record: &record, nodes, atlas: &shared.atlas });
        Ok(())
    }

    /// A win, tried for with each idea in turn: first as it wins the neighbour, then by a search
    /// of its own, each with half of what is left for ideas. A search without an idea gets half
    /// of the budget.
    fn search(
        &self,
        atlas: &Atlas,
        number: usize,
        budget: u64,
        nodes: &AtomicU64,
    ) -> Result<Result<Found, Why>, Failure> {
        let ideas = self.ideas(atlas, number);
        let likely = if ideas.is_empty() { 0 } else { budget / 2 };
        let followed = ideas.iter().filter(|idea| idea.from.is_some()).copied();
        let alone = ideas.iter().map(|idea| Idea { from: None, ..*idea });
        for idea in followed.chain(alone) {
            let left = likely.saturating_sub(nodes.load(Ordering::Relaxed));
            let found = self.search_idea(atlas, number, Some(idea), left / 2, nodes)?;
            if matches!(found, Ok(_) | Err(Why::Stopped)) {
                return Ok(found);
            }
        }
        let left = budget.saturating_sub(nodes.load(Ordering::Relaxed));
        self.search_idea(atlas, number, None, left, nodes)
    }

    /// Third moves that win neighbours, and those that the options name.
    fn ideas(&self, atlas: &Atlas, number: usize) -> Vec<Idea> {
        let game = atlas.game();
        let mut ideas = neighbours::ideas(atlas, number, IDEAS);
        for third in &self.options.thirds {
            for turn in Symmetry::of(game) {
                let third = turn.apply_to_move(game, third);
                let known = ideas.iter().any(|idea| idea.third == third);
                if !known && atlas.openings().after(number, &third).is_some() {
                    ideas.push(Idea { third, from: None });
                }
            }
        }
        ideas
    }

    fn search_idea(
        &self,
        atlas: &Atlas,
        number: usize,
        idea: Option<Idea>,
        most: u64,
        nodes: &AtomicU64,
    ) -> Result<Result<Found, Why>, Failure> {
        let opening = atlas.openings().position(number);
        let name = &atlas.openings().all()[number].name;
        let (position, from) = match &idea {
            None => (opening.clone(), None),
            Some(idea) => match atlas.openings().after(number, &idea.third) {
                Some(after) => (after, idea.from),
                None => return Ok(Err(Why::Exhausted)),
            },
        };
        let order = self.options.class.order();
        // A small proof tells its neighbours in fewer words.
        let small_proofs = from.is_none();
        let strategy = Strategy::Lambda { order, threads: 1, exhaustive: false, small_proofs };
        let options = SolverOptions { strategy, method: METHOD, table_bytes: self.options.table_bytes };
        let mut solver = Solver::new(atlas.game(), options);
        if let Some((other, turn)) = from
            && let Some(replies) = self.certificates.replies(atlas, other, turn)?
        {
            solver.suggest(&replies.seen_from(&opening));
        }
        let limits = Limits { nodes: Some(most), ..Limits::default() };
        let mut budget = Budget::new(limits, self.control.clock, self.control.stop);
        let mut teller = Teller { worker: self, name, before: nodes.load(Ordering::Relaxed), most };
        let report = solver.solve(&position, WINNER, &mut budget, &mut teller);
        let failed = |error: &dyn std::fmt::Display| AtlasError::Search {
            name: name.clone(),
            problem: error.to_string(),
        };
        let Report { verdict, nodes: tried, .. } = report.map_err(|error| failed(&error))?;
        nodes.fetch_add(tried, Ordering::Relaxed);
        Ok(match verdict {
            Verdict::Unknown(why) => Err(why),
            Verdict::Win(win) => {
                let third = idea.map(|idea| idea.third);
                let replies = third.iter().chain(win.certificate().replies()).copied().collect();
                Ok(Found { replies, from })
            }
        })
    }

    /// The record of a win. Its certificate is kept at hand for the neighbours.
    fn proved(&self, atlas: &Atlas, number: usize, spent: u64, found: &Found) -> Result<Proved, Failure> {
        let name = atlas.openings().all()[number].name.clone();
        let refused = |error| AtlasError::refused(&name, &error);
        let position = atlas.openings().position(number);
        let chains = neighbours::chains(atlas);
        let base = found.from.filter(|&(other, _)| chains[other] < LONGEST_CHAIN);
        let mut foretold = Foretold::default();
        if let Some((other, turn)) = base
            && let Some(replies) = self.certificates.replies(atlas, other, turn)?
        {
            foretold = replies.seen_from(&position).into_iter().collect();
        }
        let told = shortened(&position, WINNER, METHOD, &found.replies, &foretold).map_err(refused)?;
        let Told { certificate, tokens, replies } = told;
        self.certificates.remember((number, 0), replies);
        Ok(Proved {
            third: certificate.replies().first().map_or(Move::NULL, |third| third.sorted()),
            replies: certificate.replies().len() as u64,
            longest: certificate.depth() as u64,
            spent,
            sha256: archive::digest(&archive::text(&certificate)),
            base: base.map(|(other, turn)| {
                let name = atlas.openings().all()[other].name.clone();
                Base { name, turn }
            }),
            tokens,
            name,
        })
    }
}

/// Passes the reports of a search on.
struct Teller<'a> {
    worker: &'a Worker<'a>,
    name: &'a str,
    before: u64,
    most: u64,
}

impl Observer for Teller<'_> {
    fn report(&mut self, progress: &Progress) {
        let (nodes, budget) = (self.before + progress.nodes, self.before + self.most);
        (self.worker.control.report)(&BuildReport::Searching { name: self.name, nodes, budget, progress });
    }
}
