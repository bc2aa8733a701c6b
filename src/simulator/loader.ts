import { basename } from "node:path";
import type { ModuleFolder } from "../kit/module-folder.js";
import { serviceModules } from "../kit/service-modules.js";
import { routeTable } from "./route-table.js";
import type { SimulatedUpstream } from "./upstream.js";

const SIMULATED = /^[^/]+\/simulated\/[^/]+\.[jt]s$/;

/**
 * Loads every upstream in `<service>/simulated/`, in the order of the file names. Throws for a file without the export
 * `upstream`, and for two upstreams with the same address.
 */
export async function loadUpstreams(modules: ModuleFolder = serviceModules): Promise<readonly SimulatedUpstream[]> {
  const paths = (await modules.paths()).filter((path) => SIMULATED.test(path));
  const byName = paths.sort((a, b) => basename(a).localeCompare(basename(b), "en"));
  const upstreams = await Promise.all(byName.map((path) => loadUpstream(modules, path)));
  routeTable(upstreams);
  return upstreams;
}

async function loadUpstream(modules: ModuleFolder, path: string): Promise<SimulatedUpstream> {
  const { upstream } = await modules.load(path);
  if (!isUpstream(upstream))
    throw new Error(`services/${path} must export \`upstream\`, made with simulatedUpstream()`);
  return upstream;
}

function isUpstream(value: unknown): value is SimulatedUpstream {
  return (
    typeof value === "object" &&
    value !== null &&
    "name" in value &&
    typeof value.name === "string" &&
    "routes" in value &&
    Array.isArray(value.routes)
  );
}
