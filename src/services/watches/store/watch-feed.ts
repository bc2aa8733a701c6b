import { sql } from "kysely";
import { isPlanActive } from "../../../database/active-plan.js";
import type { StoreParts } from "../../../database/service-store.js";
import type { WatchFeeds } from "../ports.js";
import { watchFeedLinks } from "../rules/feed-link.js";
import { firingOf } from "./firing-log.js";
import type { WatchDatabase, WatchRow } from "./tables.js";
import { definitionOf } from "./watch-rows.js";

/**
 * Reads the feeds of the watches of all accounts. Whoever holds the link to a feed may read that feed while the plan of
 * the watch's account is in force.
 */
export function watchFeedsOf(
  { signer, isSimulated }: Pick<StoreParts, "signer" | "isSimulated">,
  db: WatchDatabase,
): WatchFeeds {
  return {
    async read(token, firingsMax) {
      const link = watchFeedLinks.open(signer, token);
      if (!link) return undefined;
      const watch = await db
        .selectFrom("watch")
        // A left join, because an account of OpenID tokens has no row in `account`.
        .leftJoin("account", "account.id", "watch.account_id")
        .select(["watch_id", "account_id", "definition", "watch.created_at", "plan", "plan_state"])
        .where("watch_id", "=", link.subject)
        .where("feed_revision", "=", link.revision)
        .executeTakeFirst();
      if (!watch || !isPlanActive(watch.plan_state)) return undefined;
      const rows = await db
        .selectFrom("watch_firing")
        .select(["position", "firing_id", "body"])
        .where("watch_id", "=", watch.watch_id)
        .orderBy("position", "desc")
        .limit(firingsMax)
        .execute();
      const { account_id, plan } = watch;
      return {
        account: { account_id, plan },
        watchId: watch.watch_id,
        name: definitionOf(watch).name,
        createdAt: watch.created_at,
        firings: rows.map(firingOf),
        isSimulated,
      };
    },
  };
}

/** Revokes the link to the feed of a watch, and returns the watch's row; undefined if the account has no such watch. */
export async function raiseFeedRevision(
  db: WatchDatabase,
  watchId: string,
  accountId: string,
): Promise<WatchRow | undefined> {
  return db
    .updateTable("watch")
    .set({ feed_revision: sql<number>`feed_revision + 1` })
    .where("watch_id", "=", watchId)
    .where("account_id", "=", accountId)
    .returningAll()
    .executeTakeFirst();
}
