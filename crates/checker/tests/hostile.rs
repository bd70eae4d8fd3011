//! Certificates made to exhaust the checker: memory stays within bounds that
//! depend on the input and the board, and every check can be stopped.

use lambda6_checker::{
    CheckError, Checked, Game, Header, Method, Reason, Rejection, Side, Square, check_with,
};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// The system's allocator; counts what each thread has allocated.
struct Counting;

thread_local! {
    /// The bytes of this thread now, and the most there were.
    static BYTES: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

// A counting allocator cannot be written without `unsafe`.
#[allow(unsafe_code)]
// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let (now, peak) = BYTES.get();
        let now = now.wrapping_add(layout.size());
        BYTES.set((now, peak.max(now)));
        // SAFETY: the caller's promises are those that the system asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        let (now, peak) = BYTES.get();
        BYTES.set((now.wrapping_sub(layout.size()), peak));
        // SAFETY: as above.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// What a check did.
struct Measured {
    result: Result<Checked, CheckError>,
    /// The memory it took, in bytes.
    peak: usize,
    /// How often it asked whether to stop.
    looks: usize,
}

/// Checks a certificate and stops it after so many looks.
fn measure(text: &[u8], most_looks: usize) -> Measured {
    let (before, _) = BYTES.get();
    BYTES.set((before, before));
    let (mut looks, mut gap, mut last) = (0, Duration::ZERO, Instant::now());
    let result = check_with(text, |_| {
        looks += 1;
        gap = gap.max(last.elapsed());
        last = Instant::now();
        if looks < most_looks { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    gap = gap.max(last.elapsed());
    let peak = BYTES.get().1 - before;
    println!("{} bytes: {peak} bytes of memory, {looks} looks, at most {gap:?} apart", text.len());
    // Only a check that hangs, or looks at the signal nowhere, takes that long.
    assert!(gap < Duration::from_secs(5), "{gap:?} between two looks");
    Measured { result, peak, looks }
}

impl Measured {
    fn stopped(&self) -> bool {
        matches!(self.result, Err(CheckError::Stopped))
    }
}

const MIB: usize = 1 << 20;

/// `p` rows of p + 1 squares in which p + 1 in a row win, with a black stone at the
/// start of each: p threats of p squares, p^p critical defences.
fn rows(p: u64) -> String {
    let black: String = (1..=p).map(|row| format!(" a{row}")).collect();
    format!(
        "connect-proof 1\ngame: {} {p} {} {p} 1\nblack:{black}\nwhite:\nto-move: white\nattacker: black\n\
         method: mutual\nreplies: 1\n\n",
        p + 1,
        p + 1
    )
}

#[test]
fn a_short_certificate_with_millions_of_defences_takes_little_memory_and_stops() {
    let text = rows(8);
    assert!(text.len() < 364);
    let measured = measure(text.as_bytes(), 300);
    assert!(measured.stopped() && measured.looks == 300);
    assert!(measured.peak < MIB, "{} bytes", measured.peak);
}

#[test]
fn all_defences_of_seven_stones_are_searched_in_little_memory() {
    let measured = measure(rows(7).as_bytes(), usize::MAX);
    let Err(CheckError::Rejected(rejection)) = measured.result else { panic!("{:?}", measured.result) };
    assert_eq!(rejection, Rejection { reply: 1, reason: Reason::RunOut });
    assert!(measured.peak < MIB, "{} bytes", measured.peak);
    assert!(measured.looks > 10);
}

/// The header of a claim of Black's on the largest board, with White to move.
fn large(k: u64, p: u64, method: Method, is_black: impl Fn(u16, u16) -> bool) -> Header {
    let game = Game::new(64, 64, k, p, 1).expect("within the limits");
    let black: Vec<Square> = (0..64 * 64).filter(|s| is_black(s / 64, s % 64)).collect();
    let (white, to_move, attacker, replies) = (Vec::new(), Side::White, Side::Black, 1 << 20);
    Header { game, black, white, to_move, attacker, method, replies, except: Vec::new() }
}

#[test]
fn thousands_of_threats_on_the_largest_board_stop() {
    // A black stone on nearly every segment of nine: over 12,000 threats.
    let header = large(9, 8, Method::Rzop, |row, column| (column + 3 * row) % 7 == 0);
    let measured = measure(header.to_string().as_bytes(), 40);
    assert!(measured.stopped());
    assert!(measured.peak < 4 * MIB, "{} bytes", measured.peak);
}

#[test]
fn white_space_and_long_tokens_stop() {
    for filling in [" ", "b2"] {
        let text = format!("{}{}", rows(2), filling.repeat(8 * MIB));
        let measured = measure(text.as_bytes(), 3);
        assert!(measured.stopped(), "{filling:?}");
    }
}

#[test]
fn the_longest_line_of_the_largest_board_takes_memory_for_its_levels_only() {
    // Broken diagonals one after the other leave two squares of every segment
    // empty: there is never a threat, and the defender passes all the time.
    let header = Header { to_move: Side::Black, ..large(64, 1, Method::Rzop, |_, _| false) };
    let mut text = header.to_string();
    for s in (1..62).flat_map(|shift| (0..64).map(move |row| row * 64 + (row + shift) % 64)) {
        text += &format!("{}\n", header.game.name(s));
    }
    let measured = measure(text.as_bytes(), usize::MAX);
    assert!(matches!(measured.result, Err(CheckError::Rejected(_))));
    // 61 * 64 levels, each with a byte for each square of the board and little more.
    assert!(measured.peak < 61 * 64 * 64 * 64 * 5 / 4 + 4 * MIB, "{} bytes", measured.peak);
    assert!(measured.looks > 500, "{} looks", measured.looks);
}
