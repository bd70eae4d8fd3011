//! The records of Chinese computer games contests:
//! `{[C6][first B][second W][先手胜][2017.07.29 14:00 重庆][2017 CCGC];B(J,10);W(I,11);W(I,12)}`.
//!
//! The fields are the game, the two players, the result, date and place, and
//! the event. One item is one stone; columns are letters, `I` among them, and
//! rows count from the bottom. The text is GB2312 (UTF-8 is read as well).
//!
//! Results are 先手胜 (the first player has won), 后手胜 (the second has) and
//! 平局 (a draw); they stand for `B+`, `W+` and `Draw`. We write 未完
//! (unfinished) when there is none. A player's name ends with ` B` or ` W`.

use super::{
    Format, ReadOptions, Record, WriteOptions,
    error::{At, Fault, WriteError, excerpt},
    node::{Info, RecordNodeId},
    replay::Replay,
    text::one_line,
};
use crate::{Game, Move, Side};

const FORMAT: Format = Format::Contest;
/// The results: as contests write them and as SGF does.
const RESULTS: [(&str, &str); 4] = [("先手胜", "B+"), ("后手胜", "W+"), ("平局", "Draw"), ("未完", "")];

pub(super) fn read(text: &str, options: &ReadOptions) -> Result<Record, At> {
    let mut scan = Scan { text, at: 0 };
    scan.take('{', "\"{\"")?;
    let mut record = Record::new(Game::CONNECT6);
    record.format = FORMAT;
    let begin = scan.skip_space();
    record.info = read_fields(&mut scan)?;
    if let Some(expected) = options.game.filter(|&game| game != Game::CONNECT6) {
        let found = format!("{:?}", Game::CONNECT6);
        return Err(At::new(begin, Fault::OtherGame { expected, found }));
    }
    let mut replay = Replay::new(record.start.clone());
    let mut last = RecordNodeId::ROOT;
    while scan.peek() == Some(';') {
        scan.at += 1;
        let begin = scan.skip_space();
        // A semicolon may stand behind the last stone.
        if scan.peek() == Some('}') {
            break;
        }
        let side = match scan.peek() {
            Some('B' | 'b') => Side::Black,
            Some('W' | 'w') => Side::White,
            _ => return Err(scan.expected("a stone such as B(J,10)")),
        };
        scan.at += 1;
        let square = read_square(&mut scan, record.game())?;
        replay.place(side, &[square], begin)?;
        last = record.push(last, Some((side, Move::single(square))));
    }
    scan.take('}', "\";\" and a stone, or \"}\"")?;
    scan.skip_space();
    if scan.at < text.len() {
        return Err(scan.expected("the end behind \"}\""));
    }
    Ok(record)
}

fn read_square(scan: &mut Scan<'_>, game: Game) -> Result<crate::Square, At> {
    scan.take('(', "\"(\"")?;
    let begin = scan.skip_space();
    let column = scan.take_while(|b| b.is_ascii_alphabetic());
    scan.take(',', "a column letter and \",\"")?;
    scan.skip_space();
    let row = scan.take_while(|b| b.is_ascii_digit());
    if row.is_empty() {
        return Err(scan.expected("a row number"));
    }
    // Long runs are no square, but need not be copied to find out.
    let name = format!("{}{}", excerpt(column), excerpt(row));
    let square = game.parse_square(&name).map_err(|error| At::new(begin, Fault::Square(error)))?;
    scan.take(')', "\")\"")?;
    Ok(square)
}

fn read_fields(scan: &mut Scan<'_>) -> Result<Info, At> {
    let mut info = Info::default();
    let mut count = 0;
    while scan.peek() == Some('[') {
        let begin = scan.at + 1;
        let length = scan.text[begin..]
            .find(']')
            .ok_or_else(|| At::expected("\"]\", the end of the field that begins here", "", begin))?;
        let field = &scan.text[begin..begin + length];
        scan.at = begin + length + 1;
        match count {
            0 if !field.trim().eq_ignore_ascii_case("C6") => {
                return Err(At::expected("C6, the name of the game", field, 0).moved(begin));
            }
            0 => {}
            1 | 2 => read_player(&mut info, field, if count == 1 { Side::Black } else { Side::White }),
            3 => info.result = read_result(field),
            4 => (info.date, info.place) = read_date_place(field),
            5 => info.event = one_line(field),
            _ => {
                return Err(
                    At::expected("\";\" behind the six fields", &scan.text[begin - 1..], 0).moved(begin - 1)
                );
            }
        }
        count += 1;
    }
    if count == 0 {
        return Err(scan.expected("\"[C6]\""));
    }
    Ok(info)
}

/// A name and the player's colour; without one, the order of the fields tells.
fn read_player(info: &mut Info, field: &str, by_order: Side) {
    let field = one_line(field);
    let (name, side) = if field == "B" || field == "W" {
        ("", if field == "B" { Side::Black } else { Side::White })
    } else if let Some(name) = field.strip_suffix(" B") {
        (name, Side::Black)
    } else if let Some(name) = field.strip_suffix(" W") {
        (name, Side::White)
    } else {
        (field.as_str(), by_order)
    };
    let slot = if side == Side::Black { &mut info.black } else { &mut info.white };
    *slot = name.trim().to_string();
}

fn read_result(field: &str) -> String {
    let field = one_line(field);
    RESULTS.iter().find(|(chinese, _)| *chinese == field).map_or(field, |(_, sgf)| sgf.to_string())
}

/// The result as contests write it: only who won matters to them.
fn result_name(result: &str) -> Option<&'static str> {
    let sgf = match result {
        "0" => "Draw",
        "?" | "Void" => "",
        _ if result.starts_with("B+") => "B+",
        _ if result.starts_with("W+") => "W+",
        other => other,
    };
    RESULTS.iter().find(|(_, known)| *known == sgf).map(|(chinese, _)| *chinese)
}

/// Date and time are the words in front that consist of digits and their
/// punctuation. Days are written with dots there, with dashes in SGF.
fn read_date_place(field: &str) -> (String, String) {
    let field = one_line(field);
    let is_date = |word: &str| word.bytes().all(|b| b.is_ascii_digit() || b".:-/".contains(&b));
    let length: usize =
        field.split_inclusive(' ').take_while(|word| is_date(word.trim_end())).map(str::len).sum();
    let (date, place) = field.split_at(length);
    (with_separator(date.trim(), '.', '-'), place.trim().to_string())
}

/// The field that [`read_date_place`] reads.
fn write_date_place(date: &str, place: &str) -> String {
    one_line(&format!("{} {place}", with_separator(date, '-', '.')))
}

/// Exchanges the separators of a day that is written in full.
fn with_separator(date: &str, from: char, to: char) -> String {
    let shape = |c: char| if c.is_ascii_digit() { '0' } else { c };
    let day: String = date.chars().take(10).map(shape).collect();
    if day == format!("0000{from}00{from}00") {
        format!("{}{}", date[..10].replace(from, &to.to_string()), &date[10..])
    } else {
        date.to_string()
    }
}

pub(super) fn write(record: &Record, options: &WriteOptions) -> Result<Vec<u8>, WriteError> {
    let game = record.game();
    if game != Game::CONNECT6 {
        return Err(WriteError::Game { format: FORMAT, game });
    }
    if record.has_setup() {
        return Err(WriteError::Setup(FORMAT));
    }
    if !options.lossy {
        record.check_linear(FORMAT)?;
        if record.nodes.iter().any(|node| !node.comment().is_empty()) {
            return Err(WriteError::Comments(FORMAT));
        }
    }
    let mut out = fields(&record.info, options.lossy)?;
    for id in record.main_nodes() {
        let Some((side, mv)) = record.node(id).stones else { continue };
        let letter = if side == Side::Black { 'B' } else { 'W' };
        for square in mv.iter() {
            let (col, row) = game.col_row(square);
            let column = game.column_name(col).to_ascii_uppercase();
            out.push_str(&format!(";{letter}({column},{})", row + 1));
        }
    }
    out.push_str("}\n");
    // The result field is never all ASCII, and its bytes are not UTF-8, so that
    // a reader recognises the text as GB2312.
    Ok(encoding_rs::GBK.encode(&out).0.into_owned())
}

/// The opening brace and the six fields.
fn fields(info: &Info, lossy: bool) -> Result<String, WriteError> {
    let cannot = |what, text: &str| WriteError::Text { format: FORMAT, what, text: excerpt(text) };
    let result = one_line(&info.result);
    let result = match result_name(&result) {
        Some(name) => name,
        None if lossy => "未完",
        None => return Err(cannot("the result", &result)),
    };
    if !lossy && !info.source.is_empty() {
        return Err(WriteError::Property { format: FORMAT, ident: "SO".into() });
    }
    let date = one_line(&info.date);
    let place = one_line(&info.place);
    let date_place = write_date_place(&date, &place);
    let as_read = (with_separator(&with_separator(&date, '-', '.'), '.', '-'), place);
    if !lossy && read_date_place(&date_place) != as_read {
        return Err(cannot("date and place", &date_place));
    }
    // What cannot be spelt goes before the colour comes: what is left must not
    // end with a space that a reader would take for none.
    let spell = |what, text: &str| {
        let text = one_line(text);
        let spelt: String = text.chars().filter(|&c| can_spell(c)).collect();
        if spelt == text || lossy { Ok(spelt.trim().to_string()) } else { Err(cannot(what, &text)) }
    };
    let black = spell("Black's name", &info.black)?;
    let white = spell("White's name", &info.white)?;
    // What is left can read as another date and place.
    let (date, place) = read_date_place(&spell("date and place", &date_place)?);
    let date_place = write_date_place(&date, &place);
    let event = spell("the event", &info.event)?;
    let (black, white) = (format!("{black} B"), format!("{white} W"));
    Ok(format!("{{[C6][{}][{}][{result}][{date_place}][{event}]", black.trim(), white.trim()))
}

/// Whether a character can stand in a field: GB2312 has it, it does not end the
/// field, and it comes back as itself.
fn can_spell(c: char) -> bool {
    let mut buffer = [0; 4];
    let text: &str = c.encode_utf8(&mut buffer);
    let (bytes, _, unmappable) = encoding_rs::GBK.encode(text);
    c != ']' && !unmappable && encoding_rs::GBK.decode_without_bom_handling(&bytes).0 == text
}

/// A place in the text that moves forward.
struct Scan<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scan<'a> {
    fn skip_space(&mut self) -> usize {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.at
    }

    /// The next character that is not white space.
    fn peek(&mut self) -> Option<char> {
        self.skip_space();
        self.text[self.at..].chars().next()
    }

    fn take(&mut self, c: char, what: &'static str) -> Result<(), At> {
        if self.peek() != Some(c) {
            return Err(self.expected(what));
        }
        self.at += c.len_utf8();
        Ok(())
    }

    fn take_while(&mut self, of: fn(&u8) -> bool) -> &'a str {
        let rest = &self.text[self.at..];
        let length = rest.bytes().take_while(of).count();
        self.at += length;
        &rest[..length]
    }

    fn expected(&self, what: &'static str) -> At {
        At::expected(what, self.text, self.at)
    }
}
