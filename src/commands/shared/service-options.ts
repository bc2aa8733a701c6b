import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { ServiceOptions } from "../../app/service-options.js";
import { settingReader } from "../../contract/setting.js";
import { type Clock, clockStartingAt, systemClock } from "../../kit/clock.js";
import { OperatorError } from "../../kit/operator-error.js";
import type { Simulator } from "../../simulator/simulator.js";
import type { StartUp } from "./start-up.js";
import { dataDirOf } from "./store-choice.js";

/** Options for a service that uses the real upstreams. */
export function realOptions({ services, config, log }: StartUp): ServiceOptions {
  const dataDir = dataDirOf(config, "real");
  const { upstreamBase } = config;
  return { config, services, log, kind: "real", dataDir, clock: systemClock, upstreamBase, gated: true };
}

/** Starts the simulated upstreams of the demo. Returns them with the options of a service that uses them. */
export async function demoOptions(
  start: StartUp,
  recorded: string | undefined,
): Promise<{ readonly simulator: Simulator; readonly options: ServiceOptions }> {
  const { services, config, log } = start;
  if (recorded !== undefined) await checkRecording(recorded);
  const { recordedClockStart } = await import("../../simulator/recorded-index.js");
  const startAt = recorded === undefined ? undefined : await recordedClockStart(recorded);
  const clock = startAt === undefined ? systemClock : clockStartingAt(startAt);
  const simulator = await startedSimulator(start, { clock, recorded });
  const options: ServiceOptions = {
    config: { ...config, texts: { ...config.texts, ...simulator.credentials } },
    services,
    log,
    kind: "demo",
    dataDir: dataDirOf(config, "demo"),
    clock,
    upstreamBase: simulator.baseUrl,
    gated: recorded === undefined,
  };
  return { simulator, options };
}

/**
 * Starts the simulated upstreams, including those of the declared feeds. Without `port`, or with 0, a free port is
 * used.
 */
export async function startedSimulator(
  { services, config }: StartUp,
  { clock, port, recorded }: { readonly clock: Clock; readonly port?: number; readonly recorded: string | undefined },
): Promise<Simulator> {
  if (recorded !== undefined) await checkRecording(recorded);
  const { startSimulator } = await import("../../simulator/simulator.js");
  return startSimulator({
    clock,
    seed: config.simulatorSeed,
    newsFeeds: (await services.feedCatalogue?.feeds(settingReader(config.texts))) ?? [],
    ...(port !== undefined && { port }),
    ...(recorded !== undefined && { recordedDir: recorded }),
  }).catch((error: unknown) => {
    throw port === undefined ? error : addressFailure(error, port);
  });
}

/** Throws `OperatorError` unless the folder contains the index of a recording. */
async function checkRecording(folder: string): Promise<void> {
  const hasIndex = await stat(join(folder, "index.json")).then(
    (found) => found.isFile(),
    () => false,
  );
  if (hasIndex) return;
  throw new OperatorError(
    `${folder} contains no recording (index.json); \`vigil doctor --sources --save ${folder}\` makes one`,
  );
}

/** Translates a failure to listen on a port into a sentence with a remedy. Returns other errors unchanged. */
function addressFailure(error: unknown, port: number): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall !== "listen") return error;
  const reason = code === "EADDRINUSE" ? "is in use by another program" : `cannot be used (${code})`;
  return new OperatorError(`port ${port} ${reason}; choose another --port`, { cause: error });
}
