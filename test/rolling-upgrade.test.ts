import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { NewerStore } from "../src/database/migrate.js";
import { inTransaction } from "../src/database/transaction.js";
import { ACCOUNT, byKey, byOwner, emptyAccount, makeKey, post, revoke } from "./support/accounts.js";
import { NEXT_MIGRATION, nextVersion } from "./support/next-version.js";
import { publishChanged, withoutFirstRows } from "./support/published.js";
import { json, type Stack, type StackOptions, startStackOn } from "./support/stack.js";
import { availableStores, type OpenStore } from "./support/stores.js";

const EARTHQUAKES = "/api/seismology/v1/list-earthquakes";
const COMPANIES = "/api/company-monitoring/v1";
const WATCHES = "/api/watches/v1";

const [, postgres] = await availableStores();

test.skipIf(postgres?.skipReason !== undefined)(
  `a migration that deadlocks with a transaction of the running older version is repeated${postgres?.skipReason ? ` (skipped: ${postgres.skipReason})` : ""}`,
  async () => {
    const store = await postgres?.open();
    if (!store) throw new Error("the test is skipped without PostgreSQL");
    const { db } = store.database;
    const first = "account";
    const last = "webhook_endpoint";
    const next = await store.openAgain();
    const options = { env: { VIGIL_KEY_SECRET: "s".repeat(40), DATABASE_URL: store.url ?? "" } };
    const old = await startStackOn(store.dataDir, { ...options, datasets: ["earthquakes"] });
    try {
      let migrating: Promise<Stack> | undefined;
      await inTransaction(db, async (transaction) => {
        await sql`lock table ${sql.table(last)} in row exclusive mode`.execute(transaction);
        migrating ??= startStackOn(store.dataDir, { ...options, datasets: ["earthquakes"], altered: nextVersion });
        const waits = sql`
          select 1 from pg_locks where not granted
            and database = (select oid from pg_database where datname = current_database())`;
        await expect.poll(async () => (await waits.execute(next.db)).rows.length).toBeGreaterThan(0);
        // The migration holds the table `first` and waits for the table `last`.
        await sql`select 1 from ${sql.table(first)}`.execute(transaction);
      });
      const upgraded = await migrating;
      expect((await upgraded?.get("/readyz"))?.status).toBe(200);
      await upgraded?.stop();
    } finally {
      await old.stop();
      await store.dispose();
    }
  },
);

// In each of these tests, a node of this version and a node of the next version share a store. The next version has
// migrated the store while the node of this version was serving.
for (const { name, skipReason, open } of await availableStores()) {
  describe.skipIf(skipReason !== undefined)(skipReason === undefined ? name : `${name}, skipped: ${skipReason}`, () => {
    let store: OpenStore;
    let options: StackOptions;
    let old: Stack | undefined;
    let next: Stack | undefined;

    beforeEach(async () => {
      store = await open();
      const onPostgres = { VIGIL_KEY_SECRET: "s".repeat(40), DATABASE_URL: store.url ?? "" };
      options = { datasets: ["earthquakes"], ...(store.url !== undefined && { env: onPostgres }) };
      old = await startStackOn(store.dataDir, options);
      await old.run("earthquakes");
      next = await startStackOn(store.dataDir, { ...options, altered: nextVersion });
    });
    afterEach(async () => {
      await next?.stop();
      await old?.stop();
      old = undefined;
      next = undefined;
      await store.dispose();
    });

    /** The two nodes in both orders: old then next, and next then old. */
    function pairs(): readonly (readonly [string, Stack, Stack])[] {
      if (!old || !next) throw new Error("no nodes");
      return [
        ["old to next", old, next],
        ["next to old", next, old],
      ];
    }

    test("accounts, keys, companies, watches and idempotent repeats work across the two versions", async () => {
      const { rows } = await sql`select next_count from api_key`.execute(store.database.db);
      expect(rows).toEqual([{ next_count: 0 }]);
      for (const [title, writer, reader] of pairs()) {
        const { id } = await emptyAccount(writer, title, "business");
        const key = await makeKey(writer, id, "a key", ["read", "company_monitoring:read", "company_monitoring:write"]);
        await reader.service.access.credentials.refresh();
        expect((await reader.get(EARTHQUAKES, byKey(key))).status).toBe(200);

        const company = {
          clientRequestId: randomUUID(),
          company: { name: title, domicileCountry: "DOMICILE_COUNTRY_GB" },
        };
        const repeated = { ...byKey(key), "idempotency-key": randomUUID() };
        const created = await post(writer.answer, `${COMPANIES}/create-monitored-company`, company, repeated);
        expect([title, created.status]).toEqual([title, 200]);
        const replayed = await post(reader.answer, `${COMPANIES}/create-monitored-company`, company, repeated);
        expect(replayed.headers["Idempotent-Replayed"]).toBe("true");
        expect(String(replayed.body)).toBe(String(created.body));
        const listed = json(await reader.get(`${COMPANIES}/list-monitored-companies`, byKey(key)));
        expect(listed).toMatchObject({ companies: [{ name: title }] });

        const watch = { name: title, call: EARTHQUAKES, on: "WATCH_ON_NEW_ROWS" };
        expect((await post(writer.answer, `${WATCHES}/create-watch`, watch, byOwner(writer))).status).toBe(201);
        expect(String((await reader.get(`${WATCHES}/list-watches`, byOwner(writer))).body)).toContain(title);

        expect((await revoke(writer, key)).status).toBe(200);
        await reader.service.access.credentials.refresh();
        expect((await reader.get(EARTHQUAKES, byKey(key))).status).toBe(401);
        expect((await reader.get(`${ACCOUNT}/list-audit-events`, byOwner(writer))).status).toBe(200);
      }
    });

    test("a generation built by one version is served by the other with the same bytes and ETag", async () => {
      for (const [title, builder, reader] of pairs()) {
        await publishChanged(builder, "earthquakes", withoutFirstRows);
        await reader.service.registry.refresh();
        const [built, read] = [await builder.get(EARTHQUAKES), await reader.get(EARTHQUAKES, byOwner(builder))];
        expect([title, read.headers["X-Vigil-Generation"]]).toEqual([title, built.headers["X-Vigil-Generation"]]);
        expect(read.headers["ETag"]).toBe(built.headers["ETag"]);
        expect(String(read.body)).toBe(String(built.body));
      }
    });

    test("both versions build the same dataset one after the other", async () => {
      for (const [title, builder] of pairs()) {
        builder.clock.advance(3_600_000);
        expect([title, (await builder.run("earthquakes")).outcome]).toEqual([
          title,
          expect.stringMatching(/published|unchanged/),
        ]);
      }
    });

    test("a node of this version that starts after the migration refuses the store and names the migration", async () => {
      const late = startStackOn(store.dataDir, options);
      await expect(late).rejects.toThrow(NEXT_MIGRATION);
      await expect(startStackOn(store.dataDir, options)).rejects.toBeInstanceOf(NewerStore);
    });
  });
}
