import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { type Auth, header, optional } from "../contract/auth.js";
import type { OnDemandRead } from "../contract/on-demand.js";
import { settingReader } from "../contract/setting.js";
import { SourceFailure, source, step } from "../contract/source.js";
import { manualClock } from "../kit/manual-clock.js";
import { turnstile } from "../kit/turnstile.js";
import type { UpstreamClient } from "../upstream/answer.js";
import { isConfigured, readingOnDemand } from "./read-on-demand.js";
import { readRows } from "./read-rows.js";
import { createTokens } from "./tokens.js";

type Answers = Readonly<Record<string, readonly number[] | SourceFailure | Promise<readonly number[]>>>;

const keyOf = (variable: string) => header("X-Key", { variable, description: "for this test" });

/** A feed of numbers at `https://<id>.test/`. */
function feed(
  id: string,
  more: {
    readonly from?: number;
    readonly instead?: (failure: SourceFailure) => readonly number[] | undefined;
    readonly auth?: Auth;
    readonly budgets?: readonly string[];
    readonly needsContact?: true;
  } = {},
) {
  return source({
    id,
    title: id,
    home: "https://example.org",
    licence: { name: "none", open: true },
    seen: "described",
    answers: (plan: number) => plan >= (more.from ?? 0),
    ...(more.auth && { auth: more.auth }),
    ...(more.budgets && { budgets: more.budgets }),
    steps: {
      numbers: step({
        request: (plan: number) => ({
          key: `${plan}`,
          url: `https://${id}.test/`,
          ...(more.needsContact && { needsContact: true as const }),
        }),
        format: { kind: "json" },
        row: Type.Number(),
        rows: (document) => document as number[],
        record: (row) => row,
        rowsMin: 0,
        ...(more.instead && { instead: more.instead }),
      }),
    },
    recordsMin: 0,
    observedAt: () => 0,
  });
}

const refusal = (status: number): SourceFailure => new SourceFailure("unavailable", `answered ${status}`, { status });

function reading(
  answers: Answers,
  left = 100,
  credentials: Readonly<Record<string, string>> = {},
  openLicencesOnly = false,
) {
  const clock = manualClock(0);
  const requestedHosts: string[] = [];
  const budgetCalls: (readonly string[])[] = [];
  const client: UpstreamClient = {
    async fetch({ url }) {
      const host = new URL(url).hostname.replace(".test", "");
      requestedHosts.push(host);
      const answer = (await answers[host]) ?? refusal(500);
      if (answer instanceof SourceFailure) throw answer;
      const bytes = Buffer.from(JSON.stringify(answer));
      const empty = { via: undefined, contentType: undefined, etag: undefined, lastModified: undefined };
      return {
        url,
        status: 200,
        notModified: false,
        bytes,
        sha256: "",
        fetchedAt: 0,
        durationMs: 0,
        simulated: false,
        ...empty,
      };
    },
    close: async () => undefined,
  };
  const { read, outcomes } = readingOnDemand({
    clock,
    reading: {
      clock,
      client,
      budgets: {
        async take(names) {
          budgetCalls.push(names);
          return budgetCalls.length > left ? { name: names[0] ?? "", renewedOn: "1970-02-01" } : undefined;
        },
      },
      tokens: createTokens(clock),
      readRows: async (...parameters) => readRows(...parameters),
      largeAnswers: turnstile(),
      credentials,
      settingOf: settingReader({}),
      openLicencesOnly,
      version: "1",
    },
    onFailure: () => undefined,
  });
  return { requestedHosts, budgetCalls, read, outcomes };
}

const numbers = (changes: Partial<OnDemandRead<never, unknown>>): OnDemandRead<never, unknown> => ({
  name: "numbers",
  source: feed("one"),
  ttlMs: 1_000,
  missTtlMs: 100,
  timeLimitMs: 1_000,
  plan: () => 1,
  ...changes,
});

describe("the sources of a read", () => {
  const both = numbers({ alternatives: [feed("two")] });
  const down = refusal(503);

  test.each<readonly [name: string, answers: Answers, observed: object, requestedHosts: readonly string[]]>([
    ["the first source has records", { one: [1], two: [2] }, { state: "fresh", data: [1] }, ["one"]],
    ["the first source has nothing", { one: [], two: [2] }, { state: "fresh", data: [2] }, ["one", "two"]],
    ["the first source fails", { one: down, two: [2] }, { state: "fresh", data: [2] }, ["one", "two"]],
    ["neither source has records", { one: [], two: [] }, { state: "miss" }, ["one", "two"]],
    ["the first source has nothing, and the second fails", { one: [], two: down }, { state: "miss" }, ["one", "two"]],
    ["the first source fails and the second has nothing", { one: down, two: [] }, { state: "error" }, ["one", "two"]],
    ["both sources fail", { one: down, two: refusal(502) }, { error: "answered 503" }, ["one", "two"]],
  ])("the sources are tried in order: %s", async (_, answers, observed, requestedHosts) => {
    const subject = reading(answers);
    expect(await subject.read(both, 1)).toMatchObject(observed);
    expect(subject.requestedHosts).toEqual(requestedHosts);
  });

  test("a source that cannot answer the plan is skipped", async () => {
    const subject = reading({ one: [1], two: [2] });
    const read = numbers({ source: feed("one", { from: 10 }), alternatives: [feed("two")] });
    expect(await subject.read(read, 9)).toMatchObject({ data: [2] });
    expect(await subject.read(read, 10)).toMatchObject({ data: [1] });
  });

  test("a source without its key is skipped; if it is the only source, the read is unconfigured, and its error names the key", async () => {
    const subject = reading({ two: [2] });
    const keyed = feed("one", { auth: keyOf("ONE_KEY") });
    expect(await subject.read(numbers({ source: keyed, alternatives: [feed("two")] }), 1)).toMatchObject({ data: [2] });
    expect(await subject.read(numbers({ name: "alone", source: keyed }), 1)).toMatchObject({
      state: "error",
      reason: "unconfigured",
      error: "one needs ONE_KEY",
    });
    expect(subject.requestedHosts).toEqual(["two"]);
  });

  test("a failure that the source tolerates is a miss, and any other failure is an error", async () => {
    const source = feed("one", { instead: ({ status }) => (status === 404 ? [] : undefined) });
    expect(await reading({ one: refusal(404) }).read(numbers({ source }), 1)).toMatchObject({ state: "miss" });
    expect(await reading({ one: refusal(403) }).read(numbers({ source }), 1)).toMatchObject({ state: "error" });
  });
});

test("100 concurrent loads of a read are the limit, also if a setting determines the read's time limit", async () => {
  let finish = (_numbers: readonly number[]): void => undefined;
  const held = new Promise<readonly number[]>((resolve) => {
    finish = resolve;
  });
  const subject = reading({ one: held });
  const { plan: _plan, ...about } = numbers({});
  const read = {
    ...about,
    planFrom: () => 1,
    keyOf: (plan: unknown) => plan,
    keep: (_: unknown, records: readonly unknown[]) => records,
    timeLimitOf: () => 2_000,
  };
  const running = Array.from({ length: 100 }, (_, plan) => subject.read(read, plan));
  expect(await subject.read(read, 100)).toMatchObject({
    state: "error",
    error: "100 on-demand reads of this kind are already running; expected fewer",
  });
  finish([1]);
  expect((await Promise.all(running)).filter(({ state }) => state === "fresh")).toHaveLength(100);
  expect(await subject.read(read, 100)).toMatchObject({ state: "fresh" });
});

describe("a read of a source with budgets", () => {
  const paid = numbers({ source: feed("one", { budgets: ["all", "some"] }) });

  test("the read takes a unit of each budget before every call, and none for a cached observation", async () => {
    const subject = reading({ one: [1] });
    await subject.read(paid, 1);
    expect(await subject.read(paid, 1)).toMatchObject({ state: "cached" });
    expect(subject.budgetCalls).toEqual([["all", "some"]]);
  });

  test("if a budget is used up, no call is made and the read fails with the budget as the reason", async () => {
    const subject = reading({ one: [1] }, 0);
    expect(await subject.read(paid, 1)).toMatchObject({ state: "error", reason: "budget" });
    expect(subject.requestedHosts).toEqual([]);
  });

  test("the read takes no unit for a call to a source without budgets", async () => {
    const subject = reading({ one: [1], two: [2] }, 0);
    const source = feed("one", { budgets: ["all"] });
    expect(await subject.read(numbers({ source, alternatives: [feed("two")] }), 1)).toMatchObject({ data: [2] });
    expect([subject.budgetCalls, subject.requestedHosts]).toEqual([[["all"]], ["two"]]);
  });

  test("the read takes no unit if the source's key is missing", async () => {
    const subject = reading({});
    await subject.read(numbers({ source: feed("one", { budgets: ["all"], auth: keyOf("ONE_KEY") }) }), 1);
    expect(subject.budgetCalls).toEqual([]);
  });
});

test("the latest outcome of each read is reported, with any error as a sentence", async () => {
  const subject = reading({ one: [1], two: refusal(503) });
  expect(subject.outcomes()).toEqual([]);
  await subject.read(numbers({ name: "good", alternatives: [feed("two")] }), 1);
  await subject.read(numbers({ name: "bad", source: feed("two") }), 1);
  await subject.read(numbers({ name: "off", source: feed("one", { auth: keyOf("ONE_KEY") }) }), 1);
  expect(subject.outcomes()).toEqual([
    { name: "bad", sources: ["two"], at: 0, state: "failed", error: "answered 503", passedOver: [] },
    { name: "good", sources: ["one", "two"], at: 0, state: "ok", error: null, passedOver: [] },
    { name: "off", sources: ["one"], at: 0, state: "failed", error: "one needs ONE_KEY", passedOver: [] },
  ]);
});

test.each<readonly [name: string, answers: Answers, state: string, error: string | null, passedOver: string[]]>([
  [
    "is reported as passed over if another source answered",
    { one: refusal(503), two: [2] },
    "ok",
    null,
    ["answered 503"],
  ],
  [
    "is reported as passed over if another source answered without records",
    { one: [], two: refusal(401) },
    "ok",
    null,
    ["answered 401"],
  ],
  [
    "determines the error of the read if it is the first source and the other one fails too",
    { one: refusal(503), two: refusal(401) },
    "failed",
    "answered 503",
    ["answered 401"],
  ],
])("a source that fails %s", async (_, answers, state, error, passedOver) => {
  const subject = reading(answers);
  await subject.read(numbers({ alternatives: [feed("two")] }), 1);
  expect(subject.outcomes()).toMatchObject([{ state, error, passedOver }]);
});

test("a source with an optional account can be read without one, but an account with only one of its two settings is an error", async () => {
  const open = feed("one", { auth: optional(keyOf("ONE_KEY")) });
  const { credentials } = keyOf("OTHER_KEY");
  const half = { ...open, credentials: [...open.credentials, ...credentials] };
  const subject = reading({ one: [1] });
  expect(await subject.read(numbers({ source: open }), 1)).toMatchObject({ data: [1] });
  const withHalfAccount = reading({ one: [1] }, 9, { ONE_KEY: "k" });
  expect(await withHalfAccount.read(numbers({ source: half }), 1)).toMatchObject({ error: "one needs OTHER_KEY" });
});

test("if a publisher that needs a contact refuses a request, the error names the setting for the contact", async () => {
  const source = feed("one", { needsContact: true });
  const errorOf = async (status: number) => {
    const subject = reading({ one: refusal(status) });
    return (await subject.read(numbers({ source }), 1)) as unknown;
  };
  expect(await errorOf(403)).toMatchObject({ error: "answered 403; set or check VIGIL_CONTACT" });
  expect(await errorOf(503)).toMatchObject({ error: "answered 503" });
});

test("an error after a refusal names the setting to check or, without an account, the setting to add", async () => {
  const source = feed("one", { auth: optional(keyOf("ONE_KEY")) });
  for (const [credentials, says] of [
    [{}, "answered 429; set ONE_KEY"],
    [{ ONE_KEY: "k" }, "answered 429; check ONE_KEY"],
  ] as const) {
    const subject = reading({ one: refusal(429) }, 9, credentials);
    expect(await subject.read(numbers({ source }), 1)).toMatchObject({ state: "error", error: says });
  }
});

test("a read is configured if one of its sources has its keys and a permitted licence", () => {
  const keyed = feed("one", { auth: keyOf("ONE_KEY") });
  const isReadConfigured = (source: typeof keyed, credentials = {}, openLicencesOnly = false) =>
    isConfigured(numbers({ source }), { credentials, openLicencesOnly });
  expect([isReadConfigured(keyed), isReadConfigured(keyed, { ONE_KEY: "k" })]).toEqual([false, true]);
  const closed = { ...keyed, licence: { name: "closed", open: false } };
  expect(isReadConfigured(closed, { ONE_KEY: "k" }, true)).toBe(false);
  const withAlternative = numbers({ source: keyed, alternatives: [feed("two")] });
  expect(isConfigured(withAlternative, { credentials: {}, openLicencesOnly: false })).toBe(true);
});

test("an answer of unknown shape is distinguished from a failed request", async () => {
  const changed = new SourceFailure("changed", "expected numbers");
  expect(await reading({ one: changed }).read(numbers({}), 1)).toMatchObject({ state: "error", isChanged: true });
  expect(await reading({ one: refusal(503) }).read(numbers({}), 1)).not.toHaveProperty("isChanged");
});
