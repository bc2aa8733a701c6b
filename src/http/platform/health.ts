import type { AnyDataset } from "../../contract/product.js";
import type { Clock } from "../../kit/clock.js";
import type { SnapshotRegistry } from "../../snapshots/registry.js";
import { stateReasons } from "../../snapshots/state-reasons.js";
import type { CompactHealth, DatasetHealth, LongHealth } from "./answers/health.js";
import type { ServiceFacts } from "./facts.js";
import { partAge } from "./part-age.js";

/**
 * The health of the service. For each dataset: the times of its last confirmation and of its newest observation,
 * its state and its last error.
 */
export async function health(registry: SnapshotRegistry, clock: Clock, facts: ServiceFacts): Promise<LongHealth> {
  const [budgets, figures] = await Promise.all([facts.budgets(), facts.figures()]);
  const now = clock.now();
  return {
    ...compactHealth(registry, facts),
    version: facts.version,
    startedAt: facts.startedAt,
    now,
    settings: facts.credentials,
    datasets: registry.datasets.map((dataset) => datasetHealth(registry, dataset, now)),
    onDemand: facts.onDemand(),
    budgets: budgets.uses,
    services: figures.figures,
    unreadableTokenKeys: facts.unreadableTokenKeys(),
    unknown: unknownMembers({ budgets, services: figures }),
  };
}

/** Lists the members that could not be read, each with the reason. */
function unknownMembers(
  members: Readonly<Record<string, { readonly whyUnknown?: string | undefined }>>,
): LongHealth["unknown"] {
  return Object.entries(members).flatMap(([member, { whyUnknown: why }]) =>
    why === undefined ? [] : [{ member, why }],
  );
}

/** The compact health for monitors: a status word, the number of datasets in each state, and the state of the store. */
export function compactHealth(registry: SnapshotRegistry, facts: ServiceFacts): CompactHealth {
  const states: Record<string, number> = {};
  for (const dataset of registry.datasets) {
    const { state } = registry.get(dataset);
    states[state] = (states[state] ?? 0) + 1;
  }
  const isWhole = Object.keys(states).every((state) => state === "ok");
  const trouble = facts.storeTrouble();
  return {
    status: isWhole && trouble === undefined ? "ok" : "degraded",
    states,
    simulated: facts.simulated,
    store: { kind: facts.store, trouble: trouble ?? null },
  };
}

function datasetHealth(registry: SnapshotRegistry, dataset: AnyDataset, now: number): DatasetHealth {
  const snapshot = registry.get(dataset);
  const status = registry.status(dataset);
  const served = snapshot.available
    ? {
        generation: snapshot.generation,
        builtAt: snapshot.builtAt,
        checkedAt: snapshot.checkedAt,
        checkedAgeSeconds: secondsSince(snapshot.checkedAt, now),
        newestAt: snapshot.newestAt,
        newestAgeSeconds: snapshot.newestAt === null ? null : secondsSince(snapshot.newestAt, now),
      }
    : { reason: snapshot.reason };
  return {
    name: dataset.name,
    state: snapshot.state,
    stateReasons: stateReasons(dataset, snapshot, now),
    ...served,
    attemptedAt: status?.attemptedAt ?? null,
    outcome: status?.outcome ?? null,
    error: status?.error ?? null,
    failuresInRow: status?.failuresInRow ?? 0,
    nextAt: status?.nextAt ?? null,
    // The health gives only the number of failing requests. The dataset's card lists these requests.
    ...(dataset.kind === "collection" && dataset.troubles && { troubleCount: registry.troubles(dataset).length }),
    parts: Object.entries(status?.parts ?? {}).map(([name, part]) => ({
      name,
      state: part.state,
      confirmedAt: part.confirmedAt,
      error: part.error,
      passedOver: part.passedOver ?? null,
      ...partAge(registry, dataset, name, now),
      ...(part.warnings && { warnings: part.warnings }),
    })),
  };
}

function secondsSince(at: number, now: number): number {
  return Math.round((now - at) / 1_000);
}
