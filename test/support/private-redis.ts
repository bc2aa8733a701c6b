import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createConnection } from "node:net";
import { systemClock } from "../../src/kit/clock.js";
import { freePort } from "./process.js";

const REDIS = "/usr/bin/redis-server";
const POLLED_EVERY_MS = 50;
const START_MS_MAX = 30_000;

/** A Redis server for one test, which may kill and freeze the server. The server keeps no data across restarts. */
export interface PrivateRedis {
  readonly url: string;
  /** Kills the server immediately. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Sends SIGSTOP or SIGCONT. */
  signal(signal: "SIGSTOP" | "SIGCONT"): void;
  dispose(): Promise<void>;
}

/** The reason why this machine cannot run a Redis server; undefined when it can. */
export function whyNoPrivateRedis(): string | undefined {
  return existsSync(REDIS) ? undefined : `no ${REDIS}`;
}

export async function startPrivateRedis(): Promise<PrivateRedis> {
  const port = await freePort();
  let server: ReturnType<typeof spawn> | undefined;

  async function start(): Promise<void> {
    const args = ["--bind", "127.0.0.1", "--port", String(port), "--save", "", "--appendonly", "no"];
    server = spawn(REDIS, args, { stdio: "ignore" });
    const endsAt = performance.now() + START_MS_MAX;
    while (!(await answers(port))) {
      if (performance.now() > endsAt) throw new Error(`Redis did not start on port ${port}`);
      await systemClock.sleep(POLLED_EVERY_MS);
    }
  }

  async function kill(): Promise<void> {
    const running = server;
    server = undefined;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    running.kill("SIGKILL");
    await once(running, "exit");
  }

  await start();
  return { url: `redis://127.0.0.1:${port}`, start, kill, dispose: kill, signal: (name) => void server?.kill(name) };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, "127.0.0.1");
    socket.once("error", () => resolve(false));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}
