//! GTP's syntax: commands in, answers out.

use std::fmt::Write as _;

/// A command line of GTP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The number that the answer repeats.
    pub id: Option<u32>,
    /// The command's name.
    pub name: String,
    /// What follows it.
    pub arguments: Vec<String>,
}

impl Command {
    /// Reads a line. `None` where there is no command: an empty line or a
    /// comment. Control characters are dropped and tabs are spaces, as the
    /// specification has it.
    pub fn parse(line: &str) -> Option<Command> {
        let text: String = line
            .chars()
            .map(|c| if c == '\t' { ' ' } else { c })
            .filter(|c| !c.is_ascii_control())
            .take_while(|&c| c != '#')
            .collect();
        let mut words = text.split_ascii_whitespace();
        let first = words.next()?;
        let id = Some(first).filter(|word| word.bytes().all(|b| b.is_ascii_digit()));
        let id = id.and_then(|word| word.parse().ok());
        let name = match id {
            // A number alone asks for nothing that can be done.
            Some(_) => words.next().unwrap_or(""),
            None => first,
        };
        Some(Command { id, name: name.to_string(), arguments: words.map(str::to_string).collect() })
    }

    /// The line.
    pub fn write(&self) -> String {
        let mut line = self.id.map(|id| format!("{id} ")).unwrap_or_default();
        line += &self.name;
        for argument in &self.arguments {
            let _ = write!(line, " {argument}");
        }
        line
    }
}

/// An answer: what was asked for, or why not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The command's number.
    pub id: Option<u32>,
    /// The text; an error if the command failed.
    pub result: Result<String, String>,
}

impl Answer {
    /// The answer as it is written, without the line feed that ends it: an empty
    /// line follows its last line.
    pub fn write(&self) -> String {
        let (mark, text) = match &self.result {
            Ok(text) => ('=', text),
            Err(text) => ('?', text),
        };
        let id = self.id.map(|id| id.to_string()).unwrap_or_default();
        // An empty line would end the answer too soon.
        let text: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        let own_line = self.result.as_ref().is_ok_and(|text| text.starts_with('\n'));
        let gap = if text.is_empty() {
            ""
        } else if own_line {
            "\n"
        } else {
            " "
        };
        format!("{mark}{id}{gap}{}\n", text.join("\n"))
    }

    /// Reads an answer from its lines, the empty one not among them.
    pub fn parse(lines: &[String]) -> Option<Answer> {
        let first = lines.first()?;
        let (ok, rest) = match first.strip_prefix('=') {
            Some(rest) => (true, rest),
            None => (false, first.strip_prefix('?')?),
        };
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let id = rest[..digits].parse().ok();
        let mut text = rest[digits..].trim().to_string();
        for line in &lines[1..] {
            text.push('\n');
            text.push_str(line);
        }
        Some(Answer { id, result: if ok { Ok(text) } else { Err(text) } })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_have_numbers_comments_and_stray_characters() {
        let command = |line: &str| Command::parse(line).unwrap();
        assert_eq!(command("play b K10").arguments, ["b", "K10"]);
        assert_eq!(
            command("12 name # who?"),
            Command { id: Some(12), name: "name".into(), arguments: vec![] }
        );
        assert_eq!(command("\x07na\x01me\t7\r").name, "name");
        assert_eq!(command("7").name, "");
        // No number of a command: it is too large.
        assert_eq!(command("99999999999 name").name, "99999999999");
        for line in ["", "   ", "\t\r", "# a comment", "  # another"] {
            assert_eq!(Command::parse(line), None, "{line:?}");
        }
        assert_eq!(command("3 play w A1,B2").write(), "3 play w A1,B2");
    }

    #[test]
    fn answers_read_back_and_never_end_early() {
        for (answer, text) in [
            (Answer { id: None, result: Ok(String::new()) }, "=\n"),
            (Answer { id: Some(3), result: Ok("K10".into()) }, "=3 K10\n"),
            (Answer { id: None, result: Err("illegal move".into()) }, "? illegal move\n"),
            (Answer { id: Some(1), result: Ok("a\nb".into()) }, "=1 a\nb\n"),
        ] {
            assert_eq!(answer.write(), text);
            let lines: Vec<String> = text.lines().map(str::to_string).collect();
            assert_eq!(Answer::parse(&lines), Some(answer));
        }
        assert_eq!(Answer { id: None, result: Ok("a\n\n b".into()) }.write(), "= a\n b\n");
        assert_eq!(Answer::parse(&["garbage".into()]), None);
        assert_eq!(Answer::parse(&[]), None);
    }
}
