import type { DatabaseLocation } from "../database/database-location.js";
import { isDeadHere, LEASE_MS_MAX } from "../database/leases.js";
import { openUnmigrated } from "../database/open.js";
import { type Clock, SECOND_MS } from "../kit/clock.js";
import { OperatorError } from "../kit/operator-error.js";

/** Throws an `OperatorError` if a service or a build is using the store. While they run, both hold leases in it. */
export async function refuseInUse(location: DatabaseLocation, name: string, clock: Clock): Promise<void> {
  const database = await openUnmigrated(location);
  try {
    const now = clock.now();
    const held = await database.db
      .selectFrom("lease")
      .select(["holder", "expires_at"])
      .where("expires_at", ">", now)
      // A lease that ends more than LEASE_MS_MAX from now was taken with a clock that was ahead, so it does not count.
      .where("expires_at", "<=", now + LEASE_MS_MAX)
      .execute();
    const alive = held.filter(({ holder }) => !isDeadHere(holder));
    if (alive[0] === undefined) return;
    const [host, pid] = alive[0].holder.split(" ");
    const waitSeconds = Math.ceil((Math.max(...alive.map(({ expires_at }) => expires_at)) - now) / SECOND_MS);
    throw new OperatorError(
      `process ${pid} on ${host} is using ${name}; stop it, or wait ${waitSeconds} s if it was killed on another machine`,
    );
  } finally {
    await database.close();
  }
}
