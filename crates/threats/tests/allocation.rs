//! The hot paths do not allocate.

use lambda6_rules::{Position, Setup, Side};
use lambda6_threats::{Attack, Board, Defences, ThreatMoves, defence};

/// The positions of the benchmarks: Connect6, and go-moku on 15x15 and 20x20.
fn busy() -> [Position; 3] {
    [
        include_str!("../benches/data/busy.txt"),
        include_str!("../benches/data/go-moku-15.txt"),
        include_str!("../benches/data/go-moku-20.txt"),
    ]
    .map(|text| Setup::parse(text).and_then(|setup| setup.position()).expect("the bench's position is valid"))
}

#[test]
fn placing_stones_and_counting_threats_allocates_nothing() {
    for position in busy() {
        let mut board = Board::from_position(&position);
        let info = allocation_counter::measure(|| {
            for square in position.game().squares() {
                if board.is_empty(square) {
                    board.place(Side::Black, square);
                    std::hint::black_box(defence::count(&board, Side::Black));
                    board.remove(Side::Black, square);
                }
            }
        });
        assert_eq!(info.count_total, 0, "{}", position.game());
    }
}

#[test]
fn generating_threat_moves_and_defences_allocates_nothing_the_second_time() {
    // At least so many moves that leave no stone to spare.
    for (position, least) in busy().into_iter().zip([400, 2, 2]) {
        let mut board = Board::from_position(&position);
        let mut attack = Attack::new(board.game());
        let (mut full, mut moves, mut defences) = (Vec::new(), ThreatMoves::default(), Defences::default());
        let mut work = |board: &mut Board| {
            attack.full_threats(board, Side::Black, &mut full);
            attack.threat_moves(board, Side::Black, &mut moves);
            for mv in &full {
                mv.iter().for_each(|square| board.place(Side::Black, square));
                defences.find(board, Side::Black);
                mv.iter().for_each(|square| board.remove(Side::Black, square));
            }
            full.len()
        };
        let count = work(&mut board);
        assert!(count >= least, "{}: {count}", position.game());
        let info = allocation_counter::measure(|| {
            std::hint::black_box(work(&mut board));
        });
        assert_eq!(info.count_total, 0, "{}", position.game());
    }
}
