//! `lambda6 reproduce rzop`: compares the verifiers, as in tables 1 to 8 of the thesis
//! on relevance-zone-oriented proof search.

use crate::{
    cli::Exit,
    figure::{Figure, Series},
    interrupt, output, progress,
    resume::WinningMoves,
    search_args::parse_seconds,
    search_thread::WatchedSearch,
    solver_choice::{Solved, SolverChoice},
    table::Table,
};
use anyhow::{Result, bail};
use lambda6_literature::{ComparisonOptions, ComparisonStrategy, Verifier};
use lambda6_proof::{Class, SolverOptions, Strategy, Verdict};
use lambda6_rules::{Game, Position, Setup, Side};
use lambda6_search::{Limits, Why, vcdt::VcdtOptions};
use serde::Serialize;
use std::{
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

const AFTER_HELP: &str = "\
Three groups of positions: Connect(6,2,3), the embedded puzzles that need single threats,
and openings made for this comparison. Each is proved with every verifier: V_Wu (the method
of 2006, with double threats only, also after null moves of the defender), V_C6 (rzop),
V_C6-O1 (srzop1), V_C6-O2 (srzop2) and mutual, which is ours. Nodes are the replies of the
proof, which the thesis counts as visited; time is that of search and proof together.
Sums are over the positions that every verifier except V_Wu has solved; those of V_Wu are
over the positions that it and V_C6 have solved, and are compared with V_C6 on the same.

Examples:
  lambda6 reproduce rzop
  lambda6 reproduce rzop --time 5 --limit 20 --svg figures
  lambda6 reproduce rzop --nodes 1000000 --json";

/// Compare the verifiers with relevance zones
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Rzop {
    /// Give up on a position after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, default_value = "10")]
    time: Duration,

    /// Give up on a position after N moves tried
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,

    /// Take the first N positions of each group only
    #[arg(long, value_name = "N", default_value_t = 40)]
    limit: usize,

    /// Draw a figure into this directory
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,

    /// Print one line of JSON instead of tables
    #[arg(long)]
    json: bool,
}

/// The verifiers. V_CK is V_C6 for other games, and these positions are of Connect6.
const VERIFIERS: [Verifier; 5] =
    [Verifier::Wu, Verifier::C6, Verifier::C6O1, Verifier::C6O2, Verifier::Mutual];

/// The indices of the verifier that solves fewer positions and of the one that all are
/// compared with.
const WU: usize = 0;
const BASE: usize = 1;

/// Openings with White to move in which Black wins: three stones of Black close
/// together, and White's stones away from them.
const OPENINGS: [&str; 6] = [
    "j10 a1s19 j12i11",
    "j10 n4n16 j12i11",
    "j10 c3q17 j12i11",
    "j10 c10q10 j12i11",
    "j10 e14o6 j12i11",
    "j10 c3q17 k9k11",
];

/// The measurements of one verifier on one position.
#[derive(Clone, Copy, Default)]
struct Measure {
    solved: bool,
    replies: u64,
    time: Duration,
}

struct Group {
    name: &'static str,
    class: Class,
    positions: Vec<(Position, Side)>,
}

/// The document that `--json` prints; docs/FORMATS.md describes it.
#[derive(Serialize)]
struct RzopJson {
    groups: Vec<GroupJson>,
}

#[derive(Serialize)]
struct GroupJson {
    name: &'static str,
    positions: usize,
    verifiers: Vec<Row>,
}

/// A row of a table.
#[derive(Serialize)]
struct Row {
    verifier: &'static str,
    solved: usize,
    nodes: u64,
    seconds: f64,
    /// Against V_C6 on the same positions.
    fewer_nodes: f64,
    speedup: f64,
}

impl Rzop {
    pub(crate) fn run(&self) -> Result<Exit> {
        let stop = interrupt::stop_flag()?;
        output::directory(self.svg.as_ref())?;
        let mut groups = Vec::new();
        let mut all: Vec<Vec<Measure>> = vec![Vec::new(); VERIFIERS.len()];
        for group in groups_of_positions(self.limit)? {
            let mut measures: Vec<Vec<Measure>> = vec![Vec::new(); VERIFIERS.len()];
            let searches = group.positions.len() * VERIFIERS.len();
            let bar = progress::bar(searches, "searches, {msg}, {eta} left").with_message(group.name);
            for (position, attacker) in &group.positions {
                for (verifier, measures) in VERIFIERS.into_iter().zip(&mut measures) {
                    measures.push(self.measure(position, *attacker, group.class, verifier, &stop)?);
                    bar.inc(1);
                }
            }
            bar.finish_and_clear();
            let verifiers = rows(&measures);
            if !self.json {
                output::text(&table(group.name, group.positions.len(), &verifiers))?;
            }
            groups.push(GroupJson { name: group.name, positions: group.positions.len(), verifiers });
            all.iter_mut().zip(measures).for_each(|(all, more)| all.extend(more));
        }
        if let Some(directory) = &self.svg {
            draw(directory, &all)?;
        }
        if self.json {
            output::json("reproduce-rzop", RzopJson { groups })?;
        }
        Ok(Exit::Yes)
    }

    fn measure(
        &self,
        position: &Position,
        attacker: Side,
        class: Class,
        verifier: Verifier,
        stop: &Arc<AtomicBool>,
    ) -> Result<Measure> {
        let method = verifier.method();
        let solver = if verifier == Verifier::Wu {
            let partners = VcdtOptions::default().partners;
            let wu = ComparisonStrategy::Wu { order: class.order(), partners };
            SolverChoice::Comparison(ComparisonOptions { method, ..ComparisonOptions::new(wu) })
        } else {
            let mut options = SolverOptions { method, ..SolverOptions::for_class(class) };
            // Small proofs are of one method only: they would not compare methods.
            if let Strategy::Lambda { small_proofs, .. } = &mut options.strategy {
                *small_proofs = false;
            }
            SolverChoice::Own(options)
        };
        let search = WatchedSearch {
            position: position.clone(),
            attacker,
            solver,
            limits: Limits { depth: None, nodes: self.nodes, time: Some(self.time) },
            known: None,
            like: WinningMoves::new(),
        };
        let Solved { report, .. } = search.run(stop, |_| {})?;
        if matches!(report.verdict, Verdict::Unknown(Why::Stopped)) {
            bail!("stopped");
        }
        let Some(certificate) = report.verdict.win().map(|win| win.certificate()) else {
            return Ok(Measure { time: report.elapsed, ..Measure::default() });
        };
        let replies = certificate.replies().len() as u64;
        Ok(Measure { solved: true, replies, time: report.elapsed })
    }
}

fn groups_of_positions(limit: usize) -> Result<Vec<Group>> {
    let three = Setup::parse("game: 19 19 6 2 1\nblack: j10 j12 i11\nto-move: white\n")?.position()?;
    let name = "the puzzles that come with the program";
    let table = Table::of(None, name, include_str!("../../../data/puzzles.tsv"))?;
    let mut puzzles = Vec::new();
    for row in table.rows().iter().filter(|row| table.cell(row, "class") == Some("vcst")).take(limit) {
        let position = table.position(row, Game::CONNECT6)?;
        let attacker = position.to_move();
        puzzles.push((position, attacker));
    }
    let mut openings = Vec::new();
    for moves in OPENINGS.into_iter().take(limit) {
        let mut position = Position::new(Game::CONNECT6);
        for mv in moves.split(' ') {
            position.play(&Game::CONNECT6.parse_move(mv)?)?;
        }
        openings.push((position, Side::Black));
    }
    Ok(vec![
        Group { name: "Connect(6,2,3)", class: Class::Lambda3, positions: vec![(three, Side::Black)] },
        Group { name: "puzzles with single threats", class: Class::Vcst, positions: puzzles },
        Group { name: "openings", class: Class::Lambda3, positions: openings },
    ])
}

fn rows(measures: &[Vec<Measure>]) -> Vec<Row> {
    let nodes = |of: &[Measure], on: &[usize]| on.iter().map(|&i| of[i].replies).sum::<u64>();
    let seconds =
        |of: &[Measure], on: &[usize]| on.iter().map(|&i| of[i].time).sum::<Duration>().as_secs_f64();
    let base = &measures[BASE];
    let row = |(index, (verifier, of)): (usize, (&Verifier, &Vec<Measure>))| {
        let on = common(measures, index == WU);
        Row {
            verifier: verifier.title(),
            solved: of.iter().filter(|measure| measure.solved).count(),
            nodes: nodes(of, &on),
            seconds: seconds(of, &on),
            fewer_nodes: nodes(base, &on) as f64 / nodes(of, &on).max(1) as f64,
            speedup: seconds(base, &on) / seconds(of, &on).max(1e-9),
        }
    };
    VERIFIERS.iter().zip(measures).enumerate().map(row).collect()
}

/// The positions that are summed up: those that all verifiers but V_Wu have solved,
/// or that V_Wu and V_C6 have.
fn common(measures: &[Vec<Measure>], of_wu: bool) -> Vec<usize> {
    let counts = |verifier: usize| if of_wu { verifier <= BASE } else { verifier != WU };
    let solved = |i: usize| measures.iter().enumerate().all(|(v, of)| !counts(v) || of[i].solved);
    (0..measures[BASE].len()).filter(|&i| solved(i)).collect()
}

fn table(name: &str, positions: usize, rows: &[Row]) -> String {
    let mut text = format!(
        "{name}: {positions} positions\n{:<10} {:>7} {:>12} {:>10} {:>12} {:>8}\n",
        "verifier", "solved", "nodes", "seconds", "fewer nodes", "speedup"
    );
    for Row { verifier, solved, nodes, seconds, fewer_nodes, speedup } in rows {
        // Nothing is measured where nothing is solved.
        let times = |times: f64| if *nodes == 0 { String::new() } else { format!("{times:.2}") };
        let line = format!(
            "{verifier:<10} {solved:>7} {nodes:>12} {seconds:>10.3} {:>12} {:>8}",
            times(*fewer_nodes),
            times(*speedup)
        );
        text += line.trim_end();
        text += "\n";
    }
    text + "\n"
}

/// Positions in the order of V_C6's nodes. V_Wu has gaps.
fn draw(directory: &Path, measures: &[Vec<Measure>]) -> Result<()> {
    let mut order = common(measures, false);
    order.sort_by_key(|&i| measures[BASE][i].replies);
    let value = |measure: &Measure| if measure.solved { measure.replies.max(1) as f64 } else { f64::NAN };
    let series = VERIFIERS.iter().zip(measures).map(|(verifier, of)| Series {
        name: verifier.title(),
        values: order.iter().map(|&i| value(&of[i])).collect(),
    });
    Figure {
        title: "Nodes of each position",
        x: "position, by the nodes of V_C6",
        y: "nodes (replies of the proof)",
        logarithmic: true,
        series: series.collect(),
    }
    .write(&directory.join("rzop-nodes.svg"))
}
