import { type RunningServer, serveHttp } from "../../app/serve.js";
import type { ServeOptions } from "../../app/service-pipeline.js";
import { greet } from "./greeting.js";

/** Serves until SIGINT or SIGTERM, then finishes the calls under way and closes everything. */
export async function runUntilStopped(running: ServeOptions): Promise<void> {
  const { service, log } = running;
  const stop = stopSignal();
  const greeting = new AbortController();
  let server: RunningServer | undefined;
  try {
    server = await serveHttp(running);
    service.start();
    const out = { write: (text: string) => void process.stdout.write(text), isTerminal: process.stdout.isTTY === true };
    await Promise.race([greet(server.address, running, out, greeting.signal), stop.signal]);
    log.info({ signal: await stop.signal }, "stopping");
  } finally {
    stop.release();
    greeting.abort();
    await server?.close();
    await service.close();
  }
}

interface Stop {
  /** The signal that stopped the process. */
  readonly signal: Promise<NodeJS.Signals>;
  /** Lets the process end without a signal. */
  release(): void;
}

/** Keeps the process alive until SIGINT or SIGTERM. */
export function stopSignal(): Stop {
  // Most timers of this service do not keep the process alive; this one must.
  const awake = setInterval(() => undefined, 1 << 30);
  const release = (): void => clearInterval(awake);
  const signal = new Promise<NodeJS.Signals>((resolve) => {
    for (const name of ["SIGINT", "SIGTERM"] as const) {
      process.once(name, () => {
        release();
        resolve(name);
      });
    }
  });
  return { signal, release };
}
