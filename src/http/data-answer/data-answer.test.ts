import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { keyHolder } from "../../../test/support/principals.js";
import type { Observation } from "../../contract/on-demand.js";
import { operation, type RegisteredOperation } from "../../contract/operation.js";
import { flag } from "../../contract/query-field.js";
import { settingReader, whole } from "../../contract/setting.js";
import { source } from "../../contract/source.js";
import { LoopTurns } from "../../kit/loop-turns.js";
import { manualClock } from "../../kit/manual-clock.js";
import { tokenSigner } from "../../kit/signed-token.js";
import type { Past } from "../../snapshots/history/past-snapshots.js";
import type { SnapshotRegistry } from "../../snapshots/registry.js";
import { answerCache } from "../answer-cache.js";
import type { Exchange } from "../exchange.js";
import { cursorsOf } from "../paging.js";
import { readQuery } from "../query.js";
import { type DataAnswerParts, dataAnswer } from "./data-answer.js";
import { listChangesCache } from "./list-changes.js";
import { questionOf } from "./question.js";

const probeSource = source({
  id: "probe",
  title: "probe",
  home: "https://example.org",
  seen: "described",
  licence: { name: "none", open: true },
  steps: {},
  observedAt: () => 0,
});

/** Gives an operation of this test a service and a path. */
function registered(definition: RegisteredOperation["operation"]): RegisteredOperation {
  return { service: "probe", path: `/api/probe/v1/${definition.rpc}`, operation: definition };
}

const about = {
  summary: "a probe",
  description: "a probe for this test",
  cache: "fast",
  reads: {},
  examples: [],
} as const;
const Numbers = Type.Object({ value: Type.Number() });

function partsAt(
  startAt: number,
  readOnDemand: DataAnswerParts["readOnDemand"],
  settings: Readonly<Record<string, string>> = {},
) {
  const clock = manualClock(startAt);
  const parts: DataAnswerParts = {
    clock,
    // The cast is safe: the registry is never used, because the operations of this test read no dataset.
    registry: {} as SnapshotRegistry,
    cache: answerCache(1_000_000),
    past: {} as Past,
    pastCache: answerCache(1_000_000),
    newestStored: async () => 0,
    chargePastRead: () => undefined,
    listChanges: listChangesCache(1_000_000),
    project: async () => ({ error: "not in this test", originalKeys: [] }),
    workerOf: () => "account",
    readOnDemand,
    awaken: () => undefined,
    cursors: cursorsOf(tokenSigner(Buffer.alloc(32))),
    settingOf: settingReader(settings),
    version: "1",
    origin: "http://vigil.example",
    simulated: false,
    turns: new LoopTurns(),
    revisions: { upTo: async () => ({ begin: { generation: 1, at: 0 }, revisions: [] }) },
    onFault: (error) => {
      throw error;
    },
  };
  return { clock, parts };
}

const exchange: Exchange = {
  call: {
    method: "GET",
    target: "/",
    remoteAddress: "127.0.0.1",
    header: () => undefined,
    hasHeader: () => false,
    body: async () => Buffer.alloc(0),
  },
  requestId: "r",
  path: "/",
  search: "",
  route: undefined,
  question: undefined,
  cors: {},
  principal: keyHolder,
  charged: undefined,
  isShed: false,
};

const publicExchange: Exchange = { ...exchange, principal: { ...keyHolder, kind: "anonymous", accountId: undefined } };

const probeRead = { name: "rows", source: probeSource, ttlMs: 1_000, missTtlMs: 100, timeLimitMs: 100 } as const;

const nothingToRead: DataAnswerParts["readOnDemand"] = async () => {
  throw new Error("no on-demand read was expected");
};

const ask = (parts: DataAnswerParts, probe: RegisteredOperation, search = "", of = exchange) => {
  const query = readQuery(probe.operation, search, parts.clock.now());
  return dataAnswer(parts, of, questionOf(parts.cursors, probe, query));
};

test("an answer that depends on the clock is cached until its validUntil, and its ETag changes then", async () => {
  const minutes = registered(
    operation({
      ...about,
      rpc: "minute",
      query: {},
      response: Numbers,
      validUntil: (_query, _snapshots, now) => (Math.floor(now / 60_000) + 1) * 60_000,
      run: (_query, _snapshots, { now }) => ({ value: Math.floor(now() / 60_000) }),
    }),
  );
  const { clock, parts } = partsAt(90_000, nothingToRead);
  const first = await ask(parts, minutes);
  clock.set(119_999);
  const same = await ask(parts, minutes);
  clock.set(120_000);
  const next = await ask(parts, minutes);
  expect([first, same, next].map(({ body }) => String(body))).toEqual(['{"value":1}', '{"value":1}', '{"value":2}']);
  expect(same.headers["ETag"]).toBe(first.headers["ETag"]);
  expect(next.headers["ETag"]).not.toBe(first.headers["ETag"]);
});

describe("a public answer", () => {
  const cacheControlAt = async (parts: DataAnswerParts, probe: RegisteredOperation, search = "") =>
    (await ask(parts, probe, search, publicExchange)).headers["Cache-Control"];

  test("is kept by no shared cache after the clock has changed it", async () => {
    const minutes = registered(
      operation({
        ...about,
        rpc: "minute",
        query: {},
        response: Numbers,
        validUntil: () => 120_000,
        run: (_query, _snapshots, { now }) => ({ value: Math.floor(now() / 60_000) }),
      }),
    );
    const { clock, parts } = partsAt(90_000, nothingToRead);
    expect(await cacheControlAt(parts, minutes)).toBe("public, max-age=30, s-maxage=30, stale-while-revalidate=0");
    clock.set(110_000);
    expect(await cacheControlAt(parts, minutes)).toBe("public, max-age=10, s-maxage=10, stale-while-revalidate=0");
  });

  test("is kept by no shared cache for more than a minute if it is explained", async () => {
    const list = registered(
      operation({
        ...about,
        rpc: "list",
        query: {},
        response: Type.Object({ rows: Type.Array(Type.Object({ id: Type.String() })) }),
        list: { rows: "rows", identity: ({ id }: { id: string }) => id },
        run: () => ({ rows: [] }),
      }),
    );
    const { clock, parts } = partsAt(0, nothingToRead);
    const header = "public, max-age=60, s-maxage=60, stale-while-revalidate=0";
    expect(await cacheControlAt(parts, list, "explain=true")).toBe(header);
    clock.set(59_000);
    expect(await cacheControlAt(parts, list, "explain=true")).toBe(header.replaceAll("60", "1"));
  });

  test("may be kept for the whole time of its tier if it is from an on-demand read", async () => {
    const { parts } = partsAt(0, async () => ({ state: "fresh", fetchedAt: 0, expiresAt: 20_000, data: [1] }));
    const header = "public, max-age=60, s-maxage=300, stale-while-revalidate=60";
    expect(await cacheControlAt(parts, lookup, "deep=true")).toBe(header);
  });
});

test("the ETag depends on the operation's own settings and on no other setting", async () => {
  const valueMax = whole("PROBE_MAX", 5, { min: 0, max: 9 }, "Largest value.");
  const probe = { ...about, query: {}, response: Numbers };
  const limited = registered(
    operation({
      ...probe,
      rpc: "limited",
      settings: [valueMax],
      run: (_query, _snapshots, { settingOf }) => ({ value: settingOf(valueMax) }),
    }),
  );
  const constant = registered(operation({ ...probe, rpc: "constant", run: () => ({ value: 1 }) }));
  const etagsWith = (settings: Readonly<Record<string, string>>) => {
    const { parts } = partsAt(0, nothingToRead, settings);
    return Promise.all([limited, constant].map(async (probed) => (await ask(parts, probed)).headers["ETag"]));
  };
  const [byDefault, explicit, changed] = await Promise.all([{}, { PROBE_MAX: "5" }, { PROBE_MAX: "6" }].map(etagsWith));
  expect(explicit).toEqual(byDefault);
  expect(changed?.[0]).not.toBe(byDefault?.[0]);
  expect(changed?.[1]).toBe(byDefault?.[1]);
});

test("an operation that calls now() without declaring validUntil fails", async () => {
  const forgetful = registered(
    operation({
      ...about,
      rpc: "forgetful",
      query: {},
      response: Numbers,
      run: (_query, _snapshots, { now }) => ({ value: now() }),
    }),
  );
  const { parts } = partsAt(0, nothingToRead);
  await expect(ask(parts, forgetful)).rejects.toThrow("forgetful calls now() but declares no validUntil");
});

const lookup = registered(
  operation({
    ...about,
    rpc: "lookup",
    query: { deep: flag("True to make the read") },
    response: Type.Object({ state: Type.String() }),
    fetches: {
      rows: {
        ...probeRead,
        plan: ({ deep }: { deep: boolean }) => (deep ? { deep } : undefined),
      },
    },
    run: (_query, _snapshots, { observations }) => ({ state: observations.rows.state }),
  }),
);

test("a query without a plan makes no on-demand read", async () => {
  const { parts } = partsAt(0, nothingToRead);
  expect(String((await ask(parts, lookup)).body)).toBe('{"state":"not-asked"}');
});

test("an answer from an on-demand read is cached while its observation is valid", async () => {
  const plans: unknown[] = [];
  const { clock, parts } = partsAt(0, async (read, plan): Promise<Observation<readonly unknown[]>> => {
    plans.push([read.name, plan]);
    const hasExpired = clock.now() >= 1_000;
    return hasExpired
      ? { state: "error", fetchedAt: 1_000, expiresAt: 1_000, error: "no answer" }
      : { state: "fresh", fetchedAt: 0, expiresAt: 1_000, data: [1] };
  });
  const first = await ask(parts, lookup, "deep=true");
  clock.set(999);
  expect((await ask(parts, lookup, "deep=true")).body).toBe(first.body);
  clock.set(1_000);
  const second = await ask(parts, lookup, "deep=true");
  expect([first, second].map(({ body }) => String(body))).toEqual(['{"state":"fresh"}', '{"state":"error"}']);
  expect([first, second].map(({ headers }) => headers["Cache-Control"])).toEqual(["private, no-cache", "no-store"]);
  expect(second.headers).not.toHaveProperty("ETag");
  expect(plans).toEqual(Array(3).fill(["rows", { deep: true }]));
});

const several = registered(
  operation({
    ...about,
    rpc: "several",
    query: { deep: flag("True to make two reads") },
    response: Type.Object({ states: Type.Array(Type.String()) }),
    fetches: {
      rows: {
        ...probeRead,
        plans: ({ deep }: { deep: boolean }) => (deep ? ["a", "b"] : []),
      },
    },
    run: (_query, _snapshots, { observations }) => ({ states: observations.rows.map(({ state }) => state) }),
  }),
);

test("a list of plans yields one observation per plan, in the order of the plans", async () => {
  const { parts } = partsAt(0, async (_read, plan) =>
    plan === "a"
      ? { state: "miss", fetchedAt: 0, expiresAt: 100 }
      : { state: "error", fetchedAt: 0, expiresAt: 0, error: "no answer" },
  );
  expect(String((await ask(parts, several)).body)).toBe('{"states":[]}');
  const answer = await ask(parts, several, "deep=true");
  expect(String(answer.body)).toBe('{"states":["miss","error"]}');
  expect(answer.headers).toMatchObject({ "X-Vigil-State": "absent", "Cache-Control": "no-store" });
});

test("an older observation that replaces a failed read is stale, and different bodies have different ETags", async () => {
  let state: "fresh" | "cached" | "stale" = "fresh";
  const { parts } = partsAt(0, async () => ({ state, fetchedAt: 0, expiresAt: 1_000, data: [1] }));
  const fresh = await ask(parts, lookup, "deep=true");
  state = "cached";
  const cached = await ask(parts, lookup, "deep=true");
  expect(cached.headers["ETag"]).not.toBe(fresh.headers["ETag"]);
  state = "stale";
  const stale = await ask(parts, lookup, "deep=true");
  expect([fresh, stale].map(({ headers }) => headers["X-Vigil-State"])).toEqual(["ok", "stale"]);
  expect(stale.headers["Cache-Control"]).toBe("no-store");
});
