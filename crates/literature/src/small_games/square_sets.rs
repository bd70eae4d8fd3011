//! Sets of squares as bits: threats that must be met, and groups that hold.

/// The open threats of one side: the empty squares of each.
#[derive(Default)]
pub(super) struct Threats {
    list: [u64; 32],
    pub(super) len: usize,
}

impl Threats {
    /// Adds a threat. What does not fit is left out, which leaves more squares to
    /// try than need be.
    pub(super) fn push(&mut self, threat: u64) {
        if self.len < self.list.len() && !self.list[..self.len].contains(&threat) {
            self.list[self.len] = threat;
            self.len += 1;
        }
    }

    /// Of the squares of one threat, those that are part of a set of at most `left`
    /// that meets all; none when there is no such set.
    pub(super) fn meeting(&self, left: u8) -> u64 {
        let list = &self.list[..self.len];
        let Some(&first) = list.iter().min_by_key(|threat| threat.count_ones()) else { return 0 };
        let ok = Bits(first).filter(|&square| left > 0 && meets(list, square, left - 1));
        ok.fold(0, |all, square| all | square)
    }
}

/// Whether `left` more stones beside `chosen` meet all threats.
fn meets(threats: &[u64], chosen: u64, left: u8) -> bool {
    match threats.iter().find(|&threat| threat & chosen == 0) {
        None => true,
        Some(&open) => left > 0 && Bits(open).any(|square| meets(threats, chosen | square, left - 1)),
    }
}

/// How many groups are tried in one position.
pub(super) const GROUP_TRIES: u32 = 25;

/// Finds disjoint groups of `size` among the free squares so that each of the
/// `open` sets contains one.
pub(super) fn place_groups(open: &[u64], free: u64, size: u32, tries: &mut u32) -> bool {
    let Some(&tight) = open.iter().min_by_key(|&&need| (need & free).count_ones()) else { return true };
    let room = tight & free;
    if room.count_ones() < size {
        return false;
    }
    // Groups that serve more sets first.
    let mut groups: Vec<(usize, u64)> = Vec::new();
    subsets(room, size, 0, &mut |group| {
        groups.push((open.iter().filter(|&&need| need & group == group).count(), group));
    });
    groups.sort_unstable_by(|a, b| b.cmp(a));
    for (_, group) in groups {
        if *tries == 0 {
            return false;
        }
        *tries -= 1;
        let rest: Vec<u64> = open.iter().copied().filter(|&need| need & group != group).collect();
        if place_groups(&rest, free & !group, size, tries) {
            return true;
        }
    }
    false
}

/// Calls `visit` with every set of `size` of the squares.
pub(super) fn subsets(squares: u64, size: u32, chosen: u64, visit: &mut impl FnMut(u64)) {
    if size == 0 {
        visit(chosen);
    } else if squares.count_ones() >= size {
        let square = squares & squares.wrapping_neg();
        subsets(squares ^ square, size - 1, chosen | square, visit);
        subsets(squares ^ square, size, chosen, visit);
    }
}

/// The squares of a set, each as a set.
pub(super) struct Bits(pub(super) u64);

impl Iterator for Bits {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let square = self.0 & self.0.wrapping_neg();
        self.0 ^= square;
        (square != 0).then_some(square)
    }
}
