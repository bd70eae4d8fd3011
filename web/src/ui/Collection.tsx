/** The games of a file, and how its players did. */
import * as collection from "../model/collection";
import * as reviewing from "../model/reviewing";
import { open } from "../model/store";
import { Button, Title } from "./parts";

const share = (loss: number) => `${(loss * 100).toFixed(1)} %`;

export function Collection() {
  const games = collection.games.value;
  const players = collection.players.value;
  const running = collection.running.value;
  const done = collection.reviewedCount.value;
  const show = (game: collection.CollectedGame) => {
    if (!game.record) return;
    open(collection.docOfGame(game.record));
    if (game.review) reviewing.show(game.review);
    else reviewing.start();
  };
  return (
    <section class="stack" aria-label="Games of the file">
      <h2>{games.length} games</h2>
      <div class="row">
        {running
          ? <Button primary onClick={collection.stop}>Stop</Button>
          : <Button primary disabled={done === games.length} onClick={collection.reviewAll}>{done < games.length && games.some((g) => g.review) ? "Go on" : "Review all"}</Button>}
        <Button onClick={collection.leave}>Put the file away</Button>
      </div>
      {running && <progress aria-label="Games reviewed" max={games.length} value={done} />}
      {players.length > 0 && (
        <table aria-label="Summary of the players">
          <thead><tr><th>Player</th><th class="number">Won</th><th class="number">Loss a move</th><th class="number">Blunders</th><th class="number">Missed wins</th></tr></thead>
          <tbody>
            {players.map((p) => (
              <tr key={p.name}><td>{p.name}</td><td class="number">{p.won} of {p.games}</td><td class="number">{share(p.loss)}</td><td class="number">{p.blunders}</td><td class="number">{p.missed}</td></tr>
            ))}
          </tbody>
        </table>
      )}
      <div class="scroll games" tabIndex={0} role="region" aria-label="Games">
        <table>
          <tbody>
            {games.map((g) => (
              <tr key={g.number}>
                <td><Button disabled={!g.record} onClick={() => show(g)}>{g.number}</Button></td>
                <td>{g.record ? `${g.record.info?.black || "Black"} – ${g.record.info?.white || "White"}` : <span class="note">{g.trouble}</span>}</td>
                <td class="number">{g.review ? (g.review.winner ? `${Title(g.review.winner)} won, ${g.review.mistakes?.length ?? 0} mistakes` : `${g.review.mistakes?.length ?? 0} mistakes`) : g.record ? `${g.moves.length} moves` : ""}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
