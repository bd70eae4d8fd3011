//! Certificates from any bytes.

use std::ops::ControlFlow;

/// The looks at the stop signal after which a check is stopped: some need years.
const MOST_LOOKS: u32 = 100;

/// Checks any bytes as a certificate: it may be refused, it must not panic. If it
/// is accepted, the reader of setups must see the same position in its header.
pub fn certificate(bytes: &[u8]) {
    let mut looks = 0;
    let checked = lambda6_checker::check_with(bytes, |_| {
        looks += 1;
        if looks < MOST_LOOKS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert!(looks <= MOST_LOOKS, "the check went on");
    let Ok(checked) = checked else { return };
    let end = bytes.windows(2).position(|pair| pair == b"\n\n").expect("a header ends with an empty line");
    let head = std::str::from_utf8(&bytes[..end]).expect("a header is UTF-8");
    // The rules know fewer games: k is at least 2 and q at most p.
    let Ok(setup) = lambda6_rules::Setup::parse(head) else {
        assert!(checked.header.game.k() < 2 || checked.header.game.q() > checked.header.game.p(), "{head}");
        return;
    };
    let squares =
        |list: &[lambda6_rules::Square]| list.iter().map(|square| square.index() as u16).collect::<Vec<_>>();
    assert_eq!((squares(&setup.black), squares(&setup.white)), (checked.header.black, checked.header.white));
    assert_eq!(setup.to_move.name(), checked.header.to_move.name());
    assert_eq!(setup.game.to_string(), header_game(&checked.header.game));
}

/// The five numbers of a game.
fn header_game(game: &lambda6_checker::Game) -> String {
    [game.m(), game.n(), game.k(), game.p(), game.q()].map(|number| number.to_string()).join(" ")
}
