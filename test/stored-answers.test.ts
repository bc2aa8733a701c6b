import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Principal } from "../src/contract/access/principal.js";
import { Failure, type FailureName } from "../src/contract/failures.js";
import type { DatasetAt, StoredAnswers } from "../src/contract/stored-answers.js";
import { HOUR_MS } from "../src/kit/clock.js";
import type { Earthquake } from "../src/services/seismology/records.js";
import { principalOf } from "./support/companies/principal-of.js";
import { newestRecords, publish } from "./support/published.js";
import { json, type Stack, startStack } from "./support/stack.js";

const EARTHQUAKES = "/api/seismology/v1/list-earthquakes";
const CONFLICTS = "/api/conflict/v1/list-alpha-events?country=UA";
const CO2 = "/api/climate/v1/get-co2-monitoring";
const DIGEST = "/api/news/v1/list-feed-digest";

const owner = principalOf("operator");
const datasets = ["earthquakes", "co2-monitoring", "digest-full-en"];
const at = (dataset: string, generation: number, state: DatasetAt["state"] = "ok"): DatasetAt => ({
  dataset,
  generation,
  state,
});

let stack: Stack;
let answers: StoredAnswers;
beforeAll(async () => {
  stack = await startStack({ filled: datasets, datasets });
  answers = stack.service.jobParts.answers;
  stack.clock.advance(HOUR_MS);
  const records = await newestRecords(stack, "earthquakes");
  const [first = "", ...others] = Object.keys(records);
  const [row] = Object.values(records).flat() as readonly Earthquake[];
  if (row === undefined) throw new Error("no earthquake is stored");
  const rows = [row, { ...row, magnitude: 5.5 }, { ...row, id: "other" }];
  await publish(stack, "earthquakes", { [first]: rows, ...Object.fromEntries(others.map((name) => [name, []])) });
  stack.clock.advance(HOUR_MS);
});
afterAll(() => stack.close());

describe("a stored question", () => {
  test("names its datasets, its sources, whether it is a list and whether it depends on the time", () => {
    const question = answers.ask(`${EARTHQUAKES}?min_magnitude=5`, owner);
    expect(question).toMatchObject({
      path: EARTHQUAKES,
      datasets: ["earthquakes"],
      isList: true,
      dependsOnTime: false,
    });
    expect(question.sources.length).toBeGreaterThan(0);
    for (const source of question.sources) expect(source.url).toMatch(/^https:/);
    expect(answers.ask(CO2, owner)).toMatchObject({ datasets: ["co2-monitoring"], isList: false });
    expect(answers.ask(CONFLICTS, owner)).toMatchObject({ datasets: ["alpha-events"], dependsOnTime: true });
  });

  test("has the same key for every spelling of the same query", () => {
    const [plain, other] = [`${EARTHQUAKES}?min_magnitude=5`, `${EARTHQUAKES}?min_magnitude=5.0`];
    expect(answers.ask(other, owner).key).toBe(answers.ask(plain, owner).key);
  });

  test.each([
    ["/api/nothing/v1/get-nothing", "must be the path and query of an operation"],
    ["/api/account/v1/get-account", "must be the path and query of an operation"],
    ["/api/datasets/v1/stream-dataset-changes", "must be the path and query of an operation"],
    ["/api/aviation/v1/track-aircraft?icao24=abc123", "must be answered from stored data"],
    ["/api/intelligence/v1/get-country-intel-brief?country_code=DE", "must be answered from stored data"],
    [`${EARTHQUAKES}?jmespath=a`, "must not have jmespath"],
    [`${EARTHQUAKES}?explain=true`, "must not have explain"],
    [`${EARTHQUAKES}?signature=true`, "must not have signature"],
    [`${EARTHQUAKES}?page_size=5`, "must not have page_size"],
    [`${EARTHQUAKES}?pageSize=5`, "must not have pageSize"],
    [`${EARTHQUAKES}?cursor=a`, "must not have cursor"],
    [`${EARTHQUAKES}?as_of=2026-11-01T00:00:00Z`, "must not have as_of"],
    [`${EARTHQUAKES}?since_generation=1`, "must not have since_generation"],
    [`${EARTHQUAKES}?min_magnitude=many`, "min_magnitude must"],
    [`${EARTHQUAKES}?min_magnitud=5`, "unknown-parameter"],
  ])("%s is refused", (call, reason) => {
    const refusal = (): unknown => answers.ask(call, owner);
    expect(refusal).toThrow(Failure);
    try {
      refusal();
    } catch (error) {
      const { violations } = (error as Failure).body as { violations: readonly Record<string, string>[] };
      expect(violations).toEqual([{ field: "call", description: expect.stringContaining(reason) }]);
    }
    expect(answers.reopen(call)).toBeUndefined();
  });

  test.each<[FailureName, Partial<Principal>]>([
    ["scopeMissing", { scopes: new Set(["watches:write"]) }],
    ["planWithoutKeys", { plan: "pro" }],
    ["subscriptionLapsed", { planState: "lapsed" }],
  ])("is refused with %s to a caller who may not read its answer", (name, rights) => {
    const ask = (): unknown => answers.ask(EARTHQUAKES, { ...owner, ...rights });
    expect(ask).toThrow(expect.objectContaining({ failure: name }));
  });
});

describe("a stored answer", () => {
  test("equals the answer served at the same time, and has no rows if the operation is not a list", async () => {
    const question = answers.ask(CO2, owner);
    const answer = await answers.answer(question, [at("co2-monitoring", 1)], stack.clock.now());
    expect(answer?.value).toEqual(json(await stack.get(CO2)));
    expect(await answer?.rows()).toBeUndefined();
  });

  test("equals the answer to the same call with as_of set to the time of its generation", async () => {
    const question = answers.ask(EARTHQUAKES, owner);
    for (const generation of [1, 2]) {
      const builtAt = (await stack.service.store.generation("earthquakes", generation))?.builtAt ?? 0;
      const answer = await answers.answer(question, [at("earthquakes", generation)], builtAt);
      const served = await stack.get(`${EARTHQUAKES}?as_of=${new Date(builtAt).toISOString()}`);
      expect(answer?.value).toEqual(json(served));
    }
  });

  test("omits build attempts, as the answer to the same call with as_of does", async () => {
    const question = answers.ask(DIGEST, owner);
    const { generation = 0, builtAt = 0 } = (await stack.service.store.newest("digest-full-en")) ?? {};
    const answer = await answers.answer(question, [at("digest-full-en", generation)], builtAt);
    const served = await stack.get(`${DIGEST}?as_of=${new Date(builtAt).toISOString()}`);
    expect(answer?.value).toEqual(json(served));
  });

  test("has the rows of its generation with their identities, and adds a number to each repeated identity", async () => {
    const question = answers.ask(EARTHQUAKES, owner);
    const [older, newer] = await Promise.all(
      [1, 2].map((generation) => answers.answer(question, [at("earthquakes", generation)], stack.clock.now())),
    );
    const rows = await newer?.rows();
    expect(rows?.collisions).toBe(1);
    expect(rows?.rows.map(({ id }) => id).filter((id) => id.endsWith("#2"))).toHaveLength(1);
    expect(newer?.value).toMatchObject({ earthquakes: rows?.rows.map(({ row }) => row) });
    expect((await older?.rows())?.rows.length).toBeGreaterThan(3);
    const [first] = rows?.rows ?? [];
    expect(newer?.withRows([first?.row])).toMatchObject({ earthquakes: [first?.row] });
  });

  test("without a generation equals the answer of a service that never built the dataset", async () => {
    const question = answers.ask(CO2, owner);
    const none = { dataset: "co2-monitoring", generation: null, state: "absent" } as const;
    const answer = await answers.answer(question, [none], stack.clock.now());
    const neverBuilt = await startStack({ datasets: ["co2-monitoring"] });
    expect(answer?.value).toEqual(json(await neverBuilt.get(CO2)));
    await neverBuilt.close();
  });

  test("is computed once for equal calls, and again for another state or generation", async () => {
    const [question, other] = ["5", "5.0"].map((text) => answers.ask(`${EARTHQUAKES}?min_magnitude=${text}`, owner));
    if (!question || !other) throw new Error("no question");
    const answered = async (stored: typeof question, standing: DatasetAt): Promise<unknown> => {
      const answer = await answers.answer(stored, [standing], stack.clock.now());
      expect(answer?.question).toBe(stored);
      return answer?.value;
    };
    const value = await answered(question, at("earthquakes", 1));
    expect(await answered(other, at("earthquakes", 1))).toBe(value);
    expect(await answered(question, at("earthquakes", 1, "stale"))).not.toBe(value);
    expect(await answered(question, at("earthquakes", 2))).not.toEqual(value);
  });

  test("is undefined if its generation is gone", async () => {
    const question = answers.ask(CO2, owner);
    expect(await answers.answer(question, [at("co2-monitoring", 9)], stack.clock.now())).toBeUndefined();
  });
});

describe("an expression", () => {
  test.each(["events[", "nothing(@)", "a[::0]", `"${"a".repeat(1_024)}"`])("%s is refused", (expression) => {
    expect(answers.refusal(expression)).toMatch(/^must /);
  });

  test("is evaluated to a value or to a message that says why it failed", async () => {
    expect(answers.refusal("a.b")).toBeUndefined();
    expect(await answers.evaluate("a.b", { a: { b: [1] } })).toEqual({ value: [1] });
    expect(await answers.evaluate("abs(a)", { a: "x" })).toEqual({ error: expect.stringContaining("invalid_") });
    const wide = { rows: Array.from({ length: 40_000 }, (_, index) => `row ${index}`) };
    expect(await answers.evaluate("rows", wide)).toEqual({ error: expect.stringContaining("projection_too_large") });
  });
});
