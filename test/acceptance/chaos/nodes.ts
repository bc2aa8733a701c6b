import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { systemClock } from "../../../src/kit/clock.js";
import { freePort, startVigil, type VigilProcess } from "../../support/process.js";

const clockCode = resolve(import.meta.dirname, "skewed-clock.mjs");
const RESTART_MS = 300;
const POLLED_EVERY_MS = 50;

/** A node of the service: a process that is started again whenever it ends, as under a supervisor. */
export interface ChaosNode {
  readonly name: string;
  readonly base: string;
  /** Ordinal of the current process among those that became ready, from 1; undefined while none is ready. */
  readonly life: number | undefined;
  /** A line for each process that ended unexpectedly after it had been ready. */
  readonly crashes: readonly string[];
  /** Kills the process. It stays down until `release`. */
  kill(): Promise<void>;
  /** Starts the process again after `kill`. */
  release(): void;
  /** Sets the clock of the node ahead of the machine's clock, or behind it if `aheadMs` is negative. */
  setClock(aheadMs: number): void;
  /** Environment of the node, for commands on its store. */
  readonly env: Readonly<Record<string, string>>;
  /** Output of the last process. */
  output(): string;
  stop(): Promise<void>;
}

/** Starts a node with these command-line arguments. */
export async function startNode(
  name: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
  folder: string,
): Promise<ChaosNode> {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const clockFile = join(folder, `${name}.clock`);
  writeFileSync(clockFile, "0");
  const env = {
    ...settings,
    VIGIL_PORT: String(port),
    CHAOS_CLOCK_FILE: clockFile,
    NODE_OPTIONS: `--import=${clockCode}`,
  };
  const crashes: string[] = [];
  let process: VigilProcess | undefined;
  let lives = 0;
  let life: number | undefined;
  let isHeld = false;
  let isStopped = false;
  let wake: () => void = () => undefined;

  async function isReady(): Promise<boolean> {
    const answer = await fetch(`${base}/readyz`, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
    await answer?.arrayBuffer();
    return answer?.status === 200;
  }

  /**
   * Runs processes one after another: whenever one ends, the next one is started. If its store is down, a process may
   * end before it is ready.
   */
  async function supervise(): Promise<void> {
    while (!isStopped) {
      if (isHeld) {
        await new Promise<void>((resume) => {
          wake = resume;
        });
        continue;
      }
      const running = startVigil(args, env);
      process = running;
      let hasEnded = false;
      const ended = running.ended.then((code) => {
        hasEnded = true;
        return code;
      });
      while (!hasEnded && !(await isReady())) await systemClock.sleep(POLLED_EVERY_MS);
      if (!hasEnded && !isHeld && !isStopped) {
        lives += 1;
        life = lives;
      }
      const code = await ended;
      if (life !== undefined && !isHeld && !isStopped) {
        crashes.push(`${name} ended with ${code}: ${running.output().slice(-2_000)}`);
      }
      life = undefined;
      if (!isStopped && !isHeld) await systemClock.sleep(RESTART_MS);
    }
  }

  async function end(): Promise<void> {
    life = undefined;
    process?.child.kill("SIGKILL");
    await process?.ended;
  }

  const supervision = supervise();
  return {
    name,
    base,
    env,
    crashes,
    get life() {
      return life;
    },
    async kill() {
      isHeld = true;
      await end();
    },
    release() {
      isHeld = false;
      wake();
    },
    setClock: (aheadMs) => writeFileSync(clockFile, String(aheadMs)),
    output: () => process?.output() ?? "",
    async stop() {
      isStopped = true;
      wake();
      await end();
      await supervision;
    },
  };
}
