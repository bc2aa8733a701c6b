import type { Config } from "../../app/config.js";
import type { ServeOptions } from "../../app/service-pipeline.js";
import { version } from "../../app/version.js";
import type { AnyDataset } from "../../contract/product.js";
import { firstCallOf } from "../../contract/service-group.js";
import { type Clock, MINUTE_MS, SECOND_MS } from "../../kit/clock.js";
import type { Services } from "../../services/registry.js";
import type { SnapshotRegistry } from "../../snapshots/registry.js";
import { type DatasetRow, datasetTable } from "./dataset-table.js";

/**
 * Maximum wait for the datasets before the table is printed. With real upstreams, the first build may take days, so the
 * table does not wait for its end; with simulated ones, the build takes seconds.
 */
const FIRST_TABLE_AFTER_MS = { real: 15 * SECOND_MS, simulated: MINUTE_MS };

/**
 * The output of the greeting. If `isTerminal` is true, the progress is a single line, which the next output overwrites.
 */
export interface GreetingOut {
  write(text: string): void;
  readonly isTerminal: boolean;
}

/**
 * Prints the address of the service and, for a new key, the path of its file. Unless the role is `ingest`, also prints
 * a sign-in link for a new key and an example curl command. Unless the role is `api`, also prints the table of
 * datasets, once all datasets have been tried or the maximum wait has passed. During a first build, which may take
 * days, progress reports follow the table until the remaining datasets have been tried or `signal` aborts.
 */
export async function greet(
  address: string,
  options: ServeOptions,
  out: GreetingOut,
  signal: AbortSignal,
): Promise<void> {
  const { service, services, simulated, config, clock } = options;
  const { registry, access } = service;
  const say = (text: string): void => out.write(`${text}\n`);
  const { ownerKey } = access;
  const { role } = config;
  const name = `Vigil ${version}${simulated ? ", SIMULATED data (demo)" : ""}${role === "all" ? "" : `, role ${role}`}`;
  const hint = role === "ingest" ? `health: ${address}/api/health?compact=1` : `reference: ${address}/docs`;
  say(`\n${name}: ${address}  (${hint})`);
  if (ownerKey.isNew) {
    say(`Your new key is in ${ownerKey.file}`);
    if (role !== "ingest") {
      say(`One-time sign-in link, valid for an hour: ${address}/sign-in#${await access.signInLink()}`);
    }
  }
  const isShown = simulated || ownerKey.isNew;
  const key = isShown ? ownerKey.key : ownerKey.key && `$(cat ${ownerKey.file})`;
  if (role !== "ingest") {
    say(`\n  curl -H "X-Service-Key: ${key ?? "<your key>"}" ${address}${firstCallOf(services.groups)}\n`);
  }
  // The remaining output is about builds. If this process has the role api, other processes build.
  if (role === "api") return;

  const isFirstBuild = !registry.datasets.some((dataset) => registry.generation(dataset));
  if (isFirstBuild && !simulated) for (const line of FIRST_START) say(line);
  await progress(registry, clock, clock.now() + FIRST_TABLE_AFTER_MS[simulated ? "simulated" : "real"], out, signal);
  say(`${datasetTable(rowsOf(registry), clock.now())}\n`);
  if (!simulated) for (const line of unsetKeys(services, config)) say(line);
  if (isFirstBuild) await laterProgress(registry, clock, out, signal);
}

const FIRST_START: readonly string[] = [
  "This first start reads everything from its publishers. Most datasets take seconds to minutes. Some take hours or days,",
  "because free services hand out little at a time: a few zones an hour for climate normals, and a few files an hour",
  "for older conflict events. Data that has not arrived yet is served as absent, never as empty.\n",
];

const tried = ({ datasets, status }: SnapshotRegistry): number =>
  datasets.filter((dataset: AnyDataset) => status(dataset) !== undefined).length;

/**
 * Shows how many datasets have ever been tried, in this process or an earlier one. Ends when all have been tried, when
 * the time `until` is reached or when `signal` aborts.
 */
async function progress(
  registry: SnapshotRegistry,
  clock: Clock,
  until: number,
  out: GreetingOut,
  signal: AbortSignal,
): Promise<void> {
  const all = registry.datasets.length;
  let shown = -1;
  let shownAt = Number.NEGATIVE_INFINITY;
  while (tried(registry) < all && clock.now() < until && !signal.aborted) {
    const count = tried(registry);
    const isDue = out.isTerminal || clock.now() - shownAt >= SECOND_MS;
    if (count !== shown && isDue) {
      out.write(out.isTerminal ? `\x1b[KBuilding: ${count} of ${all}\r` : `Building: ${count} of ${all}\n`);
      shown = count;
      shownAt = clock.now();
    }
    await clock.sleep(SECOND_MS / 10, signal).catch(() => undefined);
  }
  if (out.isTerminal && shown >= 0) out.write("\x1b[K");
  if (!out.isTerminal && shown >= 0 && tried(registry) > shown) out.write(`Building: ${tried(registry)} of ${all}\n`);
}

/** Prints at most one line a minute while the remaining datasets are built. */
async function laterProgress(
  registry: SnapshotRegistry,
  clock: Clock,
  out: GreetingOut,
  signal: AbortSignal,
): Promise<void> {
  let shown = tried(registry);
  while (shown < registry.datasets.length && !signal.aborted) {
    await clock.sleep(MINUTE_MS, signal).catch(() => undefined);
    const count = tried(registry);
    if (count > shown) out.write(`Building: ${count} of ${registry.datasets.length}\n`);
    shown = count;
  }
}

/** Returns a line that lists the unset keys without which sources are off; empty if there are none. */
function unsetKeys({ sources }: Services, { texts }: Config): string[] {
  const needed = sources.flatMap(({ auth, credentials }) => (auth?.isOptional ? [] : credentials));
  const unset = new Set(needed.map(({ variable }) => variable).filter((variable) => !texts[variable]));
  return unset.size === 0 ? [] : [`Not set: ${[...unset].join(", ")}. /api/health lists what each key enables.`];
}

/** Converts the datasets to rows of the table that the command line prints. */
export function rowsOf(registry: SnapshotRegistry): DatasetRow[] {
  return registry.datasets.map((dataset) => {
    const snapshot = registry.get(dataset);
    const generation = registry.generation(dataset);
    return {
      name: dataset.name,
      state: snapshot.state,
      generation: generation?.generation ?? null,
      records: Object.values(generation?.recordCounts ?? {}).reduce((sum, count) => sum + count, 0),
      checkedAt: snapshot.available ? snapshot.checkedAt : null,
      newestAt: generation?.newestAt ?? null,
      error: registry.status(dataset)?.error ?? null,
    };
  });
}
