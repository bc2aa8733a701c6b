import { describe, expect, test } from "vitest";
import { LoopTurns } from "../kit/loop-turns.js";
import type { ProjectionLimits } from "./limits.js";
import { createProjector, type ProjectorOptions } from "./project.js";

const document = { rows: [{ a: 1 }, { a: 2 }], text: "é" };

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

/** The body as text, or the error sentence. */
async function projected(expression: string, root: unknown, options?: ProjectorOptions): Promise<string> {
  const projection = await createProjector(options)(expression, root);
  return projection.ok ? projection.body.toString() : projection.error;
}

describe("the body of a projection", () => {
  test.each([
    ["@", JSON.stringify(document)],
    ["rows[*].a", "[1,2]"],
    ["text", '"é"'],
    ["rows[0].a", "1"],
    ["missing.path", "null"],
    ["`null`", "null"],
    ["rows[?a > `1`]", '[{"a":2}]'],
  ])("the body of %s is %s", async (expression, body) => {
    expect(await projected(expression, document)).toBe(body);
  });

  test("the body of a projection is returned synchronously for little work", () => {
    expect(createProjector({ now: () => 0 })("rows[*].a", document)).toEqual({ ok: true, body: Buffer.from("[1,2]") });
  });

  test("the body is complete even if the projection takes many turns of the event loop", async () => {
    let nowMs = 0;
    const rows = Array.from({ length: 3_000 }, (_, id) => ({ id, name: `row ${id}` }));
    let turns = 0;
    const defer = (callback: () => void): void => {
      turns += 1;
      setImmediate(callback);
    };
    const now = (): number => ++nowMs;
    const options = { now, turns: new LoopTurns({ now, defer }) };
    const body = await projected("rows[*].{name: name, id: id}", { rows }, options);
    expect(body).toBe(JSON.stringify(rows.map(({ id, name }) => ({ name, id }))));
    expect(turns).toBeGreaterThan(5);
  });
});

describe("the work of a projection", () => {
  const rows = Array.from({ length: 3_000 }, (_, id) => ({ id }));

  /** Projects the ids of the rows with this clock. Returns the outcome and the units of each reported slice. */
  function slicesOf(now: () => number, limits: Partial<ProjectionLimits> = {}, signal?: AbortSignal) {
    const slices: number[] = [];
    const project = createProjector({ limits, now, turns: new LoopTurns({ now }) });
    const outcome = project("[*].id", rows, { onWork: (units) => slices.push(units), ...(signal && { signal }) });
    return { slices, outcome };
  }

  /** A clock that advances with every reading, so that every turn of the event loop has only a little time. */
  function hurriedClock(): () => number {
    let nowMs = 0;
    return () => ++nowMs;
  }

  test("the work is reported after each slice, and adds up to the cost of the whole projection", async () => {
    const { slices, outcome } = slicesOf(hurriedClock());
    expect(await outcome).toMatchObject({ ok: true });
    expect(slices.filter((units) => units > 0).length).toBeGreaterThan(2);
    expect([sumOf(slices)]).toEqual(slicesOf(() => 0).slices);
  });

  test("the work is also reported if the projection fails because of too much work", async () => {
    const fuelUnitsMax = 5_000;
    const { slices, outcome } = slicesOf(hurriedClock(), { fuelUnitsMax });
    expect(await outcome).toMatchObject({ ok: false });
    expect(sumOf(slices)).toBeGreaterThanOrEqual(fuelUnitsMax);
  });

  test("the work is also reported if the caller disconnects", async () => {
    const caller = new AbortController();
    const { slices, outcome } = slicesOf(hurriedClock(), {}, caller.signal);
    caller.abort();
    await expect(outcome).rejects.toThrow();
    expect(sumOf(slices)).toBeGreaterThan(0);
  });
});

describe("typical expressions over 50,000 rows fit the default limits", () => {
  const rows = Array.from({ length: 50_000 }, (_, id) => ({ id, value: (id * 7_919) % 10_000, name: `place ${id}` }));
  test.each([
    {
      expression: "rows[?value > `5000` && id > `100`] | [-2:].{id: id}",
      plainly: rows
        .filter(({ value, id }) => value > 5_000 && id > 100)
        .slice(-2)
        .map(({ id }) => ({ id })),
    },
    {
      expression: "length(rows[?contains(name, '77')])",
      plainly: rows.filter(({ name }) => name.includes("77")).length,
    },
    { expression: "sort_by(rows, &value)[-1:].value", plainly: [9_999] },
    { expression: "max_by(rows, &id).name", plainly: "place 49999" },
    { expression: "rows[].{i: id, v: value} | [?v == `1`] | length(@)", plainly: 5 },
  ])("$expression fits the default limits", async ({ expression, plainly }) => {
    expect(await projected(expression, { rows })).toBe(JSON.stringify(plainly));
  });
});

describe("a failed projection yields the contract's sentence", () => {
  test("an expression of more than 1,024 bytes of UTF-8 yields the sentence for its length", async () => {
    const longest = `'${"é".repeat(511)}'`;
    expect(await projected(longest, {})).toBe(JSON.stringify("é".repeat(511)));
    expect(await projected(`${longest} `, {})).toBe("expression_too_long: 1025 > 1024");
  });

  test("an expression that is too long yields the sentence for its length, even if it is also invalid", async () => {
    expect(await projected("!".repeat(2_000), {})).toBe("expression_too_long: 2000 > 1024");
  });

  test.each([
    [
      "a.",
      "invalid_expression: expected a name, *, [ or { after the dot, found the end of the expression at character 3",
    ],
    ["nope(@)", "invalid_expression: unknown function nope() at character 1"],
    ["abs(text)", "invalid_expression: abs() argument 1 must be number, got string at character 1"],
  ])("%s yields the sentence: %s", async (expression, sentence) => {
    expect(await projected(expression, document)).toBe(sentence);
  });

  test("a result of more than 262,144 bytes yields a sentence with its size", async () => {
    const text = "a".repeat(262_143);
    expect(await projected("@", text)).toBe("projection_too_large: 262145 > 262144");
    expect(await projected("@", text.slice(1))).toHaveLength(262_144);
  });

  test("too much work yields a budget error", async () => {
    expect(await projected("rows[*].a", document, { limits: { fuelUnitsMax: 10 } })).toMatch(
      /^invalid_expression: budget exceeded \(.+\)$/,
    );
  });
});

test("an internal error while projecting is thrown instead of becoming a sentence for the caller", () => {
  const root = {
    get a(): never {
      throw new Error("a bug");
    },
  };
  expect(() => createProjector({ now: () => 0 })("a", root)).toThrow("a bug");
});
