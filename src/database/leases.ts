import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
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
   * held by a dead process of this machine, or held by an earlier process with the host and process id of this one.
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

/** Matches the start of a process. A holder's unique id, which older versions have in its place, does not match. */
const START_PATTERN = /^[\da-f-]+\/\d+$/;

/**
 * Creates a holder name for this process. The name contains the host and the process id, so that other processes on the
 * same machine can take over a lease as soon as its holder has ended. On Linux it also contains the start of the
 * process, so that the next process with the same id can do the same.
 */
export function newHolder(): string {
  return [hostname(), process.pid, ...(START === undefined ? [] : [START]), randomUUID()].join(" ");
}

/** The start of this process, as `<id of the machine's boot>/<clock ticks since the boot>`. All its threads share it. */
const START = startOfProcess();

/** Undefined on systems other than Linux. */
function startOfProcess(): string | undefined {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    const stat = readFileSync("/proc/self/stat", "utf8");
    // The second field is the name of the program, which may contain spaces and brackets. The start is field 22.
    const ticks = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    const start = `${boot}/${ticks}`;
    return START_PATTERN.test(start) ? start : undefined;
  } catch {
    return undefined;
  }
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

/**
 * True for a holder that has ended, judged by its host name and process id. A live process of another machine or
 * container with the host name of this one can be mistaken for it, so every node needs a host name of its own.
 */
export function hasEnded(holder: string): boolean {
  return isDeadHere(holder) || isEarlierStart(holder);
}

/**
 * True for a holder that was an earlier process with the host and process id of this one. In a restarted container, the
 * new process usually has both. A holder that started later is not dead: it runs in another container with the same host
 * name, and the two must not keep taking leases from each other.
 */
function isEarlierStart(holder: string): boolean {
  const [host, pid, start] = holder.split(" ");
  if (host !== hostname() || pid !== String(process.pid)) return false;
  if (START === undefined || start === undefined || !START_PATTERN.test(start)) return false;
  const [[boot, ticks], [ownBoot, ownTicks]] = [start.split("/"), START.split("/")];
  return boot !== ownBoot || Number(ticks) < Number(ownTicks);
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
      if (!held || !hasEnded(held.holder)) return false;
      await release(name, held.holder);
      return take(name, holder, ttlMs);
    },
    release,
    async releaseAll(holder) {
      await db.deleteFrom("lease").where("holder", "=", holder).execute();
    },
  };
}
