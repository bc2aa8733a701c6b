import type { AnyDataset } from "../contract/product.js";
import type { BodyStore } from "../database/bodies.js";
import type { Leases } from "../database/leases.js";
import type { OpenDatabase } from "../database/open-database.js";
import { type Clock, HOUR_MS, MINUTE_MS } from "../kit/clock.js";
import { applyRetention, type RetentionPolicy } from "../snapshots/history/retention.js";
import { leaseOf } from "./scheduler.js";

export interface RetentionParts {
  readonly database: OpenDatabase;
  readonly bodies: BodyStore;
  readonly leases: Leases;
  /** The name under which this process holds leases. */
  readonly holder: string;
  readonly clock: Clock;
  readonly datasets: readonly AnyDataset[];
  readonly policy: RetentionPolicy;
}

const FIRST_AFTER_MS = 5 * MINUTE_MS;
const LEASE_MS = 5 * MINUTE_MS;

/**
 * Thins history, that is, removes expired generations. Does so five minutes after the start and then every hour, until
 * `signal` aborts.
 */
export async function keepRetention(
  parts: RetentionParts,
  signal: AbortSignal,
  onFault: (error: unknown) => void,
): Promise<void> {
  let waitMs = FIRST_AFTER_MS;
  while (!signal.aborted) {
    await parts.clock.sleep(waitMs, signal).catch(() => undefined);
    if (!signal.aborted) await retainOnce(parts).catch(onFault);
    waitMs = HOUR_MS;
  }
}

/**
 * Thins the history of every dataset that is not being built. The others are thinned in a later round. Returns the
 * number of removed generations.
 */
export async function retainOnce(parts: RetentionParts): Promise<number> {
  // Thinning holds the leases of builds under a name of its own, because this process may also be building. Under the
  // same name, thinning would take and then release the lease of a running build.
  const holder = `${parts.holder} retention`;
  const free: string[] = [];
  try {
    for (const { name } of parts.datasets) {
      if (await parts.leases.acquire(leaseOf(name), holder, LEASE_MS)) free.push(name);
    }
    const wholeMs = parts.datasets.flatMap(({ name, historyWholeMs: ms }) =>
      ms === undefined ? [] : [[name, ms] as const],
    );
    const policy = { ...parts.policy, wholeMsMaxOf: new Map(wholeMs) };
    return await applyRetention(parts.database, parts.bodies, free, policy, parts.clock.now());
  } finally {
    for (const name of free) await parts.leases.release(leaseOf(name), holder);
  }
}
