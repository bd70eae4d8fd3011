/** The quick evaluation of a game. */
import { line, stands } from "../model/analysis";
import { chanceOf, outlookOf, outlookText, percent, viewedInGame } from "../model/outlook";
import { doc } from "../model/store";
import { Chart } from "./Chart";
import { Title } from "./parts";
import { Term } from "./Term";

export function Graph() {
  const { ids, moves } = line.value;
  const known = stands.value.line === moves.join(" ") ? stands.value.of : new Map();
  if (known.size === 0) return null;
  const side = viewedInGame.value;
  const here = ids.indexOf(doc.value.at);
  const now = known.get(here);
  const outlook = now && outlookOf(now.status);
  return (
    <figure class="graph">
      <Chart ids={ids} here={here} points={[...known.values()]} />
      <figcaption>
        {now
          ? <>After move {here}: {Title(side)} {outlook ? outlookText(outlook, side) : percent(chanceOf(side, now.black_chance))} (<Term name="status">{now.status}</Term>)</>
          : `${known.size} of ${moves.length + 1} positions`}
      </figcaption>
    </figure>
  );
}
