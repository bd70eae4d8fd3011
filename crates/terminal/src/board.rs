//! Draws a board as text.

use crate::marks::Marks;
use lambda6_rules::{Game, Position, Side};

/// The characters that stones and squares are drawn with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Charset {
    /// Discs, circles and arrows.
    Unicode,
    /// Letters and signs that every terminal has.
    Ascii,
}

impl Charset {
    /// The characters for the option `--ascii`.
    pub fn new(ascii: bool) -> Charset {
        if ascii { Charset::Ascii } else { Charset::Unicode }
    }

    fn pick(self, (unicode, ascii): (char, char)) -> char {
        match self {
            Charset::Unicode => unicode,
            Charset::Ascii => ascii,
        }
    }

    fn stone(self, side: Option<Side>) -> char {
        self.pick(match side {
            Some(Side::Black) => ('●', 'X'),
            Some(Side::White) => ('○', 'O'),
            None => ('·', '.'),
        })
    }
}

/// The board with its coordinates on all four sides.
pub fn draw(position: &Position, marks: &Marks, charset: Charset) -> String {
    let game = position.game();
    let columns: Vec<String> = (0..game.cols()).map(|col| game.column_name(col)).collect();
    let width = columns.iter().map(String::len).max().unwrap_or(1);
    let margin = game.rows().to_string().len();

    let cells = |cells: &mut dyn Iterator<Item = String>| {
        cells.map(|cell| format!(" {cell:>width$}")).collect::<String>()
    };
    let header = format!("{:margin$}{}\n", "", cells(&mut columns.iter().cloned()));
    let mut text = header.clone();
    for row in (0..game.rows()).rev() {
        let number = row + 1;
        let squares = cells(&mut (0..game.cols()).map(|col| {
            let square = game.square(col, row);
            let symbol = match marks.at(square) {
                Some(class) => charset.pick(class.symbol()),
                None => charset.stone(position.at(square)),
            };
            symbol.to_string()
        }));
        text.push_str(&format!("{number:>margin$}{squares} {number}\n"));
    }
    text.push_str(&header);
    text
}

/// The legend of the symbols on this board, in one line.
pub fn legend(game: Game, marks: &Marks, charset: Charset) -> String {
    let stones = Side::ALL.map(|side| (charset.stone(Some(side)), side.to_string()));
    let marked = marks.classes().into_iter().map(|class| (charset.pick(class.symbol()), class.meaning(game)));
    let entries: Vec<String> =
        stones.into_iter().chain(marked).map(|(symbol, meaning)| format!("{symbol} {meaning}")).collect();
    entries.join("   ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_board_is_drawn_whole() {
        let mut position = Position::new(Game::TIC_TAC_TOE);
        let game = position.game();
        let mut last = None;
        for text in ["b2", "a3"] {
            let mv = game.parse_move(text).unwrap();
            position.play(&mv).unwrap();
            last = Some(mv);
        }
        let marks = Marks::of(&position, last.as_ref());
        let expected = "  a b c\n3 @ 1 1 3\n2 1 X 1 2\n1 1 1 . 1\n  a b c\n";
        assert_eq!(draw(&position, &marks, Charset::Ascii), expected);
        let expected = "  a b c\n3 ◎ 1 1 3\n2 1 ● 1 2\n1 1 1 · 1\n  a b c\n";
        assert_eq!(draw(&position, &marks, Charset::Unicode), expected);
        assert_eq!(
            legend(game, &marks, Charset::Ascii),
            "X black   O white   @ white's last move   1 makes a threat"
        );
    }

    #[test]
    fn wide_boards_keep_their_columns_aligned() {
        let game = Game::new(64, 10, 6, 2, 1).unwrap();
        let position = Position::new(game);
        let drawn = draw(&position, &Marks::default(), Charset::Ascii);
        let lines: Vec<&str> = drawn.lines().collect();
        assert_eq!(lines.len(), 12);
        assert!(lines[0].starts_with("    a  b  c"), "{}", lines[0]);
        assert!(lines[0].ends_with(" bk bl"));
        assert!(lines[1].starts_with("10  .  ."));
        assert!(lines[10].starts_with(" 1  .  ."));
        assert_eq!(lines[1].rfind('.'), lines[0].rfind('l'));
    }
}
