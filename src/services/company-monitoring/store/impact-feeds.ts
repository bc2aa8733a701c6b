import { sql } from "kysely";
import type { FeedLink } from "../../../contract/feed-link.js";
import { hasActivePlan } from "../../../database/active-plan.js";
import type { StoreCall, StoreParts } from "../../../database/service-store.js";
import type { MaterialEvent } from "../event-records.js";
import type { ImpactFeedLink, ImpactFeeds } from "../ports.js";
import { impactFeedLinks } from "../rules/feed-link.js";
import { accountOf } from "./account-of.js";
import { takeTurn } from "./account-turn.js";
import { impactOf } from "./change-log.js";
import { type CompanyDatabase, companiesIn } from "./tables.js";

/** Returns the port that replaces the feed link of the caller's account. */
export function impactFeedLinkOf(
  { signer, clock }: Pick<StoreParts, "signer" | "clock">,
  call: StoreCall,
): ImpactFeedLink {
  const db = companiesIn(call.db);
  const accountId = accountOf(call);
  return {
    async replace() {
      await takeTurn(db, accountId);
      const { feed_revision: revision } = await db
        .updateTable("company_account")
        .set({ feed_revision: sql<number>`feed_revision + 1`, updated_at: clock.now() })
        .where("account_id", "=", accountId)
        .returning("feed_revision")
        .executeTakeFirstOrThrow();
      return impactFeedLinks.path(signer, { subject: accountId, revision });
    },
  };
}

/** Opens an account's feed to holders of the feed's current link. The account's plan must be in force. */
export function impactFeedsOf(
  { signer, isSimulated }: Pick<StoreParts, "signer" | "isSimulated">,
  db: CompanyDatabase,
): ImpactFeeds {
  return {
    async read(token, changesMax) {
      const link = impactFeedLinks.open(signer, token);
      const account = link && (await readableAccount(db, link));
      if (!account) return undefined;
      const { account_id: accountId, updated_at: updatedAt } = account;
      return { accountId, updatedAt, changes: await newestChanges(db, accountId, changesMax), isSimulated };
    },
  };
}

/** Finds the account of a feed link; undefined if the link has been replaced or the account's plan is not in force. */
async function readableAccount(db: CompanyDatabase, { subject, revision }: FeedLink) {
  return db
    .selectFrom("company_account")
    .select(["account_id", "updated_at"])
    .where("account_id", "=", subject)
    .where("feed_revision", "=", revision)
    .where(hasActivePlan("company_account.account_id"))
    .executeTakeFirst();
}

async function newestChanges(db: CompanyDatabase, accountId: string, changesMax: number) {
  const rows = await db
    .selectFrom("company_change as change")
    .innerJoin("company_impact as impact", (join) =>
      join
        .onRef("impact.account_id", "=", "change.account_id")
        .onRef("impact.impact_id", "=", "change.impact_id")
        .onRef("impact.visible_from", "=", "change.position"),
    )
    .innerJoin("company_event as event", (join) =>
      join.onRef("event.account_id", "=", "impact.account_id").onRef("event.event_id", "=", "impact.event_id"),
    )
    .leftJoin("company_version as company", (join) =>
      join
        .onRef("company.account_id", "=", "change.account_id")
        .onRef("company.company_id", "=", "change.company_id")
        .on("company.visible_to", "is", null),
    )
    .select(["impact.body", "impact.visible_to", "event.body as event", "company.name"])
    .where("change.account_id", "=", accountId)
    .where("change.kind", "=", "impact")
    .orderBy("change.position", "desc")
    .limit(changesMax)
    .execute();
  return rows.map(({ body, visible_to, event, name }) => ({
    impact: impactOf(body, visible_to === null),
    companyName: name ?? undefined,
    // The cast is safe, because only this service writes the column.
    eventTitle: (JSON.parse(event) as MaterialEvent).title,
  }));
}
