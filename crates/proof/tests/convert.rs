//! Types of the rules and of the checker are converted into each other without loss.

use lambda6_proof::convert::{
    checker_header, checker_move, rules_method, rules_move, rules_position, rules_side,
};
use lambda6_rules::{Move, Setup, Side};
use lambda6_search::Method;

#[test]
fn conversions_are_inverse_to_each_other() {
    let text = "game: 9 7 5 3 1\nblack: a1 b2 i7\nwhite: c3 d4\nto-move: white\n";
    let position = Setup::parse(text).unwrap().position().unwrap();
    for attacker in Side::ALL {
        for method in Method::ALL {
            let header = checker_header(&position, attacker, method).unwrap();
            assert_eq!(rules_position(&header).unwrap(), position);
            assert_eq!((rules_side(header.attacker), rules_method(header.method)), (attacker, method));
        }
    }
    for text in ["a1", "a1i7", "c2d5e3"] {
        let mv = position.game().parse_move(text).unwrap().sorted();
        assert_eq!(rules_move(&checker_move(&mv).unwrap()), Some(mv));
    }
    assert_eq!(rules_move(&checker_move(&Move::NULL).unwrap()), Some(Move::NULL));
}

#[test]
fn a_header_that_is_no_position_of_the_rules_is_refused() {
    let position = Setup::parse("game: 3 3 3 1 1\nto-move: black\n").unwrap().position().unwrap();
    let mut header = checker_header(&position, Side::Black, Method::Rzop).unwrap();
    header.black = vec![0, 1, 2];
    assert!(rules_position(&header).is_err(), "three in a row");
    header.black = vec![9];
    assert!(rules_position(&header).is_err(), "off the board");
}
