import { createHash } from "node:crypto";
import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { header } from "../contract/auth.js";
import { type AnyPart, part } from "../contract/dataset.js";
import { among } from "../contract/row-tally.js";
import { settingReader } from "../contract/setting.js";
import {
  type AnySource,
  BadRow,
  LeftOut,
  type Source,
  SourceFailure,
  type Step,
  source,
  step,
} from "../contract/source.js";
import { HOUR_MS, MINUTE_MS } from "../kit/clock.js";
import { manualClock } from "../kit/manual-clock.js";
import { turnstile } from "../kit/turnstile.js";
import { accountOfKept, unaccountedRows } from "../snapshots/builds/build-account.js";
import type { SourceRunReport } from "../snapshots/provenance.js";
import type { UpstreamAnswer, UpstreamCall } from "../upstream/answer.js";
import { memoryAfter } from "./part-memory.js";
import { type PartBefore, readPart } from "./read-part.js";
import { readRows } from "./read-rows.js";
import type { ReadingTools } from "./source-reading.js";
import { createTokens } from "./tokens.js";

const now = Date.UTC(2026, 10, 21, 12);

interface Item {
  readonly name: string;
}

const Named = Type.Object({ name: Type.String() });
type ItemStep = Partial<Step<object, string, { readonly kind: "json" }, typeof Named, Item>>;
type Overrides = Partial<Omit<Source<object, Item>, "steps" | "combine">>;

const itemStep = (keys: readonly string[], changes: ItemStep = {}) =>
  step<object, string, { readonly kind: "json" }, typeof Named, Item>({
    ask: () => keys,
    request: (key) => ({ key, url: `https://x.test/${key}` }),
    format: { kind: "json" },
    row: Named,
    rows: (document) => (document as { items: unknown[] }).items,
    record: (row) => row,
    ...changes,
  });

/** A source of named items at `https://x.test/<key>`, one request per key. */
const itemsFrom = (id: string, keys: readonly string[], changes: ItemStep = {}, overrides: Overrides = {}) =>
  source({
    id,
    title: id,
    home: "https://x.test/",
    licence: { name: "none", open: true },
    seen: "described",
    steps: { items: itemStep(keys, changes) },
    observedAt: () => now,
    ...overrides,
  });

type Answers = Readonly<Record<string, readonly string[] | SourceFailure | "not modified">>;

function toolsFor(answers: Answers, options: Partial<ReadingTools> = {}) {
  const requests: { key: string; call: UpstreamCall }[] = [];
  const tools: Omit<ReadingTools, "tokens"> = {
    clock: manualClock(now),
    client: {
      async fetch(request, call = {}): Promise<UpstreamAnswer> {
        requests.push({ key: request.key, call });
        const answer = answers[request.key] ?? new SourceFailure("unavailable", `no ${request.key}`);
        if (answer instanceof SourceFailure) throw answer;
        const notModified = answer === "not modified";
        const bytes = notModified
          ? Buffer.alloc(0)
          : Buffer.from(JSON.stringify({ items: answer.map((name) => ({ name })) }));
        return {
          url: request.url,
          via: undefined,
          status: notModified ? 304 : 200,
          notModified,
          bytes,
          simulated: false,
          contentType: undefined,
          etag: '"e"',
          lastModified: undefined,
          sha256: "0",
          fetchedAt: now,
          durationMs: 1,
        };
      },
      close: async () => undefined,
    },
    readRows: async (...parameters) => readRows(...parameters),
    largeAnswers: turnstile(),
    budgets: { take: async () => undefined },
    settingOf: settingReader({}),
    credentials: {},
    openLicencesOnly: false,
    version: "1",
    ...options,
  };
  return { tools: { ...tools, tokens: createTokens(tools.clock) }, requests };
}

const nothing: PartBefore = { records: [], provenance: {}, status: undefined, memory: undefined };
const storedBefore = (names: readonly string[], confirmedAt = now - HOUR_MS): PartBefore => ({
  records: names.map((name) => ({ name })),
  provenance: {},
  status: {
    state: "fresh",
    confirmedAt,
    error: null,
    validators: { a: { version: "1", url: "https://x.test/a", etag: '"e"' } },
  },
  memory: undefined,
});

async function run(
  declared: AnyPart,
  answers: Answers,
  standing: PartBefore = nothing,
  options: Partial<ReadingTools> = {},
) {
  const { tools, requests } = toolsFor(answers, options);
  const reports: SourceRunReport[] = [];
  const signal = new AbortController().signal;
  const faults: unknown[] = [];
  const after = await readPart(tools, "things", declared, standing, {
    signal,
    onReport: (report) => reports.push(report),
    onFault: (error) => faults.push(error),
  });
  return { after, requests, reports, faults, names: (after.records as Item[]).map(({ name }) => name) };
}

/** A source's `progress`: the context of each sent request, and the time at which the request was sent. */
const sentAtOf = ({
  items = [],
}: Parameters<NonNullable<AnySource["progress"]>>[0]): readonly (readonly [string, number])[] =>
  items.map(({ context, sentAt }) => [String(context), sentAt]);

/** Fails the test that met an internal error. */
function rethrow(error: unknown): never {
  throw error;
}

const plan = (): object => ({});
const down = new SourceFailure("unavailable", "x.test/a: answered 503; expected 200");

describe("sources in order of preference", () => {
  const [first, second] = [itemsFrom("first", ["a"]), itemsFrom("second", ["b"])];
  const declared = part<Item, object>({ sources: [first, second], plan });

  test("the second source is read only if the first fails", async () => {
    const fine = await run(declared, { a: ["one"], b: ["two"] });
    expect([fine.names, fine.requests.map(({ key }) => key)]).toEqual([["one"], ["a"]]);
    const instead = await run(declared, { a: down, b: ["two"] });
    expect(instead.names).toEqual(["two"]);
    expect(instead.after.status).toMatchObject({ state: "fresh", error: null });
    expect(instead.after.provenance).toMatchObject({ b: { source: "second" } });
  });

  test("if all sources fail, the stored records stay and the failure is reported", async () => {
    const { after, names } = await run(declared, { a: down }, storedBefore(["old"]));
    expect(names).toEqual(["old"]);
    expect(after.status).toMatchObject({ state: "kept", confirmedAt: now - HOUR_MS, error: "no b" });
  });

  test("a source without its key is skipped, and the part's failure also names the missing setting", async () => {
    const keyed = itemsFrom("keyed", ["k"], {}, { auth: header("X-Key", { variable: "X_KEY", description: "a key" }) });
    const { after, requests } = await run(part<Item, object>({ sources: [first, keyed], plan }), { a: down });
    expect(after.failure).toMatchObject({ kind: down.kind, message: `${down.message}; keyed needs X_KEY` });
    expect(requests.map(({ key }) => key)).toEqual(["a"]);
  });
});

describe("concurrent requests", () => {
  const sizes = { largeA: 64, largeB: 64, small: 1 } as const;
  const declared = part<Item, object>({
    sources: [
      itemsFrom("sized", Object.keys(sizes), {
        request: (key) => ({
          key,
          url: `https://x.test/${key}`,
          bytesMax: sizes[key as keyof typeof sizes] * 1_048_576,
        }),
      }),
    ],
    plan,
  });

  test("requests that accept large answers are sent one after another, and do not hold up other requests", async () => {
    const { tools } = toolsFor({ largeA: ["a"], largeB: ["b"], small: ["c"] });
    const events: string[] = [];
    const client = {
      ...tools.client,
      async fetch(...parameters: Parameters<typeof tools.client.fetch>) {
        events.push(`${parameters[0].key} sent`);
        await Promise.resolve();
        return tools.client.fetch(...parameters);
      },
    };
    const readAnswer: typeof tools.readRows = async (...parameters) => {
      events.push(`${parameters[1].key} read`);
      return tools.readRows(...parameters);
    };
    const { signal } = new AbortController();
    await readPart({ ...tools, client, readRows: readAnswer }, "things", declared, nothing, {
      signal,
      onReport: () => undefined,
      onFault: rethrow,
    });
    const largeEvents = events.filter((event) => event.startsWith("large"));
    expect(largeEvents).toEqual(["largeA sent", "largeA read", "largeB sent", "largeB read"]);
    expect(events.indexOf("small sent")).toBeLessThan(events.indexOf("largeA read"));
  });

  test("if a request for a large answer fails, the next request for a large answer is still sent", async () => {
    const { requests } = await run(declared, { largeA: down, largeB: ["b"], small: ["c"] });
    expect(requests.map(({ key }) => key)).toContain("largeB");
  });
});

describe("not modified", () => {
  test("a single request is conditional, and its 304 confirms the stored records", async () => {
    const declared = part<Item, object>({ sources: [itemsFrom("one", ["a"])], plan });
    const { after, requests, names } = await run(declared, { a: "not modified" }, storedBefore(["old"]));
    expect(names).toEqual(["old"]);
    expect(after.status).toMatchObject({ state: "fresh", confirmedAt: now });
    expect(requests[0]?.call.validators).toEqual({ etag: '"e"' });
  });

  test.each([
    ["a source whose plan has several requests", itemsFrom("one", ["a", "b"])],
    ["a source whose answers may call for further requests", itemsFrom("one", ["a"], { more: () => [] })],
  ])("no conditional request is sent for %s", async (_, many) => {
    const { requests } = await run(
      part<Item, object>({ sources: [many], plan }),
      { a: ["x"], b: ["y"] },
      storedBefore(["old"]),
    );
    expect(requests.every(({ call }) => call.validators === undefined)).toBe(true);
  });

  test("no conditional request is sent after an upgrade of the software", async () => {
    const declared = part<Item, object>({ sources: [itemsFrom("one", ["a"])], plan });
    const { requests } = await run(declared, { a: ["x"] }, storedBefore(["old"]), { version: "2" });
    expect(requests[0]?.call.validators).toBeUndefined();
  });
});

describe("further requests", () => {
  const pages = itemsFrom("pages", ["1"], {
    more: (document, key) => ((document as { items: unknown[] }).items.length > 0 ? [String(Number(key) + 1)] : []),
  });
  const declared = part<Item, object>({ sources: [pages], plan });

  test("further requests are sent until no answer calls for another", async () => {
    const { names, requests } = await run(declared, { 1: ["a"], 2: ["b"], 3: [] });
    expect([names, requests.map(({ key }) => key)]).toEqual([
      ["a", "b"],
      ["1", "2", "3"],
    ]);
  });

  test("a failed further request fails the source", async () => {
    const { after } = await run(declared, { 1: ["a"], 2: down });
    expect([after.status.state, after.failure?.kind]).toEqual(["missing", "unavailable"]);
  });

  test("the number of further requests is limited, whatever the upstream answers", async () => {
    const endless = itemsFrom("endless", ["1"], {
      more: (_document, key) => [`${key}1`],
    });
    const answers = Object.fromEntries(Array.from({ length: 260 }, (_, index) => ["1".repeat(index + 1), ["x"]]));
    const { after, requests } = await run(part<Item, object>({ sources: [endless], plan }), answers);
    expect(requests).toHaveLength(250);
    expect(after.failure?.message).toBe("endless calls for more than 250 requests; expected fewer");
  });
});

describe("a part that accumulates records", () => {
  const declared = part<Item, object>({
    sources: [itemsFrom("slow", ["a", "b", "c"])],
    plan: ({ kept }) => (kept.length >= 3 ? undefined : {}),
    merge: (kept, fresh) => [...kept, ...fresh],
    fillsUp: true,
  });

  test("the part keeps the records read before a failure, and reports that it is incomplete", async () => {
    const { after, names } = await run(declared, { a: ["one"], b: down, c: down }, storedBefore(["zero"]));
    expect(names).toEqual(["zero", "one"]);
    expect(after).toMatchObject({ isRead: true, status: { state: "kept", error: down.message } });
  });

  test("a failure before anything was read fails the part like any other failure", async () => {
    const { after, names } = await run(declared, { a: down, b: down, c: down }, storedBefore(["zero"]));
    expect([names, after.isRead, after.status.state]).toEqual([["zero"], false, "kept"]);
  });

  test("the part sends no request when it is complete", async () => {
    const { after, requests } = await run(declared, {}, storedBefore(["one", "two", "three"]));
    expect(requests).toEqual([]);
    expect(after).toMatchObject({ isRead: true, status: { state: "fresh", confirmedAt: now }, records: { length: 3 } });
  });
});

describe("a part whose source has a budget", () => {
  const paid = itemsFrom("paid", ["a", "b", "c"], {}, { budgets: ["all"] });
  const filling = {
    plan,
    merge: (kept: readonly Item[], fresh: readonly Item[]) => [...kept, ...fresh],
    fillsUp: true,
  };
  const declared = part<Item, object>({ sources: [paid], ...filling });
  const sentence = "the budget all of this billing cycle is spent; the next cycle begins on 2026-12-01";
  const answers = { a: ["one"], b: ["two"], c: ["three"] };

  function budgetsOf(units: number) {
    const budgetCalls: (readonly string[])[] = [];
    const take = async (names: readonly string[]) => {
      if (budgetCalls.length === units) return { name: "all", renewedOn: "2026-12-01" };
      budgetCalls.push(names);
      return undefined;
    };
    return { budgetCalls, budgets: { take } };
  }

  test("the part takes a unit for each call", async () => {
    const { budgetCalls, budgets } = budgetsOf(9);
    const { names } = await run(declared, answers, nothing, { budgets });
    expect([names, budgetCalls]).toEqual([
      ["one", "two", "three"],
      [["all"], ["all"], ["all"]],
    ]);
  });

  test("the part keeps what was read before the budget ran out, and its failure names the end of the cycle", async () => {
    const { after, requests, names } = await run(declared, answers, storedBefore(["zero"]), {
      budgets: budgetsOf(2).budgets,
    });
    expect([names, requests.map(({ key }) => key)]).toEqual([
      ["zero", "one", "two"],
      ["a", "b"],
    ]);
    expect(after).toMatchObject({ status: { state: "kept", error: sentence }, failure: { kind: "unavailable" } });
    // No retry time is set, because the other parts of the dataset must not wait for the next cycle.
    expect(after.failure?.retryAt).toBeUndefined();
  });

  test("the part sends no request once the budget is used up", async () => {
    const { after, requests, names } = await run(declared, answers, storedBefore(["zero"]), {
      budgets: budgetsOf(0).budgets,
    });
    expect([names, requests]).toEqual([["zero"], []]);
    expect(after).toMatchObject({ isRead: false, status: { state: "kept", error: sentence } });
  });

  test("if all answers are empty until the budget is used up, the part reports the used-up budget", async () => {
    const combine = (): never => {
      throw new SourceFailure("empty", "nothing in any answer");
    };
    const empty = part<Item, object>({ sources: [{ ...paid, combine }], ...filling });
    const { after } = await run(empty, answers, nothing, { budgets: budgetsOf(2).budgets });
    expect(after.status).toMatchObject({ state: "missing", error: sentence });
  });

  test("the part reports no progress for a call that was not made", async () => {
    const telling = part<Item, object>({ sources: [{ ...paid, progress: sentAtOf }], ...filling });
    const { after } = await run(telling, answers, nothing, { budgets: budgetsOf(1).budgets });
    expect(after.progress).toEqual([["a", now]]);
  });
});

describe("a part whose requests are due once an hour", () => {
  const everyHour: Source<object, Item, readonly [string, number]> = {
    ...itemsFrom("hourly", ["a", "b"]),
    combine({ items }) {
      const read = items?.records as readonly Item[];
      if (read.some(({ name }) => name !== "nothing")) return read;
      throw new SourceFailure("empty", "nothing in any answer");
    },
    progress: sentAtOf,
  };
  type Turns = Readonly<Record<string, number>>;
  const declared = part<Item, object, Turns, readonly [string, number]>({
    sources: [everyHour],
    plan: ({ memory, now: at }) => (["a", "b"].every((key) => at - (memory[key] ?? 0) < HOUR_MS) ? undefined : {}),
    memory: {
      schema: Type.Record(Type.String(), Type.Number()),
      initial: {},
      describes: "requests",
      after: (turns, sent) => ({ ...turns, ...Object.fromEntries(sent) }),
    },
    fillsUp: true,
    keptMaxMs: 90 * MINUTE_MS,
  });
  const empty = { a: ["nothing"], b: ["nothing"] };

  /** The result of a run, with the state that it leaves for the next run. */
  async function first(answers: Answers = empty, standing: PartBefore = nothing, ms = 0) {
    const clock = manualClock(now + ms);
    const before = { ...standing, memory: standing.memory ?? {} };
    const ran = await run(declared, answers, before, { clock });
    const context = { now: now + ms, settingOf: settingReader({}), isStored: true };
    return { ...ran, after: { ...ran.after, memory: memoryAfter(declared, before, ran.after, context) } };
  }
  const later = (after: PartBefore, ms: number, answers: Answers = empty) => first(answers, after, ms);

  test("the part remembers when it sent its requests, even if the source fails", async () => {
    const { after } = await first();
    expect(after.status).toMatchObject({ state: "missing", confirmedAt: null, error: "nothing in any answer" });
    expect(after.memory).toEqual({ a: now, b: now });
  });

  test("the part sends no request before one is due, and its status keeps the failure", async () => {
    const { after: failed } = await first();
    const { after, requests } = await later(failed, HOUR_MS / 2);
    expect(requests).toEqual([]);
    expect(after).toMatchObject({ isRead: false, failure: undefined, records: [], status: failed.status });
  });

  test("the part keeps its records until they expire, and even then sends no request before one is due", async () => {
    const { after: failed } = await first(empty, storedBefore(["old"], now - HOUR_MS));
    const { after: waiting } = await later(failed, HOUR_MS / 2 - 1);
    expect(waiting).toMatchObject({
      records: [{ name: "old" }],
      status: { state: "kept", confirmedAt: now - HOUR_MS },
    });
    const { after, requests } = await later(waiting, HOUR_MS / 2);
    expect([after.records, after.status.state, requests]).toEqual([[], "missing", []]);
    expect(after.memory).toEqual({ a: now, b: now });
  });

  test("the part sends its requests again when they are due, and is then complete", async () => {
    const { after: failed } = await first();
    const { after, requests } = await later(failed, HOUR_MS, { a: ["one"], b: ["two"] });
    expect(requests).toHaveLength(2);
    expect(after.status).toMatchObject({ state: "fresh", error: null });
    expect(after.memory).toEqual({ a: now + HOUR_MS, b: now + HOUR_MS });
    const { after: complete } = await later(after, 1.5 * HOUR_MS);
    expect(complete.status).toMatchObject({ state: "fresh", confirmedAt: now + 1.5 * HOUR_MS });
  });

  test("a failed request is not due again before the hour is over", async () => {
    const { after } = await first({ a: ["one"], b: down });
    expect([after.status.state, after.memory]).toEqual(["kept", { a: now, b: now }]);
  });
});

describe("an optional part", () => {
  const keyed = itemsFrom("keyed", ["k"], {}, { auth: header("X-Key", { variable: "X_KEY", description: "a key" }) });
  const optional = part<Item, object>({ sources: [keyed], plan, optional: true, keptMaxMs: 2 * HOUR_MS });

  test("the part is off without its key, and its old records are removed", async () => {
    const { after, names } = await run(optional, {}, storedBefore(["old"]));
    expect(names).toEqual([]);
    expect(after).toMatchObject({ isRead: false, failure: undefined });
    expect(after.status).toMatchObject({ state: "off", confirmedAt: null, error: "keyed needs X_KEY" });
  });

  test("the part is off if its licence is not allowed", async () => {
    const closed = itemsFrom("closed", ["a"], {}, { licence: { name: "NC", open: false } });
    const { after } = await run(
      part<Item, object>({ sources: [closed], plan, optional: true }),
      { a: ["x"] },
      nothing,
      {
        openLicencesOnly: true,
      },
    );
    expect(after.status).toMatchObject({ state: "off", error: "closed is switched off by VIGIL_LICENCE_MODE=open" });
  });

  const credentials = { X_KEY: "secret" };

  test("if the source fails, the records are kept until they expire; then the part is missing", async () => {
    const kept = await run(optional, { k: down }, storedBefore(["old"], now - 2 * HOUR_MS + 1), { credentials });
    expect([kept.names, kept.after.status.state]).toEqual([["old"], "kept"]);
    const missing = await run(optional, { k: down }, storedBefore(["old"], now - 2 * HOUR_MS), { credentials });
    expect([missing.names, missing.after.status.state]).toEqual([[], "missing"]);
    expect(missing.after.status).toMatchObject({ confirmedAt: null, error: down.message });
  });
});

describe("the stored records", () => {
  test("the part stores the records that it selects from those that were read", async () => {
    const declared = part<Item, object>({
      sources: [itemsFrom("one", ["a"])],
      plan,
      select: (items, at) => items.filter(({ name }) => name !== "two" && at === now),
    });
    expect((await run(declared, { a: ["one", "two", "three"] })).names).toEqual(["one", "three"]);
  });

  test("the part stores what the source combines from all its answers, in the order of the requests", async () => {
    const joined = source({
      ...itemsFrom("joined", []),
      steps: { first: itemStep(["a", "b"]), second: itemStep(["c"]) },
      combine: ({ first, second }): readonly Item[] => [
        { name: [...first.records, ...second.records].map(({ name }) => name).join("+") },
      ],
    });
    const answers = { a: ["1"], b: ["2", "3"], c: ["4"] };
    expect((await run(part<Item, object>({ sources: [joined], plan }), answers)).names).toEqual(["1+2+3+4"]);
  });
});

describe("records with a mark that holds for a single build", () => {
  const declared = part<Item, object>({
    sources: [itemsFrom("marked", ["a"])],
    plan,
    carriedOver: (stored) => stored.map(({ name }) => ({ name: name.replace("!", "") })),
  });

  test.each([
    ["an answer that has not changed", "not modified"],
    ["a failed read", down],
  ] as const)("records that are kept after %s lose the mark", async (_name, answer) => {
    const account = { ...accountOfKept([{}]), leftOut: [{ rule: "known", count: 2, example: "x" }] };
    const { names, after } = await run(declared, { a: answer }, { ...storedBefore(["old!"]), account });
    expect(names).toEqual(["old"]);
    expect(after.account).toEqual(account);
  });

  test("new records keep the mark", async () => {
    const { names } = await run(declared, { a: ["new!"] }, storedBefore(["old!"]));
    expect(names).toEqual(["new!"]);
  });
});

describe("an answer without rows", () => {
  const declared = (changes: ItemStep, overrides: Overrides = {}) =>
    part<Item, object>({ sources: [itemsFrom("one", ["a"], changes, overrides)], plan });

  test.each([
    ["an answer without rows is a failure", {}, "empty"],
    ["an answer without rows is valid if the source allows it", { rowsMin: 0 as const }, undefined],
  ])("%s", async (_, overrides, kind) => {
    expect((await run(declared(overrides), { a: [] })).after.failure?.kind).toBe(kind);
  });

  test.each([
    ["a document with rows but no records counts as a changed format", {}, "changed"],
    ["a document with rows but no records is valid if the source allows it", { recordsMin: 0 as const }, undefined],
  ])("%s", async (_, overrides, kind) => {
    const none = declared({ record: () => new LeftOut("no value") }, overrides);
    expect((await run(none, { a: ["x"] })).after.failure?.kind).toBe(kind);
  });
});

test("every request is reported, and the report of a failed request contains the error", async () => {
  const declared = part<Item, object>({ sources: [itemsFrom("two", ["a", "b"])], plan });
  const { reports } = await run(declared, { a: ["x"], b: down });
  expect(reports.map(({ requestKey, outcome, rowsRead, error }) => [requestKey, outcome, rowsRead, error])).toEqual(
    expect.arrayContaining([["b", "unavailable", null, down.message]]),
  );
  expect(reports).toHaveLength(2);
});

describe("an internal error", () => {
  const thrown = new TypeError("cannot read x of undefined");
  const throwing = (): never => {
    throw thrown;
  };
  const broken = itemsFrom("broken", ["a"], { record: throwing });

  test.each([
    ["reading a row", part<Item, object>({ sources: [broken, itemsFrom("second", ["b"])], plan })],
    ["planning the requests", part<Item, object>({ sources: [itemsFrom("fine", ["a"])], plan: throwing })],
    ["merging the records", part<Item, object>({ sources: [itemsFrom("fine", ["a"])], plan, merge: throwing })],
    [
      "checking the stored records",
      part<Item, object>({ sources: [itemsFrom("fine", ["a"], {}, { observedAt: throwing })], plan }),
    ],
  ])(
    "an internal error while %s fails the part, keeps its records and is not blamed on the upstream",
    async (_name, declared) => {
      const { after, names, faults } = await run(declared, { a: ["x"], b: ["y"] }, storedBefore(["old"]));
      expect(names).toEqual(["old"]);
      expect(after.failure).toEqual({ kind: "internal", message: "internal error: cannot read x of undefined" });
      expect(after.status).toMatchObject({ state: "kept", confirmedAt: now - HOUR_MS, error: after.failure?.message });
      expect(faults).toEqual([thrown]);
    },
  );

  test("a run that is cancelled is no failure of the part", async () => {
    const { tools } = toolsFor({ a: ["x"] });
    const cancelled = new AbortController();
    const declared = part<Item, object>({ sources: [itemsFrom("fine", ["a"])], plan });
    cancelled.abort(new Error("stopping"));
    const client = { ...tools.client, fetch: async () => Promise.reject(cancelled.signal.reason) };
    const faults: unknown[] = [];
    const reading = readPart({ ...tools, client }, "things", declared, nothing, {
      signal: cancelled.signal,
      onReport: () => undefined,
      onFault: (error) => faults.push(error),
    });
    await expect(reading).rejects.toThrow("stopping");
    expect(faults).toEqual([]);
  });
});

describe("a source that cannot combine its records", () => {
  const combining = (error: Error) =>
    part<Item, object>({
      sources: [
        source({
          ...itemsFrom("joined", []),
          steps: { items: itemStep(["a"]) },
          combine: (): readonly Item[] => {
            throw error;
          },
        }),
      ],
      plan,
    });

  test("a row that proves bad only then fails the part as a changed format, and the stored records stay", async () => {
    const { after, names } = await run(
      combining(new BadRow('unknown type "wallet"')),
      { a: ["new"] },
      storedBefore(["old"]),
    );
    expect(names).toEqual(["old"]);
    expect(after.failure).toMatchObject({
      kind: "changed",
      message: 'a row of joined cannot be combined: unknown type "wallet"',
    });
  });

  test("any other error is not reported as a failure of the upstream", async () => {
    const broken = combining(new TypeError("cannot read x of undefined"));
    const { after } = await run(broken, { a: ["new"] });
    expect(after.failure).toMatchObject({ kind: "internal" });
  });
});

describe("a request that fails", () => {
  const gone = new SourceFailure("unavailable", "answered 404", { status: 404 });
  const versions = itemsFrom("versions", ["v2"], {
    instead: ({ status }, version) => (status === 404 && version === "v2" ? ["v1"] : undefined),
  });
  const partOf = (declared: AnySource): AnyPart => part({ sources: [declared], plan: () => ({}) });

  test("a failed request is replaced by the requests that its step sends instead, and does not fail the part", async () => {
    const { after, requests } = await run(partOf(versions), { v2: gone, v1: ["old"] });
    expect(requests.map(({ key }) => key)).toEqual(["v2", "v1"]);
    expect(after).toMatchObject({ records: [{ name: "old" }], failure: undefined, status: { error: null } });
  });

  test("a failed request without replacements fails the part", async () => {
    const none = await run(partOf(versions), { v2: gone, v1: gone });
    expect(none.after.failure).toMatchObject({ kind: "unavailable", status: 404 });
    const down = new SourceFailure("unavailable", "answered 500", { status: 500 });
    const broken = await run(partOf(versions), { v2: down, v1: ["old"] });
    expect(broken.requests.map(({ key }) => key)).toEqual(["v2"]);
    expect(broken.after.failure).toMatchObject({ status: 500 });
  });

  test("a failed request is tolerated if its step allows it and other answers have rows", async () => {
    const both = itemsFrom("both", ["v2", "v1"], { instead: () => [] });
    const { after } = await run(partOf(both), { v2: gone, v1: ["a"] });
    expect(after).toMatchObject({ records: [{ name: "a" }], failure: undefined });
  });
});

test("a body whose size or hash differs from the publisher's list is a failure that states the hash", async () => {
  const bytes = Buffer.from('{"items":[{"name":"a"}]}');
  const partWith = (integrity: { bytes: number; md5: string }): AnyPart => {
    const request = (key: string) => ({ key, url: "https://x.test/a", integrity });
    return part({ sources: [itemsFrom("listed", ["a"], { request })], plan: () => ({}) });
  };
  const md5 = createHash("md5").update(bytes).digest("hex");
  const whole = await run(partWith({ bytes: bytes.byteLength, md5 }), { a: ["a"] });
  expect(whole.after.records).toEqual([{ name: "a" }]);
  for (const integrity of [
    { bytes: bytes.byteLength, md5: md5.replace(/./, "x") },
    { bytes: bytes.byteLength + 1, md5 },
  ]) {
    const { after } = await run(partWith(integrity), { a: ["a"] });
    expect(after.failure).toMatchObject({ kind: "unavailable", message: expect.stringContaining(md5) });
  }
});

describe("the progress of a source", () => {
  const telling: Source<object, Item> = {
    ...itemsFrom("telling", ["a", "b"], { instead: (_failure, key) => (key === "a" ? undefined : []) }),
    progress: ({ items = [] }) => items.map(({ context, isRead, failure }) => [context, isRead, failure?.status]),
  };
  const declared = part<Item, object>({ sources: [telling], plan: () => ({}) });
  const lost = new SourceFailure("unavailable", "answered 404", { status: 404 });

  test("the progress covers every sent request and is not stored as a record", async () => {
    const { after } = await run(declared, { a: ["x"], b: lost });
    expect(after).toMatchObject({ status: { state: "fresh", error: null }, records: [{ name: "x" }] });
    expect(after.progress).toEqual(
      expect.arrayContaining([
        ["a", true, undefined],
        ["b", false, 404],
      ]),
    );
  });

  test("the progress of a failed run is reported too", async () => {
    const { after } = await run(declared, { a: lost, b: ["x"] });
    expect(after.failure).toBe(lost);
    expect(after.progress).toContainEqual(["a", false, 404]);
  });
});

test("a validator is sent only to the address that it came from", async () => {
  const moved = itemsFrom("moved", ["a"], {
    request: (key) => ({ key, url: "https://x.test/elsewhere" }),
  });
  const declared = part<Item, object>({ sources: [moved], plan: () => ({}) });
  const { requests } = await run(declared, { a: ["x"] }, storedBefore(["x"]));
  expect(requests[0]?.call.validators).toBeUndefined();
});

describe("the row counts of a part", () => {
  const merging = (record: (row: Item) => Item | LeftOut = (row) => row) =>
    part<Item, object>({
      sources: [itemsFrom("s", ["a"], { record }, { ranges: { size: [0, 9] } })],
      plan,
      merge(kept, fresh, { tally }) {
        const all = [...kept, ...fresh];
        const merged = [...new Map(all.map((item) => [item.name, item])).values()];
        return tally.narrowed("read again", all, merged, among(merged));
      },
      select: (items, _now, tally) => tally.filter(items, { short: ({ name }) => name.length > 1 }),
    });
  const ofRun = async (declared: AnyPart, answers: Answers, standing?: PartBefore) =>
    (await run(declared, answers, standing)).after.account;

  test("each left-out row, newly read or stored earlier, is counted under the rule that left it out", async () => {
    const declared = merging((row) => (row.name === "odd" ? new LeftOut("odd one") : row));
    expect(await ofRun(declared, { a: ["one", "odd", "x", "two"] }, storedBefore(["one", "old"]))).toEqual({
      earlier: 2,
      read: 4,
      made: [],
      leftOut: [
        { rule: "odd one", count: 1, example: "odd" },
        { rule: "read again", count: 1, example: "one" },
        { rule: "short", count: 1, example: "x" },
      ],
      joined: [],
      stored: 3,
    });
  });

  test("kept records have the row counts of the build that stored them or, if that build has none, new row counts", async () => {
    const account = { earlier: 0, read: 5, made: [], leftOut: [], joined: [{ rule: "pairs", count: 3 }], stored: 2 };
    const before = storedBefore(["one", "two"]);
    expect(await ofRun(merging(), { a: down }, { ...before, account })).toEqual(account);
    expect(await ofRun(merging(), { a: down }, before)).toMatchObject({ earlier: 2, read: 0, stored: 2 });
  });

  test("kept records that today's checks reject are counted as left out", async () => {
    const before = { ...storedBefore(["one"]), records: [{ name: "one" }, { name: "huge", size: 10 }] };
    for (const answers of [{ a: ["one"] }, { a: down }]) {
      const account = await ofRun(merging(), answers, before);
      expect(account.leftOut[0]).toEqual({ rule: "no longer valid", count: 1, example: "huge" });
      expect(unaccountedRows(account)).toBe(0);
    }
  });

  test("records that are dropped because their source was silent for too long are counted as left out", async () => {
    const brief = part<Item, object>({ sources: [itemsFrom("s", ["a"])], plan, optional: true, keptMaxMs: MINUTE_MS });
    expect(await ofRun(brief, { a: down }, storedBefore(["one", "two"]))).toMatchObject({
      earlier: 2,
      leftOut: [{ rule: "source silent for too long", count: 2, example: "one" }],
      stored: 0,
    });
  });
});
