import { expect, test } from "vitest";
import { createCompanyTables } from "../../../../test/support/companies/company-tables.js";
import { impactOf, revised } from "../../../../test/support/companies/impacts.js";
import { principalOf } from "../../../../test/support/companies/principal-of.js";
import { describeEachStore } from "../../../../test/support/stores.js";
import { MINUTE_MS } from "../../../kit/clock.js";
import { manualClock } from "../../../kit/manual-clock.js";
import { tokenSigner } from "../../../kit/signed-token.js";
import type { CompanyMaterialImpact } from "../event-records.js";
import { takeTurn } from "../store/account-turn.js";
import { impactFeedLinkOf, impactFeedsOf } from "../store/impact-feeds.js";
import { appendImpact } from "../store/impact-log.js";
import { companiesIn } from "../store/tables.js";
import { getCompanyEventFeed } from "./get-company-event-feed.js";

const NOW = Date.UTC(2026, 10, 23);
const ACCOUNT = "acc_one";

await describeEachStore((open) => {
  async function room() {
    const { database } = await open();
    await createCompanyTables(database);
    const { db } = database;
    const clock = manualClock(NOW);
    const parts = { clock, signer: tokenSigner(Buffer.alloc(32, 1)), isSimulated: false };
    for (const id of [ACCOUNT, "acc_two"]) {
      const values = { id, name: id, plan: "pro", plan_state: "active", created_at: NOW, updated_at: NOW };
      await db.insertInto("account").values(values).execute();
    }
    return {
      clock,
      rotate: (accountId = ACCOUNT): Promise<string> =>
        db.transaction().execute((transaction) => {
          const principal = principalOf(accountId);
          return impactFeedLinkOf(parts, { principal, actor: "", address: "", db: transaction }).replace();
        }),
      read: (path: string) => {
        const token = new URL(path, "http://a.example").searchParams.get("token") ?? "";
        return getCompanyEventFeed.run({ token }, { feeds: impactFeedsOf(parts, companiesIn(db)) });
      },
      append: (impact: CompanyMaterialImpact, title: string, accountId = ACCOUNT): Promise<void> =>
        db.transaction().execute(async (transaction) => {
          const companies = companiesIn(transaction);
          await takeTurn(companies, accountId);
          const body = JSON.stringify({ title });
          const event = { account_id: accountId, event_id: impact.eventId, body };
          await companies
            .insertInto("company_event")
            .values(event)
            .onConflict((conflict) => conflict.doNothing())
            .execute();
          await appendImpact(companies, accountId, impact, clock.now());
        }),
      lapse: () => db.updateTable("account").set({ plan_state: "lapsed" }).where("id", "=", ACCOUNT).execute(),
    };
  }

  test("a feed lists all revisions of its account's impacts, newest first", async () => {
    const { clock, rotate, read, append } = await room();
    const link = await rotate();
    expect(await read(link)).toMatchObject({ updatedAt: NOW, entries: [], isSimulated: false });
    const impact = impactOf(NOW);
    await append(impact, "Widgets recalled");
    clock.advance(MINUTE_MS);
    await append(revised(impact, clock.now()), "Widgets recalled");
    await append(impactOf(NOW), "Another account's", "acc_two");
    expect(await read(link)).toMatchObject({
      id: `urn:vigil:company-impacts:${ACCOUNT}`,
      updatedAt: NOW + MINUTE_MS,
      entries: [
        {
          id: `urn:vigil:impact:${impact.impactId}:2`,
          title: `corrected: ${impact.companyId}: Widgets recalled`,
          at: NOW + MINUTE_MS,
          link: impact.canonicalUrl,
        },
        { id: `urn:vigil:impact:${impact.impactId}:1`, title: `${impact.companyId}: Widgets recalled`, at: NOW },
      ],
    });
  });

  test("a new link revokes the previous link, and a lapsed plan disables only the link of its account", async () => {
    const { rotate, read, lapse } = await room();
    const [first, other] = [await rotate(), await rotate("acc_two")];
    const second = await rotate();
    expect(await read(first)).toBeUndefined();
    expect(await read(second)).toMatchObject({ entries: [] });
    await lapse();
    expect(await read(second)).toBeUndefined();
    expect(await read(other)).toMatchObject({ entries: [] });
  });

  test("an account of OpenID tokens, which has no row in the store, can share its feed", async () => {
    const { clock, rotate, read, append } = await room();
    const link = await rotate("oidc_one");
    await append(impactOf(NOW), "Widgets recalled", "oidc_one");
    clock.advance(MINUTE_MS);
    expect((await read(link))?.entries).toHaveLength(1);
    await rotate("oidc_one");
    expect(await read(link)).toBeUndefined();
  });

  test("an invented token gives access to no feed", async () => {
    const { rotate, read } = await room();
    const link = await rotate();
    for (const path of ["/?token=", "/?token=x", link.slice(0, -1), `${link}a`, `/?token=${"a".repeat(1_000)}`]) {
      expect(await read(path)).toBeUndefined();
    }
  });
});
