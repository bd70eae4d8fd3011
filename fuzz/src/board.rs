//! The board of threats under any sequence of stones.

use lambda6_rules::{Game, Side, Square};
use lambda6_threats::{Attack, Board, Defences, SegmentBoard, ThreatCount, ThreatMoves, defence};

/// Reads a game and then stones to place and to take off. After each the board
/// must equal one made anew, agree with the segment counters, and give
/// defences that meet all threats.
pub fn board(bytes: &[u8]) {
    let [m, n, k, p, rest @ ..] = bytes else { return };
    let size = |byte: &u8| u32::from(byte % 20 + 1);
    let Ok(game) = Game::new(size(m), size(n), u32::from(k % 8 + 2), u32::from(p % 3 + 1), 1) else { return };
    let mut board = Board::new(game);
    let mut segments = SegmentBoard::new(board.geometry());
    for step in rest.chunks_exact(3).take(60) {
        let square = Square::new(usize::from(u16::from_le_bytes([step[0], step[1]])) % game.area());
        match board.at(square) {
            Some(side) => {
                board.remove(side, square);
                segments.remove(side, square);
            }
            None => {
                let side = if step[2] & 1 == 0 { Side::Black } else { Side::White };
                board.place(side, square);
                segments.place(side, square);
                if board.has_row_through(side, square) {
                    board.remove(side, square);
                    segments.remove(side, square);
                }
            }
        }
    }
    assert!(board.is_consistent());
    for side in Side::ALL {
        let threats = segments.threats(side);
        assert_eq!(board.has_threat(side), !threats.is_empty());
        let mut defences = Defences::default();
        defences.find(&board, side);
        assert_eq!(defences.count(), defence::count(&board, side));
        for mv in defences.iter() {
            assert!(threats.iter().all(|threat| threat.iter().any(|&square| mv.contains(square))));
        }
    }
    if game.p() < 3 {
        let mut moves = ThreatMoves::default();
        Attack::new(game).threat_moves(&mut board, Side::Black, &mut moves);
        assert!(board.is_consistent());
        for mv in &moves.full {
            mv.iter().for_each(|square| board.place(Side::Black, square));
            assert!(defence::count(&board, Side::Black).at_least(game.p()));
            assert_eq!(defence::count(&board, Side::White), ThreatCount::Exactly(0));
            mv.iter().for_each(|square| board.remove(Side::Black, square));
        }
    }
}
