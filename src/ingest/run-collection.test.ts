import { Type } from "typebox";
import { expect, test } from "vitest";
import { disposedAfterEach, openSqliteStore } from "../../test/support/stores.js";
import { dataset, part } from "../contract/dataset.js";
import { settingReader } from "../contract/setting.js";
import { source, step } from "../contract/source.js";
import { bodyStore } from "../database/bodies.js";
import { HOUR_MS } from "../kit/clock.js";
import { manualClock } from "../kit/manual-clock.js";
import { turnstile } from "../kit/turnstile.js";
import { snapshotStore } from "../snapshots/store.js";
import { readRows } from "./read-rows.js";
import type { CollectionTools } from "./run.js";
import { runCollection } from "./run-collection.js";
import { createTokens } from "./tokens.js";

const START = Date.UTC(2026, 10, 18, 12);

interface Item {
  readonly id: string;
}

/** The records of an upstream that answers `{ "id": … }`. `read` runs on each row. */
const itemOf = (id: string, read: () => void = () => undefined) =>
  part<Item, object>({
    sources: [
      source({
        id,
        title: id,
        home: "https://x.test/",
        licence: { name: "none", open: true },
        seen: "described",
        steps: {
          items: step({
            request: (_plan: object) => ({ key: id, url: `https://x.test/${id}` }),
            format: { kind: "json" },
            row: Type.Object({ id: Type.String() }),
            rows: (document) => [document],
            record(row): Item {
              read();
              return row;
            },
          }),
        },
        observedAt: () => undefined,
      }),
    ],
    plan: () => ({}),
  });

const open = disposedAfterEach(openSqliteStore);

async function opened() {
  const { database, dataDir } = await open();
  const clock = manualClock(START);
  const store = snapshotStore(database, bodyStore(database, dataDir, clock));
  const state: { thrown?: Error; answer: string } = { answer: "1" };
  const fault = (): void => {
    if (state.thrown) throw state.thrown;
  };
  const parts = { broken: itemOf("broken", fault), fine: itemOf("fine") };
  const declared = dataset({
    name: "items",
    title: "Items",
    description: "Items.",
    cadenceMs: HOUR_MS,
    staleAfterMs: HOUR_MS,
    gaps: [],
    parts,
    gateRule: "none",
    gate: () => undefined,
    view: () => undefined,
    newestAt: () => null,
  });
  const tools: CollectionTools = {
    clock,
    store,
    random: () => 0.5,
    client: {
      fetch: async ({ key, url }) => ({
        url,
        via: undefined,
        status: 200,
        notModified: false,
        bytes: Buffer.from(JSON.stringify({ id: `${key} ${state.answer}` })),
        simulated: false,
        contentType: undefined,
        etag: undefined,
        lastModified: undefined,
        sha256: "0",
        fetchedAt: clock.now(),
        durationMs: 1,
      }),
      close: async () => undefined,
    },
    budgets: { take: async () => undefined },
    readRows: async (...parameters) => readRows(...parameters),
    largeAnswers: turnstile(),
    tokens: createTokens(clock),
    settingOf: settingReader({}),
    credentials: {},
    openLicencesOnly: false,
    version: "1",
  };
  const faults: unknown[] = [];
  return {
    state,
    faults,
    status: async () => (await store.statuses()).find(({ dataset: name }) => name === "items"),
    stored: async () => store.records({ contentHash: (await store.newest("items"))?.contentHash ?? "" }),
    run: () =>
      runCollection(tools, declared, {
        signal: new AbortController().signal,
        onFault: (error) => faults.push(error),
      }),
  };
}

const internal = "internal error: cannot read x of undefined";

test("an internal error in one part keeps the records of that part, and the other parts are published", async () => {
  const { state, faults, run, stored, status } = await opened();
  await run();
  state.answer = "2";
  state.thrown = new TypeError("cannot read x of undefined");
  expect(await run()).toMatchObject({ outcome: "published" });
  expect(await stored()).toEqual({ broken: [{ id: "broken 1" }], fine: [{ id: "fine 2" }] });
  expect(await status()).toMatchObject({
    error: `broken: ${internal}`,
    failuresInRow: 1,
    parts: { broken: { state: "kept", error: internal }, fine: { state: "fresh", error: null } },
  });
  expect(faults).toEqual([state.thrown]);
});

test("a run whose internal error leaves a part without records is recorded as failed", async () => {
  const { state, run, stored, status } = await opened();
  state.thrown = new TypeError("cannot read x of undefined");
  expect(await run()).toMatchObject({ outcome: "failed" });
  expect(await status()).toMatchObject({ outcome: "failed", error: `broken: ${internal}`, failuresInRow: 1 });
  delete state.thrown;
  expect(await run()).toMatchObject({ outcome: "published" });
  expect(await stored()).toEqual({ broken: [{ id: "broken 1" }], fine: [{ id: "fine 1" }] });
});
