/** The terms of the page in plain words. Each is one touch away wherever it stands, and all are in the help. */

export interface Entry {
  readonly title: string;
  readonly text: string;
}

const entry = (title: string, text: string): Entry => ({ title, text });

export const GLOSSARY = {
  threat: entry("Threat", "Stones that one more move would complete to a winning row. In Connect6 four stones of a row of six make a threat, since a move has two stones. The other side must block it at once."),
  defence: entry("Defence", "A move that meets all threats on the board. Any move that is not a defence loses at once."),
  cells: entry("Threat cells", "Empty squares where stones would make a threat: deep blue where one stone does, light blue where it takes two."),
  "forced-win": entry("Forced win", "A sequence of moves that wins whatever the other side answers. Most are made of threats, which leave the other side no choice."),
  vcdt: entry("VCDT", "Victory by continuous double threats. Every move makes two threats, so that the other side needs both stones to block. The simplest forced wins of Connect6, found in an instant."),
  vcst: entry("VCST", "Victory by continuous single threats. Moves may make one threat only, which leaves the other side a stone to spare. Finds more wins than VCDT and takes longer."),
  vcf: entry("VCF", "Victory by continuous fours. In go-moku, every move makes a four, which has to be blocked at once."),
  vct: entry("VCT", "Victory by continuous threats. In go-moku, every move makes a four or a three."),
  lambda: entry("Lambda 3, 4, 5", "Wins with quiet moves: moves that threaten nothing on the board but threaten a forced win. The number is the order: the higher, the quieter the moves that are tried, and the longer the search. Minutes to hours."),
  class: entry("Class", "Which moves the winner may use in a search. From VCDT, threats only, to Lambda 5, quiet moves: each class finds all that the one before it finds, and takes longer."),
  zone: entry("Relevance zone", "Where a defender's stone could change the outcome of a proved win. Stones elsewhere make no difference. Z1 is for one stone to spare, Z2 for a second, and so on; each lies within the next."),
  proof: entry("Proof", "A win that is certain: an answer to every defence is known, and an independent checker has gone through all of them."),
  certificate: entry("Certificate", "The file of a proof: the winner's reply to every defence. A small independent program checks it, so that nobody has to trust the search that found it."),
  method: entry("Method", "How a proof deals with stones that the defender has to spare: mutual, srzop1, srzop2 and rzop are four ways to tell which of them matter. Mutual needs the fewest replies. All are checked alike."),
  "proof-number": entry("Proof number", "How many positions at least must still be won to prove the win. At 0 the win is proved."),
  "disproof-number": entry("Disproof number", "How many positions at least must still be held to show that this class of moves does not win. At 0 the search gives up."),
  "defences-left": entry("Defences left", "How many of the defender's moves that matter are not refuted yet."),
  verify: entry("Verify", "Tries each defence by itself and lists those that are not refuted: the moves that may still hold."),
  chance: entry("Chance", "How likely a side is to win, as the engine judges it: an estimate. 50 % is even."),
  score: entry("Score", "The same estimate as a number: the logarithm of the odds. 0 is even, 1 is 73 %, 2 is 88 %, and the negative side is the same for the other player."),
  depth: entry("Depth", "How many moves ahead the engine has looked."),
  outlook: entry("Proved and search", "“Proved” means that a certificate has been checked: certain. “Search” means that the engine sees a win in what it has tried, which is nearly always right, but no proof."),
  status: entry("Status", "How a position stands in a few letters. B1 to B4: Black is ahead, from a little to nearly winning; W1 to W4 the same for White; stable: even and quiet; unstable1 and 2: even and sharp; B:w and W:w: proved."),
  quality: entry("Quality of a move", "How much of the chance to win a move gives away, compared with the best: green nothing, yellow a little, orange much. Red moves lose, or give the win away."),
  opening: entry("Opening", "The first two moves by name, whichever way the board is turned. TX-H9 is White’s pair of stones i8 h9 against Black’s first stone in the centre."),
  kagami: entry("Levels", "From the weakest: novice, casual, club, defense, kagami, strong. Kagami is named after a way of playing that blocks near your last stones and attacks when a forced win is there; strong searches the game tree."),
  job: entry("Job", "One task of a large search: to evaluate one position. Many workers do jobs at the same time, and their results are put together in a tree."),
  node: entry("Node", "A position in the tree of a large search. Its proof and disproof numbers, such as 12/40, say how far it is from being solved; ∞ means never."),
  opened: entry("Claimed, solved, proved", "Claimed: published elsewhere, without a proof that can be checked. Solved: by a search on this server. Proved: with a certificate that the checker has accepted."),
  rating: entry("Rating", "A number for the difficulty of a puzzle and one for you, from your first tries: the higher, the harder, or the better. Kept in this browser only."),
} as const satisfies Record<string, Entry>;

export type TermName = keyof typeof GLOSSARY;

/** The term that explains a class of moves. */
export const classTerm = (name: string): TermName => {
  const lower = name.toLowerCase();
  return lower.startsWith("lambda") ? "lambda" : lower in GLOSSARY ? (lower as TermName) : "class";
};
