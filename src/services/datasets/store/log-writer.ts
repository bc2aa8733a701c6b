import type { DatasetStanding } from "../../../contract/snapshot.js";
import { leases, newHolder } from "../../../database/leases.js";
import type { StoreParts } from "../../../database/service-store.js";
import { inTransaction } from "../../../database/transaction.js";
import { isWithin, SECOND_MS } from "../../../kit/clock.js";
import { type LoggedState, movedDatasets } from "../rules/moved-datasets.js";
import { appendChanges } from "./append-changes.js";
import { loggedStates } from "./change-log.js";
import { datasetsIn } from "./tables.js";

/** Name of the lease that the writer of the log holds: a lock in the shared database, which expires unless renewed. */
const LEASE = "dataset changes";
/**
 * Duration of the lease. If the writer dies, a node on another machine can take over after at most this time, and a
 * node on the same machine immediately.
 */
export const LEASE_MS = 30 * SECOND_MS;
const RENEWED_EVERY_MS = 10 * SECOND_MS;
/**
 * Time between the takeover by a new writer and its first append. Within this time, every node sees the newest
 * generations and build attempts, so a new writer logs no outdated state.
 */
export const SETTLED_AFTER_MS = 5 * SECOND_MS;
/** Pause after a refused or failed attempt. */
export const RETRIED_AFTER_MS = 5 * SECOND_MS;

/** Logs each dataset whose standing differs from its newest logged state. Returns true if the log may have grown. */
export type LogWriter = (standings: readonly DatasetStanding[]) => Promise<boolean>;

/** The period in which a node holds the lease. */
interface Tenure {
  /**
   * Time at which the lease was taken, epoch ms. Undefined for the first writer of an empty log, which appends without
   * waiting for the settling time.
   */
  readonly settlesFrom: number | undefined;
  /** Epoch ms. */
  readonly renewedAt: number;
}

/**
 * Creates the writer of one node. After a dataset changes, the nodes see different states for a few seconds. Therefore,
 * only the node that holds a lease writes. A node tries to take the lease only when the states that it sees differ from
 * the log, so a run without changes costs only a comparison in memory. The holder renews its lease every ten seconds.
 */
export function logWriter({ database, clock }: Pick<StoreParts, "database" | "clock">): LogWriter {
  const held = leases(database, clock);
  const holder = newHolder();
  /** The newest logged states as last read. */
  let logged: ReadonlyMap<string, LoggedState> | undefined;
  let tenure: Tenure | undefined;
  let pausedAt = Number.NEGATIVE_INFINITY;

  const hasMoved = (standings: readonly DatasetStanding[]): boolean =>
    logged === undefined || movedDatasets(logged, standings).length > 0;

  /** Takes or renews the lease. Returns false if another node holds it. */
  async function renew({ settlesFrom }: Tenure, now: number): Promise<boolean> {
    const isKept = await held.acquire(LEASE, holder, LEASE_MS);
    tenure = isKept ? { settlesFrom, renewedAt: now } : undefined;
    return isKept;
  }

  /**
   * If these standings are already logged, returns true and does not take the lease. Otherwise, takes the lease, or
   * returns false if another node holds it.
   */
  async function takeOver(standings: readonly DatasetStanding[], now: number): Promise<boolean> {
    logged = await loggedStates(datasetsIn(database.db));
    if (!hasMoved(standings)) return true;
    return renew({ settlesFrom: logged.size === 0 ? undefined : now, renewedAt: now }, now);
  }

  /**
   * Logs the datasets that have moved. Within the settling time, logs nothing and returns true. Returns false if
   * another node holds the lease.
   */
  async function append(standings: readonly DatasetStanding[], { settlesFrom }: Tenure, now: number): Promise<boolean> {
    if (settlesFrom !== undefined && isWithin(now, settlesFrom, SETTLED_AFTER_MS)) return true;
    const states = await inTransaction(database.db, async (on) => {
      // The lease is renewed inside the transaction, so that no other node can take it before the transaction ends.
      const isKept = await leases({ ...database, db: on }, clock).acquire(LEASE, holder, LEASE_MS);
      return isKept ? appendChanges(datasetsIn(on), standings, now) : undefined;
    });
    tenure = states && { settlesFrom, renewedAt: now };
    logged = states ?? logged;
    return states !== undefined;
  }

  async function log(standings: readonly DatasetStanding[], now: number): Promise<boolean> {
    if (!tenure && !(await takeOver(standings, now))) return false;
    return tenure && hasMoved(standings) ? append(standings, tenure, now) : true;
  }

  return async (standings) => {
    const now = clock.now();
    const isRenewalDue = tenure !== undefined && !isWithin(now, tenure.renewedAt, RENEWED_EVERY_MS);
    const isMoved = hasMoved(standings);
    if ((!isMoved && !isRenewalDue) || isWithin(now, pausedAt, RETRIED_AFTER_MS)) return false;
    // A run that throws is also retried after the pause.
    pausedAt = now;
    const isDone = tenure && isRenewalDue && !isMoved ? await renew(tenure, now) : await log(standings, now);
    if (isDone) pausedAt = Number.NEGATIVE_INFINITY;
    return isMoved && isDone;
  };
}
