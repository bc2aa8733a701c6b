import cluster from "node:cluster";
import { type Config, ConfigError } from "../../app/config.js";
import { checkAddress } from "../../app/serve.js";
import { openService } from "../../app/service.js";
import type { ServiceOptions } from "../../app/service-options.js";
import { primary } from "../../app/workers/primary.js";
import { type PrimaryChannel, workerLink } from "../../app/workers/worker-link.js";
import { systemClock } from "../../kit/clock.js";
import { drainMsAt, runUntilStopped, runWorker } from "./run-until-stopped.js";
import type { ServeChoice } from "./serve-choice.js";
import { type StartUp, startUp } from "./start-up.js";
import { stopSignal } from "./stop-signal.js";

/** The options with which a command opens its service, and a function that closes what the options use. */
export interface PreparedService {
  readonly options: ServiceOptions;
  /** Closes everything that the service depends on, except its store. */
  close(): Promise<void>;
}

/**
 * Serves in this process, or in worker processes that this process supervises, until a signal stops the service.
 * `prepare` runs in each process that opens the store.
 */
export async function serveService(
  { role, workers }: ServeChoice,
  prepare: (start: StartUp) => Promise<PreparedService>,
): Promise<void> {
  const start = await startUp({ VIGIL_ROLE: role, VIGIL_WORKERS: workers });
  if (cluster.isWorker) return serveAsWorker(start, prepare);
  const { config } = start;
  if (config.role !== "ingest") await checkAddress(config);
  if (config.workers > 1) return superviseWorkers(start);
  const { options, close } = await prepare(start);
  try {
    const service = await openService({ ...options, buildInThread: true });
    const { config: own, clock, kind } = options;
    await runUntilStopped({ ...start, config: own, service, clock, simulated: kind === "demo" });
  } finally {
    await close();
  }
}

async function serveAsWorker(start: StartUp, prepare: (start: StartUp) => Promise<PreparedService>): Promise<void> {
  // The cast is safe, because in a cluster worker, Node makes `process` a message channel to the primary.
  const link = workerLink(process as PrimaryChannel);
  try {
    const { options, close } = await prepare(start);
    try {
      const service = await openService({ ...options, buildInThread: true, siblings: link });
      const { config, clock, kind } = options;
      await runWorker({ ...start, config, service, clock, simulated: kind === "demo" }, link);
    } finally {
      await close();
    }
  } finally {
    link.close();
  }
}

/** Starts the workers and replaces them on SIGHUP and SIGUSR2, until SIGINT or SIGTERM. */
async function superviseWorkers({ config, log }: StartUp): Promise<void> {
  checkWorkers(config);
  const processes = primary({
    workers: config.workers,
    ingests: config.role === "all",
    words: process.argv.slice(2),
    clock: systemClock,
    log,
  });
  const stop = stopSignal();
  const replace = (signal: NodeJS.Signals): void => {
    log.info({ signal }, "replacing the workers");
    processes.replaceAll().catch((error: unknown) => log.error({ err: error }, "the workers were not replaced"));
  };
  for (const name of ["SIGHUP", "SIGUSR2"] as const) process.on(name, replace);
  let drainMs = 0;
  try {
    await Promise.race([processes.start(), stop.signal]);
    const signal = await stop.signal;
    log.info({ signal }, "stopping");
    drainMs = drainMsAt(signal, config);
  } finally {
    stop.release();
    for (const name of ["SIGHUP", "SIGUSR2"] as const) process.off(name, replace);
    await processes.stop(drainMs);
  }
}

function checkWorkers({ role, workers }: Config): void {
  if (role !== "ingest") return;
  throw new ConfigError(`the role ingest answers no calls, so VIGIL_WORKERS must be 1, got ${workers}`);
}
