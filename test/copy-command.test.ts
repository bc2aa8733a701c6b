import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { copyStore } from "../src/backup/copy-store.js";
import { openDatabase } from "../src/database/open.js";
import { systemClock } from "../src/kit/clock.js";
import { loadStores } from "../src/services/registry.js";
import { emptyDatabase, type TestDatabase } from "./support/postgres-databases.js";
import { commandHostForAll, processRoomForEach } from "./support/process.js";
import { call, json, NOON, type Stack, startStack, startStackOn } from "./support/stack.js";
import { availableStores } from "./support/stores.js";

const room = processRoomForEach("copy-command");
const command = commandHostForAll();
const DATASETS = ["earthquakes", "us-cpi"];
const LIST = "/api/seismology/v1/list-earthquakes";

const postgres = (await availableStores()).find(({ name }) => name === "postgres");
const reason = postgres ? postgres.skipReason : "there is no PostgreSQL suite";

/**
 * Reads the answers that callers rely on: current and past data, cursors, proofs, keys, the account's own objects and a
 * replay.
 */
async function served({ get, service, answer }: Stack, key: string, cursor: string) {
  const targets = [
    `${LIST}?page_size=20`,
    `${LIST}?page_size=20&cursor=${encodeURIComponent(cursor)}`,
    `${LIST}?format=csv`,
    `${LIST}?as_of=${NOON}`,
    "/api/economic/v1/get-us-cpi-monthly?history=true",
    "/api/proofs/v1/get-inclusion-proof?dataset=us-cpi&generation=1",
    "/.well-known/vigil-keys.json",
    "/api/company-monitoring/v1/list-monitored-companies",
    "/api/company-monitoring/v1/list-company-event-impacts",
    "/api/watches/v1/list-watches",
    "/api/webhooks/v1/list-webhook-endpoints",
  ];
  expect(service.access.ownerKey.key).toBe(key);
  const answers = await Promise.all(targets.map((target) => get(target, { "x-service-key": key })));
  const replay = await created(answer, key);
  return [...answers, replay].map(({ status, headers, body }, index) => [
    targets[index] ?? "the replayed write",
    status,
    headers["ETag"],
    headers["X-Vigil-Generation"],
    headers["Idempotent-Replayed"],
    String(body),
  ]);
}

/** Creates a company, or repeats the call that created it. */
async function created(answer: Stack["answer"], key: string) {
  const company = { name: "Acme Limited", domicileCountry: "DOMICILE_COUNTRY_GB", domains: ["acme.example"] };
  const headers = { "x-service-key": key, "content-type": "application/json", "idempotency-key": "first" };
  const body = JSON.stringify({ clientRequestId: "first", company });
  return call(answer, "POST", "/api/company-monitoring/v1/create-monitored-company", headers, { body });
}

describe.skipIf(reason !== undefined)(
  `vigil copy${reason === undefined ? "" : `, skipped: ${reason}`}`,
  { timeout: 240_000 },
  () => {
    let stack: Stack;
    let database: TestDatabase;
    beforeAll(async () => {
      stack = await startStack({ filled: DATASETS, datasets: DATASETS });
      database = await emptyDatabase(inject("runFolder"));
    }, 120_000);
    afterAll(async () => {
      await rm(stack.dataDir, { recursive: true, force: true });
      await database.release();
    });

    test("a copy to PostgreSQL and back keeps all answers, ETags, cursors, proofs, keys and replays", async () => {
      const key = stack.service.access.ownerKey.key ?? "";
      const first = json(await stack.get(`${LIST}?page_size=20`)) as { pagination: { nextCursor: string } };
      expect((await created(stack.answer, key)).status).toBe(200);
      const before = await served(stack, key, first.pagination.nextCursor);
      expect(before.map(([, status]) => status)).toEqual(before.map(() => 200));
      await stack.stop();

      const postgresDir = join(room.folder, "keys");
      const secret = (await readFile(join(stack.dataDir, "signing.key"), "utf8")).trim();
      const env = { VIGIL_DATA_DIR: postgresDir, TARGET: database.url };
      const there = ["copy", "--from", stack.dataDir, "--to", "env:TARGET", "--json"];
      const without = await command(there, env);
      expect([without.code, without.output]).toEqual([
        1,
        expect.stringContaining(
          `only with VIGIL_KEY_SECRET; set it to the content of ${join(stack.dataDir, "signing.key")}`,
        ),
      ]);
      const copied = await command(there, { ...env, VIGIL_KEY_SECRET: secret });
      expect(copied.output).toContain("Store: SQLite in");
      expect([copied.code, JSON.parse(copied.printed)]).toEqual([
        0,
        expect.objectContaining({ kind: "demo", bodies: 2, damagedBodies: [] }),
      ]);
      const onPostgres = { DATABASE_URL: database.url, VIGIL_KEY_SECRET: secret };
      const second = await startStackOn(postgresDir, { datasets: DATASETS, env: onPostgres });
      try {
        expect(await served(second, key, first.pagination.nextCursor)).toEqual(before);
      } finally {
        await second.stop();
      }
      const twice = await command(there, { ...env, VIGIL_KEY_SECRET: secret });
      expect([twice.code, twice.output]).toEqual([1, expect.stringContaining("the database is not empty (")]);

      const back = join(room.folder, "back");
      const returned = await command(["copy", "--from", "env:TARGET", "--to", back], {
        ...env,
        VIGIL_KEY_SECRET: secret,
      });
      expect([returned.code, returned.printed]).toEqual([
        0,
        expect.stringMatching(/^Copied \d+ rows in \d+ tables and 2 bodies; `vigil demo`/),
      ]);
      for (const name of ["vigil.db", "owner.key", "signing.key"]) {
        expect([name, (await stat(join(back, name))).mode & 0o777]).toEqual([name, 0o600]);
      }
      const verified = await command(["verify", "--demo"], { VIGIL_DATA_DIR: back });
      expect([verified.code, verified.printed]).toEqual([0, expect.stringContaining("faults: 0")]);
      const third = await startStackOn(back, { datasets: DATASETS });
      try {
        expect(await served(third, key, first.pagination.nextCursor)).toEqual(before);
      } finally {
        await third.stop();
      }
    });
  },
);

describe("vigil copy refuses", { timeout: 60_000 }, () => {
  const copy = async (from: string, to: string, env: Readonly<Record<string, string>> = {}) =>
    command(["copy", "--from", from, "--to", to], { VIGIL_DATA_DIR: join(room.folder, "data"), ...env });
  const store = async (): Promise<string> => {
    const dataDir = join(room.folder, "source");
    const database = await openDatabase({ dataDir });
    await database.db.insertInto("store_mark").values({ name: "kind", value: "real" }).execute();
    await database.close();
    return dataDir;
  };

  test("an address with a password, because the process list would show the password", async () => {
    const { code, output } = await copy("postgres://u:geheim@h/db", "x");
    expect([code, output]).toEqual([
      1,
      expect.stringContaining("put the address into a variable and give --from env:NAME"),
    ]);
    expect(output).not.toContain("geheim");
  });

  test.each(["", "env:"])("the empty location %j, and asks for one that names a store", async (place) => {
    expect((await copy(place, "x")).output).toContain("--from must name a store: a data folder");
    expect((await copy(join(room.folder, "none"), place)).output).toContain("--to must name a store: a data folder");
  });

  test("a variable that is not set, and a folder without a store", async () => {
    expect((await copy("env:NOWHERE", "x")).output).toContain("--from names NOWHERE, which is not set");
    expect((await copy(join(room.folder, "none"), join(room.folder, "to"))).output).toContain(
      "there is no store to copy: SQLite in",
    );
    expect(await readdir(room.folder)).toEqual([]);
  });

  test("a source that a process is using", async () => {
    const dataDir = await store();
    const database = await openDatabase({ dataDir });
    const lease = { name: "process", holder: `elsewhere 7 id`, expires_at: systemClock.now() + 60_000 };
    await database.db.insertInto("lease").values(lease).execute();
    await database.close();
    const { code, output } = await copy(dataDir, join(room.folder, "to"));
    expect([code, output]).toEqual([1, expect.stringContaining("process 7 on elsewhere is using SQLite in")]);
    expect(output).toMatch(/; stop it, or wait (?:60|[1-5]?\d) s if it was killed on another machine/);
  });

  test.each(["a folder", "a database"])(
    "a damaged source, which the error names, if the target is %s",
    async (target) => {
      const from = join(room.folder, "letter");
      await mkdir(from);
      await writeFile(join(from, "vigil.db"), "this is a letter, not a database. ".repeat(100));
      const to = target === "a folder" ? join(room.folder, "to") : "postgres://nobody@127.0.0.1:1/none";
      const { code, output } = await copy(from, to);
      expect([code, output]).toEqual([1, expect.stringContaining(`vigil: ${join(from, "vigil.db")} is not a SQLite`)]);
    },
  );

  test("a target with files, and leaves it unchanged", async () => {
    const to = join(room.folder, "to");
    await mkdir(to);
    await writeFile(join(to, "letter"), "");
    const { code, output } = await copy(await store(), to);
    expect([code, output]).toEqual([1, expect.stringContaining(`${to} is not empty (letter)`)]);
    expect(await readdir(to)).toEqual(["letter"]);
  });

  test("a source that changes while it is copied, and creates no store from it", async () => {
    const dataDir = await store();
    const source = await openDatabase({ dataDir });
    const to = join(room.folder, "to");
    let isWritten = false;
    const copying = copyStore({
      failureAt: (error) => error,
      from: { location: { dataDir }, name: "the source" },
      to: { location: { dataDir: to }, name: "the target" },
      keySecret: undefined,
      stores: await loadStores(),
      clock: systemClock,
      signal: new AbortController().signal,
      onProgress() {
        if (isWritten) return;
        isWritten = true;
        void source.db.insertInto("budget").values({ cycle: "c", name: "late", used: 1 }).execute();
      },
    });
    await expect(copying).rejects.toThrow("the source was changed while it was copied (budget); stop all writers");
    await source.close();
    expect(await readdir(to)).toEqual([]);
  });
});
