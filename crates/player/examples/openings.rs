//! Makes the opening book of the strongest level from games against itself.
//!
//! `cargo run --release -p lambda6-player --example openings -- GAMES QUICK LONG > openings.tsv`
//!
//! Every game begins with an opening of the list below, each in turn, descends the
//! tree of earlier games by PUCT, and is played to its end by the strongest level
//! with QUICK nodes a move. A position that more than [`EXPAND`] games have reached
//! gets its candidates from one search of LONG nodes. Symmetric positions are one.
//! At the end, for each position with enough games, the reply that was played most
//! is written if it won half of them. White's first move is the opening that did
//! best for White. The result depends on the version of the player.

use lambda6_player::{Level, Player, PlayerOptions, WON};
use lambda6_rules::{Game, Move, Outcome, Position, Side};
use lambda6_search::{Control, Limits, NoClock, Silent};
use std::{collections::HashMap, error::Error, sync::atomic::AtomicBool};

const GAME: Game = Game::CONNECT6;

/// Replies that `lambda6 solve` has proved to win (`--class lambda3 --attacker
/// black` after them).
const PROVED: [(&str, &str); 7] = [
    ("j10 i8h12", "k11l10"),
    ("j10 h8l8", "j9k10"),
    ("j10 i8h8", "l10k9"),
    ("j10 i8h9", "k11l10"),
    ("j10 h8j6", "k10j11"),
    ("j10 j9k12", "k9l8"),
    ("j10 i7g9", "j12l10"),
];

/// White's first moves: those of `lambda6 match --openings dif`, which are in a
/// crate that depends on this one.
const OPENINGS: [&str; 32] = [
    "j8l9", "j8l11", "j8k12", "i9l8", "i9l9", "j9j12", "i8l11", "j8j12", "j9l11", "i8i12", "h8l12", "i8l12",
    "j8l10", "j9j11", "j9k8", "j8l12", "i8k12", "j9k10", "j9l10", "i9k11", "j9l12", "i9l11", "i9l10",
    "j9k11", "i8l9", "j9l8", "i9k8", "i9k9", "i8l8", "i8k8", "j9l9", "j9k9",
];

/// Games after which a position gets candidates.
const EXPAND: u32 = 4;
/// Games after which a reply is worth writing down.
const ENOUGH: u32 = 15;
/// The share of them that it must have won; otherwise the player searches.
const GOOD: f64 = 0.5;
/// The number of stones at which the book ends.
const DEEPEST: usize = 9;
/// The most candidates of a position, and the most by which they may be worse than
/// the best.
const CANDIDATES: usize = 5;
const BEHIND: i32 = 500;

#[derive(Default)]
struct BookNode {
    games: u32,
    replies: Vec<Reply>,
}

struct Reply {
    mv: Move,
    prior: f64,
    games: u32,
    points: f64,
}

struct BookBuilder {
    nodes: HashMap<u64, BookNode>,
    strong: Player,
    /// The limits of a move of a game, and of the candidates of a position.
    quick: Limits,
    long: Limits,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<u64>());
    let mut next = |default| arguments.next().unwrap_or(Ok(default));
    let (games, quick, long) = (next(2_000)?, next(8_000)?, next(400_000)?);
    let limits = |nodes| Limits { nodes: Some(nodes), ..Limits::default() };
    let options = PlayerOptions {
        level: Level::Strong,
        table_bytes: 8 << 20,
        openings: false,
        ..PlayerOptions::default()
    };
    let strong = Player::new(GAME, options);
    let mut builder = BookBuilder { nodes: HashMap::new(), strong, quick: limits(quick), long: limits(long) };
    let mut white = [(0u32, 0.0f64); OPENINGS.len()];
    let first = GAME.parse_move("j10")?;
    for number in 0..games as usize {
        let which = number % OPENINGS.len();
        let mut position = Position::new(GAME);
        position.play(&first)?;
        position.play(&GAME.parse_move(OPENINGS[which])?)?;
        let points = builder.game(position, number as u64)?;
        white[which].0 += 1;
        white[which].1 += 1.0 - points;
        if (number + 1) % 50 == 0 {
            eprintln!("{} games, {} positions", number + 1, builder.nodes.len());
        }
    }
    println!("# made by: openings {games} {quick} {long}");
    println!("# moves\treply\tgames\twon");
    for (moves, reply) in PROVED {
        println!("{moves}\t{reply}\tproved\t1");
    }
    let best = white
        .iter()
        .enumerate()
        .max_by(|a, b| (a.1.1 / f64::from(a.1.0)).total_cmp(&(b.1.1 / f64::from(b.1.0))));
    if let Some((which, &(games, points))) = best {
        println!("j10\t{}\t{games}\t{:.2}", OPENINGS[which], points / f64::from(games.max(1)));
    }
    for opening in OPENINGS {
        let mut position = Position::new(GAME);
        let moves = [first, GAME.parse_move(opening)?];
        moves.iter().try_for_each(|mv| position.play(mv))?;
        builder.write(&position, &mut moves.to_vec())?;
    }
    Ok(())
}

impl BookBuilder {
    /// Plays a game from a position; returns Black's points.
    fn game(&mut self, mut position: Position, number: u64) -> Result<f64, Box<dyn Error>> {
        let mut path: Vec<(u64, usize, Side)> = Vec::new();
        while position.outcome().is_none() && GAME.area() - position.empty_count() < DEEPEST {
            let (canonical, symmetry) = position.canonical();
            let key = canonical.key();
            let node = self.nodes.entry(key).or_default();
            node.games += 1;
            if node.games > EXPAND && node.replies.is_empty() {
                let replies = candidates(&mut self.strong, &canonical, &self.long)?;
                self.nodes.entry(key).or_default().replies = replies;
            }
            let node = self.nodes.entry(key).or_default();
            let Some(which) = select(node) else { break };
            let reply = node.replies[which].mv;
            path.push((key, which, position.to_move()));
            position.play(&symmetry.inverse().apply_to_move(GAME, &reply))?;
        }
        let points = self.playout(position, number)?;
        for (key, which, side) in path {
            let node = self.nodes.entry(key).or_default();
            let reply = &mut node.replies[which];
            reply.games += 1;
            reply.points += if side == Side::Black { points } else { 1.0 - points };
        }
        Ok(points)
    }

    /// Plays to the end or to a proof; returns Black's points.
    fn playout(&mut self, mut position: Position, number: u64) -> Result<f64, Box<dyn Error>> {
        let points = |side| if side == Side::Black { 1.0 } else { 0.0 };
        // Different limits make different games of the same opening.
        let nodes = self.quick.nodes.unwrap_or_default() + 37 * (number % 97);
        let limits = Limits { nodes: Some(nodes), ..self.quick };
        for _ in 0..60 {
            match position.outcome() {
                Some(Outcome::Win(side)) => return Ok(points(side)),
                Some(Outcome::Draw) => return Ok(0.5),
                None => {}
            }
            let side = position.to_move();
            let stop = AtomicBool::new(false);
            let choice = self.strong.choose(&position, Control::new(limits, &NoClock, &stop), &mut Silent)?;
            if choice.win.is_some() {
                return Ok(points(if choice.score > 0 { side } else { side.other() }));
            }
            position.play(&choice.mv)?;
        }
        Ok(0.5)
    }

    /// Writes the lines of a position and its successors.
    fn write(&self, position: &Position, moves: &mut Vec<Move>) -> Result<(), Box<dyn Error>> {
        let (canonical, symmetry) = position.canonical();
        let Some(node) = self.nodes.get(&canonical.key()) else { return Ok(()) };
        let back = |mv: &Move| symmetry.inverse().apply_to_move(GAME, mv);
        let most =
            node.replies.iter().max_by(|a, b| a.games.cmp(&b.games).then((a.points).total_cmp(&b.points)));
        let part = |reply: &Reply| reply.points / f64::from(reply.games.max(1));
        if let Some(reply) = most.filter(|reply| reply.games >= ENOUGH && part(reply) >= GOOD) {
            let names: Vec<String> = moves.iter().map(|mv| GAME.move_name(mv)).collect();
            let part = part(reply);
            println!("{}\t{}\t{}\t{part:.2}", names.join(" "), GAME.move_name(&back(&reply.mv)), reply.games);
        }
        for reply in node.replies.iter().filter(|reply| reply.games >= ENOUGH) {
            let mv = back(&reply.mv);
            let mut next = position.clone();
            next.play(&mv)?;
            moves.push(mv);
            self.write(&next, moves)?;
            moves.pop();
        }
        Ok(())
    }
}

/// The candidates of a position, with priors from their scores.
fn candidates(
    strong: &mut Player,
    position: &Position,
    limits: &Limits,
) -> Result<Vec<Reply>, Box<dyn Error>> {
    let stop = AtomicBool::new(false);
    let list =
        strong.candidates(position, Control::new(*limits, &NoClock, &stop), &mut Silent, CANDIDATES)?;
    let best = list.first().map_or(0, |choice| choice.score.min(WON));
    let near: Vec<_> = list.iter().filter(|choice| choice.score >= best - BEHIND).collect();
    let weight = |score: i32| (f64::from(score.min(WON) - best) / 300.0).exp();
    let sum: f64 = near.iter().map(|choice| weight(choice.score)).sum();
    let reply = |choice: &&lambda6_player::Choice| Reply {
        mv: choice.mv,
        prior: weight(choice.score) / sum,
        games: 0,
        points: 0.0,
    };
    Ok(near.iter().map(reply).collect())
}

/// The reply to play next, by PUCT.
fn select(node: &BookNode) -> Option<usize> {
    let all = f64::from(node.replies.iter().map(|reply| reply.games).sum::<u32>() + 1).sqrt();
    let value = |reply: &Reply| {
        let games = f64::from(reply.games);
        let mean = (reply.points + 0.5) / (games + 1.0);
        mean + 0.8 * reply.prior * all / (1.0 + games)
    };
    let replies = node.replies.iter().enumerate();
    replies.max_by(|a, b| value(a.1).total_cmp(&value(b.1))).map(|(which, _)| which)
}
