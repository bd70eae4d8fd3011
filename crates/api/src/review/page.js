"use strict";
const { review, info, start, size, certificates } = JSON.parse(document.getElementById("data").textContent);
const [columns, rows] = size;
const proofs = new Map(certificates);
const positions = new Map(review.positions.map((position) => [position.after, position]));
const judged = new Map(review.moves.map((move) => [move.number, move]));
const moves = review.position.moves;
const byId = (id) => document.getElementById(id);
const percent = (share) => `${Math.round(100 * share)} %`;
const other = (side) => (side === "black" ? "white" : "black");

/** The squares of a move, as [column, row from the top]. */
function squares(text) {
  return [...text.matchAll(/([a-z]+)([0-9]+)/g)].map(([, letters, number]) => {
    const column = [...letters].reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 96, 0) - 1;
    return [column, rows - Number(number)];
  });
}

function columnName(column) {
  const letter = (number) => String.fromCharCode(97 + number);
  return column < 26 ? letter(column) : letter(Math.floor(column / 26) - 1) + letter(column % 26);
}

function element(name, attributes, text) {
  const made = document.createElementNS(byId("board").namespaceURI, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

/** What is shown: the position after so many moves, and so many moves of its expected line. */
let at = moves.length;
let ahead = 0;

function show() {
  const position = positions.get(at);
  const line = position ? position.line : [];
  drawBoard(line);
  drawChart();
  byId("at").textContent = `after move ${at} of ${moves.length}` + (ahead ? `, ${ahead} of the line` : "");
  byId("verdict").textContent = position ? capital(position.verdict) : "Not looked at";
  const move = judged.get(at);
  byId("remark").textContent = move ? `${at}. ${move.side} ${move.move}: ${move.remark || `${move.quality}.`}` : "";
  byId("remark").className = move ? (move.strong ? "strong" : move.quality) : "";
  const shown = byId("line");
  shown.replaceChildren(line.length ? "Expected: " : "");
  line.forEach((text, index) => {
    const button = link(text, () => { ahead = ahead === index + 1 ? 0 : index + 1; show(); });
    shown.append(button, " ");
  });
  const proof = byId("proof");
  proof.replaceChildren();
  const certificate = proofs.get(at);
  if (certificate) {
    const anchor = document.createElement("a");
    anchor.href = URL.createObjectURL(new Blob([certificate], { type: "text/plain" }));
    anchor.download = `after-move-${at}.proof`;
    anchor.textContent = "Save the certificate of this win";
    proof.append(anchor);
  }
}

function link(text, action) {
  const button = document.createElement("button");
  button.className = "link";
  button.textContent = text;
  button.onclick = action;
  return button;
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

function drawBoard(line) {
  const board = byId("board");
  const [width, height] = [columns + 2, rows + 2];
  board.setAttribute("viewBox", `0 0 ${width} ${height}`);
  board.replaceChildren(element("rect", { x: 0, y: 0, width, height, rx: 0.3, fill: "var(--wood)" }));
  const ink = { stroke: "var(--line)", "stroke-width": 0.03 };
  for (let column = 0; column < columns; column++) {
    const x = column + 1.5;
    board.append(element("line", { x1: x, x2: x, y1: 1.5, y2: rows + 0.5, ...ink }));
    board.append(label(x, rows + 1.45, columnName(column)));
  }
  for (let row = 0; row < rows; row++) {
    const y = row + 1.5;
    board.append(element("line", { y1: y, y2: y, x1: 1.5, x2: columns + 0.5, ...ink }));
    board.append(label(0.65, y, String(rows - row)));
  }
  const stone = ([x, y], side, text, ghost) => {
    const colour = side === "black" ? "#16161a" : "#fbfbf8";
    board.append(element("circle", {
      cx: x + 1.5, cy: y + 1.5, r: 0.46, fill: colour, stroke: "var(--line)", "stroke-width": 0.03,
      opacity: ghost ? 0.7 : 1,
    }));
    if (text) board.append(label(x + 1.5, y + 1.5, text, side === "black" ? "#fbfbf8" : "#16161a"));
  };
  for (const side of ["black", "white"]) for (const name of start[side]) stone(squares(name)[0], side, "");
  let side = start.to_move;
  moves.slice(0, at).forEach((text, index) => {
    for (const square of squares(text)) stone(square, side, String(index + 1));
    side = other(side);
  });
  line.slice(0, ahead).forEach((text, index) => {
    for (const square of squares(text)) stone(square, side, "abcdefghijklmnopqrstuvwxyz"[index % 26], true);
    side = other(side);
  });
  const move = judged.get(at);
  if (at > 0) {
    for (const [x, y] of squares(moves[at - 1])) {
      const colour = move && ["blunder", "mistake"].includes(move.quality) ? "var(--bad)" : "var(--accent)";
      board.append(element("circle", { cx: x + 1.5, cy: y + 1.5, r: 0.46, fill: "none", stroke: colour, "stroke-width": 0.1 }));
    }
  }
}

function label(x, y, text, fill = "var(--line)") {
  return element("text", {
    x, y, fill, "font-size": text.length > 2 ? 0.38 : 0.45, "text-anchor": "middle", "dominant-baseline": "central",
  }, text);
}

const [chartWidth, chartHeight] = [600, 160];

function drawChart() {
  const chart = byId("chart");
  chart.setAttribute("viewBox", `0 0 ${chartWidth} ${chartHeight}`);
  const x = (after) => 10 + ((chartWidth - 20) * after) / Math.max(moves.length, 1);
  const y = (chance) => 10 + (chartHeight - 20) * (1 - chance);
  const middle = { x1: 10, x2: chartWidth - 10, y1: y(0.5), y2: y(0.5), stroke: "var(--rule)" };
  chart.replaceChildren(element("line", middle));
  chart.append(element("text", { x: 10, y: 9, "font-size": 10, fill: "var(--faint)" }, "black wins"));
  chart.append(element("text", { x: 10, y: chartHeight - 1, "font-size": 10, fill: "var(--faint)" }, "white wins"));
  const points = review.positions.map((position) => `${x(position.after)},${y(position.black_chance)}`);
  chart.append(element("polyline", { points: points.join(" "), fill: "none", stroke: "var(--accent)", "stroke-width": 2 }));
  for (const move of review.moves) {
    if (!review.mistakes.includes(move.number)) continue;
    const position = positions.get(move.number);
    const colour = move.quality === "inaccuracy" ? "var(--doubt)" : "var(--bad)";
    chart.append(element("circle", { cx: x(move.number), cy: y(position.black_chance), r: 4, fill: colour }));
  }
  chart.append(element("line", { x1: x(at), x2: x(at), y1: 10, y2: chartHeight - 10, stroke: "var(--ink)" }));
  chart.onclick = (event) => {
    const box = chart.getBoundingClientRect();
    const share = ((event.clientX - box.left) / box.width) * chartWidth;
    go(Math.round(((share - 10) / (chartWidth - 20)) * moves.length));
  };
}

function go(to) {
  at = Math.min(Math.max(to, 0), moves.length);
  ahead = 0;
  show();
}

function tell() {
  const names = [info.black || "Black", info.white || "White"];
  byId("title").textContent = `${names[0]} – ${names[1]}`;
  document.title = byId("title").textContent;
  byId("about").textContent = [info.event, info.place, info.date, info.result].filter(Boolean).join(", ");
  const head = ["", "moves", "average loss", "blunders", "mistakes", "inaccuracies", "missed wins"];
  const row = (cells) => {
    const made = document.createElement("tr");
    made.append(...cells.map((text, index) => {
      const cell = document.createElement(index ? "td" : "th");
      cell.textContent = text;
      return cell;
    }));
    return made;
  };
  const side = (name, sums) => row([
    name, sums.moves, `${(100 * sums.average_loss).toFixed(1)} %`, sums.blunders, sums.mistakes, sums.inaccuracies,
    sums.missed_wins,
  ]);
  byId("sides").append(row(head), side(names[0], review.black), side(names[1], review.white));
  const turning = review.turning;
  if (turning) {
    const proved = (is) => (is ? "proved" : "search");
    const verb = turning.better_is_proved ? "won" : "held";
    byId("turning").append(
      "Turning point: ", link(`move ${turning.number}`, () => go(turning.number)),
      `, after which ${other(turning.loser)} wins (${proved(turning.loss_is_proved)}). ` +
      `${capital(turning.loser)} could have ${verb} (${proved(turning.better_is_proved)}) with ${turning.better[0] || "another move"}.`,
    );
  }
  for (const number of review.mistakes) {
    const move = judged.get(number);
    const item = document.createElement("li");
    item.append(link(`${number}. ${move.side} ${move.move}`, () => go(number)), ` ${move.remark}`);
    item.className = move.quality;
    byId("mistakes").append(item);
  }
  if (!review.mistakes.length) byId("mistakes").replaceWith("None were found.");
}

byId("first").onclick = () => go(0);
byId("back").onclick = () => go(at - 1);
byId("forward").onclick = () => go(at + 1);
byId("last").onclick = () => go(moves.length);
document.onkeydown = (event) => {
  const step = { ArrowLeft: -1, ArrowRight: 1, Home: -moves.length, End: moves.length }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  go(at + step);
};
tell();
go(review.mistakes.length ? review.mistakes[0] : moves.length);
