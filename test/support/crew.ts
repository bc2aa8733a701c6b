import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { isSpread } from "./shape.js";
import type { OpenStore } from "./stores.js";

/**
 * The processes that do one piece of work on a store. On PostgreSQL in the distributed shape, there are two processes
 * at the same time; otherwise there is one.
 */
export interface Crew {
  /** Kills one of the processes. Returns false if that process has already ended. */
  killOne(random: () => number): boolean;
  /** Resolves when all processes have ended; true if each of them exited with code 0. */
  readonly ended: Promise<boolean>;
}

/** Starts the processes with these Node.js arguments, and waits until each has printed `ready`. */
export async function startCrew({ url }: OpenStore, args: readonly string[]): Promise<Crew> {
  const count = isSpread && url !== undefined ? 2 : 1;
  const children = Array.from({ length: count }, () =>
    spawn(process.execPath, [...args, ...(url === undefined ? [] : [url])], { stdio: ["ignore", "pipe", "inherit"] }),
  );
  const ended = Promise.all(children.map((child) => once(child, "exit")));
  await Promise.all(children.map(untilReady));
  return {
    killOne: (random) => children[Math.floor(random() * count)]?.kill("SIGKILL") ?? false,
    ended: ended.then((ends) => ends.every(([code]) => code === 0)),
  };
}

async function untilReady({ stdout }: ChildProcess): Promise<void> {
  if (!stdout) throw new Error("the process has no output");
  for await (const line of createInterface({ input: stdout })) if (line === "ready") return;
}
