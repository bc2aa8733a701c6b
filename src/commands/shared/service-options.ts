import type { ServiceOptions } from "../../app/service-options.js";
import { settingReader } from "../../contract/setting.js";
import { type Clock, clockStartingAt, systemClock } from "../../kit/clock.js";
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
  const { startSimulator } = await import("../../simulator/simulator.js");
  return startSimulator({
    clock,
    seed: config.simulatorSeed,
    newsFeeds: (await services.feedCatalogue?.feeds(settingReader(config.texts))) ?? [],
    ...(port !== undefined && { port }),
    ...(recorded !== undefined && { recordedDir: recorded }),
  });
}
