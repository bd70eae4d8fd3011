/** The engine behind HTTP: questions are requests, searches are streams of server-sent events. */
import { createParser } from "eventsource-parser";
import { type Body, type Transport, Refused } from "./engine";

const TOKEN_KEY = "lambda6.token";

/** Takes the token out of the address, where people would copy it along with a link. */
function token(): string | null {
  const parts = new URLSearchParams(location.hash.slice(1));
  const given = parts.get("token");
  if (given !== null) {
    sessionStorage.setItem(TOKEN_KEY, given);
    parts.delete("token");
    history.replaceState(null, "", parts.size > 0 ? `#${parts}` : location.pathname);
  }
  return sessionStorage.getItem(TOKEN_KEY);
}

export class Http implements Transport {
  private readonly token = token();

  constructor() {
    // The address can get the token after the page was opened.
    addEventListener("hashchange", () => {
      if (new URLSearchParams(location.hash.slice(1)).has("token")) {
        token();
        location.reload();
      }
    });
  }

  private async send(path: string, body: Body, signal?: AbortSignal): Promise<Response> {
    const headers: Record<string, string> = this.token ? { Authorization: `Bearer ${this.token}` } : {};
    const init: RequestInit = { headers, signal: signal ?? null };
    if (body !== null) {
      const bytes = body instanceof Uint8Array;
      headers["Content-Type"] = bytes ? "application/octet-stream" : "application/json";
      init.method = "POST";
      init.body = bytes ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body);
    }
    const response = await fetch(new URL(`api/v1/${path}`, document.baseURI.split("#")[0]), init);
    if (!response.ok) {
      throw new Refused(await response.json().catch(() => ({ message: `the server answers ${response.status}` })));
    }
    return response;
  }

  async request(path: string, body: Body): Promise<Uint8Array> {
    return new Uint8Array(await (await this.send(path, body)).arrayBuffer());
  }

  async stream(path: string, body: Body, progress: (event: string, data: unknown) => void, signal: AbortSignal) {
    const response = await this.send(path, body, signal);
    let answer: { name: string; data: unknown } | null = null;
    const parser = createParser({
      onEvent: ({ event = "message", data }) => {
        if (event === "done" || event === "error") answer = { name: event, data: JSON.parse(data) };
        else progress(event, JSON.parse(data));
      },
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    while (reader && !answer) {
      const { value, done } = await reader.read();
      if (done) break;
      parser.feed(value);
    }
    void reader?.cancel().catch(() => undefined);
    const last = answer as { name: string; data: unknown } | null;
    if (!last) throw new Refused({ message: "the server broke the connection" });
    if (last.name === "error") throw new Refused(last.data as object);
    return last.data;
  }
}
