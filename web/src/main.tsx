import { render } from "preact";
import "./style.css";
import { Http } from "./engine/http";
import type { Transport } from "./engine/engine";
import { watchPosition } from "./model/analysis";
import { watchClasses } from "./model/proving";
import { watchAddress } from "./model/route";
import { watchGame } from "./model/session";
import { about, complain, connect, engine, watchDocument } from "./model/store";
import { App } from "./ui/App";

declare const __SITE__: boolean;

async function transport(): Promise<Transport> {
  if (__SITE__) return new (await import("./engine/workers")).Workers();
  return new Http();
}

connect(await transport());
watchAddress();
watchDocument();
watchPosition();
watchGame();
watchClasses();
render(<App />, document.getElementById("app") as HTMLElement);
engine().about().then((found) => (about.value = found), complain);
