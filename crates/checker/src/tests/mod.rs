//! The walk against exhaustive search and against a second, literal walk.

mod defences;
mod except;
mod naive;
mod oracle;

use crate::{Header, Method, Move, Reason, Side, check, walk::walk_with_margin};
use oracle::{Oracle, Player, Random, Stop, bits, random_header, to_move};

/// The certificate of these replies, as text.
fn text(header: &Header, replies: &[Move]) -> String {
    let mut text = Header { replies: replies.len() as u64, ..header.clone() }.to_string();
    for reply in replies {
        reply.squares().iter().for_each(|&s| text.push_str(&header.game.name(s)));
        text.push('\n');
    }
    text
}

/// Positions with what exhaustive search says of them: whether the attacker wins.
fn decided(seeds: std::ops::Range<u64>) -> impl Iterator<Item = (u64, Header, Oracle, bool)> {
    seeds.filter_map(|seed| {
        let header = random_header(&mut Random::new(seed));
        let mut oracle = Oracle::new(header.game, 60_000);
        let sides = [bits(header.black.iter().copied()), bits(header.white.iter().copied())];
        let (a, d) = (sides[header.attacker as usize], sides[header.attacker.other() as usize]);
        if oracle.filled(a) {
            return None;
        }
        let wins = oracle.wins(a, d, header.to_move == header.attacker).ok()?;
        Some((seed, header, oracle, wins))
    })
}

/// How many of the positions the player of the oracle's moves convinces the walk
/// of, falsely and truly, for each p; with a margin that is `less` too small.
fn accepted(seeds: std::ops::Range<u64>, less: u8) -> ([u64; 4], [u64; 4]) {
    let (mut falsely, mut truly) = ([0; 4], [0; 4]);
    for (seed, mut header, mut oracle, wins) in decided(seeds) {
        for method in Method::ALL {
            header.method = method;
            for attempt in 0..if wins { 1 } else { 4 } {
                let mut random = Random::new(seed * 16 + attempt);
                let (oracle, random) = (&mut oracle, &mut random);
                let (attacker, tries) = (header.attacker, attempt == 0);
                let mut player = Player { oracle, attacker, random, given: Vec::new(), tries };
                match walk_with_margin(&header, &mut player, header.game.p() - less) {
                    Ok(_) if wins => truly[usize::from(header.game.p())] += 1,
                    Ok(_) => falsely[usize::from(header.game.p())] += 1,
                    Err(Stop::TooLong) => {}
                    Err(Stop::GivenUp) => assert!(!wins),
                    Err(Stop::Rejected(r)) => assert!(!wins, "seed {seed}, {method}: {r}\n{header}"),
                }
            }
        }
    }
    (falsely, truly)
}

#[test]
fn a_win_is_accepted_and_nothing_else() {
    let (falsely, truly) = accepted(0..2_000, 0);
    println!("{truly:?} wins accepted");
    assert_eq!(falsely, [0; 4]);
    assert!(truly[1..].iter().all(|&wins| wins > 200), "only {truly:?} wins");
}

#[test]
#[ignore = "takes minutes"]
fn a_win_is_accepted_and_nothing_else_on_many_positions() {
    let (falsely, truly) = accepted(100_000..130_000, 0);
    println!("{truly:?} wins accepted");
    assert_eq!(falsely, [0; 4]);
}

#[test]
fn a_narrower_counter_segment_rule_is_caught() {
    let (falsely, _) = accepted(0..2_000, 1);
    println!("{falsely:?} accepted falsely");
    assert!(falsely[1] > 0 && falsely[2] > 0, "{falsely:?}");
}

#[test]
fn both_walks_agree_on_proofs_and_on_mutants() {
    let (mut proofs, mut mutants, mut valid) = (0, 0, 0);
    for (seed, mut header, mut oracle, wins) in decided(10_000..13_000) {
        if !wins {
            continue;
        }
        for method in Method::ALL {
            header.method = method;
            let mut random = Random::new(seed);
            let (oracle, random) = (&mut oracle, &mut random);
            let mut player =
                Player { oracle, attacker: header.attacker, random, given: Vec::new(), tries: true };
            if walk_with_margin(&header, &mut player, header.game.p()).is_err() {
                continue;
            }
            let replies = player.given;
            if replies.len() > 400 {
                continue;
            }
            proofs += 1;
            assert_eq!(naive::check(&header, &replies), Ok(replies.len()), "seed {seed}\n{header}");
            assert!(check(text(&header, &replies).as_bytes()).is_ok());
            let mut random = Random::new(seed + 1);
            for _ in 0..6 {
                let mutant = mutate(&replies, &header, &mut random);
                let fast = match check(text(&header, &mutant).as_bytes()) {
                    Ok(checked) => Ok(checked.summary.replies as usize),
                    Err(crate::CheckError::Rejected(r)) if r.reason == Reason::LeftOver => {
                        Err(r.reply as usize - 1)
                    }
                    Err(crate::CheckError::Rejected(r)) => Err(r.reply as usize),
                    Err(other) => panic!("{other}"),
                };
                assert_eq!(fast, naive::check(&header, &mutant), "seed {seed} {mutant:?}\n{header}");
                mutants += 1;
                valid += u64::from(fast.is_ok());
            }
        }
    }
    println!("{proofs} proofs, {mutants} mutants, {valid} of them still proofs");
    assert!(proofs > 500 && valid < mutants / 2);
}

/// One reply dropped, repeated, exchanged, or with a square changed.
fn mutate(replies: &[Move], header: &Header, random: &mut Random) -> Vec<Move> {
    let mut replies = replies.to_vec();
    let area = header.game.area();
    if replies.is_empty() {
        return vec![to_move(1 << random.below(area))];
    }
    let at = random.below(replies.len());
    match random.below(5) {
        0 => drop(replies.remove(at)),
        1 => replies.insert(at, replies[at]),
        2 => {
            let other = random.below(replies.len());
            replies.swap(at, other);
        }
        3 => replies.truncate(at),
        _ => {
            let mut squares = replies[at].squares().to_vec();
            let i = random.below(squares.len());
            squares[i] = random.below(area) as u16;
            replies[at] = Move::new(&squares).unwrap_or(replies[at]);
        }
    }
    replies
}

/// What a fuzzer calls: no bytes may make the checker panic.
fn fuzz_one(bytes: &[u8]) {
    let _ = check(bytes);
}

#[test]
fn flipped_bits_and_noise_do_no_harm() {
    let mut random = Random::new(7);
    for (seed, header, mut oracle, wins) in decided(20_000..20_400) {
        let mut source = Random::new(seed);
        let (oracle, source) = (&mut oracle, &mut source);
        let mut player =
            Player { oracle, attacker: header.attacker, random: source, given: Vec::new(), tries: true };
        let accepted = walk_with_margin(&header, &mut player, header.game.p()).is_ok();
        let replies = player.given;
        assert!(!accepted || wins);
        let bytes = text(&header, &replies).into_bytes();
        for _ in 0..50 {
            let mut bytes = bytes.clone();
            for _ in 0..1 + random.below(3) {
                let at = random.below(bytes.len());
                bytes[at] ^= 1 << random.below(8);
            }
            fuzz_one(&bytes);
            bytes.truncate(random.below(bytes.len()));
            fuzz_one(&bytes);
        }
    }
    for length in 0..200 {
        fuzz_one(&(0..length).map(|_| random.below(256) as u8).collect::<Vec<u8>>());
    }
}

#[test]
fn the_longest_line_of_the_largest_board_needs_no_deep_stack() {
    let game = crate::Game::new(64, 64, 64, 1, 1).expect("within the limits");
    let (black, white, method) = (vec![], vec![], Method::Rzop);
    let header = Header {
        game,
        black,
        white,
        to_move: Side::Black,
        attacker: Side::Black,
        method,
        replies: 0,
        except: Vec::new(),
    };
    // Broken diagonals one after the other leave two squares of every segment
    // empty: there is never a threat, and the defender passes all the time.
    let order = (1..62).flat_map(|shift| (0..64).map(move |row| row * 64 + (row + shift) % 64));
    let replies: Vec<Move> = order.map(|s| Move::new(&[s]).expect("one square")).collect();
    let thread = std::thread::Builder::new().stack_size(128 << 10);
    let result = thread.spawn(move || check(text(&header, &replies).as_bytes())).unwrap().join().unwrap();
    match result {
        Err(crate::CheckError::Rejected(rejection)) => {
            assert_eq!(rejection, crate::Rejection { reply: 61 * 64 + 1, reason: Reason::RunOut })
        }
        other => panic!("{other:?}"),
    }
}
