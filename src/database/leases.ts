import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { type Clock, MINUTE_MS } from "../kit/clock.js";
import type { OpenDatabase } from "./open-database.js";

/**
 * Named locks in the database, which all processes on the store share. For example, only the holder of the lease of a
 * dataset may build the dataset. A lease expires unless its holder renews it, so the leases of a dead holder become
 * free.
 */
export interface Leases {
  /**
   * Takes or renews a lease until now + `ttlMs`. Returns true if the lease was free, expired, already held by `holder`,
   * or held by a dead process of this machine.
   */
  acquire(name: string, holder: string, ttlMs: number): Promise<boolean>;
  release(name: string, holder: string): Promise<void>;
  /** Releases all leases of a holder that ended without releasing them. */
  releaseAll(holder: string): Promise<void>;
}

/** Longest duration of a lease. */
const TTL_MS_MAX = 15 * MINUTE_MS;
/** Longest time from now to the end of a lease, including a tolerance for clock differences. */
export const LEASE_MS_MAX = TTL_MS_MAX + MINUTE_MS;

/**
 * Creates a holder name for this process. The name contains the host and the process id, so that other processes on the
 * same machine can take over a lease as soon as its holder has ended.
 */
export function newHolder(): string {
  return `${hostname()} ${process.pid} ${randomUUID()}`;
}

/** True for a holder that was a process of this machine and has ended. */
export function isDeadHere(holder: string): boolean {
  const [host, pid] = holder.split(" ");
  if (host !== hostname() || !pid || !/^\d+$/.test(pid)) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

export function leases({ db }: OpenDatabase, clock: Clock): Leases {
  async function take(name: string, holder: string, ttlMs: number): Promise<boolean> {
    const now = clock.now();
    const row = await db
      .insertInto("lease")
      .values({ name, holder, expires_at: now + ttlMs })
      .onConflict((conflict) =>
        conflict
          .column("name")
          .doUpdateSet({ holder, expires_at: now + ttlMs })
          .where((where) =>
            where.or([
              where("lease.expires_at", "<=", now),
              // No lease lasts this long, so this one was taken while the clock was ahead.
              where("lease.expires_at", ">", now + Math.max(ttlMs + MINUTE_MS, LEASE_MS_MAX)),
              where("lease.holder", "=", holder),
            ]),
          ),
      )
      .returning("holder")
      .executeTakeFirst();
    return row?.holder === holder;
  }

  async function release(name: string, holder: string): Promise<void> {
    await db.deleteFrom("lease").where("name", "=", name).where("holder", "=", holder).execute();
  }

  return {
    async acquire(name, holder, ttlMs) {
      if (await take(name, holder, ttlMs)) return true;
      const held = await db.selectFrom("lease").select("holder").where("name", "=", name).executeTakeFirst();
      if (!held || !isDeadHere(held.holder)) return false;
      await release(name, held.holder);
      return take(name, holder, ttlMs);
    },
    release,
    async releaseAll(holder) {
      await db.deleteFrom("lease").where("holder", "=", holder).execute();
    },
  };
}
