/** A search that can be stopped, and of which there is only one at a time. */
import { signal } from "@preact/signals";
import { isAbort } from "../engine/engine";
import { complain } from "./store";

export class Task {
  readonly running = signal(false);
  private controller: AbortController | null = null;

  /** Stops what runs and starts this. What goes wrong is shown, unless it was stopped. */
  async start(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.stop();
    const controller = new AbortController();
    this.controller = controller;
    this.running.value = true;
    try {
      await work(controller.signal);
    } catch (error) {
      if (!isAbort(error) && !controller.signal.aborted) complain(error);
    } finally {
      if (this.controller === controller) this.stop();
    }
  }

  stop(): void {
    this.controller?.abort();
    this.controller = null;
    this.running.value = false;
  }
}
