// One side of the swap measurement. argv: role (serve or build), data folder, upstream base, port.

import { monitorEventLoopDelay } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { loadConfig } from "../dist/config.js";
import { systemClock } from "../dist/kit/clock.js";
import { serveHttp } from "../dist/serve.js";
import { openService } from "../dist/service.js";
import { loadServices } from "../dist/services/registry.js";

const [role, dataDir, upstreamBase, port] = process.argv.slice(2);
const services = await loadServices(fileURLToPath(new URL("./services", import.meta.url)));
const { VIGIL_ENTERPRISE_KEYS, VIGIL_LIMITS } = process.env;
const config = loadConfig({ VIGIL_PORT: port, VIGIL_ENTERPRISE_KEYS, VIGIL_LIMITS }, []);
const log = pino({ level: "silent" });
const options = { config, services, log, kind: "real", dataDir, clock: systemClock, upstreamBase, gated: true };
const service = await openService(options);
const [dataset] = services.datasets;
const generation = () => service.registry.generation(dataset)?.generation ?? 0;

const asked = {
  async build() {
    const { outcome, status } = await service.ingest.runNow(dataset);
    if (outcome !== "published") throw new Error(`${outcome}: ${status.error}`);
    return generation();
  },
  /** Adopts what was published, and the longest that the event loop was held meanwhile and shortly after. */
  async swap() {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const startedAt = performance.now();
    await service.registry.refresh();
    const swapMs = performance.now() - startedAt;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    delay.disable();
    return { generation: generation(), swapMs, heldMs: delay.max / 1e6 };
  },
  async close() {
    await service.close();
    process.disconnect();
    process.exit(0);
  },
};
process.on("message", async (name) => process.send({ name, value: await asked[name]() }));
if (role === "serve") await serveHttp({ config, service, services, clock: systemClock, log, simulated: false });
process.send({ name: "ready" });
