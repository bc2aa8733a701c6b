import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";
import { migrateServices, migrationState } from "../src/database/migrate.js";
import { openDatabase, openUnmigrated } from "../src/database/open.js";
import { claimStore } from "../src/database/store-mark.js";
import { loadStores } from "../src/services/registry.js";
import { commandHostForAll, processRoomForEach } from "./support/process.js";
import { describeEachStore, type OpenStore } from "./support/stores.js";

const room = processRoomForEach("migrate");
const command = commandHostForAll();
const stores = await loadStores();

await describeEachStore((open) => {
  const opened: OpenStore[] = [];
  // One test adds a migration of a newer version. It is removed, because databases are reused within a test run.
  afterEach(async () => {
    for (const { database, openAgain } of opened.splice(0)) {
      await sql`delete from migration_watches where name = '999-later'`.execute(database.db);
      await openAgain();
    }
  });

  /** Creates a store in which the last migrations of the core tables are still pending. */
  async function earlier() {
    const store = await open();
    opened.push(store);
    const { db } = store.database;
    await migrateServices(store.database, stores);
    await claimStore(store.database, "real");
    await db.schema.dropTable("plan_event").execute();
    await db.schema.alterTable("session").dropColumn("address").execute();
    await db.schema.dropIndex("body_base_by_base").execute();
    await db.schema.alterTable("body_base").dropColumn("named_at").execute();
    await db.schema.alterTable("snapshot").dropColumn("build_account").execute();
    await sql`delete from kysely_migration where name >= '012'`.execute(db);
    const env = { VIGIL_DATA_DIR: store.dataDir, ...(store.url !== undefined && { DATABASE_URL: store.url }) };
    return { ...store, env };
  }
  const PENDING = [
    "kysely_migration 012-build-accounts",
    "kysely_migration 013-body-base-times",
    "kysely_migration 014-session-address",
    "kysely_migration 015-plan-events",
  ];

  test("vigil migrate --check only lists the pending migrations, vigil migrate applies them, and then none is pending", {
    timeout: 60_000,
  }, async () => {
    const { database, env } = await earlier();
    const checked = await command(["migrate", "--check", "--json"], env);
    expect([checked.code, JSON.parse(checked.printed)]).toEqual([2, { pending: PENDING }]);
    expect((await migrationState(database, stores)).pending).toEqual(PENDING);
    const migrated = await command(["migrate"], env);
    expect([migrated.code, migrated.printed]).toEqual([0, `4 applied:\n  ${PENDING.join("\n  ")}\n`]);
    expect((await migrationState(database, stores)).pending).toEqual([]);
    const again = await command(["migrate", "--check"], env);
    expect([again.code, again.printed]).toEqual([0, "The store has the tables of this version\n"]);
  });

  test("a command refuses an older store while VIGIL_MIGRATE is off, but vigil migrate accepts it", {
    timeout: 60_000,
  }, async () => {
    const { env } = await earlier();
    const off = { ...env, VIGIL_MIGRATE: "off" };
    const refused = await command(["accounts"], off);
    expect([refused.code, refused.output]).toEqual([
      1,
      expect.stringContaining("run `vigil migrate`, or set VIGIL_MIGRATE=on"),
    ]);
    expect((await command(["migrate"], off)).code).toBe(0);
    expect((await command(["accounts"], off)).code).toBe(0);
  });

  test("two processes that migrate at the same time both succeed", { timeout: 60_000 }, async () => {
    const { database, env } = await earlier();
    const processes = [1, 2].map(() => room.start(["migrate"], env));
    expect(await Promise.all(processes.map(({ ended }) => ended))).toEqual([0, 0]);
    expect((await migrationState(database, stores)).pending).toEqual([]);
  });

  test("vigil migrate refuses a store of a newer version and leaves it unchanged", { timeout: 60_000 }, async () => {
    const { database, env } = await earlier();
    await sql`insert into migration_watches (name, timestamp) values ('999-later', '2030')`.execute(database.db);
    const newer =
      "a newer version of Vigil has changed this store (migration_watches 999-later); start that version or a newer one";
    for (const words of [["migrate"], ["migrate", "--check"]]) {
      const { code, output } = await command(words, env);
      expect([code, output]).toEqual([1, expect.stringContaining(newer)]);
    }
    expect((await migrationState(database, stores)).pending).toEqual(PENDING);
  });
});

describe("vigil migrate", () => {
  test("creates a store only with --create", { timeout: 60_000 }, async () => {
    const dataDir = join(room.folder, "data");
    const env = { VIGIL_DATA_DIR: dataDir };
    const refused = await command(["migrate"], env);
    expect([refused.code, refused.output]).toEqual([1, expect.stringContaining("there is no store yet")]);
    await expect(readFile(join(dataDir, "vigil.db"))).rejects.toThrow("ENOENT");
    expect((await command(["migrate", "--create"], env)).code).toBe(0);
    const database = await openUnmigrated({ dataDir });
    expect((await migrationState(database, stores)).pending).toEqual([]);
    await database.close();
    await (await openDatabase({ dataDir, mayMigrate: false })).close();
  });
});
