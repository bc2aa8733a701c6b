import type { Clock } from "../kit/clock.js";
import type { OpenDatabase } from "./open.js";

/** Named locks that end by themselves when their holder dies. */
export interface Leases {
  /** True when `holder` has the lease until now + `ttlMs`: it was free, run out, or already its own. */
  acquire(name: string, holder: string, ttlMs: number): Promise<boolean>;
  release(name: string, holder: string): Promise<void>;
}

export function leases({ db }: OpenDatabase, clock: Clock): Leases {
  return {
    async acquire(name, holder, ttlMs) {
      const now = clock.now();
      const row = await db
        .insertInto("lease")
        .values({ name, holder, expires_at: now + ttlMs })
        .onConflict((conflict) =>
          conflict
            .column("name")
            .doUpdateSet({ holder, expires_at: now + ttlMs })
            .where((where) => where.or([where("lease.expires_at", "<=", now), where("lease.holder", "=", holder)])),
        )
        .returning("holder")
        .executeTakeFirst();
      return row?.holder === holder;
    },
    async release(name, holder) {
      await db.deleteFrom("lease").where("name", "=", name).where("holder", "=", holder).execute();
    },
  };
}
