import type { DatabaseLocation } from "../database/database-location.js";
import { isDeadHere, LEASE_MS_MAX } from "../database/leases.js";
import { openUnmigrated } from "../database/open.js";
import type { Clock } from "../kit/clock.js";
import { OperatorError } from "../kit/operator-error.js";

/** Throws an `OperatorError` if a service or a build is using the store. */
export async function refuseInUse(location: DatabaseLocation, name: string, clock: Clock): Promise<void> {
  const database = await openUnmigrated(location);
  try {
    const now = clock.now();
    const held = await database.db
      .selectFrom("lease")
      .select("holder")
      .where("expires_at", ">", now)
      // A lease that ends more than LEASE_MS_MAX from now was taken with a clock that was ahead, so it does not count.
      .where("expires_at", "<=", now + LEASE_MS_MAX)
      .execute();
    const alive = held.find(({ holder }) => !isDeadHere(holder));
    if (alive === undefined) return;
    const [host, pid] = alive.holder.split(" ");
    throw new OperatorError(
      `process ${pid} on ${host} is using ${name}; stop it, and wait 15 s if it was killed on another machine`,
    );
  } finally {
    await database.close();
  }
}
