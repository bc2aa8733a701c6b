import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach } from "vitest";

const main = resolve(import.meta.dirname, "../../dist/commands/main.js");

/** A built `vigil` in a separate process, with its output so far. */
export interface VigilProcess {
  readonly child: ChildProcess;
  readonly output: () => string;
  /** Its standard output only. */
  readonly printed: () => string;
  /** Exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
}

/** Starts the built command line with only the path and the home of this environment. */
export function startVigil(args: readonly string[], env: Readonly<Record<string, string>>): VigilProcess {
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(process.execPath, [main, ...args], { env: { PATH, HOME, ...env } });
  const chunks: string[] = [];
  const printed: string[] = [];
  child.stdout.on("data", (chunk: Buffer) => printed.push(String(chunk)));
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => chunks.push(String(chunk)));
  const ended = new Promise<number | NodeJS.Signals>((settle) =>
    child.once("close", (code, signal) => settle(code ?? signal ?? 0)),
  );
  return { child, output: () => chunks.join(""), printed: () => printed.join(""), ended };
}

/** A folder for each test of a file, and the processes that the test starts. Both are removed after the test. */
export interface ProcessRoom {
  readonly folder: string;
  start(args: readonly string[], env: Readonly<Record<string, string>>): VigilProcess;
}

export function processRoomForEach(name: string): ProcessRoom {
  let folder = "";
  const running: VigilProcess[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), `vigil-${name}-`));
  });
  afterEach(async () => {
    for (const { child, ended } of running.splice(0)) {
      child.kill("SIGKILL");
      await ended;
    }
    await rm(folder, { recursive: true, force: true });
  });
  return {
    get folder() {
      return folder;
    },
    start(args, env) {
      const started = startVigil(args, env);
      running.push(started);
      return started;
    },
  };
}

/** A port that is free at the moment. */
export function freePort(): Promise<number> {
  return new Promise((settle, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => settle(typeof address === "object" && address ? address.port : 0));
    });
  });
}
