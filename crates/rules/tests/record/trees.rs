//! Variations, comments and marks, and how they move between formats.

use super::{moves, read};
use rules::{
    Game,
    record::{self, Format, Mark, Markup, Property, ReadOptions, Record, WriteError, WriteOptions},
};

fn write(record: &Record, format: Format) -> String {
    String::from_utf8(record.write(format, &WriteOptions::default()).unwrap()).unwrap()
}

/// A variation that branches within a move, comments on single stones, marks.
const WITHIN: &str = "(;FF[4]GM[511]SZ[19];B[JJ];W[IH]C[first]TR[AA]
(;W[HI]C[second]TR[BB];B[AB];B[AC])
(;W[KL]C[other]))
";

#[test]
fn variations_within_a_move_survive() {
    let record = read(WITHIN);
    assert_eq!(write(&record, Format::Gm511), WITHIN);
    assert_eq!(record.main_line(), moves(Game::CONNECT6, "j10 i12h11 a18a17"));
    let other = record.walk().last().unwrap();
    assert_eq!(record.moves_to(other), moves(Game::CONNECT6, "j10 i12k8"));
}

#[test]
fn merging_stones_into_moves_loses_no_comment_and_no_mark() {
    let merged = "(;FF[4];B[j10]
(;W[i12h11]C[first
second]TR[a19][b18];B[a18a17])
(;W[i12k8]C[other]))
";
    let record = read(WITHIN);
    assert_eq!(write(&record, Format::LittleGolem), merged);
    // And splitting them again puts them on the last stone.
    assert_eq!(
        write(&read(merged), Format::Gm511),
        "(;FF[4]GM[511]SZ[19];B[JJ]
(;W[IH];W[HI]C[first
second]TR[AA][BB];B[AB];B[AC])
(;W[IH];W[KL]C[other]))
"
    );
}

#[test]
fn half_moves_at_the_ends_of_lines_survive() {
    let text = "(;FF[4]GM[511]SZ[19];B[JJ];W[IH]\n(;C[undecided])\n(;W[HI])\n(;W[HJ];B[AA]))\n";
    let record = read(text);
    assert_eq!(write(&record, Format::Gm511), text);
    assert_eq!(record.main_line(), moves(Game::CONNECT6, "j10"));
    assert_eq!(record.half_move().unwrap().1, moves(Game::CONNECT6, "i12")[0]);
    let merged = "(;FF[4];B[j10]\n(;W[i12]C[undecided])\n(;W[i12h11])\n(;W[i12h10];B[a19]))\n";
    assert_eq!(write(&record, Format::LittleGolem), merged);
    assert_eq!(read(merged).half_move(), record.half_move());
}

#[test]
fn a_move_in_the_first_node_comes_behind_the_root() {
    let record = read("(;FF[4]AP[x]B[j10]C[centre];W[i9l10])");
    assert_eq!(record.node(record.root()).stones(), None);
    assert_eq!(write(&record, Format::LittleGolem), "(;FF[4]AP[x];B[j10]C[centre];W[i9l10])\n");
}

#[test]
fn marks_are_kept_and_follow_the_coordinates() {
    let text = "(;FF[4];B[j10]DD[]TR[a1]LB[a1:x\\:y\\]][b2:]LN[a1:b2]AR[b2:a1])\n";
    let record = read(text);
    let node = record.node(record.walk().last().unwrap());
    let at = |name| Game::CONNECT6.parse_square(name).unwrap();
    assert_eq!(
        node.markup(),
        [
            Markup::Cleared(Mark::Dimmed),
            Markup::Mark(Mark::Triangle, at("a1")),
            Markup::Label(at("b2"), String::new()),
            Markup::Label(at("a1"), "x:y]".into()),
            Markup::Line(at("a1"), at("b2")),
            Markup::Arrow(at("b2"), at("a1")),
        ]
    );
    let letters = write(&record, Format::Gm511Pairs);
    assert!(letters.ends_with(";B[jj]DD[]TR[as]LB[br:][as:x\\:y\\]]LN[as:br]AR[br:as])\n"), "{letters}");
    assert_eq!(read(&letters), record);
    let area = read("(;VW[q1:s3])");
    assert_eq!(area.node(area.root()).markup().len(), 9);
}

#[test]
fn unknown_properties_are_kept_as_they_are() {
    let text = "(;FF[4]AP[a:b]XX[1][\\]2\r\n];B[j10]N[name]V[1.5]BL[100];W[i9l10]PB[late])\n";
    let record = read(text);
    assert_eq!(write(&record, Format::LittleGolem), text);
    let property = &record.node(record.root()).properties()[1];
    assert_eq!(property.ident(), "XX");
    assert_eq!(property.values().collect::<Vec<_>>(), ["1", "]2\n"]);
    assert!(Property::new("N", ["a]"]).is_some());
    for ident in ["", "n", "B", "C", "TR", "SZ", "N1"] {
        assert_eq!(Property::new(ident, ["x"]), None);
    }
}

#[test]
fn editors_build_trees_that_keep_to_the_rules() {
    let game = Game::CONNECT6;
    let at = |name| game.parse_square(name).unwrap();
    let mut record = Record::new(game);
    let first = record.add_child(record.root(), &[at("j10")]).unwrap();
    let half = record.add_child(first, &[at("i9")]).unwrap();
    record.set_comment(half, "a\r\nb");
    let whole = record.add_child(half, &[at("l10")]).unwrap();
    record.add_child(half, &[at("k9")]).unwrap();
    record.add_markup(whole, Markup::Mark(Mark::Circle, at("a1")));
    record.add_property(whole, Property::new("N", ["x]"]).unwrap());
    assert_eq!(
        write(&record, Format::Gm511),
        "(;FF[4]GM[511]SZ[19];B[JJ];W[IK]C[a\nb]\n(;W[LJ]N[x\\]]CR[AS])\n(;W[KK]))\n"
    );
    let error = record.add_child(whole, &[at("j10"), at("a1")]).unwrap_err();
    assert_eq!(error.to_string(), "move 3: j10 is occupied by a black stone");
    assert_eq!(
        record.add_child(half, &[at("a1"), at("a2")]).unwrap_err().to_string(),
        "move 2: the move has 3 stones, expected 2"
    );
}

#[test]
fn writers_refuse_what_the_format_cannot_carry() {
    let refusal = |text: &str, format| {
        let record = read(text);
        let error = record.write(format, &WriteOptions::default()).unwrap_err();
        let lossy = WriteOptions { lossy: true, rows: None };
        if let Ok(bytes) = record.write(format, &lossy) {
            let line = record::read(&bytes, &ReadOptions::default()).unwrap().main_line();
            assert_eq!(line, record.main_line());
        } else {
            let hopeless = [Format::Contest, Format::Gm511, Format::Gm511Pairs].contains(&format);
            assert!(hopeless, "{error}");
        }
        error
    };
    let (list, contest) = (Format::MoveList, Format::Contest);
    for format in [list, contest] {
        assert_eq!(refusal("(;B[j10](;W[a1a2])(;W[a1a3]))", format), WriteError::Variations(format));
        assert_eq!(refusal("(;B[j10]TR[a1])", format), WriteError::Markup(format));
        let ident = "AP".to_string();
        assert_eq!(refusal("(;AP[x];B[j10])", format), WriteError::Property { format, ident });
    }
    assert_eq!(refusal("(;B[j10];W[a1])", list), WriteError::HalfMove(list));
    assert_eq!(refusal("(;B[j10]C[hello])", contest), WriteError::Comments(contest));
    assert_eq!(refusal("(;AB[j10])", contest), WriteError::Setup(contest));
    let game = Game::GO_MOKU;
    assert_eq!(refusal("(;LC[15 15 5 1 1])", contest), WriteError::Game { format: contest, game });
    for (text, what) in [
        ("(;PB[a\\]b])", "Black's name"),
        ("(;PW[\u{1f600}])", "White's name"),
        ("(;RE[who knows])", "the result"),
        ("(;DT[yesterday])", "date and place"),
        ("(;PC[12])", "date and place"),
    ] {
        let error = refusal(text, contest);
        assert!(matches!(error, WriteError::Text { what: found, .. } if found == what), "{error}");
    }
    // Leaving a character out leaves no space at the end.
    let lossy = WriteOptions { lossy: true, rows: None };
    let bytes = read("(;PB[a \\]]PW[b])").write(contest, &lossy).unwrap();
    assert!(bytes.starts_with(b"{[C6][a B][b W]["));
    // Nor spaces between date and place, nor a word of digits in the wrong one.
    for (text, written) in
        [("(;DT[5  \u{1f600}a])", "[5 a][]}"), ("(;DT[2024-05-06]PC[\u{1f600}7  x])", "[2024.05.06 7 x][]}")]
    {
        let bytes = read(text).write(contest, &lossy).unwrap();
        let found = String::from_utf8_lossy(&bytes);
        assert!(found.trim_end().ends_with(written), "{found}");
        let again = record::read(&bytes, &ReadOptions::default()).unwrap().write(contest, &lossy).unwrap();
        assert_eq!(again, bytes, "{text}");
    }
    for format in [Format::Gm511, Format::Gm511Pairs] {
        let board = WriteError::Board { format, cols: 64, rows: 53 };
        assert_eq!(refusal("(;SZ[64:53];B[bl53])", format), board);
    }
}
