//! One certificate for the whole atlas: after the first stone every second move loses, but
//! those that it lists.
//!
//! The checker's walk asks first for the win against no stone of White at all, then for wins
//! against the stones inside its zones. A whole second move is answered with the certificate of
//! the opening, turned as it has to be; fewer stones with a win that is searched here, by the
//! moves that win openings. What is not won is excepted. So most openings are not asked for:
//! their stones lie outside the zones.

use crate::{Atlas, AtlasError, Certificates, METHOD, WINNER, build::Control};
use lambda6_checker::{Board, Header, Move as Asked, Rejection, walk_except};
use lambda6_proof::{
    Class, Replies, Report, Solver, SolverOptions, Strategy, Verdict,
    convert::{checker_header, checker_move, rules_move, rules_side},
};
use lambda6_rules::{Move, Position, Setup, Side, Square, Symmetry, stone_key, to_move_key};
use lambda6_search::{Budget, Limits, Silent, Why};
use rustc_hash::FxHashMap;
use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    sync::atomic::Ordering,
};

/// Proofs of openings by which a win against fewer stones is tried.
const IDEAS: usize = 4;
/// The level of compression, and the distance over which text is found again: proofs of
/// neighbours mostly agree, and a certificate is some tens of megabytes long.
const LEVEL: i32 = 9;
const WINDOW_LOG: u32 = 27;

/// How the wins against fewer stones are searched.
#[derive(Clone, Copy, Debug)]
pub struct WholeOptions {
    /// The moves that the searches may use.
    pub class: Class,
    /// Memory for the tables of each search.
    pub table_bytes: usize,
    /// Moves tried for each win at most.
    pub nodes: u64,
}

/// What a certificate of the whole atlas says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Whole {
    /// Sets of White's stones: nothing is claimed about second moves that contain one.
    pub except: Vec<Move>,
    /// White's stones that are answered, second moves and parts of them.
    pub answered: u64,
    /// Replies in the certificate.
    pub replies: u64,
    /// Black's moves in the longest line.
    pub longest: u64,
}

/// What happens while the certificate is written.
#[derive(Clone, Copy, Debug)]
pub enum WholeReport<'a> {
    /// A win against these stones of White is searched for.
    Searching(&'a Move),
    /// So many replies have been written.
    Written(u64),
}

/// Replies between two reports.
const REPORT_EVERY: u64 = 1 << 17;

/// Writes the certificate, compressed with zstd.
pub fn write(
    atlas: &Atlas,
    options: &WholeOptions,
    control: Control<'_>,
    path: &Path,
    progress: &mut dyn FnMut(WholeReport<'_>),
) -> Result<Whole, AtlasError> {
    let part = beside(path, ".replies");
    let result = write_beside(atlas, options, control, path, &part, progress);
    // Whether it is there or not: nothing of it is needed any more.
    let _ = fs::remove_file(&part);
    result
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

fn write_beside(
    atlas: &Atlas,
    options: &WholeOptions,
    control: Control<'_>,
    path: &Path,
    part: &Path,
    progress: &mut dyn FnMut(WholeReport<'_>),
) -> Result<Whole, AtlasError> {
    let unwritten = |path: &Path, source| AtlasError::Unwritten { path: path.to_path_buf(), source };
    let first = after_first(atlas, &Move::NULL, Side::White)?;
    let mut header = checker_header(&first, WINNER, METHOD).map_err(|error| fault(&error))?;
    let file = File::create(part).map_err(|error| unwritten(part, error))?;
    let out = encoder(file).map_err(|error| unwritten(part, error))?;
    let certificates = Certificates::default();
    let current = FxHashMap::default();
    let (except, answered) = (Vec::new(), 0);
    let mut source =
        Source { atlas, certificates, options, control, current, out, except, answered, progress };
    let summary = walk_except(&header, &mut source).map_err(|stop| match stop {
        Stop::Rejected(rejection) => fault(&rejection),
        Stop::Atlas(error) => error,
        Stop::Written(error) => unwritten(part, error),
    })?;
    let Source { out, except, answered, .. } = source;
    out.finish().and_then(|mut out| out.flush()).map_err(|error| unwritten(part, error))?;
    header.replies = summary.replies;
    // None may be lost: the claim would be larger than what was walked.
    let sets: Option<Vec<Asked>> = except.iter().map(checker_move).collect();
    header.except = sets.ok_or_else(|| fault(&"an excepted set has more stones than a move"))?;
    join(&header, part, path).map_err(|error| unwritten(path, error))?;
    Ok(Whole { except, answered, replies: summary.replies, longest: summary.longest })
}

type Encoder = zstd::Encoder<'static, BufWriter<File>>;

fn encoder(file: File) -> io::Result<Encoder> {
    let mut out = zstd::Encoder::new(BufWriter::new(file), LEVEL)?;
    out.long_distance_matching(true)?;
    out.window_log(WINDOW_LOG)?;
    Ok(out)
}

/// The header can be written when the replies have been counted: frames of zstd one after the
/// other are one text. Nothing is at the path before all of it is.
fn join(header: &Header, replies: &Path, path: &Path) -> io::Result<()> {
    let new = beside(path, ".new");
    let written = || -> io::Result<()> {
        let mut out = File::create(&new)?;
        out.write_all(&zstd::encode_all(header.to_string().as_bytes(), LEVEL)?)?;
        io::copy(&mut File::open(replies)?, &mut out)?;
        out.sync_all()?;
        fs::rename(&new, path)
    };
    // What cannot be finished is not left beside it.
    written().inspect_err(|_| drop(fs::remove_file(&new)))
}

/// The position after the first stone and these of White.
fn after_first(atlas: &Atlas, white: &Move, to_move: Side) -> Result<Position, AtlasError> {
    let black = vec![atlas.openings().centre()];
    let setup = Setup { game: atlas.game(), black, white: white.iter().collect(), to_move };
    setup.position().map_err(|error| fault(&error))
}

fn fault(error: &dyn std::fmt::Display) -> AtlasError {
    AtlasError::Certificate { name: "the whole atlas".to_string(), problem: error.to_string() }
}

/// Why the walk ended.
enum Stop {
    Rejected(Rejection),
    Atlas(AtlasError),
    Written(io::Error),
}

impl From<Rejection> for Stop {
    fn from(rejection: Rejection) -> Stop {
        Stop::Rejected(rejection)
    }
}

impl From<AtlasError> for Stop {
    fn from(error: AtlasError) -> Stop {
        Stop::Atlas(error)
    }
}

/// Answers the walk.
struct Source<'a> {
    atlas: &'a Atlas,
    certificates: Certificates,
    options: &'a WholeOptions,
    control: Control<'a>,
    /// The replies to the stones that are being answered, by the key of the board.
    current: FxHashMap<u64, Move>,
    out: Encoder,
    except: Vec<Move>,
    answered: u64,
    progress: &'a mut dyn FnMut(WholeReport<'_>),
}

impl lambda6_checker::Replies for Source<'_> {
    type Error = Stop;

    fn excepts(&mut self, stones: Asked, _: &Board) -> Result<bool, Stop> {
        let stones = rules_move(&stones).ok_or_else(|| fault(&"a question has more stones than a move"))?;
        let stones = stones.sorted();
        if self.except.iter().any(|set| set.iter().all(|square| stones.contains(square))) {
            return Ok(true);
        }
        match self.win(&stones)? {
            Some(replies) => {
                self.current = replies;
                self.answered += 1;
                Ok(false)
            }
            None if stones.is_empty() => Err(fault(&"no win was found if White passes").into()),
            None => {
                self.except.push(stones);
                Ok(true)
            }
        }
    }

    fn next(&mut self, number: u64, board: &Board) -> Result<Asked, Stop> {
        if number.is_multiple_of(REPORT_EVERY) {
            (self.progress)(WholeReport::Written(number));
        }
        let key = key(board);
        let reply = match self.current.get(&key) {
            Some(reply) => *reply,
            None => self.searched(board, key)?,
        };
        writeln!(self.out, "{}", self.atlas.game().move_name(&reply)).map_err(Stop::Written)?;
        checker_move(&reply).ok_or_else(|| fault(&"a reply has more stones than a move").into())
    }

    fn check_stop(&mut self) -> Result<(), Stop> {
        match self.control.stop.load(Ordering::Relaxed) {
            true => Err(AtlasError::Stopped.into()),
            false => Ok(()),
        }
    }
}

/// The key of a board with Black to move.
fn key(board: &Board) -> u64 {
    let cells = board.cells().iter().enumerate();
    let stones = cells.filter_map(|(i, cell)| Some((rules_side((*cell)?), Square::new(i))));
    stones.fold(to_move_key(WINNER), |key, (side, square)| key ^ stone_key(side, square))
}

impl Source<'_> {
    /// The replies to these stones of White; `None` if no win is known.
    fn win(&mut self, stones: &Move) -> Result<Option<FxHashMap<u64, Move>>, Stop> {
        if stones.len() < usize::from(self.atlas.game().p()) {
            return self.win_with_fewer(stones);
        }
        let Some((number, turn)) = self.opening(stones) else { return Ok(None) };
        let replies = self.certificates.replies(self.atlas, number, turn)?;
        Ok(replies.map(|replies| replies.by_board().collect()))
    }

    /// The opening with these stones of White, and the number of the symmetry that turns it so.
    fn opening(&self, stones: &Move) -> Option<(usize, u8)> {
        let openings = self.atlas.openings();
        let (number, _) = openings.of_white(stones)?;
        let white = &openings.all()[number].white;
        let turned = |symmetry: Symmetry| symmetry.apply_to_move(self.atlas.game(), white).sorted();
        let turn = Symmetry::of(self.atlas.game()).position(|symmetry| turned(symmetry) == *stones)?;
        Some((number, turn as u8))
    }

    /// A win against less than a move, searched by the moves that win the openings with the
    /// smallest certificates, each turned in every way.
    fn win_with_fewer(&mut self, stones: &Move) -> Result<Option<FxHashMap<u64, Move>>, Stop> {
        (self.progress)(WholeReport::Searching(stones));
        let position = after_first(self.atlas, stones, WINNER)?;
        let game = self.atlas.game();
        let mut near: Vec<(u64, usize, u8)> = Vec::new();
        for (number, proved) in self.atlas.proofs() {
            for (turn, symmetry) in (0..).zip(Symmetry::of(game)) {
                let third = symmetry.apply_to_move(game, &proved.third);
                if third.iter().all(|square| !stones.contains(square)) {
                    near.push((proved.replies, number, turn));
                }
            }
        }
        near.sort_unstable();
        near.dedup_by_key(|&mut (_, number, _)| number);
        for &(_, number, turn) in near.iter().take(IDEAS) {
            let Some(known) = self.certificates.replies(self.atlas, number, turn)? else { continue };
            let found = self.search(&position, &known.seen_from(&position))?;
            if found.is_some() {
                return Ok(found);
            }
        }
        self.search(&position, &[])
    }

    /// The reply on a board that the win at hand does not have: it is searched, and the win is
    /// kept with the others.
    fn searched(&mut self, board: &Board, key: u64) -> Result<Move, Stop> {
        let of = |side| {
            let cells = board.cells().iter().enumerate();
            let stones = cells.filter(move |(_, cell)| cell.map(rules_side) == Some(side));
            stones.map(|(i, _)| Square::new(i)).collect()
        };
        let (black, white) = (of(Side::Black), of(Side::White));
        let setup = Setup { game: self.atlas.game(), black, white, to_move: WINNER };
        let position = setup.position().map_err(|error| fault(&error))?;
        let known: Vec<(u64, Move)> = self.current.iter().map(|(&key, &reply)| (key, reply)).collect();
        let missing = || fault(&format!("no reply was found in\n{}", position.setup()));
        let found = self.search(&position, &known)?.ok_or_else(missing)?;
        let reply = *found.get(&key).ok_or_else(missing)?;
        for (key, reply) in found {
            self.current.entry(key).or_insert(reply);
        }
        Ok(reply)
    }

    /// The replies of a win of this position, with Black to move.
    fn search(
        &self,
        position: &Position,
        known: &[(u64, Move)],
    ) -> Result<Option<FxHashMap<u64, Move>>, Stop> {
        let WholeOptions { class, table_bytes, nodes } = *self.options;
        let strategy = Strategy::for_class(class, 1);
        let mut solver =
            Solver::new(self.atlas.game(), SolverOptions { strategy, method: METHOD, table_bytes });
        solver.suggest(known);
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let mut budget = Budget::new(limits, self.control.clock, self.control.stop);
        let report = solver.solve(position, WINNER, &mut budget, &mut Silent);
        let Report { verdict, .. } = report.map_err(|error| fault(&error))?;
        match verdict {
            Verdict::Win(win) => {
                let replies = Replies::of(win.certificate()).map_err(|error| fault(&error))?;
                Ok(Some(replies.by_board().collect()))
            }
            Verdict::Unknown(Why::Stopped) => Err(AtlasError::Stopped.into()),
            Verdict::Unknown(_) => Ok(None),
        }
    }
}
