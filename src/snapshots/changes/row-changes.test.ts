import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ClockPace, LoopTurns } from "../../kit/loop-turns.js";
import type { PartRecords } from "../bodies/body.js";
import { type Identities, type RowChange, rowChangeSteps } from "./row-changes.js";

/**
 * Returns the differences, and the number of slices needed to find them on a clock that advances with every reading.
 */
async function compared(before: PartRecords, after: PartRecords, identities: Identities = {}) {
  const changes: RowChange[] = [];
  let now = 0;
  let slices = 0;
  const pace = new ClockPace(() => {
    now += 1;
    return now;
  });
  const defer = (run: () => void): void => {
    slices += 1;
    setImmediate(run);
  };
  const turns = new LoopTurns({ now: () => now, defer });
  const steps = rowChangeSteps({ before, after, identities }, pace, (change) => changes.push(change));
  const counts = await turns.run(steps, pace);
  return { changes, counts, slices };
}

const row = (id: string, value: number) => ({ id, value });

describe("the comparison of two generations", () => {
  test("identifies rows by id, and lists added and changed rows in the new order, then removed rows", async () => {
    const { changes, counts } = await compared(
      { list: [row("a", 1), row("b", 1), row("c", 1)] },
      { list: [row("d", 1), row("b", 2), row("a", 1)] },
    );
    expect(changes).toEqual([
      { part: "list", kind: "added", key: "d", before: undefined, after: row("d", 1) },
      { part: "list", kind: "changed", key: "b", before: row("b", 1), after: row("b", 2) },
      { part: "list", kind: "removed", key: "c", before: row("c", 1), after: undefined },
    ]);
    expect(counts).toEqual({ list: { added: 1, changed: 1, removed: 1 } });
  });

  test("finds nothing in rows that only moved", async () => {
    const { changes, counts } = await compared(
      { list: [row("a", 1), row("b", 2)] },
      { list: [row("b", 2), row("a", 1)] },
    );
    expect([changes, counts]).toEqual([[], {}]);
  });

  test.each([
    { identity: ["month"], counts: { list: { added: 1, changed: 1, removed: 0 } } },
    { identity: ["month", "value"], counts: { list: { added: 2, changed: 0, removed: 1 } } },
    { identity: undefined, counts: { list: { added: 2, changed: 0, removed: 1 } } },
  ])(
    "with the identity $identity (default: id), matches rows by these members, or by their content if they have none of them",
    async ({ identity, counts }) => {
      const before = [{ month: 1, value: 1 }];
      const after = [
        { month: 1, value: 2 },
        { month: 2, value: 1 },
      ];
      const identities = identity ? { list: identity } : {};
      expect((await compared({ list: before }, { list: after }, identities)).counts).toEqual(counts);
    },
  );

  test("a part with an empty identity has one record", async () => {
    const { counts } = await compared({ level: [{ mm: 1 }] }, { level: [{ mm: 2 }] }, { level: [] });
    expect(counts).toEqual({ level: { added: 0, changed: 1, removed: 0 } });
  });

  test("rows with the same identity are compared in their order", async () => {
    const { changes } = await compared(
      { list: [row("a", 1), row("a", 2), row("a", 3)] },
      { list: [row("a", 1), row("a", 9)] },
    );
    expect(changes).toMatchObject([
      { kind: "changed", before: { value: 2 }, after: { value: 9 } },
      { kind: "removed", before: { value: 3 } },
    ]);
  });

  test("a part that appears or disappears is added or removed as a whole", async () => {
    const { counts } = await compared({ old: [row("a", 1)] }, { fresh: [row("a", 1), row("b", 1)] });
    expect(counts).toEqual({
      fresh: { added: 2, changed: 0, removed: 0 },
      old: { added: 0, changed: 0, removed: 1 },
    });
  });

  test("runs in many short slices", async () => {
    const list = Array.from({ length: 2_000 }, (_, at) => row(String(at), 1));
    const { slices, counts } = await compared({ list }, { list: list.map(({ id }) => row(id, 2)) });
    expect(slices).toBeGreaterThan(10);
    expect(counts).toEqual({ list: { added: 0, changed: 2_000, removed: 0 } });
  });

  test("yields differences that turn the old rows into the new rows", async () => {
    const rows = fc.uniqueArray(fc.record({ id: fc.nat(30), value: fc.nat(3) }, { noNullPrototype: true }), {
      selector: ({ id }) => id,
    });
    await fc.assert(
      fc.asyncProperty(rows, rows, async (before, after) => {
        const { changes } = await compared({ list: before }, { list: after });
        const byId = new Map(before.map((record) => [String(record.id), record as unknown]));
        for (const { kind, key, after: record } of changes) {
          if (kind === "removed") byId.delete(key);
          else byId.set(key, record);
        }
        expect([...byId.values()]).toEqual(expect.arrayContaining(after));
        expect(byId.size).toBe(after.length);
      }),
      { numRuns: 300 },
    );
  });
});
