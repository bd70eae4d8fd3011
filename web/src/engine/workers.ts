/**
 * The engine in the browser: WebAssembly in workers. A search keeps its worker busy, so searches
 * have one of their own, which is ended to stop them; questions that are answered at once go to
 * another, and proofs, which are kept there to be browsed, to a third. A search that can be gone on
 * with has a worker of its own, which is not ended when it is stopped.
 */
import { type Body, type Transport, Refused } from "./engine";
import type { ProofDoc, SolveDoc, SolveProgress, SolveRequest } from "./schema";
import { inSlices } from "./slices";
import type { Heard, Question } from "./worker";
import EngineWorker from "./worker?worker";
import moduleUrl from "./lambda6.wasm?url";

const compiled = WebAssembly.compileStreaming(fetch(moduleUrl));

const toBytes = (body: Body): Uint8Array =>
  body === null ? new Uint8Array() : body instanceof Uint8Array ? body : new TextEncoder().encode(JSON.stringify(body));
const toJson = (data: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(data));

/** A worker and the questions that it has been asked. */
class Place {
  private worker: Promise<Worker> | null = null;
  private next = 1;
  private readonly open = new Map<number, (heard: Heard) => void>();

  private start(): Promise<Worker> {
    this.worker ??= compiled.then(
      (module) =>
        new Promise<Worker>((resolve) => {
          const worker = new EngineWorker();
          worker.onmessage = (event: MessageEvent<Heard | "ready">) => {
            if (event.data === "ready") resolve(worker);
            else this.open.get(event.data.id)?.(event.data);
          };
          worker.postMessage(module);
        }),
    );
    return this.worker;
  }

  /** Asks, and resolves with the last thing that is said. */
  ask(path: string, body: Body, progress: (heard: Heard) => void, signal?: AbortSignal): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const id = this.next++;
      const stopped = () => new DOMException("stopped", "AbortError");
      if (signal?.aborted) return reject(stopped());
      const stop = () => {
        this.open.delete(id);
        this.end();
        reject(stopped());
      };
      signal?.addEventListener("abort", stop, { once: true });
      this.open.set(id, (heard) => {
        if (heard.name === "progress") return progress(heard);
        this.open.delete(id);
        signal?.removeEventListener("abort", stop);
        if (heard.name === "broken") this.end();
        if (heard.name === "error" || heard.name === "broken") reject(new Refused(toJson(heard.data) as object));
        else resolve(heard.data);
      });
      void this.start().then((worker) => {
        if (!this.open.has(id)) return;
        const question: Question = { id, path, body: toBytes(body) };
        worker.postMessage(question);
      }, reject);
    });
  }

  /** Ends the worker, whatever it does. The next question starts another. */
  private end(): void {
    void this.worker?.then((worker) => worker.terminate());
    this.worker = null;
  }
}

export class Workers implements Transport {
  private readonly desk = new Place();
  private readonly proofs = new Place();
  /** Searches that can be gone on with. */
  private readonly prover = new Place();
  /** Searches, each in a worker that is free. */
  private readonly idle: Place[] = [];

  request(path: string, body: Body): Promise<Uint8Array> {
    if (path.startsWith("jobs")) return Promise.reject(new Refused({ code: "unavailable", message: "job-level search needs lambda6 serve" }));
    const place = path.startsWith("proofs/") || path.startsWith("review/") ? this.proofs : this.desk;
    return place.ask(path, body, () => undefined);
  }

  async stream(path: string, body: Body, progress: (event: string, data: unknown) => void, signal: AbortSignal) {
    const report = (heard: Heard) => progress(heard.name, toJson(heard.data));
    if (path === "proofs") return toJson(await this.proofs.ask(path, body, report, signal));
    const request = body as SolveRequest;
    if (path === "solve" && request.resume !== undefined) {
      const ask = async (slice: SolveRequest, tell: (p: SolveProgress) => void) =>
        toJson(await this.prover.ask(path, slice, (heard) => tell(toJson(heard.data) as SolveProgress))) as SolveDoc;
      const found = await inSlices(request, ask, (p) => progress("progress", p), signal);
      await this.hand(found, this.prover);
      return found;
    }
    const place = this.idle.pop() ?? new Place();
    try {
      const found = toJson(await place.ask(path, body, report, signal));
      await this.hand(found, place, signal);
      return found;
    } finally {
      this.idle.push(place);
    }
  }

  /** Hands the proofs of an answer to the worker that keeps them, before this one goes on to other things. */
  private async hand(found: unknown, from: Place, signal?: AbortSignal): Promise<void> {
    for (const proof of proofsIn(found)) {
      const text = await from.ask(`proofs/${proof.id}`, null, () => undefined, signal);
      await this.proofs.ask("proofs", text, () => undefined);
    }
  }
}

/** The proofs that the answer to a search tells of. */
function proofsIn(found: unknown): ProofDoc[] {
  interface Proved {
    proof?: ProofDoc | null;
  }
  const { proof, choices = [], positions = [] } = found as Proved & { choices?: Proved[]; positions?: Proved[] };
  return [proof, ...[...choices, ...positions].map((part) => part.proof)].filter((known) => known != null);
}
