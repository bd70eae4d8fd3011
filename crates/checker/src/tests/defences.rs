//! Critical defences against the definition: all sets tried.

use super::oracle::Random;
use crate::defences::{Batch, next_batch};
use crate::replies::{Pace, WORK};
use crate::{Board, Move, Rejection, Replies, Square};

/// A source that counts how often it is asked whether to stop, and stops after
/// some looks.
struct Looks {
    seen: usize,
    most: usize,
}

#[derive(Debug)]
struct Stopped;

impl From<Rejection> for Stopped {
    fn from(_: Rejection) -> Stopped {
        Stopped
    }
}

impl Replies for Looks {
    type Error = Stopped;

    fn next(&mut self, _: u64, _: &Board) -> Result<Move, Stopped> {
        Err(Stopped)
    }

    fn check_stop(&mut self) -> Result<(), Stopped> {
        self.seen += 1;
        if self.seen < self.most { Ok(()) } else { Err(Stopped) }
    }
}

/// All critical defences in order, in batches of at most `most`.
fn in_batches(threats: &[Move], p: usize, most: usize) -> Vec<Move> {
    let mut source = Looks { seen: 0, most: usize::MAX };
    let mut pace = Pace::new(&mut source);
    let (mut all, mut last) = (Vec::new(), None);
    loop {
        let Batch { list, more_after, least } = next_batch(threats, p, last, most, &mut pace).unwrap();
        assert!(list.len() <= most);
        assert_eq!(least, list.iter().map(|set| set.squares().len()).min().unwrap_or(p + 1));
        all.extend(list.into_iter().rev());
        match more_after {
            Some(set) => assert_eq!(all.last(), Some(&set)),
            None => return all,
        }
        last = more_after;
    }
}

/// The definition: the sets of at most p squares that meet every threat and no
/// proper subset of which does.
fn by_definition(threats: &[Move], p: usize, area: u32) -> Vec<Move> {
    let bits = |set: &Move| set.squares().iter().fold(0u32, |bits, s| bits | 1 << s);
    let threats: Vec<u32> = threats.iter().map(bits).collect();
    let meets = |set: u32| threats.iter().all(|threat| threat & set != 0);
    let minimal = |set: u32| (0..area).all(|s| set >> s & 1 == 0 || !meets(set & !(1 << s)));
    let sets = (0..1u32 << area).filter(|&set| set.count_ones() as usize <= p && meets(set) && minimal(set));
    let mut lists: Vec<Vec<Square>> =
        sets.map(|set| (0..area as Square).filter(|s| set >> s & 1 == 1).collect()).collect();
    lists.sort();
    lists.iter().map(|list| Move::new(list).unwrap()).collect()
}

#[test]
fn critical_defences_are_those_of_the_definition_in_batches_of_any_size() {
    const AREA: usize = 12;
    let (mut random, mut several) = (Random::new(3), 0);
    for _ in 0..600 {
        let p = 1 + random.below(5);
        let threats: Vec<Move> = (0..random.below(8))
            .map(|_| {
                let mut threat = Move::default();
                for _ in 0..1 + random.below(p) {
                    threat.insert(random.below(AREA) as Square);
                }
                threat
            })
            .collect();
        let expected = by_definition(&threats, p, AREA as u32);
        several += usize::from(expected.len() > 3);
        for most in [1, 2, 3, 256] {
            assert_eq!(in_batches(&threats, p, most), expected, "{threats:?}, p = {p}, batches of {most}");
        }
    }
    assert!(several > 100, "only {several} cases with more than three defences");
}

/// p threats without a common square, of p squares each: p^p critical defences.
fn disjoint(p: usize) -> Vec<Move> {
    let threat = |i| Move::new(&(0..p).map(|j| (i * p + j) as Square).collect::<Vec<_>>());
    (0..p).map(|i| threat(i).unwrap()).collect()
}

#[test]
fn a_batch_is_the_first_of_many_defences() {
    let mut source = Looks { seen: 0, most: usize::MAX };
    let batch = next_batch(&disjoint(6), 6, None, 4, &mut Pace::new(&mut source)).unwrap();
    let expected = [3, 2, 1, 0].map(|last| Move::new(&[0, 6, 12, 18, 24, 30 + last]).unwrap());
    assert_eq!((batch.list, batch.more_after), (expected.to_vec(), Some(expected[0])));
    // The search makes at least p^p sets, each compared with p threats.
    assert!(source.seen >= 6usize.pow(6) * 6 / WORK, "{} looks", source.seen);
}

#[test]
fn a_search_for_defences_stops_at_the_first_look_that_says_so() {
    let mut source = Looks { seen: 0, most: 5 };
    assert!(next_batch(&disjoint(8), 8, None, 256, &mut Pace::new(&mut source)).is_err());
    assert_eq!(source.seen, 5);
}
