//! Puzzles with one theme: positions of self-play that ask for one kind of move.

use super::{
    MakeOptions, Making, Puzzle, Traits,
    make::{LONGEST_GAME, key, of_game},
    selfplay::SelfPlay,
    shortest,
};
use lambda6_proof::{
    CertifyError, Class, SolveError, Solver, SolverOptions, Verdict,
    verify::{DefenceVerifier, Verified},
};
use lambda6_rules::{Game, Move, Position};
use lambda6_search::{
    Budget, Limits, NoClock, Random, Silent, Why,
    lambda::LambdaOptions,
    vcdt::{VcdtOptions, VcdtSearch},
};
use lambda6_threats::{Board, Play};
use rustc_hash::FxHashSet;
use std::{
    fmt,
    str::FromStr,
    sync::atomic::{AtomicBool, Ordering},
};

/// What a puzzle is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Theme {
    /// Win by moves that leave the defender no stone to spare: double threats in Connect6,
    /// fours in go-moku.
    DoubleThreat,
    /// Win although a defence makes a threat of its own.
    Inversion,
    /// Win with a first move that makes no threat, where no win by threats is found.
    Quiet,
    /// Find the only move that holds: all others are proved to lose, and no win is found against this
    /// one by a search many times as large.
    Defence,
}

impl Theme {
    /// All themes.
    pub const ALL: [Theme; 4] = [Theme::DoubleThreat, Theme::Inversion, Theme::Quiet, Theme::Defence];

    /// In lower case.
    pub fn name(self) -> &'static str {
        match self {
            Theme::DoubleThreat => "double-threat",
            Theme::Inversion => "inversion",
            Theme::Quiet => "quiet",
            Theme::Defence => "defence",
        }
    }
}

impl fmt::Display for Theme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The text is not the name of a theme.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a theme: expected double-threat, inversion, quiet or defence")]
pub struct ThemeParseError(String);

impl FromStr for Theme {
    type Err = ThemeParseError;

    fn from_str(text: &str) -> Result<Theme, ThemeParseError> {
        let known = Theme::ALL.into_iter().find(|theme| theme.name() == text);
        known.ok_or_else(|| ThemeParseError(text.chars().take(20).collect()))
    }
}

/// A puzzle with a theme.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThemedPuzzle {
    /// The theme.
    pub theme: Theme,
    /// The position. Where a defence is asked for, `class` is that of the wins against the other
    /// moves, `depth` the length of the longest of them, and `nodes` counts the moves tried for them.
    pub puzzle: Puzzle,
    /// The move that is asked for: the first of the win that was found, or the only one that holds.
    pub solution: Move,
}

/// Moves tried in search of a win by threats before a quiet one is looked for, of a quiet win, and
/// of a win against one defence.
const THREAT_NODES: u64 = 25_000;
const QUIET_NODES: u64 = 60_000;
/// See [`only_defence`].
pub const DEFENCE_NODES: u64 = 5_000;

/// Moves tried against all defences of one position.
const ALL_DEFENCES_NODES: u64 = 40_000;

/// Moves tried to see whether the side to move has anything to defend against.
const PASS_NODES: u64 = 2_000;

/// Fewer defences that lose make no puzzle.
const LEAST_REFUTED: usize = 3;

/// Makes a set of one theme, in order of the moves tried. `None` when it was stopped.
pub fn make_theme(
    options: &MakeOptions,
    theme: Theme,
    stop: &AtomicBool,
    mut observe: impl FnMut(Making),
) -> Result<Option<Vec<ThemedPuzzle>>, SolveError> {
    let mut seeds = Random::new(options.seed);
    let (mut set, mut keys): (Vec<ThemedPuzzle>, _) = (Vec::new(), FxHashSet::default());
    for (&game, games) in options.games.iter().cycle().zip(1..) {
        if set.len() >= options.count {
            break;
        }
        let random = Random::new(seeds.number());
        let found = match theme {
            Theme::DoubleThreat | Theme::Inversion => by_threats(game, random, theme, stop)?,
            Theme::Quiet | Theme::Defence => last_positions(game, random, theme, stop)?,
        };
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        for (puzzle, position) in found {
            if set.len() < options.count && keys.insert(key(&position)) {
                set.push(puzzle);
            }
        }
        observe(Making { games, kept: set.len() });
    }
    set.sort_by_key(|puzzle| puzzle.puzzle.nodes);
    Ok(Some(set))
}

type Found = Vec<(ThemedPuzzle, Position)>;

fn by_threats(game: Game, random: Random, theme: Theme, stop: &AtomicBool) -> Result<Found, SolveError> {
    let mut kept = Vec::new();
    for (puzzle, position) in of_game(game, random, theme == Theme::Inversion, stop)? {
        let fits = match theme {
            Theme::Inversion => puzzle.traits.inversions,
            _ => puzzle.class == Class::Vcdt,
        };
        let solution = shortest(&position, puzzle.class, THREAT_NODES, stop)?.filter(|_| fits);
        if let Some(solution) = solution.and_then(|found| found.certificate.replies().first().copied()) {
            kept.push((ThemedPuzzle { theme, puzzle, solution }, position));
        }
    }
    Ok(kept)
}

/// Positions of one game before its first win by full threats: in them the winner may have had a
/// quiet win, and the loser a last defence.
fn last_positions(game: Game, random: Random, theme: Theme, stop: &AtomicBool) -> Result<Found, SolveError> {
    let mut vcdt = VcdtSearch::new(game, 1 << 20);
    let mut play = SelfPlay::new(game, random);
    let mut before: Vec<Position> = vec![play.position.clone()];
    let longest = LONGEST_GAME / usize::from(game.p());
    while play.moves.len() < longest && play.step(&mut vcdt) && !stop.load(Ordering::Relaxed) {
        if play.has_win(&mut vcdt, THREAT_NODES) {
            break;
        }
        before.push(play.position.clone());
    }
    let winner = play.position.to_move();
    let asked = if theme == Theme::Quiet { winner } else { winner.other() };
    // The last positions first: there the game was decided.
    let theirs = before.iter().enumerate().skip(2).rev().filter(|(_, position)| position.to_move() == asked);
    for (at, position) in theirs.take(LOOKED_AT) {
        let moves = &play.moves[..at];
        let puzzle = match theme {
            Theme::Quiet => match quiet(position, moves, stop)? {
                // Before a win by threats there may have been a quiet move.
                Quiet::WinsByThreats => continue,
                Quiet::Puzzle(puzzle) => Some(*puzzle),
                Quiet::None => return Ok(Vec::new()),
            },
            _ if !is_threatened(position, &mut vcdt) => None,
            _ => match defence(position, moves, stop)? {
                Some(puzzle) if !holds(position, &puzzle.solution, stop)? => return Ok(Vec::new()),
                found => found,
            },
        };
        if let Some(puzzle) = puzzle {
            // Earlier positions of the game are much like this one.
            return Ok(vec![(puzzle, position.clone())]);
        }
    }
    Ok(Vec::new())
}

/// The positions of a game that are looked at.
const LOOKED_AT: usize = 4;

/// What a search for a quiet win has found.
enum Quiet {
    /// Threats alone win.
    WinsByThreats,
    Puzzle(Box<ThemedPuzzle>),
    None,
}

/// Whether the other side would win by full threats if the side to move passed.
fn is_threatened(position: &Position, vcdt: &mut VcdtSearch) -> bool {
    let mut board = Board::from_position(position);
    let attacker = position.to_move().other();
    let options = VcdtOptions::default();
    vcdt.wins(&mut board, attacker, options, &mut Budget::of_nodes(PASS_NODES)) == Ok(true)
}

fn budget(nodes: u64, stop: &AtomicBool) -> Budget<'_> {
    Budget::new(Limits { nodes: Some(nodes), ..Limits::default() }, &NoClock, stop)
}

/// A win that begins with a move without a threat, where wins by threats were looked for to the
/// end and not found.
fn quiet(position: &Position, moves: &[Move], stop: &AtomicBool) -> Result<Quiet, SolveError> {
    let attacker = position.to_move();
    let solve = |class, nodes| {
        let mut solver = Solver::new(position.game(), SolverOptions::for_class(class));
        solver.solve(position, attacker, &mut budget(nodes, stop), &mut Silent)
    };
    let by_threats = solve(Class::Vcst, THREAT_NODES)?;
    match by_threats.verdict {
        Verdict::Win(_) => return Ok(Quiet::WinsByThreats),
        Verdict::Unknown(Why::Exhausted | Why::Narrowed) => {}
        Verdict::Unknown(_) => return Ok(Quiet::None),
    }
    let report = solve(Class::Lambda3, QUIET_NODES)?;
    let Verdict::Win(win) = report.verdict else { return Ok(Quiet::None) };
    let certificate = win.into_certificate();
    let Some(&solution) = certificate.replies().first() else { return Ok(Quiet::None) };
    let mut board = Board::from_position(position);
    board.place_all(attacker, solution);
    if board.has_threat(attacker) {
        return Ok(Quiet::None);
    }
    let traits = Traits::of(&certificate).map_err(|error| SolveError::Caught(error.to_string()))?;
    let puzzle = Puzzle {
        game: position.game(),
        moves: moves.to_vec(),
        class: Class::Lambda3,
        depth: certificate.depth(),
        traits,
        nodes: by_threats.nodes + report.nodes,
    };
    Ok(Quiet::Puzzle(Box::new(ThemedPuzzle { theme: Theme::Quiet, puzzle, solution })))
}

/// The moves that hold in a position, as far as wins by threats tell that are found within
/// [`DEFENCE_NODES`] moves after each: `None` where not all of them could be looked at.
pub fn only_defence(position: &Position, stop: &AtomicBool) -> Result<Option<Verified>, SolveError> {
    let options = LambdaOptions { order: Class::Vcst.order(), ..LambdaOptions::default() };
    let each = Limits { nodes: Some(DEFENCE_NODES), ..Limits::default() };
    let mut verifier = DefenceVerifier::new(position, options, 16 << 20, each)?;
    let found = verifier.verify(&mut budget(ALL_DEFENCES_NODES, stop), &mut Silent)?;
    Ok(Some(found).filter(|found| found.incomplete.is_none()))
}

/// Moves tried in search of a win against the move that is to hold: many times those that the wins
/// against the others take.
const HOLD_NODES: u64 = 100_000;

/// Whether no win is found against a move.
pub fn holds(position: &Position, mv: &Move, stop: &AtomicBool) -> Result<bool, SolveError> {
    let mut after = position.clone();
    if after.play(mv).is_err() || after.outcome().is_some() {
        return Ok(false);
    }
    let mut solver = Solver::new(after.game(), SolverOptions::for_class(Class::Vcst));
    let report = solver.solve(&after, after.to_move(), &mut budget(HOLD_NODES, stop), &mut Silent)?;
    Ok(report.verdict.win().is_none())
}

/// The moves tried for the wins against the other moves: without those that were tried in vain against
/// the one that holds, where that search met its limit.
pub fn refuting_nodes(found: &Verified) -> u64 {
    match found.nodes.checked_sub(DEFENCE_NODES) {
        Some(rest) if rest > 0 => rest,
        _ => found.nodes,
    }
}

fn defence(
    position: &Position,
    moves: &[Move],
    stop: &AtomicBool,
) -> Result<Option<ThemedPuzzle>, SolveError> {
    let threatened = |found: &Verified| found.refuted.len() >= LEAST_REFUTED;
    let Some(found) = only_defence(position, stop)?.filter(threatened) else { return Ok(None) };
    let [solution] = found.open[..] else { return Ok(None) };
    let depth = found.refuted.iter().map(|refuted| refuted.certificate.depth()).max().unwrap_or(0);
    if solution.len() < position.stones_to_place() || depth < 2 {
        return Ok(None);
    }
    let hardest = found.refuted.iter().max_by_key(|refuted| refuted.certificate.depth());
    let refused = |error: CertifyError| SolveError::Caught(error.to_string());
    let Some(hardest) = hardest else { return Ok(None) };
    let traits = Traits::of(&hardest.certificate).map_err(refused)?;
    let (game, moves, class) = (position.game(), moves.to_vec(), Class::Vcst);
    let puzzle = Puzzle { game, moves, class, depth, traits, nodes: refuting_nodes(&found) };
    Ok(Some(ThemedPuzzle { theme: Theme::Defence, puzzle, solution }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        assert!(Theme::ALL.into_iter().all(|theme| theme.to_string().parse() == Ok(theme)));
        assert!("defense".parse::<Theme>().is_err());
    }

    #[test]
    fn only_defences_of_go_moku_are_found_and_the_others_lose() {
        let options = MakeOptions { games: vec![Game::GO_MOKU], seed: 1, count: 1 };
        let stop = AtomicBool::new(false);
        let set = make_theme(&options, Theme::Defence, &stop, |_| {}).unwrap().unwrap();
        let ThemedPuzzle { puzzle, solution, .. } = &set[0];
        let mut position = Position::new(puzzle.game);
        puzzle.moves.iter().for_each(|mv| position.play(mv).unwrap());
        assert!(position.play(solution).is_ok());
        assert_eq!(make_theme(&options, Theme::Defence, &AtomicBool::new(true), |_| {}), Ok(None));
    }
}
