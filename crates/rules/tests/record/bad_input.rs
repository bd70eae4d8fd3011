//! What is refused, with the place and the reason; and what must not take long.

use super::{read, refusal};
use rules::{
    Game,
    record::{self, Fault, Illegal, MAX_BYTES, Place, ReadOptions},
};
use std::sync::LazyLock;

// Each table holds texts with the error that each gives.

/// Move lists, and empty texts.
const MOVE_LISTS: &[(&str, &str)] = &[
    ("", "line 1, column 1: the record is empty"),
    ("\u{feff} \r\n", "line 1, column 1: the record is empty"),
    ("j10 i9l10x", "line 1, column 5: expected a square such as j10, found \"x\""),
    (
        "j10\r\ni9 l10",
        "line 2, column 1: move 2: the move has 1 of 2 stones: write its squares together, such as i9l10",
    ),
    ("j10 i9", "line 1, column 5: move 2: the move has 1 stone, expected 2"),
    ("j10k10", "line 1, column 1: move 1: the move has 2 stones, expected 1"),
    ("j10 i9i8i7", "line 1, column 5: move 2: the move has 3 stones, expected 2"),
    ("j10 i9i9", "line 1, column 5: move 2: i9 stands twice in the move"),
    ("1.j10 2.j10k10", "line 1, column 9: move 2: j10 is occupied by a black stone"),
    ("1.j10 3.i9l10", "line 1, column 7: the move number is 3, expected 2"),
    ("1.j10 2.", "line 1, column 9: expected a move behind the move number, found the end"),
    ("1.j10 2 i9l10", "line 1, column 7: expected a move such as i9l10 or 2.i9l10, found \"2\""),
    ("j10 i9t10", "line 1, column 5: t10 is off the 19x19 board"),
    ("# é\nj10 é", "line 2, column 5: expected a square such as j10, found \"é\""),
    (
        "game: 15 15 5 1\nh8",
        "line 1, column 7: \"15 15 5 1\" is not a game: expected connect6, go-moku, tic-tac-toe or five numbers m n k p q",
    ),
    ("game: connect6\ngame: connect6\nj10", "line 2, column 1: the key \"game\" stands twice"),
    (
        "game: connect6\nblack: j10 k\nto-move: white",
        "line 2, column 12: expected a square such as j10, found \"k\"",
    ),
    ("game: connect6\nblack: j10\n\nk10", "line 1, column 1: the line \"to-move: ...\" is missing"),
];

/// SGF.
const SGF: &[(&str, &str)] = &[
    ("(;", "line 1, column 3: expected \";\", \"(\", \")\" or a property such as B[jj], found the end"),
    ("(;B[j10", "line 1, column 5: expected \"]\", the end of the value that begins here, found the end"),
    ("(;B[j10\\]", "line 1, column 5: expected \"]\", the end of the value that begins here, found the end"),
    (
        "(;B[j10](B[a1]))",
        "line 1, column 10: expected \";\", the first node of a variation, found \"B[a1]))\"",
    ),
    ("(;B[j10](;W[a1a2]);W[a1a3])", "line 1, column 19: expected \"(\" or \")\", found \";W[a1a3])\""),
    ("(;B)", "line 1, column 4: expected \"[\" and the value of a property, found \")\""),
    ("(;b[j10])", "line 1, column 3: expected a property's name in capital letters, found \"b[j10])\""),
    ("(;B[j10])\n(;B[j10])", "line 2, column 1: a second game begins here: a file holds one record"),
    ("(;GM[1];B[dd])", "line 1, column 6: GM[1] is not a game of this family: expected GM[511]"),
    ("(;SZ[x];B[j10])", "line 1, column 6: expected a board size such as 19 or 19:15, found \"x\""),
    ("(;SZ[99];B[j10])", "line 1, column 6: m = 99 is out of range: expected 1 to 64"),
    (
        "(;SZ[60];B[jj])",
        "line 1, column 12: letter pairs cannot name the squares of a 60x60 board: at most 52x52",
    ),
    (
        "(;LC[1 2];B[j10])",
        "line 1, column 6: \"1 2\" is not a game: expected connect6, go-moku, tic-tac-toe or five numbers m n k p q",
    ),
    (
        "(;LC[15 15 5 1 1]SZ[19])",
        "line 1, column 21: this is a record of the game on a 19x19 board, expected Connect(15,15,5,1,1)",
    ),
    ("(;B[j10]\n;W[i9l20])", "line 2, column 6: l20 is off the 19x19 board"),
    ("(;GM[511];B[tt])", "line 1, column 13: tt is off the 19x19 board"),
    ("(;GM[511];B[])", "line 1, column 13: expected a square of two letters such as jj, found the end"),
    ("(;GM[511];B[jjj])", "line 1, column 15: expected a square of two letters such as jj, found \"j\""),
    ("(;B[j10]W[i9l10])", "line 1, column 9: the node has both a black and a white move"),
    ("(;B[j10]TR[a1b1])", "line 1, column 14: expected one square, found \"b1\""),
    ("(;B[j10]LB[a1])", "line 1, column 12: expected a value with a colon, found \"a1\""),
    (
        "(;B[j10];AB[a1])",
        "line 1, column 10: found AB, but a record sets up stones in its first node only, with AB and AW",
    ),
    ("(;AB[j10][j10])", "line 1, column 3: j10 is listed twice among the black stones"),
    ("(;AB[j10]AW[j10])", "line 1, column 3: j10 has both a black and a white stone"),
    ("(;AB[a1:f1])", "line 1, column 3: the game is over: black already has 6 in a row"),
    ("(;AB[j10]PL[red])", "line 1, column 13: expected B or W, found \"red\""),
];

/// The rules, in every variation.
const BROKEN_RULES: &[(&str, &str)] = &[
    ("(;W[j10])", "line 1, column 5: move 1: it is black's turn, not white's"),
    ("(;B[j10];B[j11])", "line 1, column 12: move 2: it is white's turn, not black's"),
    ("(;B[j10];W[i9];B[a1a2])", "line 1, column 12: move 2: the move has 1 stone, expected 2"),
    ("(;B[j10];W[i9i8i7])", "line 1, column 12: move 2: the move has 3 stones, expected 2"),
    ("(;B[j10];W[a1b1c1d1e1f1g1h1i1j1k1])", "line 1, column 12: move 2: the move has 9 stones, expected 2"),
    (
        "(;GM[511];B[JJ]\n(;W[IH];W[HI])\n(;W[IH];W[JJ]))",
        "line 3, column 11: move 2: j10 is occupied by a black stone",
    ),
    ("(;GM[511];B[JJ];W[IH]\n(;W[HI])\n(;W[IH]))", "line 3, column 5: move 2: i12 stands twice in the move"),
];

/// Contest records.
const CONTEST: &[(&str, &str)] = &[
    ("{}", "line 1, column 2: expected \"[C6]\", found \"}\""),
    ("{[GO];B(J,10)}", "line 1, column 3: expected C6, the name of the game, found \"GO\""),
    ("{[C6", "line 1, column 3: expected \"]\", the end of the field that begins here, found the end"),
    ("{[C6][][][][][][more]}", "line 1, column 16: expected \";\" behind the six fields, found \"[more]}\""),
    (
        "{[C6][后手胜];B(J,10);X(I,11)}",
        "line 1, column 20: expected a stone such as B(J,10), found \"X(I,11)}\"",
    ),
    ("{[C6];B(J,10)", "line 1, column 14: expected \";\" and a stone, or \"}\", found the end"),
    ("{[C6];B(10,10)}", "line 1, column 9: expected a column letter and \",\", found \"10,10)}\""),
    ("{[C6];B(J,x)}", "line 1, column 11: expected a row number, found \"x)}\""),
    ("{[C6];B(T,10)}", "line 1, column 9: T10 is off the 19x19 board"),
    ("{[C6];B(J,10)} x", "line 1, column 16: expected the end behind \"}\", found \"x\""),
    ("{[C6];B(J,10);W(J,10)}", "line 1, column 15: move 2: j10 is occupied by a black stone"),
    ("{[C6];B(J,10);W(J,11);B(J,12)}", "line 1, column 15: move 2: the move has 1 stone, expected 2"),
];

#[test]
fn errors_name_line_column_and_move() {
    for (text, message) in [MOVE_LISTS, SGF, BROKEN_RULES, CONTEST].into_iter().flatten() {
        assert_eq!(refusal(text).to_string(), *message, "{text}");
    }
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    let noise: Vec<u8> = (0u32..5000).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    assert_eq!(refusal(&noise).fault, Fault::UnknownFormat);
    assert_eq!(refusal(b"j10\ni9\xff").to_string(), "line 2, column 3: the bytes here are not UTF-8 text");
    assert_eq!(
        refusal(b"{[C6]\n[\xff\xff]").to_string(),
        "line 2, column 2: the bytes here are not UTF-8 or GBK text"
    );
    refusal(b"(;CA[GB2312]C[\xff\xff])");
}

#[test]
fn a_record_of_another_board_is_refused() {
    let options = ReadOptions { game: Some(Game::CONNECT6), rows: None };
    let message = |text: &str| record::read(text.as_bytes(), &options).unwrap_err().to_string();
    let expected = "expected Connect(19,19,6,2,1)";
    assert_eq!(
        message("(;GM[511]SZ[40];B[jj])"),
        format!("line 1, column 13: this is a record of the game on a 40x40 board, {expected}")
    );
    assert_eq!(
        message("game: 40 40 6 2 1\n1.j10"),
        format!("line 1, column 1: this is a record of the game Connect(40,40,6,2,1), {expected}")
    );
    assert_eq!(message("(;B[ad35])"), "line 1, column 5: ad35 is off the 19x19 board");
    assert_eq!(message("j10 ad35ad34"), "line 1, column 5: ad35 is off the 19x19 board");
    let options = ReadOptions { game: Some(Game::GO_MOKU), rows: None };
    let error = record::read(b"{[C6];B(J,10)}", &options).unwrap_err();
    assert!(matches!(error.fault, Fault::OtherGame { .. }), "{error}");
}

#[test]
fn a_game_does_not_go_on_after_six_in_a_row() {
    let won = "j10 a1c1 i10k10 a3c3 h10l10 a5c5 m10g10";
    assert_eq!(read(won).main_line().len(), 7);
    assert_eq!(
        refusal(format!("{won} a7c7")).to_string(),
        "line 1, column 41: move 8: the game is over: black has won"
    );
    let sgf = |moves: &str| {
        let nodes = moves.split(' ').zip("BW".chars().cycle()).map(|(mv, c)| format!(";{c}[{mv}]"));
        format!("(;{})", nodes.collect::<String>())
    };
    for more in ["a7c7", "a7", "b7b8"] {
        let error = refusal(sgf(&format!("{won} {more}")));
        assert!(matches!(error.fault, Fault::Illegal { number: 8, why: Illegal::Play(_) }), "{error}");
    }
    // Won with the first stone of a move: the second may follow, nothing else.
    let short = sgf(&won.replace("m10g10", "m10"));
    assert_eq!(read(&short).main_line().len(), 7);
    assert_eq!(read(&short.replace("[m10])", "[m10];B[a9])")).main_line()[6].len(), 2);
    let error = refusal(short.replace("[m10])", "[m10];W[a9a8])"));
    assert!(matches!(error.fault, Fault::Illegal { number: 8, .. }), "{error}");
}

/// Long enough that quadratic time or a word of memory a byte would show, and
/// below the length that is refused outright.
const LONG: usize = 20_000_000;

fn long(pattern: &str) -> String {
    pattern.repeat(LONG / pattern.len())
}

#[test]
fn a_file_that_is_too_long_is_refused_unread() {
    let bytes = vec![b'1'; 100_000_000];
    assert_eq!(
        refusal(&bytes).to_string(),
        format!("line 1, column 1: the record has 100000000 bytes, more than the {MAX_BYTES} that are read")
    );
}

#[test]
fn long_lines_of_one_thing_are_refused() {
    for pattern in [
        "a",
        "1",
        "1.",
        "a1",
        "j10 ",
        "(",
        "(;",
        ";",
        "[",
        "{",
        "{[",
        "#",
        "\\",
        "é",
        "\n",
        " (",
        "game:",
        "game: a\n",
        "{[C6];",
        "1. ",
        "\r",
        "( ",
    ] {
        let text = long(pattern);
        if !text.starts_with('#') && !text.trim().is_empty() {
            refusal(&text);
        }
    }
    for (start, pattern) in [
        ("j10 ", "a"),
        ("j10 ", "a1"),
        ("j10 ", "1"),
        ("j10 ", "i9 "),
        ("j10\n", "\n\n\n\nx"),
        ("(;B[", "a1"),
        ("(;B[", "aa"),
        ("(;B[j10]C[", "\\"),
        ("(;B[j10]C", "[]"),
        ("(;B[j10]", "XX[]"),
        ("(;B[j10]", ";"),
        ("(;B[j10]", "(;"),
        ("(;B[j10]", "(;)"),
        ("(;B[j10];W[i9]", "(;TR[a1:s19])"),
        ("(;TR", "[a1:s19]"),
        ("(;AB", "[a1]"),
        ("(;SZ[", "9"),
        ("(;GM[", "9"),
        ("(;XX", "X"),
        ("{[C6];", "B(J,10);"),
        ("{[C6];B(", "J"),
        ("{[C6];B(J,", "1"),
        ("{[", "C6"),
        ("{[C6]", "[]"),
        ("game: 19 19 6 2 1\nblack: ", "j10 "),
        ("game: 19 19 6 2 1\n", "event: x\n"),
        ("game: ", "19 "),
    ] {
        refusal(format!("{start}{}", long(pattern)));
    }
}

#[test]
fn long_texts_that_are_records_are_read() {
    let text = long("x\\]y\n");
    let record = read(&format!("(;B[j10]C[{text}])"));
    let comment = record.node(record.walk().last().unwrap()).comment();
    assert_eq!(comment.len(), text.len() / 5 * 4);
    assert_eq!(read(&long(" ").replacen("  ", "j10", 1)).main_line().len(), 1);
    assert_eq!(read(&format!("j10 {}", long("# x\n"))).main_line().len(), 1);
}

static DEEP: LazyLock<String> =
    LazyLock::new(|| format!("(;B[j10]{}{})", "(;".repeat(200_000), ")".repeat(200_000)));

#[test]
fn deep_and_wide_trees_are_read_and_written() {
    let chain = format!("(;B[j10]{})", ";C[x]".repeat(200_000));
    let wide = format!("(;B[j10]{})", "(;W[a1a2];B[b1b2])".repeat(100_000));
    let comb = format!("(;B[j10]{}{})", "(;)(;".repeat(100_000), ")".repeat(100_000));
    for text in [DEEP.as_str(), &chain, &wide, &comb] {
        let record = read(text);
        assert!(record.node_count() > 200_000);
        let lossy = record::WriteOptions { lossy: true, rows: None };
        for format in record::Format::ALL {
            let written = record.write(format, &lossy).unwrap();
            let again = record::read(&written, &ReadOptions::default()).unwrap();
            assert_eq!(again.main_line(), record.main_line());
        }
        let sgf = record.write(record::Format::LittleGolem, &lossy).unwrap();
        assert!(record::read(&sgf, &ReadOptions::default()).unwrap() == record);
    }
}

#[test]
fn deep_trees_that_never_end_are_refused() {
    let error = refusal(&DEEP[..DEEP.len() - 1]);
    assert_eq!(error.place, Some(Place { line: 1, column: DEEP.len() }));
    refusal("(".repeat(200_000));
}
