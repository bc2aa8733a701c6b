import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { SECOND_MS } from "../../src/kit/clock.js";
import type { OpenStore } from "./stores.js";

const PROCESS_MS_MAX = 120 * SECOND_MS;

/** The ticks of the simulated clock that a process plays before it ends or is killed. */
export interface ProcessLife {
  /** Number of this process in the sequence of processes that use the store. */
  readonly ordinal: number;
  /** The first tick that the process plays. */
  readonly tick: number;
  /** Number of the attempt at `tick`. */
  readonly attempt: number;
  readonly lastTick: number;
}

export interface LifeOptions {
  /** Further arguments of the script, after those that describe its life. */
  readonly more?: readonly (string | number)[];
  /** Receives each line that the process prints. */
  readonly onLine?: (line: string, child: ChildProcess) => void;
}

/** Runs a script on a store until its process ends. A process that fails without being killed fails the test. */
export async function runLife(
  script: string,
  { dataDir, url }: OpenStore,
  { ordinal, tick, attempt, lastTick }: ProcessLife,
  { more = [], onLine = () => undefined }: LifeOptions = {},
): Promise<void> {
  const { PATH = "", HOME = "" } = process.env;
  const env = { PATH, HOME, VIGIL_DATA_DIR: dataDir, ...(url !== undefined && { DATABASE_URL: url }) };
  const args = [script, ...[ordinal, tick, attempt, lastTick, ...more].map(String)];
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"], timeout: PROCESS_MS_MAX });
  const written: string[] = [];
  child.stderr.on("data", (chunk: Buffer) => written.push(String(chunk)));
  const ended = once(child, "close");
  for await (const line of createInterface({ input: child.stdout })) onLine(line, child);
  const [code, signal] = await ended;
  if (code !== 0 && signal !== "SIGKILL") {
    throw new Error(`the process ended with ${code ?? signal}: ${written.join("")}`);
  }
}
