//! What to try after a search that did not prove a win.

use crate::Class;
use lambda6_search::Why;

/// What may help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advice {
    /// Moves of this class: those of the lower ones do not win.
    Class(Class),
    /// Nothing: no move of any class wins.
    NoClassWins,
    /// Moves of the next class, if there is one, or every move of this one: some were left out.
    EveryMove(Option<Class>),
    /// A larger limit on the depth, or none.
    Depth,
    /// More moves, or no limit on them.
    Nodes,
    /// More time.
    Time,
    /// More memory for tables.
    Memory,
}

impl Advice {
    /// What to try when a search of this class ended so; `None` when it was stopped.
    pub fn after(why: Why, class: Class) -> Option<Advice> {
        Some(match why {
            Why::Exhausted => class.next().map_or(Advice::NoClassWins, Advice::Class),
            Why::Narrowed => Advice::EveryMove(class.next()),
            Why::Depth => Advice::Depth,
            Why::Nodes => Advice::Nodes,
            Why::Memory => Advice::Memory,
            Why::Time => Advice::Time,
            Why::Stopped => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exhausted_class_leads_to_the_next() {
        assert_eq!(Advice::after(Why::Exhausted, Class::Vcdt), Some(Advice::Class(Class::Vcst)));
        assert_eq!(Advice::after(Why::Exhausted, Class::Lambda5), Some(Advice::NoClassWins));
        let narrowed = Advice::after(Why::Narrowed, Class::Vcst);
        assert_eq!(narrowed, Some(Advice::EveryMove(Some(Class::Lambda3))));
        assert_eq!(Advice::after(Why::Time, Class::Vcdt), Some(Advice::Time));
        assert_eq!(Advice::after(Why::Stopped, Class::Vcdt), None);
    }
}
