import { type ChildProcess, fork, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, afterEach, beforeEach } from "vitest";

const main = resolve(import.meta.dirname, "../../dist/bin/vigil.js");

/** A built `vigil` in a separate process, with its output so far. */
export interface VigilProcess {
  readonly child: ChildProcess;
  readonly output: () => string;
  /** Its standard output only. */
  readonly printed: () => string;
  /** Exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
}

/** Starts the built command line with `env`, and with only `PATH` and `HOME` from this process's environment. */
export function startVigil(args: readonly string[], env: Readonly<Record<string, string>>): VigilProcess {
  return startProgram(main, args, env);
}

/** Starts another build of the command line in the same way. */
export function startProgram(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): VigilProcess {
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(process.execPath, [file, ...args], { env: { PATH, HOME, ...env } });
  const chunks: string[] = [];
  const printed: string[] = [];
  child.stdout.on("data", (chunk: Buffer) => printed.push(String(chunk)));
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => chunks.push(String(chunk)));
  const ended = new Promise<number | NodeJS.Signals>((settle) =>
    child.once("close", (code, signal) => settle(code ?? signal ?? 0)),
  );
  return { child, output: () => chunks.join(""), printed: () => printed.join(""), ended };
}

/**
 * A folder for each test of a file, and the processes that the test starts. After the test, the processes are killed
 * and the folder is removed.
 */
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

/** A finished command. */
export interface EndedCommand {
  readonly code: number;
  /** Its output on both streams. */
  readonly output: string;
  /** Its standard output only. */
  readonly printed: string;
  /** Its standard error only. */
  readonly errors: string;
}

/** Runs a command; `folder` is its working folder, by default that of the test runner. */
export type RunCommand = (
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  folder?: string,
) => Promise<EndedCommand>;

/**
 * Runs commands of the built command line, one after another, in one separate process for all tests of a file. Each
 * command must end on its own. Tests that depend on the process itself (signals, open handles, listening) need their
 * own process.
 */
export function commandHostForAll(): RunCommand {
  let host: ChildProcess | undefined;
  let commands = 0;
  let last: Promise<unknown> = Promise.resolve();
  afterAll(() => void host?.kill("SIGKILL"));

  const command: RunCommand = async (args, env, folder) => {
    host ??= fork(resolve(import.meta.dirname, "command-host.mjs"), { execArgv: [] });
    const { PATH = "", HOME = "" } = process.env;
    const [id, to] = [commands++, host];
    const ended = new Promise<HostAnswer>((settle, reject) => {
      to.once("message", settle);
      to.once("exit", (code) => reject(new Error(`the host of commands ended with ${code}`)));
    });
    to.send({ id, main, args, env: { PATH, HOME, ...env }, folder });
    const { code, output, printed, errors, crash } = await ended;
    to.removeAllListeners("exit");
    if (crash !== undefined) throw new Error(`vigil ${args.join(" ")}: ${crash}`);
    return { code, output, printed, errors };
  };

  return (args, env, folder) => {
    const next = last.then(() => command(args, env, folder));
    last = next.catch(() => undefined);
    return next;
  };
}

interface HostAnswer extends EndedCommand {
  /** The stack of an error that the command did not turn into a one-sentence message. */
  readonly crash?: string;
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
