//! What is read, what is not, and what the checker says about it.

use lambda6_checker::{CheckError, Game, Header, Method, Reason, Side, check, check_with};
use std::ops::ControlFlow;

/// White to move has one critical defence, c1; then Black wins by b2.
const ONE: &str = "connect-proof 1
game: 5 5 3 1 1
black: a1 b1 d2
white: a5 e5
to-move: white
attacker: black
method: rzop
replies: 1

b2
";

/// The same with one text in place of another.
fn changed(from: &str, to: &str) -> String {
    assert!(ONE.contains(from), "{from}");
    ONE.replacen(from, to, 1)
}

fn unreadable(text: impl AsRef<[u8]>) -> (u64, String) {
    match check(text.as_ref()) {
        Err(CheckError::Unreadable(error)) => (error.line, error.fault.to_string()),
        other => panic!("{other:?}"),
    }
}

fn rejected(text: &str) -> (u64, Reason) {
    match check(text.as_bytes()) {
        Err(CheckError::Rejected(rejection)) => (rejection.reply, rejection.reason),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_valid_certificate_is_summed_up() {
    let checked = check(changed("rzop", "mutual").as_bytes()).unwrap();
    let summary = checked.summary;
    assert_eq!((summary.replies, summary.wins, summary.longest), (1, 0, 1));
    assert_eq!(summary.by_threats, [0, 0, 1]);
    assert_eq!(checked.header.method, Method::Mutual);
    assert_eq!((checked.header.attacker, checked.header.to_move), (Side::Black, Side::White));
}

#[test]
fn a_header_is_written_as_it_is_read() {
    assert_eq!(format!("{}b2\n", check(ONE.as_bytes()).unwrap().header), ONE);
    let game = Game::new(60, 9, 3, 1, 1).unwrap();
    for name in ["a1", "z9", "aa1", "az5", "ba5", "bh9"] {
        let squares = game.parse(name.as_bytes()).unwrap();
        assert_eq!(game.name(squares[0]), name);
    }
    assert!(game.parse(b"bi1").is_err());
}

const VERSION: &str = "the first line must be `connect-proof 1` or `connect-proof 2`";

/// Texts in place of others in the header, with the line and the message of the
/// error.
const BAD_HEADERS: &[(&str, &str, u64, &str)] = &[
    // Line 1.
    ("connect-proof 1", "connect-proof 3", 1, VERSION),
    ("connect-proof 1", "connect-proof 1 ", 1, VERSION),
    ("connect-proof 1", "Connect-proof 1", 1, VERSION),
    ("connect-proof 1", "\u{feff}connect-proof 1", 1, VERSION),
    ("connect-proof 1", "\nconnect-proof 1", 1, VERSION),
    // The form of a line.
    ("game: 5 5 3 1 1", "game 5 5 3 1 1", 2, "expected `key: value`"),
    ("game: 5 5 3 1 1", "game:5 5 3 1 1", 2, "expected `key: value`"),
    ("game: 5 5 3 1 1", "game:\t5 5 3 1 1", 2, "expected `key: value`"),
    ("replies: 1\n", "replies: 1\n ", 9, "expected `key: value`"),
    ("replies: 1\n", "replies: 1\n\t\n", 9, "expected `key: value`"),
    ("\nwhite", "\r\nwhite", 3, "a carriage return: lines end with LF alone"),
    ("game", "tool: \r\ngame", 2, "a carriage return: lines end with LF alone"),
    ("replies: 1\n\nb2\n", "replies: 1\n", 9, "the header must end with an empty line"),
    ("replies: 1\n\nb2\n", "replies: 1", 8, "the header must end with an empty line"),
    // Keys.
    ("replies: 1", "replies: 1\nexcept: c1", 9, "unknown key `except`"),
    ("connect-proof 1", "connect-proof 2", 9, "no `except` in the header"),
    ("game: 5 5 3 1 1", "game: 5 5 3 1 1\ngame: 5 5 3 1 1", 3, "a second `game`"),
    ("white: a5 e5", "white: a5\nwhite: e5", 5, "a second `white`"),
    ("method: rzop\n", "", 8, "no `method` in the header"),
    ("game: 5 5 3 1 1\n", "", 8, "no `game` in the header"),
    ("game:", "note: x\ngame:", 2, "unknown key `note`"),
    ("game:", "Game:", 2, "unknown key `Game`"),
    ("game:", "\tgame:", 2, "unknown key `\\tgame`"),
    ("game:", " game:", 2, "unknown key ` game`"),
    ("game:", "game :", 2, "unknown key `game `"),
    ("game:", "\ttool: x\ngame:", 2, "unknown key `\\ttool`"),
    ("game:", "Tool: x\ngame:", 2, "unknown key `Tool`"),
    ("game:", ": x\ngame:", 2, "unknown key ``"),
    ("game:", "\u{a0}game:", 2, "unknown key `\\u{a0}game`"),
    ("black: a1 b1 d2\n", "", 8, "no `black` in the header"),
    // `game`.
    ("game: 5 5 3 1 1", "game: 5 5 3 1", 2, "expected five numbers: m n k p q"),
    ("game: 5 5 3 1 1", "game: 5 5 3 1 1 1", 2, "expected five numbers: m n k p q"),
    ("game: 5 5 3 1 1", "game: 5  5 3 1 1", 2, "expected five numbers: m n k p q"),
    ("game: 5 5 3 1 1", "game: 5 5\t3 1 1", 2, "expected five numbers: m n k p q"),
    ("game: 5 5 3 1 1", "game: 5 5 +3 1 1", 2, "expected five numbers: m n k p q"),
    ("game: 5 5 3 1 1", "game: 5 5 03 1 1", 2, "expected five numbers: m n k p q"),
    ("game: 5 5 3 1 1", "game: 5 5 3.0 1 1", 2, "expected five numbers: m n k p q"),
    ("game: 5 5 3 1 1", "game:", 2, "expected five numbers: m n k p q"),
    ("game: 5 5 3 1 1", "game: 65 5 3 1 1", 2, "m is 65: only 1 to 64 are supported"),
    ("game: 5 5 3 1 1", "game: 5 0 3 1 1", 2, "n is 0: only 1 to 64 are supported"),
    ("game: 5 5 3 1 1", "game: 5 5 65 1 1", 2, "k is 65: only 1 to 64 are supported"),
    ("game: 5 5 3 1 1", "game: 5 5 3 9 1", 2, "p is 9: only 1 to 8 are supported"),
    ("game: 5 5 3 1 1", "game: 5 5 3 1 0", 2, "q is 0: only 1 to 64 are supported"),
    // `black`, `white`.
    ("black: a1 b1 d2", "black: b3 B3", 3, "`B3` is not a square"),
    ("black: a1 b1 d2", "black: b3c3", 3, "`b3c3` is not a square"),
    ("black: a1 b1 d2", "black: b3 c03", 3, "`c03` is not a square"),
    ("black: a1 b1 d2", "black: b3 c0", 3, "`c0` is not a square"),
    ("black: a1 b1 d2", "black: b3,c3", 3, "`b3,c3` is not a square"),
    ("black: a1 b1 d2", "black: b3\tc3", 3, "`b3\\tc3` is not a square"),
    ("black: a1 b1 d2", "black: b3 f3", 3, "`f3` is off the board"),
    ("black: a1 b1 d2", "black: b3 c6", 3, "`c6` is off the board"),
    ("white: a5 e5", "white: a5 b1", 4, "two stones on b1"),
    ("black: a1 b1 d2", "black: b3 b3", 4, "two stones on b3"),
    // The others.
    ("to-move: white", "to-move: White", 5, "expected `black` or `white`"),
    ("to-move: white", "to-move: white black", 5, "expected `black` or `white`"),
    ("attacker: black", "attacker:", 6, "expected `black` or `white`"),
    ("method: rzop", "method: rzop3", 7, "expected `rzop`, `srzop1`, `srzop2` or `mutual`"),
    ("replies: 1", "replies: -2", 8, "expected a number"),
    ("replies: 1", "replies: 01", 8, "expected a number"),
    ("replies: 1", "replies:", 8, "expected a number"),
    ("replies: 1", "replies: 18446744073709551616", 8, "expected a number"),
];

#[test]
fn a_header_that_breaks_the_format_is_rejected() {
    for &(from, to, line, what) in BAD_HEADERS {
        assert_eq!(unreadable(changed(from, to)), (line, what.to_string()), "{to:?}");
    }
    let long = unreadable(changed("black: a1", &format!("black: {}", "a".repeat(100))));
    assert_eq!(long, (3, format!("`{}...` is not a square", "a".repeat(32))));
    assert_eq!(unreadable(b"").0, 1);
    assert_eq!(unreadable(ONE.replace('\n', "\r\n")).0, 1);
    assert_eq!(unreadable(ONE.replace('\n', "\r")).0, 1);
    assert_eq!(unreadable(b"connect-proof 1\ntool: \xff\n\n"), (2, "not UTF-8".into()));
    // A header without end is not read to the end.
    let endless = format!("connect-proof 1\n{}", "tool: x\n".repeat(1 << 18));
    assert_eq!(unreadable(endless).1, "the header must end with an empty line");
}

/// Texts in place of others that leave the certificate valid.
const GOOD_VARIANTS: &[(&str, &str)] = &[
    // Keys in another order, and notes.
    ("game: 5 5 3 1 1\nblack: a1 b1 d2\n", "black: a1 b1 d2\ngame: 5 5 3 1 1\n"),
    ("game:", "tool: x: y\ntool: z\nname:\ndate: \u{e9}\u{0}\nsha256: \t\ngame:"),
    ("replies: 1\n", "replies: 1\ntool: lambda6 0.1.0\n"),
    // Spaces around values and between stones.
    ("game: 5 5 3 1 1", "game:   5 5 3 1 1  "),
    ("black: a1 b1 d2", "black:  a1   b1 d2 "),
    ("to-move: white", "to-move:  white "),
    // Stones in any order.
    ("black: a1 b1 d2", "black: d2 b1 a1"),
    // The replies: white space of any kind, also none at the end.
    ("\n\nb2\n", "\n\nb2"),
    ("\n\nb2\n", "\n\n\n\nb2\n"),
    ("\n\nb2\n", "\n\n  \t\r\n\u{c}\n b2 \r\n\n"),
];

#[test]
fn a_writer_may_vary_the_form() {
    assert!(check(ONE.as_bytes()).is_ok());
    for (from, to) in GOOD_VARIANTS {
        let result = check(changed(from, to).as_bytes());
        assert!(result.is_ok(), "{to:?}: {result:?}");
    }
}

/// Black threatens b1; only there can White stand. Nothing is claimed about that move, so nothing
/// is left to be shown.
const EXCEPTING: &str = "connect-proof 2
game: 3 3 3 1 1
black: a1 c1
white: a2
to-move: white
attacker: black
method: rzop
replies: 0
except: b1
";

/// Version 2 has exceptions, each a set of empty squares no larger than a move.
#[test]
fn exceptions_are_sets_of_empty_squares() {
    let with = |except: &str| format!("{}except:{except}\n\n", EXCEPTING.split("except").next().unwrap());
    let checked = check(with(" b1").as_bytes()).unwrap();
    assert_eq!((checked.summary.replies, checked.header.except.len()), (0, 1));
    assert_eq!(checked.header.to_string(), format!("{EXCEPTING}\n"));
    let bad = |word: &str| format!("`{word}` is not a move, or a part of one, on empty squares");
    for (except, what) in [
        (" b1 a1", bad("a1")),
        (" b1 a2", bad("a2")),
        (" b1c2", bad("b1c2")),
        (" b1 d1", bad("d1")),
        (" b1,b2", bad("b1,b2")),
        ("", "expected moves: without any, the version is 1".to_string()),
        ("  ", "expected moves: without any, the version is 1".to_string()),
    ] {
        assert_eq!(unreadable(with(except)), (9, what), "{except:?}");
    }
    let twice = with(" b1\nexcept: b1");
    assert_eq!(unreadable(twice), (10, "a second `except`".to_string()));
    let attacker = with(" b1").replace("to-move: white", "to-move: black");
    assert_eq!(unreadable(attacker), (9, "moves are excepted, but the attacker is to move".to_string()));
    // Another move loses, but is not the one to be proved lost.
    match check(with(" b2").as_bytes()) {
        Err(CheckError::Rejected(rejection)) => assert_eq!(rejection.reason, Reason::RunOut),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_wrong_reply_is_named() {
    let with = |reply: &str| rejected(&ONE.replace("\n\nb2\n", &format!("\n\n{reply}\n")));
    for (reply, number, reason) in [
        ("a1", 1, Reason::Occupied("a1".into())),
        ("c1", 1, Reason::Occupied("c1".into())),
        ("f1", 1, Reason::OffBoard),
        ("b6", 1, Reason::OffBoard),
        ("aa1", 1, Reason::OffBoard),
        ("b99999999999999999999", 1, Reason::OffBoard),
        ("b2d2", 1, Reason::TooMany),
        ("b2b2", 1, Reason::TooMany),
        ("B2", 1, Reason::Malformed),
        ("b02", 1, Reason::Malformed),
        ("b0", 1, Reason::Malformed),
        ("b", 1, Reason::Malformed),
        ("2", 1, Reason::Malformed),
        ("2b", 1, Reason::Malformed),
        ("b-2", 1, Reason::Malformed),
        ("b2x", 1, Reason::Malformed),
        ("b2,", 1, Reason::Malformed),
        // No white space: no-break space, line separator, vertical tab, NUL.
        ("b2\u{a0}", 1, Reason::Malformed),
        ("b2\u{2028}", 1, Reason::Malformed),
        ("b2\u{b}", 1, Reason::Malformed),
        ("b2\0", 1, Reason::Malformed),
        // Nor is there a comment.
        ("# b2", 1, Reason::Malformed),
        ("", 1, Reason::RunOut),
        ("e4", 2, Reason::RunOut),
        ("b2 e4", 2, Reason::LeftOver),
        ("b2 #", 2, Reason::LeftOver),
    ] {
        assert_eq!(with(reply), (number, reason), "{reply:?}");
    }
    assert_eq!(with(&"b2".repeat(1 << 20)), (1, Reason::TooMany));
    // Two white stones in a row are one too many.
    let lost = ONE.replace("white: a5 e5", "white: c3 d3").replace("\n\nb2\n", "\n\ne4\n");
    assert_eq!(rejected(&lost), (0, Reason::DefenderConnects));
}

#[test]
fn the_count_in_the_header_counts() {
    assert_eq!(rejected(&ONE.replace("replies: 1", "replies: 0")), (1, Reason::Count(0)));
    assert_eq!(
        rejected(&ONE.replace("replies: 1", "replies: 1000000000")),
        (1, Reason::Count(1_000_000_000))
    );
}

#[test]
fn a_move_of_several_stones_has_them_all_unless_it_wins() {
    let text = |replies: &str| {
        format!(
            "connect-proof 1\ngame: 6 6 4 2 1\nblack: a1 b1 c1\nwhite: f6\nto-move: black\n\
             attacker: black\nmethod: srzop2\nreplies: 1\n\n{replies}\n"
        )
    };
    assert!(check(text("d1").as_bytes()).is_ok());
    assert!(check(text("d1f1").as_bytes()).is_ok());
    assert!(check(text("f1d1").as_bytes()).is_ok(), "squares in any order");
    assert_eq!(rejected(&text("e1")), (1, Reason::TooFew));
    assert_eq!(rejected(&text("d1d1")), (1, Reason::Repeated));
    assert_eq!(rejected(&text("d1e1f1")), (1, Reason::TooMany));
}

#[test]
fn a_game_that_is_over() {
    let text = |black: &str, white: &str, to_move: &str, replies: &str| {
        let count = replies.split_whitespace().count();
        format!(
            "connect-proof 1\ngame: 5 5 3 1 1\nblack: {black}\nwhite: {white}\nto-move: {to_move}\n\
             attacker: black\nmethod: rzop\nreplies: {count}\n\n{replies}\n"
        )
    };
    // The defender has won: nothing the attacker does changes that.
    assert_eq!(rejected(&text("a1 b1", "a5 b5 c5", "black", "c1")), (0, Reason::AlreadyLost));
    assert_eq!(rejected(&text("a1 b1 c1", "a5 b5 c5", "white", "")), (0, Reason::AlreadyLost));
    // The attacker has won: there is no game left to win.
    assert_eq!(rejected(&text("a1 b1 c1", "a5 b5", "black", "d1")), (0, Reason::AlreadyWon));
    assert_eq!(rejected(&text("a1 b1 c1", "a5 b5", "white", "")), (0, Reason::AlreadyWon));
    assert_eq!(rejected(&text("a1 b1 c1", "a5", "white", "")), (0, Reason::AlreadyWon));
    // Nobody can win any more.
    let full = "a1 c1 d1 a2 c2 b3 d3 e3 b4 d4 e4 a5";
    let rest = "b1 e1 b2 d2 e2 a3 c3 a4 c4 b5 c5 d5";
    let result = check(text(full, rest, "white", "").as_bytes());
    assert!(matches!(result, Err(CheckError::Rejected(_))), "{result:?}");
}

#[test]
fn a_full_board_is_no_win() {
    let text = "connect-proof 1\ngame: 2 1 3 1 1\nblack:\nwhite:\nto-move: black\nattacker: black\n\
                method: rzop\nreplies: 2\n\na1\nb1\n";
    assert_eq!(rejected(text), (2, Reason::BoardFull));
}

#[test]
fn a_certificate_of_another_game_does_not_pass() {
    for game in ["5 5 4 1 1", "5 5 3 2 1", "5 6 4 1 1"] {
        let result = check(ONE.replace("5 5 3 1 1", game).as_bytes());
        assert!(matches!(result, Err(CheckError::Rejected(_))), "{game}: {result:?}");
    }
}

#[test]
fn the_caller_can_stop_a_long_check() {
    let game = Game::new(64, 64, 64, 1, 1).unwrap();
    let (black, white, replies) = (vec![], vec![], 1 << 40);
    let (to_move, attacker, method) = (Side::Black, Side::Black, Method::Rzop);
    let mut text =
        Header { game, black, white, to_move, attacker, method, replies, except: Vec::new() }.to_string();
    // Nobody comes near 64 in a row this way, so the defender passes all the time.
    for s in (1..62).flat_map(|shift| (0..64).map(move |row| row * 64 + (row + shift) % 64)) {
        text += &format!("{}\n", game.name(s));
    }
    let mut seen = Vec::new();
    let result = check_with(text.as_bytes(), |replies| {
        seen.push(replies);
        if seen.len() < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert!(matches!(result, Err(CheckError::Stopped)));
    assert!(seen.len() == 3 && seen.is_sorted(), "{seen:?}");
}

#[test]
fn a_failing_input_is_not_a_rejection() {
    struct Broken;
    impl std::io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("broken"))
        }
    }
    let start = ONE.strip_suffix("b2\n").unwrap().as_bytes();
    let input = std::io::BufReader::new(std::io::Read::chain(start, Broken));
    assert!(matches!(check(input), Err(CheckError::Io(_))));
}
