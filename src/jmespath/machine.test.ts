import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compile } from "./compile.js";
import { Fuel } from "./fuel.js";
import { Machine } from "./machine.js";
import { jmespathExpression, jsonDocument } from "./testing/arbitrary.js";
import { finish, search } from "./testing/search.js";

const rows = Array.from({ length: 2_000 }, (_, id) => ({
  id,
  name: `row ${(id * 7) % 2_000}`,
  tags: [`t${id % 3}`, id],
}));

/**
 * Runs an expression so that every slice ends at its first clock check. Returns the largest number of units between two
 * yields, and the number of slices.
 */
function longestStretch(expression: string, root: unknown): { readonly units: number; readonly slices: number } {
  const fuel = new Fuel(50_000_000, () => 1);
  fuel.startSlice(0);
  const steps = new Machine(root, fuel).run(compile(expression));
  let [units, slices, spent] = [0, 1, 0];
  while (!steps.next().done) {
    units = Math.max(units, fuel.spent - spent);
    spent = fuel.spent;
    slices += 1;
  }
  return { units, slices };
}

describe("slicing", () => {
  test.each([
    "[*].name",
    "[?id > `3`].{a: id, b: name}",
    "[*].tags[]",
    "[].tags[] | []",
    "sort_by(@, &name)",
    "max_by(@, &id)",
    "map(&to_string(@), @)",
    "contains([@], [*].{id: id, name: name, tags: tags})",
    "join(',', [*].name)",
    "to_string(@)",
    "reverse(@)",
    "[::-1]",
    "contains(@, `{}`)",
    "contains(to_string(@), 'nowhere')",
    "length(to_string(@))",
    "reverse(to_string(@))",
    "sum([*].id)",
    "[*].values(@)",
    "[*].merge(@, @)",
  ])("a sliced evaluation pauses at least once per 8,000 units for %s", (expression) => {
    const { units, slices } = longestStretch(expression, rows);
    expect(slices).toBeGreaterThan(1);
    // A thousand units between two clock checks, plus the units of the longest single step in these expressions.
    expect(units).toBeLessThan(8_000);
  });

  test("slicing does not change the result", () => {
    fc.assert(
      fc.property(jmespathExpression, jsonDocument, (expression, document) => {
        const interrupted = new Fuel(1_000_000, () => 1);
        interrupted.startSlice(0);
        expect(outcome(() => finish(new Machine(document, interrupted).run(compile(expression))))).toEqual(
          outcome(() => search(expression, document)),
        );
      }),
      { numRuns: 500 },
    );
  });
});

test("running a program does not modify the document", () => {
  fc.assert(
    fc.property(jmespathExpression, jsonDocument, (expression, document) => {
      const before = JSON.stringify(document);
      outcome(() => search(expression, freezeDeep(document)));
      expect(JSON.stringify(document)).toBe(before);
    }),
    { numRuns: 500 },
  );
});

describe("the budget", () => {
  test.each([
    ["node visits", "[*].[id, name, tags]", rows],
    ["element copies", "[@, @, @, @, @, @][]", rows],
    ["equality steps", "[0] == [1]", [rows, structuredClone(rows)]],
    ["sort comparisons", "sort(@)", rows.map(({ name }) => name)],
    ["string bytes", "to_string(@)", rows],
  ])("the budget counts %s", (resource, expression, root) => {
    expect(() => search(expression, root, 9_000)).toThrow(
      `budget exceeded (more than 9000 steps of work; last kind of work: ${resource})`,
    );
  });

  test("the budget counts the same number of units however the work is sliced", () => {
    const costs = [() => 0, () => 1].map((now) => {
      const fuel = new Fuel(1_000_000, now);
      fuel.startSlice(1);
      finish(new Machine(rows, fuel).run(compile("sort_by(@, &name)[*].tags[]")));
      return fuel.spent;
    });
    expect(costs[0]).toBe(costs[1]);
  });
});

function outcome(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return String(error);
  }
}

function freezeDeep(value: unknown): unknown {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(freezeDeep);
  return value;
}
