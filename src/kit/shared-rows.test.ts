import fc from "fast-check";
import { expect, test } from "vitest";
import { restlessPace, resultOf } from "../../test/support/views.js";
import { sharedRowSteps } from "./shared-rows.js";

interface Row {
  readonly id: string;
  readonly value: number;
}

const shared = (rows: readonly unknown[], others: readonly unknown[], pace = restlessPace().pace): readonly unknown[] =>
  resultOf(sharedRowSteps(rows, others, (row) => (row as Row).id, pace));

test("each row is replaced by an equal row anywhere in the other list; a row without an equal row is kept", () => {
  const others = Array.from({ length: 200 }, (_, index) => ({ id: `row-${index}`, value: 0 }));
  const [first, ...rest] = others;
  const rows: Row[] = structuredClone([...rest, { id: "new", value: 0 }, first as Row]);
  rows[7] = { id: "row-8", value: 1 };
  const sharing = shared(rows, others);
  expect(sharing).toEqual(rows);
  expect(sharing.map((row) => others.indexOf(row as Row))).toEqual([
    ...rest.map((_, index) => (index === 7 ? -1 : index + 1)),
    -1,
    0,
  ]);
});

test("a row with its members in a different order does not count as equal", () => {
  const others = [{ id: "a", value: 1 }];
  const [row] = shared([{ value: 1, id: "a" }], others);
  expect(JSON.stringify(row)).toBe('{"value":1,"id":"a"}');
});

test("sharing rows never changes the content of a list, whichever rows are repeated or moved", () => {
  const rows = fc.array(fc.record({ id: fc.constantFrom(..."abcd"), value: fc.integer({ min: 0, max: 2 }) }));
  fc.assert(
    fc.property(rows, rows, (own, others) => {
      expect(JSON.stringify(shared(own, others))).toBe(JSON.stringify(own));
    }),
  );
});

test("the clock is read again and again while many rows are shared", () => {
  const { pace, looks } = restlessPace();
  const rows = Array.from({ length: 2_000 }, (_, index) => ({ id: `row-${index}`, value: 0 }));
  shared(rows, structuredClone(rows).reverse(), pace);
  expect(looks()).toBeGreaterThan(40);
});
