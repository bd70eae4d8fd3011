import type { Transport } from "./engine";
export class Workers implements Transport {
  request(): Promise<Uint8Array> { return Promise.reject(new Error("not yet")); }
  stream(): Promise<unknown> { return Promise.reject(new Error("not yet")); }
}
