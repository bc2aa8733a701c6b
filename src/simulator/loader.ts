import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { routeTable } from "./route-table.js";
import type { SimulatedUpstream } from "./upstream.js";

const UPSTREAMS_DIR = fileURLToPath(new URL("./upstreams/", import.meta.url));

/**
 * Every upstream in the folder, by file name: compiled files in `dist`, sources under Vitest. Throws for a file that
 * exports no `upstream`, and when two of them answer for the same address.
 */
export async function loadUpstreams(folder: string = UPSTREAMS_DIR): Promise<readonly SimulatedUpstream[]> {
  const files = (await readdir(folder)).filter(isUpstreamFile).sort();
  const upstreams = await Promise.all(files.map((file) => loadUpstream(join(folder, file))));
  routeTable(upstreams);
  return upstreams;
}

function isUpstreamFile(file: string): boolean {
  return /\.[jt]s$/.test(file) && !file.endsWith(".d.ts") && !file.includes(".test.");
}

async function loadUpstream(file: string): Promise<SimulatedUpstream> {
  const module: Readonly<Record<string, unknown>> = await import(pathToFileURL(file).href);
  const upstream = module["upstream"];
  if (!isUpstream(upstream)) throw new Error(`${file} must export \`upstream\`, made with simulatedUpstream()`);
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
