//! Nothing is lost by writing and reading, and nothing makes a reader panic.

use super::{
    fuzz,
    random::{Grain, Shape, games, nasty_text, records},
};
use proptest::prelude::*;
use rules::{
    Game, Setup, Side,
    record::{self, Format, Info, ReadOptions, Record, RecordNode, Rows, WriteOptions},
};

const TREE: Shape = Shape { grain: Grain::Any, variations: true, comments: true, extras: true };
const LINE: Shape = Shape { grain: Grain::Move, variations: false, comments: true, extras: false };

fn round_trip(record: &Record, format: Format, rows: Option<Rows>) -> Record {
    let options = WriteOptions { rows, lossy: false };
    let bytes = record.write(format, &options).unwrap_or_else(|e| panic!("{e}"));
    let again = record::read(&bytes, &ReadOptions::default());
    again.unwrap_or_else(|e| panic!("{e} in {}", String::from_utf8_lossy(&bytes)))
}

fn infos() -> impl Strategy<Value = Info> {
    prop::collection::vec(nasty_text(), 7).prop_map(|texts| Info {
        black: texts[0].clone(),
        white: texts[1].clone(),
        event: texts[2].clone(),
        result: texts[3].clone(),
        date: texts[4].clone(),
        place: texts[5].clone(),
        source: texts[6].clone(),
    })
}

fn orientations() -> impl Strategy<Value = Option<Rows>> {
    prop::sample::select(vec![None, Some(Rows::FromTop), Some(Rows::FromBottom)])
}

/// Everything that a record says, however it is spread over nodes.
fn texts(record: &Record) -> Vec<String> {
    let said = |node: &RecordNode| {
        let mut said: Vec<_> = node.comment().split('\n').map(String::from).collect();
        said.extend(node.markup().iter().map(|markup| format!("{markup:?}")));
        said.extend(node.properties().iter().map(|property| format!("{property:?}")));
        said
    };
    let mut all: Vec<_> = record.walk().flat_map(|id| said(record.node(id))).collect();
    all.retain(|text| !text.is_empty());
    all.sort();
    all.dedup();
    all
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sgf_with_a_node_a_move_comes_back_equal(
        mut record in records(games(), Shape { grain: Grain::Move, ..TREE }),
        info in infos(),
        rows in orientations(),
    ) {
        record.info = info;
        for format in [Format::LittleGolem, Format::Gm511Pairs] {
            prop_assert_eq!(&round_trip(&record, format, rows), &record);
        }
    }

    #[test]
    fn sgf_with_a_node_a_stone_comes_back_equal(
        mut record in records(games(), Shape { grain: Grain::Stone, ..TREE }),
        info in infos(),
        rows in orientations(),
    ) {
        record.info = info;
        prop_assert_eq!(&round_trip(&record, Format::Gm511, rows), &record);
    }

    #[test]
    fn trees_of_any_grain_keep_their_lines_and_texts(record in records(games(), TREE), rows in orientations()) {
        let lines = |record: &Record| {
            let leaves = record.walk().filter(|&id| record.children(id).next().is_none());
            leaves.map(|id| record.moves_to(id)).collect::<Vec<_>>()
        };
        for format in [Format::LittleGolem, Format::Gm511, Format::Gm511Pairs] {
            let again = round_trip(&record, format, rows);
            prop_assert_eq!(lines(&again), lines(&record));
            prop_assert_eq!(again.half_move(), record.half_move());
            prop_assert_eq!(texts(&again), texts(&record));
            prop_assert_eq!(&round_trip(&again, format, rows), &again);
        }
    }

    #[test]
    fn move_lists_come_back_equal(mut record in records(games(), LINE), info in infos()) {
        record.info = info;
        prop_assert_eq!(&round_trip(&record, Format::MoveList, None), &record);
    }

    #[test]
    fn contest_records_come_back_equal(
        mut record in records(
            Just(Game::CONNECT6),
            Shape { grain: Grain::Stone, comments: false, ..LINE },
        ),
        names in prop::collection::vec("[a-z重庆先手胜BW ,.;(){}\\[\\\\]{0,8}", 4),
        result in prop::sample::select(vec!["B+", "W+", "Draw", ""]),
        date in prop::sample::select(vec!["", "2017-07-29", "2017-07-29 14:00", "2017"]),
    ) {
        record.info.black = names[0].clone();
        record.info.white = names[1].clone();
        record.info.event = names[2].clone();
        record.info.place = format!("重庆{}", names[3]);
        record.info.result = result.to_string();
        record.info.date = date.to_string();
        prop_assert_eq!(&round_trip(&record, Format::Contest, None), &record);
    }

    #[test]
    fn every_conversion_keeps_the_main_line(
        record in records(games(), TREE),
        formats in prop::collection::vec(prop::sample::select(Format::ALL.to_vec()), 1..6),
    ) {
        let mut last = record.clone();
        for format in formats {
            let Ok(bytes) = last.write(format, &WriteOptions { rows: None, lossy: true }) else { continue };
            last = record::read(&bytes, &ReadOptions::default()).unwrap();
            prop_assert_eq!(last.main_line(), record.main_line());
            prop_assert_eq!(last.position_at(None), record.position_at(None));
        }
    }

    #[test]
    fn setups_come_back(stones in prop::collection::vec(0usize..361, 0..40), white in any::<bool>()) {
        let to_move = if white { Side::White } else { Side::Black };
        let mut setup = Setup { game: Game::CONNECT6, black: vec![], white: vec![], to_move };
        for (i, &stone) in stones.iter().enumerate() {
            let side = if i % 2 == 0 { &mut setup.black } else { &mut setup.white };
            side.push(rules::Square::new(stone));
        }
        prop_assume!(setup.position().is_ok());
        let record = Record::from_setup(&setup).unwrap();
        for format in [Format::MoveList, Format::LittleGolem, Format::Gm511, Format::Gm511Pairs] {
            prop_assert_eq!(&round_trip(&record, format, None), &record);
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        fuzz::record(&bytes);
        fuzz::setup(&bytes);
    }

    #[test]
    fn any_text_of_the_right_letters_is_read_or_refused(
        start in prop::sample::select(vec!["", "(;", "(;GM[511]", "{[C6]", "1.", "game: 4 4 3 2 1\n", "j10 "]),
        text in "[(){};\\[\\]BWABCLTRSZPL:\\\\a-d1-4., \n#]{0,60}",
    ) {
        fuzz::record(format!("{start}{text}").as_bytes());
    }

    #[test]
    fn damaged_records_are_read_or_refused(
        record in records(games(), TREE),
        format in prop::sample::select(Format::ALL.to_vec()),
        damage in prop::collection::vec((any::<prop::sample::Index>(), 0u8..4, any::<u8>()), 1..4),
    ) {
        let Ok(mut bytes) = record.write(format, &WriteOptions { rows: None, lossy: true }) else { return Ok(()) };
        for (index, kind, byte) in damage {
            let at = index.index(bytes.len().max(1));
            match kind {
                _ if bytes.is_empty() => {}
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                2 => drop(bytes.remove(at)),
                _ => bytes.truncate(at),
            }
        }
        fuzz::record(&bytes);
        if let Err(error) = record::read(&bytes, &ReadOptions::default()) {
            prop_assert!(error.place.is_some());
        }
    }

    #[test]
    fn damaged_setups_are_read_or_refused(
        index in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        let mut bytes = b"game: 19 19 6 2 1\nblack: j10\nwhite: i8 h9\nto-move: black\n".to_vec();
        *index.get_mut(&mut bytes) = byte;
        fuzz::setup(&bytes);
    }

    #[test]
    fn sgf_parse_reads_what_we_write(record in records(games(), Shape { extras: false, ..TREE })) {
        let bytes = record.write(Format::Gm511, &WriteOptions::default()).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let trees = sgf_parse::parse(&text).unwrap();
        let sgf_parse::GameTree::Unknown(root) = &trees[0] else { panic!("not GM[511]") };
        let again = record::read(text.as_bytes(), &ReadOptions::default()).unwrap();
        // The two walk their trees side by side.
        let mut pairs = vec![(again.root(), root)];
        while let Some((id, theirs)) = pairs.pop() {
            let value = |ident: &str| match theirs.get_property(ident) {
                Some(sgf_parse::unknown_game::Prop::B(point) | sgf_parse::unknown_game::Prop::W(point)) => {
                    Some(point.to_string())
                }
                Some(sgf_parse::unknown_game::Prop::C(text)) => Some(text.text.clone()),
                _ => None,
            };
            let node = again.node(id);
            let theirs_stone = value("B").map(|p| (Side::Black, p)).or(value("W").map(|p| (Side::White, p)));
            let ours = node.stones().map(|(side, mv)| {
                let (col, row) = again.game().col_row(mv.squares()[0]);
                (side, (col, again.game().rows() - 1 - row))
            });
            let theirs_stone = theirs_stone.map(|(side, pair)| {
                let small = again.game().cols() <= 26;
                let index = |b: u8| match b {
                    b'A'..=b'Z' if small => b - b'A',
                    b'A'..=b'Z' => b - b'A' + 26,
                    _ => b - b'a',
                };
                (side, (index(pair.as_bytes()[0]), index(pair.as_bytes()[1])))
            });
            prop_assert_eq!(ours, theirs_stone);
            // sgf-parse turns tabs and the like into spaces.
            let spaces = |text: &str| text.replace(|c: char| c.is_whitespace(), " ");
            prop_assert_eq!(spaces(node.comment()), spaces(&value("C").unwrap_or_default()));
            let ours: Vec<_> = again.children(id).collect();
            let theirs: Vec<_> = theirs.children().collect();
            prop_assert_eq!(ours.len(), theirs.len());
            pairs.extend(ours.into_iter().zip(theirs));
        }
    }
}
