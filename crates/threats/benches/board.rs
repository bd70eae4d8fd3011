//! The two hot paths: a stone placed and taken back with everything kept up to
//! date, and all double-threat moves of a busy position.

use criterion::{Criterion, criterion_group, criterion_main};
use lambda6_rules::{Position, Setup, Side, Square};
use lambda6_threats::{Attack, Board, Defences, SegmentBoard, defence};
use std::hint::black_box;

fn position(text: &str) -> Position {
    Setup::parse(text).and_then(|setup| setup.position()).expect("the bench's own data is valid")
}

fn stones(c: &mut Criterion) {
    let position = position(include_str!("data/thirty.txt"));
    let mut board = Board::from_position(&position);
    let mut segments = SegmentBoard::new(board.geometry());
    for side in Side::ALL {
        position.stones(side).for_each(|square| segments.place(side, square));
    }
    let empty: Vec<Square> = position.empty_squares().collect();
    // Squares in a scattered order, so that successive stones share no lines.
    let order: Vec<Square> = (0..empty.len()).map(|i| empty[i * 97 % empty.len()]).collect();
    let mut group = c.benchmark_group("place and take back one stone");
    let mut next = order.iter().cycle().copied();
    group.bench_function("line masks", |b| {
        b.iter(|| {
            let square = next.next().expect("a cycle does not end");
            board.place(Side::Black, square);
            board.remove(Side::Black, black_box(square));
        });
    });
    group.bench_function("segment counters", |b| {
        b.iter(|| {
            let square = next.next().expect("a cycle does not end");
            segments.place(Side::Black, square);
            segments.remove(Side::Black, black_box(square));
        });
    });
    group.finish();
}

fn threats(c: &mut Criterion) {
    let position = position(include_str!("data/busy.txt"));
    let mut board = Board::from_position(&position);
    let mut attack = Attack::new(board.game());
    let mut moves = Vec::new();
    attack.full_threats(&mut board, Side::Black, &mut moves);
    let name = format!("all {} double-threat sets of a busy position", moves.len());
    c.bench_function(&name, |b| {
        b.iter(|| {
            attack.full_threats(&mut board, Side::Black, &mut moves);
            black_box(moves.len())
        });
    });
    let mv = moves[moves.len() / 2];
    mv.iter().for_each(|square| board.place(Side::Black, square));
    let mut defences = Defences::default();
    c.bench_function("count threats", |b| b.iter(|| black_box(defence::count(&board, Side::Black))));
    c.bench_function("critical defences", |b| {
        b.iter(|| {
            defences.find(&board, Side::Black);
            black_box(defences.count())
        });
    });
}

/// With one stone a move: what a search for fours and threes asks of a position.
fn go_moku(c: &mut Criterion) {
    let mut group = c.benchmark_group("go-moku");
    for (size, text) in [(15, include_str!("data/go-moku-15.txt")), (20, include_str!("data/go-moku-20.txt"))]
    {
        let position = position(text);
        let mut board = Board::from_position(&position);
        let empty: Vec<Square> = position.empty_squares().collect();
        let mut next = (0..empty.len()).map(|i| empty[i * 97 % empty.len()]).cycle();
        group.bench_function(format!("place and take back one stone, {size}x{size}"), |b| {
            b.iter(|| {
                let square = next.next().expect("a cycle does not end");
                board.place(Side::Black, square);
                board.remove(Side::Black, black_box(square));
            });
        });
        let (mut attack, mut moves) = (Attack::new(board.game()), Vec::new());
        group.bench_function(format!("all fours, {size}x{size}"), |b| {
            b.iter(|| {
                attack.full_threats(&mut board, Side::Black, &mut moves);
                black_box(moves.len())
            });
        });
        let four = moves[0];
        four.iter().for_each(|square| board.place(Side::Black, square));
        let mut defences = Defences::default();
        group.bench_function(format!("answers to a four, {size}x{size}"), |b| {
            b.iter(|| {
                defences.find(&board, Side::Black);
                black_box(defences.count())
            });
        });
    }
    group.finish();
}

criterion_group!(benches, stones, threats, go_moku);
criterion_main!(benches);
