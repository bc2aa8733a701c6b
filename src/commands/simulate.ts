import { type Command, InvalidArgumentError } from "commander";
import { systemClock } from "../kit/clock.js";
import { helpText } from "./shared/help-text.js";
import { say } from "./shared/output.js";
import { startedSimulator } from "./shared/service-options.js";
import { startUp } from "./shared/start-up.js";
import { stopSignal } from "./shared/stop-signal.js";

const PORT_MAX = 65_535;

const HELP = helpText({
  examples: [
    ["vigil simulate", "on port 8790"],
    ["VIGIL_UPSTREAM_BASE=http://127.0.0.1:8790 vigil doctor --sources", "request the simulated upstreams"],
  ],
  remarks: "A service with real data refuses the answers of a simulator; `vigil demo` starts its own simulator.",
  exitCodes: "0 stopped; 1 not started",
});

/** Adds `vigil simulate`. */
export function addSimulate(root: Command, run: typeof simulate = simulate): void {
  root
    .command("simulate")
    .description("serve only the simulated upstreams, for VIGIL_UPSTREAM_BASE")
    .option("--port <port>", "port to listen on", portIn, 8790)
    .option("--recorded <dir>", "serve the payloads recorded in this folder instead")
    .addHelpText("after", HELP)
    .action((options: SimulateOptions) => run(options));
}

interface SimulateOptions {
  readonly port: number;
  readonly recorded?: string;
}

async function simulate({ port, recorded }: SimulateOptions): Promise<void> {
  const simulator = await startedSimulator(await startUp(), { clock: systemClock, port, recorded });
  say(`Simulated upstreams at ${simulator.baseUrl} (VIGIL_UPSTREAM_BASE=${simulator.baseUrl})`);
  await stopSignal().signal;
  await simulator.close();
}

function portIn(text: string): number {
  // Number("") is 0, and 0 is a port.
  const port = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (port <= PORT_MAX) return port;
  throw new InvalidArgumentError(`a port is a whole number from 0 to ${PORT_MAX}`);
}
