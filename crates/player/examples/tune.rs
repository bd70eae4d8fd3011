//! Fits the weights of the evaluation and of the move order to games.
//!
//! `cargo run --release -p lambda6-player --example tune -- GAMES.tsv... > crates/search/src/weights.rs`
//!
//! Each file has a header line with columns `result` (`BWin` or `WWin`; other
//! games are left out) and `moves` (`j10 i9k9 ...`). The evaluation is a logistic
//! regression of the result on the codes of all squares; the move order is a
//! softmax regression of the winners' stones on the codes of the squares taken.
//! Positions with threats or a VCDT win are left out of both: the search solves
//! those.

use lambda6_rules::{Game, Move, Position, Side, Square};
use lambda6_search::{
    Budget, Limits, NoClock, Random,
    evaluation::{CODES, Evaluation, PAIRS, pair_index},
    vcdt::{VcdtOptions, VcdtSearch},
};
use lambda6_threats::{Board, Play};
use std::{error::Error, fmt::Write as _, sync::atomic::AtomicBool};

/// The features of one side: a count for each code and for each pair of codes.
const SIDE: usize = CODES + PAIRS;
const FEATURES: usize = 2 * SIDE;

/// A position without threats: its feature counts and its result.
struct Quiet {
    counts: Vec<u16>,
    won: bool,
}

/// The features of the empty squares, and the square chosen.
struct Taken {
    squares: Vec<[u16; 10]>,
    chosen: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut quiet = Vec::new();
    let mut taken = Vec::new();
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path)?;
        let mut lines = text.lines();
        let header: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
        let column = |name: &str| {
            header.iter().position(|column| *column == name).ok_or(format!("{path}: no column {name}"))
        };
        let (result, moves) = (column("result")?, column("moves")?);
        for line in lines {
            let fields: Vec<&str> = line.split('\t').collect();
            let winner = match fields.get(result) {
                Some(&"BWin") => Side::Black,
                Some(&"WWin") => Side::White,
                _ => continue,
            };
            // A record with an illegal move is used up to that move.
            let _ = learn_from(fields.get(moves).unwrap_or(&""), winner, &mut quiet, &mut taken);
        }
    }
    eprintln!("{} quiet positions, {} stones", quiet.len(), taken.len());
    let (value, bias) = value(&quiet);
    let order = order(&taken);
    let mut out = String::from("//! Weights. Made by the example `tune`; not for editing.\n\n");
    out.push_str("use crate::evaluation::{CODES, PAIRS};\n\n");
    let _ =
        writeln!(out, "/// What the move is worth.\npub const TO_MOVE: i32 = {};", (bias * 1000.0).round());
    table(&mut out, "MOVER", "For the side to move, in the evaluation.", &value[..SIDE], 8000.0);
    table(&mut out, "WAITER", "For the other side, in the evaluation.", &value[SIDE..], -8000.0);
    table(&mut out, "TAKE", "For taking a square.", &order[..SIDE], 100.0);
    table(&mut out, "DENY", "For denying it to the other side.", &order[SIDE..], 100.0);
    print!("{out}");
    Ok(())
}

fn table(out: &mut String, name: &str, about: &str, weights: &[f32], scale: f32) {
    let numbers = |weights: &[f32]| {
        let list: Vec<String> = weights
            .iter()
            .map(|w| ((w * scale).round().clamp(-32000.0, 32000.0) as i16).to_string())
            .collect();
        list.chunks(16).map(|row| format!("        {},\n", row.join(", "))).collect::<String>()
    };
    let (single, pairs) = weights.split_at(CODES);
    let _ = write!(
        out,
        "/// {about}\n#[rustfmt::skip]\npub const {name}: ([i16; CODES], [i16; PAIRS]) = (\n    [\n{}    ],\n    [\n{}    ],\n);\n",
        numbers(single),
        numbers(pairs)
    );
}

fn learn_from(
    moves: &str,
    winner: Side,
    quiet: &mut Vec<Quiet>,
    taken: &mut Vec<Taken>,
) -> Result<(), Box<dyn Error>> {
    let game = Game::CONNECT6;
    let mut position = Position::new(game);
    let mut board = Board::new(game);
    let mut evaluation = Evaluation::new(game);
    let mut search = VcdtSearch::new(game, 1 << 18);
    let stop = AtomicBool::new(false);
    for (ply, text) in moves.split_whitespace().enumerate() {
        let mv = game.parse_move(text)?;
        let side = position.to_move();
        position.play(&mv)?;
        if ply >= 1 && !board.has_threat(side) && !board.has_threat(side.other()) {
            let limits = Limits { nodes: Some(500), ..Limits::default() };
            let mut budget = Budget::new(limits, &NoClock, &stop);
            let verdict = search.wins(&mut board, side, VcdtOptions::default(), &mut budget);
            if verdict != Ok(true) {
                if ply >= 3 {
                    quiet.push(Quiet { counts: counts(&evaluation, side), won: side == winner });
                }
                if side == winner {
                    stones(&mut evaluation, side, &mv, taken);
                }
            }
        }
        board.place_all(side, mv);
        evaluation.place_all(side, mv);
    }
    Ok(())
}

fn counts(evaluation: &Evaluation, mover: Side) -> Vec<u16> {
    let mut counts = vec![0; FEATURES];
    for square in evaluation.game().squares().filter(|&square| evaluation.is_empty(square)) {
        for (base, side) in [(0, mover), (SIDE, mover.other())] {
            for feature in features(evaluation, side, square) {
                counts[base + usize::from(feature)] += 1;
            }
        }
    }
    counts
}

fn features(evaluation: &Evaluation, side: Side, square: Square) -> [u16; 5] {
    let mut codes = evaluation.codes(side, square);
    codes.sort_unstable_by(|a, b| b.cmp(a));
    let pair = CODES + pair_index(codes[0], codes[1]);
    [codes[0].into(), codes[1].into(), codes[2].into(), codes[3].into(), pair as u16]
}

/// Adds the examples of a move's stones, each with the stones before it on the
/// board.
fn stones(evaluation: &mut Evaluation, side: Side, mv: &Move, taken: &mut Vec<Taken>) {
    for square in mv.iter() {
        let list: Vec<Square> = evaluation.game().squares().filter(|&s| evaluation.is_empty(s)).collect();
        let squares = list
            .iter()
            .map(|&s| {
                let own = features(evaluation, side, s);
                let other = features(evaluation, side.other(), s);
                std::array::from_fn(|i| if i < 5 { own[i] } else { other[i - 5] + SIDE as u16 })
            })
            .collect();
        let chosen = list.iter().position(|&s| s == square).unwrap_or(0);
        // Half of the examples, to limit the memory.
        if (taken.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 63 == 0 || taken.len() < 1000 {
            taken.push(Taken { squares, chosen });
        } else {
            taken.push(Taken { squares: Vec::new(), chosen: 0 });
        }
        evaluation.place(side, square);
    }
    evaluation.remove_all(side, mv);
}

/// The Adam optimiser.
struct Adam {
    weights: Vec<f32>,
    first: Vec<f32>,
    second: Vec<f32>,
    steps: i32,
}

impl Adam {
    fn new(len: usize) -> Adam {
        Adam { weights: vec![0.0; len], first: vec![0.0; len], second: vec![0.0; len], steps: 0 }
    }

    /// One step against the gradient.
    fn step(&mut self, gradient: &[f32], rate: f32, decay: f32) {
        self.steps += 1;
        let (b1, b2) = (0.9f32, 0.999f32);
        let (c1, c2) = (1.0 - b1.powi(self.steps), 1.0 - b2.powi(self.steps));
        for i in 0..gradient.len() {
            let gradient = gradient[i] + decay * self.weights[i];
            self.first[i] = b1 * self.first[i] + (1.0 - b1) * gradient;
            self.second[i] = b2 * self.second[i] + (1.0 - b2) * gradient * gradient;
            self.weights[i] -= rate * (self.first[i] / c1) / ((self.second[i] / c2).sqrt() + 1e-8);
        }
    }
}

/// The number of training examples; the last tenth is for validation.
fn split(len: usize) -> usize {
    len - len / 10
}

fn value(quiet: &[Quiet]) -> (Vec<f32>, f32) {
    let train = split(quiet.len());
    let mut adam = Adam::new(FEATURES + 1);
    let logit = |weights: &[f32], example: &Quiet| -> f32 {
        let dot: f32 = example.counts.iter().zip(weights).map(|(&c, w)| f32::from(c) * w).sum();
        dot + weights[FEATURES]
    };
    let mut order: Vec<usize> = (0..train).collect();
    let mut random = Random::new(1);
    let epochs = 150;
    for epoch in 0..epochs {
        random.shuffle(&mut order);
        let rate = 0.004 * (1.0 - epoch as f32 / epochs as f32) + 0.00002;
        for batch in order.chunks(512) {
            let mut gradient = vec![0.0; FEATURES + 1];
            for &i in batch {
                let example = &quiet[i];
                let p = 1.0 / (1.0 + (-logit(&adam.weights, example)).exp());
                let error = (p - f32::from(u8::from(example.won))) / batch.len() as f32;
                for (gradient, &count) in gradient.iter_mut().zip(&example.counts) {
                    *gradient += error * f32::from(count);
                }
                gradient[FEATURES] += error;
            }
            adam.step(&gradient, rate, 1e-4);
        }
        if epoch % 50 == 49 {
            let (mut loss, mut right) = (0.0, 0);
            for example in &quiet[train..] {
                let x = logit(&adam.weights, example);
                let p = 1.0 / (1.0 + (-x).exp());
                loss -= if example.won { p.max(1e-6).ln() } else { (1.0 - p).max(1e-6).ln() };
                right += u32::from((x > 0.0) == example.won);
            }
            let n = (quiet.len() - train).max(1) as f32;
            eprintln!("value, epoch {}: loss {:.4}, right {:.4}", epoch + 1, loss / n, right as f32 / n);
        }
    }
    let bias = adam.weights.pop().unwrap_or_default();
    (adam.weights, bias)
}

fn order(taken: &[Taken]) -> Vec<f32> {
    let train = split(taken.len());
    let mut adam = Adam::new(FEATURES);
    let mut order: Vec<usize> = (0..train).collect();
    let mut random = Random::new(2);
    let logits = |weights: &[f32], example: &Taken| -> Vec<f32> {
        let dot = |f: &[u16; 10]| f.iter().map(|&i| weights[usize::from(i)]).sum();
        example.squares.iter().map(dot).collect()
    };
    let epochs = 6;
    for epoch in 0..epochs {
        random.shuffle(&mut order);
        let rate = 0.02 * (1.0 - epoch as f32 / epochs as f32) + 0.0005;
        for batch in order.chunks(256) {
            let mut gradient = vec![0.0; FEATURES];
            for &i in batch {
                let example = &taken[i];
                let logits = logits(&adam.weights, example);
                let top = logits.iter().copied().fold(f32::MIN, f32::max);
                let sum: f32 = logits.iter().map(|x| (x - top).exp()).sum();
                for (n, features) in example.squares.iter().enumerate() {
                    let p = (logits[n] - top).exp() / sum - f32::from(u8::from(n == example.chosen));
                    for &feature in features {
                        gradient[usize::from(feature)] += p / batch.len() as f32;
                    }
                }
            }
            adam.step(&gradient, rate, 1e-5);
        }
        let (mut loss, mut first, mut ten, mut n) = (0.0, 0, 0, 0);
        for example in taken[train..].iter().filter(|example| !example.squares.is_empty()) {
            let logits = logits(&adam.weights, example);
            let mine = logits[example.chosen];
            let top = logits.iter().copied().fold(f32::MIN, f32::max);
            let sum: f32 = logits.iter().map(|x| (x - top).exp()).sum();
            loss -= mine - top - sum.ln();
            let rank = logits.iter().filter(|&&x| x > mine).count();
            first += u32::from(rank == 0);
            ten += u32::from(rank < 10);
            n += 1;
        }
        let n = n.max(1) as f32;
        eprintln!(
            "order, epoch {}: loss {:.4}, first {:.3}, among ten {:.3}",
            epoch + 1,
            loss / n,
            first as f32 / n,
            ten as f32 / n
        );
    }
    adam.weights
}
