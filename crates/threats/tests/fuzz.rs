//! The fuzz target's body, run over made-up input with the ordinary compiler.

use proptest::prelude::*;

#[path = "../../../fuzz/src/board.rs"]
mod body;

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_sequence_of_stones_leaves_the_board_consistent(
        bytes in proptest::collection::vec(any::<u8>(), 0..200)
    ) {
        body::board(&bytes);
    }
}
