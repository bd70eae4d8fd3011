/** Programs that a test starts for itself: another server, workers, NATS. All end with the test. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const BINARY = process.env.LAMBDA6 ?? "../target/release/lambda6";

/** A port that is free now. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().on("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => (address && typeof address === "object" ? resolve(address.port) : reject(new Error("no port"))));
    });
  });
}

export class Programs {
  private readonly children: ChildProcess[] = [];
  private readonly folders: string[] = [];

  private run(program: string, args: readonly string[], waitFor: RegExp | null): Promise<string> {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, LAMBDA6_TOKEN: undefined } });
    this.children.push(child);
    return new Promise((resolve, reject) => {
      let said = "";
      const hear = (data: Buffer) => {
        said += data.toString();
        const found = waitFor?.exec(said);
        if (found) resolve(found[1] ?? found[0]);
      };
      child.stdout?.on("data", hear);
      child.stderr?.on("data", hear);
      child.on("error", reject);
      child.on("exit", (code) => reject(new Error(`${program} ${args.join(" ")} ended with ${code}: ${said}`)));
      if (!waitFor) resolve("");
    });
  }

  async folder(): Promise<string> {
    const made = await mkdtemp(join(tmpdir(), "lambda6-e2e-"));
    this.folders.push(made);
    return made;
  }

  /** Starts the server; returns its address as it says it. */
  serve(...args: string[]): Promise<string> {
    return this.run(BINARY, ["serve", ...args], /^(http:\S+)$/m);
  }

  /** Starts another part of the program and does not wait for it. */
  async start(...args: string[]): Promise<void> {
    await this.run(BINARY, args, null).catch(() => undefined);
  }

  async nats(): Promise<string> {
    const port = await freePort();
    await this.run("nats-server", ["-a", "127.0.0.1", "-p", String(port), "-js", "-sd", await this.folder()], /Server is ready/);
    return `nats://127.0.0.1:${port}`;
  }

  async end(): Promise<void> {
    for (const child of this.children.reverse()) {
      child.removeAllListeners("exit");
      const gone = child.exitCode !== null || child.signalCode !== null ? null : new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await gone;
    }
    for (const folder of this.folders) await rm(folder, { recursive: true, force: true });
  }
}
