//! `lambda6 solve`: proves a win, or prints why there is none.

use super::{
    Exit,
    proof::{self, shorten},
};
use crate::{
    interrupt,
    json::GameJson,
    output,
    position_arg::{PositionArgs, position_help},
    progress,
    resume::{self, WinningMoves},
    search_args::{SearchArgs, classes_help, parse_mib, parse_seconds},
    search_thread::WatchedSearch,
    solver_choice::Solved,
};
use anyhow::{Context, Result, bail};
use lambda6_literature::{staged::TreeKind, tree::Snapshot};
use lambda6_proof::{Advice, Certificate, Class, Replies, Report, Verdict};
use lambda6_rules::{Game, Position, Side};
use serde::Serialize;
use std::{
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};

const BEFORE_CLASSES: &str = concat!(
    position_help!(),
    "
A win is claimed only with a certificate that the checker has accepted. The line that is
printed is a longest line of the proof. Its length counts the attacker's moves up to the
one that connects or makes more threats than can be met. Stones of a defence that lie
outside the relevance zones are left out, and a defence of such stones only is written `-`.

With --class lambda3 and higher the attacker may also play moves without a threat that
threaten to win. Such proofs take minutes to hours; --resume FILE keeps the winning moves
found so far. With the lowest class the shortest win is found first. A search that proves
nothing says what to try next.

"
);

const AFTER_CLASSES: &str = "
With --verifier wu the search is that of 2006: one move of the class, then double threats
only, also after null moves of the defender.
With --search a tree is searched, including moves without a threat unless --class limits
them: by proof-number search (pns, pns-1, pns-2a, pns-2b, pns-3, dfpn) or by a search it is
compared with (dfs, bfs, mcts). --nodes is then the most nodes of the tree; dfpn has a table
and no tree, and --nodes is the most moves tried as usual.
Exit code 0: the win is proved. 1: it is not, and the reason is printed. 2: an error.

Examples:
  lambda6 solve game.sgf --at 20
  lambda6 solve game.sgf --at 20 --class vcdt --json
  lambda6 solve 'j10 i8h9 k11l10' --attacker black --time 60
  lambda6 solve 'j10 h8l8 j9k10' --attacker black --class lambda3 --resume xx-l8.state
  lambda6 solve 'j10 a1s19 j12i11' --attacker black --class lambda3 --verifier wu
  lambda6 solve position.txt --nodes 1000000 --proof win.proof.zst
  lambda6 solve position.txt --proof win.proof --shorten 10
  lambda6 solve position.txt --search pns-2b --nodes 60000 --tree tree.sgf
  lambda6 solve --game go-moku 'h8 i9 h9 h10 i8 g8 j7' --attacker black --class vct
  lambda6 solve --game go-moku 'h8 a2 i9' --attacker black --class lambda4 --like a1.proof";

fn after_help() -> String {
    format!("{BEFORE_CLASSES}{}{AFTER_CLASSES}", classes_help())
}

/// Search for a forced win and prove it
#[derive(clap::Args)]
#[command(after_help = after_help())]
pub(crate) struct Solve {
    #[command(flatten)]
    position: PositionArgs,

    /// The side whose win is searched: black or white; the side to move if not given
    #[arg(long, value_name = "SIDE")]
    attacker: Option<Side>,

    /// The moves that the attacker may use: vcdt, vcst, lambda3, lambda4 or lambda5; for
    /// go-moku vcf and vct instead of the first two. Below is what they mean in each game
    /// [default: vcst, vct]
    #[arg(long, value_name = "CLASS")]
    class: Option<Class>,

    #[command(flatten)]
    search: SearchArgs,

    /// Give up after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,

    /// Threads of a Lambda search; with one thread the search is deterministic
    /// [default: 1, for lambda3 and lambda4 all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,

    /// Report progress on standard error every SECONDS
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    report_every: Option<Duration>,

    /// Keep the winning moves of a Lambda search in this file, also when it is stopped,
    /// and resume from the file if it exists
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,

    /// In a Lambda search, play first what wins in this certificate of a similar position,
    /// and search for what is missing
    #[arg(long, value_name = "PROOF")]
    like: Option<PathBuf>,

    /// Memory for tables, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = parse_mib())]
    memory: u64,

    /// Write the certificate of a win to this file, compressed if its name ends
    /// in .zst
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,

    /// Make the certificate smaller for this many seconds before it is written; Ctrl-C
    /// ends this early
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, requires = "proof")]
    shorten: Option<Duration>,

    /// With --search: write the tree to this file, as JSON if its name ends in
    /// .json and as SGF otherwise
    #[arg(long, value_name = "FILE", requires = "search")]
    tree: Option<PathBuf>,

    /// Replace the files of --proof and --tree if they exist
    #[arg(long)]
    force: bool,

    /// Print one line of JSON instead of text
    #[arg(long)]
    json: bool,
}

impl Solve {
    pub(crate) fn run(&self) -> Result<Exit> {
        let position = self.position.load()?.position;
        let attacker = self.attacker.unwrap_or(position.to_move());
        for path in [&self.proof, &self.tree].into_iter().flatten() {
            output::check_writable(path, self.force)?;
        }
        if let Some(path) = &self.resume {
            output::check_writable(path, true)?;
        }
        if self.force && self.proof.is_none() && self.tree.is_none() {
            bail!("--force: there is no file to replace, expected --proof or --tree");
        }
        if self.tree.is_some() && self.search.tree() == Some(TreeKind::Dfpn) {
            bail!("--tree: dfpn keeps no tree, expected another --search");
        }
        let stop = interrupt::stop_flag()?;
        let solved = self.search(&position, attacker, &stop)?;
        let report = &solved.report;
        let win = report.verdict.win();
        let certificate = win.map(|win| win.certificate());
        let short = match (self.shorten.filter(|time| !time.is_zero()), certificate) {
            // The win is proved even if this fails.
            (Some(time), Some(certificate)) => Short::of(certificate, time, &stop)
                .inspect_err(|error| output::note(&format!("--shorten: {error:#}")))
                .ok(),
            _ => None,
        };
        let smallest = short.as_ref().map(|short| &short.certificate).or(certificate);
        let written = match (&self.proof, smallest) {
            (Some(path), Some(certificate)) => output::certificate(path, certificate, self.force),
            _ => Ok(()),
        };
        let written = written.and_then(|()| self.write_tree(&position, &solved));
        let (class, search) = (self.class, self.search.tree());
        let found =
            Found { position: &position, attacker, class, search, solved: &solved, short: short.as_ref() };
        let proof = self.proof.as_deref().filter(|_| written.is_ok());
        output::either(self.json, "solve", found.json(proof), || {
            found.text(self.search.method().name(), proof)
        })?;
        // The result is printed even if the file cannot be written.
        written?;
        Ok(if win.is_some() { Exit::Yes } else { Exit::No })
    }

    fn threads(&self) -> usize {
        match (self.threads, self.class) {
            (Some(threads), _) => threads.into(),
            (None, Some(class)) if class >= Class::Lambda3 => {
                std::thread::available_parallelism().map_or(1, usize::from)
            }
            (None, _) => 1,
        }
    }

    fn write_tree(&self, position: &Position, solved: &Solved) -> Result<()> {
        let (Some(path), Some(kind)) = (&self.tree, self.search.tree()) else { return Ok(()) };
        let tree = solved.searched.as_ref().and_then(|searched| searched.tree.as_ref());
        let tree = tree.with_context(|| format!("{}: the search left no tree behind", path.display()))?;
        let snapshot = Snapshot::of(tree, position, kind.name());
        let bytes = match path.extension().is_some_and(|extension| extension == "json") {
            true => snapshot.to_json().map(|text| text.into_bytes()),
            false => snapshot.to_sgf(),
        };
        output::file(path, &bytes.with_context(|| format!("{}", path.display()))?, self.force)
    }

    fn search(&self, position: &Position, attacker: Side, stop: &Arc<AtomicBool>) -> Result<Solved> {
        let known = match &self.resume {
            Some(path) => Some(self.known(path, position, attacker)?),
            None => None,
        };
        let like = self.like(position, attacker, stop)?;
        let search = WatchedSearch {
            position: position.clone(),
            attacker,
            solver: self.search.solver(self.class, self.threads(), self.memory)?,
            limits: self.search.limits(self.time),
            known,
            like,
        };
        let spinner = progress::spinner();
        let (game, mut told) = (position.game(), Instant::now());
        let found = search.run(stop, |status| {
            let text = status.text(game);
            if let Some(every) = self.report_every
                && told.elapsed() >= every
            {
                told = Instant::now();
                output::note(&text);
            }
            spinner.set_message(text);
        });
        drop(spinner);
        let solved = found?;
        if let Some(path) = self.resume.as_deref().filter(|_| !solved.known.is_empty()) {
            resume::save(path, position, attacker, &solved.known)?;
        }
        Ok(solved)
    }

    /// The winning moves of an earlier search, told on standard error.
    fn known(&self, path: &Path, position: &Position, attacker: Side) -> Result<WinningMoves> {
        let known = resume::load(path, position, attacker)?;
        let name = path.display();
        output::note(&match known.len() {
            0 => format!("{name}: nothing to resume from yet, the search begins"),
            1 => format!("{name}: resumed with 1 winning move"),
            moves => format!("{name}: resumed with {moves} winning moves"),
        });
        Ok(known)
    }

    /// The winning moves of the certificate of a similar position.
    fn like(&self, position: &Position, attacker: Side, stop: &AtomicBool) -> Result<WinningMoves> {
        let Some(path) = &self.like else { return Ok(WinningMoves::new()) };
        let proof = proof::certificate(path, stop)?;
        let (theirs, winner, ours) = (proof.position().game(), proof.attacker(), position.game());
        if (theirs, winner) != (ours, attacker) {
            let path = path.display();
            bail!("--like {path}: {winner} wins {theirs} there, expected that {attacker} wins {ours}");
        }
        Ok(Replies::of(&proof)?.seen_from(position))
    }
}

/// A shortened certificate, and the time that took.
struct Short {
    certificate: Certificate,
    elapsed: Duration,
}

impl Short {
    fn of(certificate: &Certificate, time: Duration, stop: &AtomicBool) -> Result<Short> {
        let begun = Instant::now();
        let (_, short) = shorten(certificate.method(), Some(time), stop, || Ok(certificate.clone()))?;
        Ok(Short { certificate: short, elapsed: begun.elapsed() })
    }
}

/// The result of a search.
struct Found<'a> {
    position: &'a Position,
    attacker: Side,
    class: Option<Class>,
    search: Option<TreeKind>,
    solved: &'a Solved,
    short: Option<&'a Short>,
}

impl Found<'_> {
    fn report(&self) -> &Report {
        &self.solved.report
    }

    fn line(&self) -> Vec<String> {
        let win = self.report().verdict.win();
        win.map(|win| output::line_names(self.position.game(), win.line())).unwrap_or_default()
    }

    fn certificate(&self) -> Option<&Certificate> {
        self.report().verdict.win().map(|win| win.certificate())
    }

    /// The number of replies of the certificate that is written.
    fn replies(&self) -> Option<usize> {
        let short = self.short.map(|short| &short.certificate);
        short.or(self.certificate()).map(|certificate| certificate.replies().len())
    }

    fn tree_nodes(&self) -> Option<usize> {
        self.solved.searched.as_ref().map(|searched| searched.nodes)
    }

    fn class(&self) -> Class {
        self.class.unwrap_or_default()
    }

    /// What to try next, where nothing was proved.
    fn next(&self) -> Option<String> {
        let Verdict::Unknown(why) = self.report().verdict else { return None };
        Advice::after(why, self.class()).map(|advice| advise(advice, self.position.game(), self.search))
    }

    fn class_or_search(&self) -> (&'static str, String) {
        match (self.search, self.class) {
            (Some(search), _) => ("search", search.name().to_string()),
            (None, _) => ("class", self.class().name_in(self.position.game()).to_string()),
        }
    }

    fn nodes_per_second(&self) -> u64 {
        (self.report().nodes as f64 / self.report().elapsed.as_secs_f64().max(1e-9)) as u64
    }

    fn text(&self, method: &str, proof: Option<&Path>) -> String {
        let Report { verdict, nodes, elapsed } = self.report();
        let mut facts: Vec<(&str, String)> = Vec::new();
        match verdict {
            Verdict::Win(_) => {
                facts.push(("verdict", format!("Win: {}", self.attacker)));
                facts.push(self.class_or_search());
                facts.push(("line", self.line().join(" ")));
                facts.extend(self.certificate().map(|proof| ("length", proof.depth().to_string())));
            }
            Verdict::Unknown(why) => {
                facts.push(("verdict", format!("Unknown: {}", why.name())));
                facts.push(("attacker", self.attacker.to_string()));
                facts.push(self.class_or_search());
                if self.search.is_none() {
                    facts.push(("moves", self.class().describe(self.position.game())));
                }
                facts.push(("reason", why.to_string()));
                facts.extend(self.next().map(|next| ("next", next)));
            }
        }
        facts.push(("nodes", nodes.to_string()));
        facts.extend(self.tree_nodes().map(|nodes| ("tree nodes", nodes.to_string())));
        facts.push(("time", format!("{:.3} s", elapsed.as_secs_f64())));
        facts.push(("moves per second", self.nodes_per_second().to_string()));
        if let Some(certificate) = self.certificate() {
            let replies = self.replies().unwrap_or_default();
            facts.push(("certificate", format!("{replies} replies ({method})")));
            if let Some(Short { elapsed, .. }) = self.short {
                let (before, seconds) = (certificate.replies().len(), elapsed.as_secs_f64());
                facts.push(("shortened", format!("from {before} replies in {seconds:.1} s more")));
            }
            facts.extend(proof.map(|path| ("proof", path.display().to_string())));
        }
        facts.into_iter().map(|(name, value)| format!("{name}: {value}\n")).collect()
    }

    fn json(&self, proof: Option<&Path>) -> SolveJson {
        let Report { verdict, nodes, elapsed } = self.report();
        let (name, why) = match verdict {
            Verdict::Win(_) => ("win", None),
            Verdict::Unknown(why) => ("unknown", Some(why.name())),
        };
        SolveJson {
            game: self.position.game().into(),
            attacker: self.attacker.name(),
            class: match self.search {
                Some(_) => self.class.map(|class| class.name_in(self.position.game())),
                None => Some(self.class().name_in(self.position.game())),
            },
            search: self.search.map(TreeKind::name),
            verdict: name,
            why,
            next: self.next(),
            line: self.line(),
            length: self.certificate().map(Certificate::depth),
            nodes: *nodes,
            tree_nodes: self.tree_nodes(),
            seconds: elapsed.as_secs_f64(),
            nodes_per_second: self.nodes_per_second(),
            replies: self.replies(),
            shortened_from: self.short.and(self.certificate()).map(|proof| proof.replies().len()),
            proof: verdict.win().and(proof).map(|path| path.display().to_string()),
        }
    }
}

/// What to try next, in the words of the options.
fn advise(advice: Advice, game: Game, search: Option<TreeKind>) -> String {
    match advice {
        // A tree without a class has tried all moves.
        Advice::Class(_) | Advice::NoClassWins if search.is_some() => {
            "the attacker has no forced win of these moves".to_string()
        }
        Advice::Class(class) => format!("--class {}: {}", class.name_in(game), class.describe(game)),
        Advice::NoClassWins => "no higher class is known: the attacker may have no forced win".to_string(),
        Advice::EveryMove(Some(class)) if search.is_none() => {
            let (name, moves) = (class.name_in(game), class.describe(game));
            format!("--class {name}: {moves}; or --exhaustive, which leaves no move out")
        }
        Advice::EveryMove(_) => "--exhaustive, which leaves no move out".to_string(),
        Advice::Depth => "a larger --depth, or none".to_string(),
        Advice::Nodes => "more --nodes, or --time instead".to_string(),
        Advice::Time => {
            "more --time; --resume FILE goes on where a search of lambda3 or higher ended".to_string()
        }
        Advice::Memory => "more --memory".to_string(),
    }
}

/// The document that `--json` prints; docs/FORMATS.md describes it.
#[derive(Serialize)]
struct SolveJson {
    game: GameJson,
    attacker: &'static str,
    class: Option<&'static str>,
    search: Option<&'static str>,
    verdict: &'static str,
    why: Option<&'static str>,
    next: Option<String>,
    line: Vec<String>,
    length: Option<usize>,
    nodes: u64,
    tree_nodes: Option<usize>,
    seconds: f64,
    nodes_per_second: u64,
    replies: Option<usize>,
    shortened_from: Option<usize>,
    proof: Option<String>,
}
