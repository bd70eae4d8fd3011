//! The formats as they are met with.

use super::{moves, read};
use rules::{
    Game, Outcome, Side,
    record::{self, Format, ReadOptions, Record, Rows, WriteOptions},
};

const CONTEST: &str =
    "{[C6][team1 B][team2 W][先手胜][2017.07.29 14:00 重庆][2017 CCGC];B(J,10);W(I,11);W(I,12)}\n";

fn gb2312(text: &str) -> Vec<u8> {
    let (bytes, _, unmappable) = encoding_rs::GBK.encode(text);
    assert!(!unmappable);
    bytes.into_owned()
}

fn write(record: &Record, format: Format) -> String {
    let bytes = record.write(format, &WriteOptions::default()).unwrap();
    encoding_rs::UTF_8.decode(&bytes).0.into_owned()
}

#[test]
fn every_format_is_known_by_its_content_and_says_the_same() {
    for (text, format) in [
        ("1.j10 2.i11k11", Format::MoveList),
        ("1. j10\r\n2. i11k11\r\n", Format::MoveList),
        ("j10 i11k11", Format::MoveList),
        ("\u{feff}j10\ni11k11\n", Format::MoveList),
        ("# a comment\nj10 i11k11", Format::MoveList),
        ("game: 19 19 6 2 1\n1.j10 2.i11k11", Format::MoveList),
        ("(;FF[4]EV[connect6.ch.27.1.1]PB[a]PW[b]SO[c];B[j10];W[i11k11])", Format::LittleGolem),
        ("\u{feff}(;FF[4];B[j10];W[i11];W[k11])", Format::LittleGolem),
        ("Mail 1:\r\n (c) somebody\r\n( ; B [j10]\r\n;W[i11k11])\n-- \nbye", Format::LittleGolem),
        ("(;GM[511];B[JJ];W[II];W[KI])", Format::Gm511),
        ("(;GM[511];B[jj];W[ii];W[ki])", Format::Gm511),
        ("(;GM[511]SZ[19];B[jj];W[iiki])", Format::Gm511Pairs),
        ("(;SZ[19:19]B[jj];W[ii][ki])", Format::Gm511Pairs),
        ("{[C6][a B][b W][平局][][];B(J,10);W(I,11);W(K,11)}", Format::Contest),
        (" { [C6] ; B ( j , 10 ) ; W(I,11) ; W(K,11) ; }\n", Format::Contest),
    ] {
        assert_eq!(record::detect(text.as_bytes()), Some(format), "{text}");
        let record = read(text);
        assert_eq!(record.format(), format, "{text}");
        assert_eq!(record.game(), Game::CONNECT6);
        assert_eq!(record.main_line(), moves(Game::CONNECT6, "j10 i11k11"), "{text}");
        assert_eq!(record.half_move(), None);
    }
    for bytes in [&b""[..], b" \n", b"hello", b"\xff\xfe\x00", b"(", b"[]", b"x(y;)"] {
        assert_eq!(record::detect(bytes), None);
    }
}

#[test]
fn formats_have_names() {
    for format in Format::ALL {
        assert_eq!(format.name().parse(), Ok(format));
    }
    assert_eq!(
        "pgn".parse::<Format>().unwrap_err().to_string(),
        "\"pgn\" is not a record format: expected move-list, little-golem, gm511, gm511-pairs, contest"
    );
}

#[test]
fn each_format_is_written_as_its_programs_write_it() {
    let record = Record::from_moves(Game::CONNECT6, &moves(Game::CONNECT6, "j10 i12h11")).unwrap();
    assert_eq!(write(&record, Format::MoveList), "1.j10 2.i12h11\n");
    assert_eq!(write(&record, Format::LittleGolem), "(;FF[4];B[j10];W[i12h11])\n");
    assert_eq!(write(&record, Format::Gm511), "(;FF[4]GM[511]SZ[19];B[JJ];W[IH];W[HI])\n");
    assert_eq!(write(&record, Format::Gm511Pairs), "(;FF[4]GM[511]SZ[19];B[jj];W[ihhi])\n");
    let contest = record.write(Format::Contest, &WriteOptions::default()).unwrap();
    assert_eq!(contest, gb2312("{[C6][B][W][未完][][];B(J,10);W(I,12);W(H,11)}\n"));
}

#[test]
fn corners_and_centre_agree_in_all_formats() {
    let names = "j10 a1s1 a19s19";
    for (text, rows) in [
        ("1.j10 2.a1s1 3.a19s19", None),
        ("(;B[j10];W[a1s1];B[a19s19])", None),
        ("(;GM[511];B[JJ];W[AS];W[SS];B[AA];B[SA])", None),
        ("(;GM[511];B[JJ];W[AS];W[SS];B[AA];B[SA])", Some(Rows::FromTop)),
        ("(;GM[511];B[JJ];W[AA];W[SA];B[AS];B[SS])", Some(Rows::FromBottom)),
        ("(;GM[511]LR[bottom];B[JJ];W[AA];W[SA];B[AS];B[SS])", None),
        ("(;GM[511];B[jj];W[asss];B[aasa])", None),
        ("(;GM[511];B[jj];W[aasa];B[asss])", Some(Rows::FromBottom)),
        ("{[C6];B(J,10);W(A,1);W(S,1);B(A,19);B(S,19)}", None),
    ] {
        let record = record::read(text.as_bytes(), &ReadOptions { rows, game: None }).unwrap();
        assert_eq!(record.main_line(), moves(Game::CONNECT6, names), "{text}");
        let options = WriteOptions { rows, lossy: false };
        let again = record.write(record.format(), &options).unwrap();
        let again = record::read(&again, &ReadOptions::default()).unwrap();
        assert_eq!(again, record, "{text}");
    }
}

#[test]
fn contest_records_are_read_and_written_in_gb2312() {
    let bytes = gb2312(CONTEST);
    let record = record::read(&bytes, &ReadOptions::default()).unwrap();
    assert_eq!(record, read(CONTEST));
    let info = &record.info;
    assert_eq!((info.black.as_str(), info.white.as_str()), ("team1", "team2"));
    assert_eq!((info.result.as_str(), info.event.as_str()), ("B+", "2017 CCGC"));
    assert_eq!((info.date.as_str(), info.place.as_str()), ("2017-07-29 14:00", "重庆"));
    assert_eq!(record.write(Format::Contest, &WriteOptions::default()), Ok(bytes));
    let sgf = write(&record, Format::LittleGolem);
    assert!(sgf.contains("RE[B+]") && sgf.contains("CA[UTF-8]") && sgf.contains("PC[重庆]"), "{sgf}");
}

#[test]
fn contest_results_are_those_of_sgf() {
    for (chinese, sgf, written) in [
        ("先手胜", "B+", "先手胜"),
        ("后手胜", "W+", "后手胜"),
        ("平局", "Draw", "平局"),
        ("未完", "", "未完"),
        ("", "", "未完"),
    ] {
        let record = read(&CONTEST.replace("先手胜", chinese));
        assert_eq!(record.info.result, sgf);
        let bytes = record.write(Format::Contest, &WriteOptions::default()).unwrap();
        assert_eq!(bytes, gb2312(&CONTEST.replace("先手胜", written)));
        // Or it would be read as UTF-8.
        assert!(std::str::from_utf8(&bytes).is_err());
    }
    for (sgf, chinese) in [("B+Resign", "先手胜"), ("W+T", "后手胜"), ("0", "平局"), ("?", "未完")]
    {
        let mut record = read(CONTEST);
        record.info.result = sgf.to_string();
        let bytes = record.write(Format::Contest, &WriteOptions::default()).unwrap();
        assert_eq!(bytes, gb2312(&CONTEST.replace("先手胜", chinese)));
    }
}

#[test]
fn other_encodings_of_sgf_are_read() {
    let sgf = "(;FF[4]CA[GB2312]PB[重庆];B[j10]C[中文\\]])";
    for bytes in [gb2312(sgf), sgf.as_bytes().to_vec()] {
        let record = record::read(&bytes, &ReadOptions::default()).unwrap();
        assert_eq!(record.info.black, "重庆");
        assert_eq!(write(&record, Format::LittleGolem), "(;FF[4]CA[UTF-8]PB[重庆];B[j10]C[中文\\]])\n");
    }
    let latin = record::read(b"(;PB[Andr\xe9];B[j10])", &ReadOptions::default()).unwrap();
    assert_eq!(latin.info.black, "André");
}

#[test]
fn escapes_and_line_breaks_of_sgf_are_understood() {
    let record = read("(;PB[a\\]b\\\\c\\:d\ne];B[j10]C[x\\\ny\\]\r\nz\\\\:\\\r\n!])");
    assert_eq!(record.info.black, "a]b\\c:d e");
    let node = record.node(record.children(record.root()).next().unwrap());
    assert_eq!(node.comment(), "xy]\nz\\:!");
    let written = write(&record, Format::LittleGolem);
    assert_eq!(written, "(;FF[4]PB[a\\]b\\\\c:d e];B[j10]C[xy\\]\nz\\\\:!])\n");
}

#[test]
fn other_games_of_the_family_are_recorded_too() {
    let game = Game::new(15, 13, 5, 3, 2).unwrap();
    let record = Record::from_moves(game, &moves(game, "h8h9 a1b1o13 i8i9i10")).unwrap();
    assert!(
        write(&record, Format::Gm511).starts_with("(;FF[4]GM[511]SZ[15:13]LC[15 13 5 3 2];B[HF];B[HE];W")
    );
    assert_eq!(write(&record, Format::MoveList), "game: 15 13 5 3 2\n\n1.h8h9 2.a1b1o13 3.i8i9i10\n");
    for format in [Format::MoveList, Format::LittleGolem, Format::Gm511, Format::Gm511Pairs] {
        let again = read(&write(&record, format));
        assert_eq!((again.game(), again.main_line()), (game, record.main_line()), "{format}");
    }
    assert_eq!(read("(;SZ[15];B[h8])").game(), Game::new(15, 15, 6, 2, 1).unwrap());
    let options = ReadOptions { game: Some(Game::GO_MOKU), rows: None };
    for text in ["h8 i9 h9", "(;GM[4]SZ[15];B[hh];W[ig];B[hg])", "(;B[h8];W[i9];B[h9])"] {
        let record = record::read(text.as_bytes(), &options).unwrap();
        assert_eq!(record.main_line(), moves(Game::GO_MOKU, "h8 i9 h9"));
    }
}

#[test]
fn positions_along_the_main_line_can_be_had() {
    let record = read("1.j10 2.i9l10 3.j8l8");
    assert_eq!(record.position_at(Some(0)).unwrap(), rules::Position::new(Game::CONNECT6));
    let position = record.position_at(Some(2)).unwrap();
    assert_eq!((position.to_move(), position.stone_count(Side::White)), (Side::Black, 2));
    assert_eq!(record.position_at(None), record.position_at(Some(3)));
    assert_eq!(
        record.position_at(Some(4)).unwrap_err().to_string(),
        "move 4 was asked for, but the main line has 3"
    );
}

#[test]
fn records_may_begin_with_stones_on_the_board() {
    let text = "(;GM[511]AB[jj][kk]AW[aa:cb]PL[W];W[dd];W[de];B[ee])";
    let record = read(text);
    assert!(record.has_setup());
    assert_eq!(record.start().stone_count(Side::White), 6);
    assert_eq!(record.main_line(), moves(Game::CONNECT6, "d16d15"));
    assert_eq!(record.half_move(), Some((Side::Black, moves(Game::CONNECT6, "e15")[0])));
    assert_eq!(read(&write(&record, Format::Gm511)), record);
    // Without PL, the first move tells.
    assert_eq!(read(&text.replace("PL[W]", "")), record);
    assert_eq!(read("(;AB[j10])").start().to_move(), Side::Black);
    let whole = read(&text.replace(";B[ee]", ""));
    let list = write(&whole, Format::MoveList);
    assert_eq!(
        list,
        "game: 19 19 6 2 1\nblack: j10 k9\nwhite: a19 b19 c19 a18 b18 c18\nto-move: white\n\n1.d16d15\n"
    );
    assert_eq!(read(&list).main_line(), whole.main_line());
    assert_eq!(read(&list).start(), whole.start());
}

#[test]
fn a_winning_move_may_be_one_stone_short() {
    let record = read("j10 a1c1 i10k10 a3c3 h10l10 a5c5 m10");
    assert_eq!(record.main_line().len(), 7);
    assert_eq!(record.half_move(), None);
    assert_eq!(record.position_at(None).unwrap().outcome(), Some(Outcome::Win(Side::Black)));
    for format in Format::ALL {
        let bytes = record.write(format, &WriteOptions::default()).unwrap();
        let again = record::read(&bytes, &ReadOptions::default()).unwrap();
        assert_eq!(again.main_line(), record.main_line(), "{format}");
    }
}

#[test]
fn giving_up_is_a_result_and_not_a_move() {
    for text in ["(;B[j10];W[i9l10];B[resign])", "1.j10 2.i9l10 3.resign"] {
        let record = read(text);
        assert_eq!(record.info.result, "W+Resign");
        assert_eq!(record.main_line().len(), 2);
    }
}

#[test]
fn comments_of_move_lists_belong_to_the_move_before() {
    let record = read("# at the start\n1.j10 # good\n\n#\n# really\n2.i9l10");
    let comments: Vec<_> = record.walk().map(|id| record.node(id).comment().to_string()).collect();
    assert_eq!(comments, ["at the start", "good\n\nreally", ""]);
    let written = write(&record, Format::MoveList);
    assert_eq!(written, "# at the start\n1.j10\n# good\n#\n# really\n2.i9l10\n");
    assert_eq!(read(&written), record);
}
