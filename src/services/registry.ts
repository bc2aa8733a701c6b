import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { AnyDataset, AnyPart } from "../contract/dataset.js";
import { type AnyOnDemand, sourcesOf } from "../contract/on-demand.js";
import { isOperation, type RegisteredOperation } from "../contract/operation.js";
import type { Setting } from "../contract/setting.js";
import type { AnySource } from "../contract/source.js";

/** Everything that is declared below this folder. */
export interface Services {
  readonly operations: readonly RegisteredOperation[];
  /** Those that are always built. */
  readonly datasets: readonly AnyDataset[];
  /** Those too that are built only while somebody asks for them. */
  readonly allDatasets: readonly AnyDataset[];
  readonly sources: readonly AnySource[];
  /** What operators can change about single services. */
  readonly settings: readonly Setting<unknown>[];
}

/**
 * Finds every operation by its file, `<service>/operations/<rpc-name>.ts`, and through them the datasets and sources.
 * Refuses a file whose operation has another name, and two datasets or sources of one name.
 */
export async function loadServices(root: string = dirname(fileURLToPath(import.meta.url))): Promise<Services> {
  const folders = (await readdir(root, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const found = await Promise.all(folders.map(({ name }) => operationsOf(root, name)));
  const operations = found.flat().sort((a, b) => a.path.localeCompare(b.path));
  const datasets = unique(
    operations.flatMap(({ operation }) => Object.values(operation.reads as Record<string, AnyDataset>)),
    (dataset) => dataset.name,
  );
  const stored = datasets.flatMap((dataset) =>
    Object.values(dataset.parts as Record<string, AnyPart>).flatMap((part) => part.sources),
  );
  const asked = operations.flatMap(({ operation }) =>
    Object.values((operation.fetches ?? {}) as Record<string, AnyOnDemand<never>>).flatMap(sourcesOf),
  );
  const declared = [...operations.map(({ operation }) => operation), ...datasets].flatMap(
    ({ settings = [] }) => settings,
  );
  return {
    operations,
    datasets: datasets.filter(({ whileAskedForMs }) => whileAskedForMs === undefined),
    allDatasets: datasets,
    sources: unique([...stored, ...asked], (source) => source.id),
    settings: unique(declared, (setting) => setting.name),
  };
}

const SOURCE_FILE = /^[a-z0-9-]+\.(?:ts|js)$/;

async function operationsOf(root: string, service: string): Promise<RegisteredOperation[]> {
  const folder = join(root, service, "operations");
  const files = (await readdir(folder)).filter((file) => SOURCE_FILE.test(file));
  const registered = await Promise.all(
    files.map(async (file) => {
      const exports: Record<string, unknown> = await import(pathToFileURL(join(folder, file)).href);
      return Object.values(exports)
        .filter(isOperation)
        .map((operation) => register(service, file, operation));
    }),
  );
  return registered.flat();
}

function register(service: string, file: string, operation: RegisteredOperation["operation"]): RegisteredOperation {
  if (operation.rpc !== file.replace(/\.(?:ts|js)$/, "")) {
    throw new Error(
      `services/${service}/operations/${file} declares the operation ${operation.rpc}; name the file after it`,
    );
  }
  return { service, path: `/api/${service}/v1/${operation.rpc}`, operation };
}

function unique<T>(items: readonly T[], nameOf: (item: T) => string): T[] {
  const byName = new Map<string, T>();
  for (const item of items) {
    const name = nameOf(item);
    const other = byName.get(name);
    if (other !== undefined && other !== item) throw new Error(`two declarations are called ${name}`);
    byName.set(name, item);
  }
  return [...byName.values()];
}
