import type { Config } from "../../app/config.js";
import { type RunningServer, serveHttp } from "../../app/serve.js";
import { type ServeOptions, servicePipeline } from "../../app/service-pipeline.js";
import type { WorkerLink } from "../../app/workers/worker-link.js";
import { SECOND_MS } from "../../kit/clock.js";
import { greet } from "./greeting.js";
import { stopSignal } from "./stop-signal.js";

/** Serves until SIGINT or SIGTERM, then finishes the calls in progress and closes everything. */
export async function runUntilStopped(running: ServeOptions): Promise<void> {
  const { service, log, config } = running;
  const stop = stopSignal();
  const greeting = new AbortController();
  let server: RunningServer | undefined;
  try {
    server = await serveHttp(running);
    service.start();
    await Promise.race([greet(server.address, running, standardOutput, greeting.signal), stop.signal]);
    const signal = await stop.signal;
    log.info({ signal }, "stopping");
    greeting.abort();
    await server.drain(drainMsAt(signal, config));
  } finally {
    stop.release();
    greeting.abort();
    await server?.close();
    await service.close();
  }
}

/** Time to drain after a signal. SIGINT comes from a terminal, where no load balancer needs the delay. */
export function drainMsAt(signal: NodeJS.Signals, { drainSeconds }: Pick<Config, "drainSeconds">): number {
  return signal === "SIGTERM" ? drainSeconds * SECOND_MS : 0;
}

/** Time for callers of a replaced worker to close their idle connections and reconnect to its successor. */
const IDLE_MS = 5 * SECOND_MS;

/** Serves as one of several processes, or only ingests, until the primary or SIGTERM stops this process. */
export async function runWorker(running: ServeOptions, link: WorkerLink): Promise<void> {
  const { service, config } = running;
  const stop = stopSignal(["SIGTERM"]);
  // A terminal sends SIGINT to all processes. This process ignores it, because the primary stops this process.
  process.on("SIGINT", () => undefined);
  const greeting = new AbortController();
  const served = { ...running, metricsOf: link.metrics };
  let server: RunningServer | undefined;
  try {
    if (config.role === "ingest") servicePipeline(served, () => true);
    else server = await serveHttp(served);
    service.start();
    link.opened();
    if (server) link.serving(server.address);
    const greeted = link.greeting.then((address) => {
      const whole = { ...running, config: { ...config, role: "all" as const } };
      return greet(config.publicUrl ?? address, whole, standardOutput, greeting.signal);
    });
    greeted.catch((error: unknown) => running.log.error({ err: error }, "the greeting could not be printed"));
    // Waits for a signal as well, because a supervisor may send SIGTERM to all processes at the same time.
    const drainMs = await Promise.race([link.stop, stop.signal.then((signal) => drainMsAt(signal, config))]);
    await server?.drain(drainMs);
  } finally {
    stop.release();
    greeting.abort();
    await server?.close(IDLE_MS);
    await service.close();
  }
}

const standardOutput = {
  write: (text: string) => void process.stdout.write(text),
  isTerminal: process.stdout.isTTY === true,
};
