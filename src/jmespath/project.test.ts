import { describe, expect, test } from "vitest";
import { LoopTurns } from "../kit/loop-turns.js";
import { createProjector, type ProjectorOptions } from "./project.js";

const document = { rows: [{ a: 1 }, { a: 2 }], text: "é" };

/** The body as text, or the sentence on why there is none. */
async function projected(expression: string, root: unknown, options?: ProjectorOptions): Promise<string> {
  const projection = await createProjector(options)(expression, root);
  return projection.ok ? projection.body.toString() : projection.error;
}

describe("body", () => {
  test.each([
    ["@", JSON.stringify(document)],
    ["rows[*].a", "[1,2]"],
    ["text", '"é"'],
    ["rows[0].a", "1"],
    ["missing.path", "null"],
    ["`null`", "null"],
    ["rows[?a > `1`]", '[{"a":2}]'],
  ])("%s: %s", async (expression, body) => {
    expect(await projected(expression, document)).toBe(body);
  });

  test("is there at once when little is to be done", () => {
    expect(createProjector()("rows[*].a", document)).toEqual({ ok: true, body: Buffer.from("[1,2]") });
  });

  test("is the same when it takes many turns of the loop", async () => {
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

describe("what people ask of 50,000 rows fits in the default limits", () => {
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
  ])("$expression", async ({ expression, plainly }) => {
    expect(await projected(expression, { rows })).toBe(JSON.stringify(plainly));
  });
});

describe("failures are the contract's sentences", () => {
  test("an expression may have 1,024 bytes of UTF-8 and no more", async () => {
    const longest = `'${"é".repeat(511)}'`;
    expect(await projected(longest, {})).toBe(JSON.stringify("é".repeat(511)));
    expect(await projected(`${longest} `, {})).toBe("expression_too_long: 1025 > 1024");
  });

  test("the size of the expression is looked at before anything else", async () => {
    expect(await projected("!".repeat(2_000), {})).toBe("expression_too_long: 2000 > 1024");
  });

  test.each([
    [
      "a.",
      "invalid_expression: expected a name, *, [ or { after the dot, found the end of the expression at character 3",
    ],
    ["nope(@)", "invalid_expression: unknown function nope() at character 1"],
    ["abs(text)", "invalid_expression: abs() argument 1 must be number, got string at character 1"],
  ])("%s: %s", async (expression, sentence) => {
    expect(await projected(expression, document)).toBe(sentence);
  });

  test("a result of more than 262,144 bytes is refused with its size", async () => {
    const text = "a".repeat(262_143);
    expect(await projected("@", text)).toBe("projection_too_large: 262145 > 262144");
    expect(await projected("@", text.slice(1))).toHaveLength(262_144);
  });

  test("too much work is refused as a budget", async () => {
    expect(await projected("rows[*].a", document, { limits: { fuelUnitsMax: 10 } })).toMatch(
      /^invalid_expression: budget exceeded \(.+\)$/,
    );
  });
});

test("a fault of ours is thrown rather than told as the caller's", () => {
  const root = {
    get a(): never {
      throw new Error("a fault of ours");
    },
  };
  expect(() => createProjector()("a", root)).toThrow("a fault of ours");
});
