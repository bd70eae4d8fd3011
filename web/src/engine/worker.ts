/** A worker that holds one copy of the engine. It hears a question at a time and says what the engine says. */
export interface Question {
  id: number;
  path: string;
  body: Uint8Array;
}
export interface Heard {
  id: number;
  name: string;
  data: Uint8Array;
}

interface Engine {
  memory: WebAssembly.Memory;
  room(length: number): number;
  ask(): void;
}

let asked = 0;
let engine: Engine | null = null;

const page = {
  now: () => performance.now(),
  hear: (at: number, name: number, length: number) => {
    const bytes = new Uint8Array((engine as Engine).memory.buffer, at, length);
    const heard: Heard = { id: asked, name: new TextDecoder().decode(bytes.slice(0, name)), data: bytes.slice(name) };
    postMessage(heard);
  },
};

const ready = new Promise<void>((resolve) => {
  addEventListener("message", (event: MessageEvent<WebAssembly.Module>) => {
    void WebAssembly.instantiate(event.data, { page }).then((instance) => {
      engine = instance.exports as unknown as Engine;
      resolve();
    });
  }, { once: true });
});

void ready.then(() => {
  addEventListener("message", (event: MessageEvent<Question>) => answer(event.data));
  postMessage("ready");
});

function answer({ id, path, body }: Question): void {
  const e = engine as Engine;
  asked = id;
  const head = new TextEncoder().encode(`${path}\n`);
  const at = e.room(head.length + body.length);
  const room = new Uint8Array(e.memory.buffer, at, head.length + body.length);
  room.set(head);
  room.set(body, head.length);
  try {
    e.ask();
  } catch (error) {
    // The engine broke down: its memory is not to be trusted any more.
    const message = JSON.stringify({ code: "internal", message: `the engine broke down (${String(error)})` });
    const heard: Heard = { id, name: "broken", data: new TextEncoder().encode(message) };
    postMessage(heard);
  }
}
