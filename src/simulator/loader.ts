import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { routeTable } from "./route-table.js";
import type { SimulatedUpstream } from "./upstream.js";

const SERVICES_DIR = fileURLToPath(new URL("../services/", import.meta.url));

/**
 * Loads every upstream in `<service>/simulated/`, by file name: compiled files in `dist`, sources under Vitest. Throws for
 * a file without the export `upstream`, and for two upstreams with the same address.
 */
export async function loadUpstreams(services: string = SERVICES_DIR): Promise<readonly SimulatedUpstream[]> {
  const folders = (await readdir(services)).map((service) => join(services, service, "simulated")).filter(existsSync);
  const files = (await Promise.all(folders.map(upstreamFilesIn))).flat();
  const byName = files.sort((a, b) => basename(a).localeCompare(basename(b), "en"));
  const upstreams = await Promise.all(byName.map(loadUpstream));
  routeTable(upstreams);
  return upstreams;
}

async function upstreamFilesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder)).filter(isUpstreamFile).map((file) => join(folder, file));
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
