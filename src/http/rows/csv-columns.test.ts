import { Type } from "typebox";
import { expect, test } from "vitest";
import { ClockPace } from "../../kit/loop-turns.js";
import { columnSteps, columnsOf, valueIn } from "./csv-columns.js";

const ignore = (): void => {};

/** Returns the columns of rows without a schema, and for each row its values in these columns. */
function table(rows: readonly unknown[]) {
  const steps = columnSteps(rows, new ClockPace(), ignore);
  let next = steps.next();
  while (!next.done) next = steps.next();
  const columns = next.value;
  return {
    names: columns.map(({ name }) => name),
    values: rows.map((row) => columns.map((column) => valueIn(row, column))),
  };
}

test("the columns of a schema are its members in order; a nested object has a column for each member, and a list or an object with free keys has only one column", () => {
  const schema = Type.Object({
    id: Type.String(),
    location: Type.Optional(Type.Object({ latitude: Type.Number(), longitude: Type.Number() })),
    tags: Type.Array(Type.Object({ name: Type.String() })),
    counts: Type.Record(Type.String(), Type.Number()),
    note: Type.Union([Type.String(), Type.Null()]),
  });
  const columns = columnsOf(schema);
  expect(columns.map(({ name }) => name)).toEqual([
    "id",
    "location.latitude",
    "location.longitude",
    "tags",
    "counts",
    "note",
  ]);
  const row = { id: "a", tags: [{ name: "x" }], counts: { y: 1 } };
  expect(columns.map((column) => valueIn(row, column))).toEqual([
    "a",
    undefined,
    undefined,
    [{ name: "x" }],
    { y: 1 },
    undefined,
  ]);
});

test("the columns of rows without a schema are the columns of all rows together, and the columns of a nested object are adjacent", () => {
  expect(
    table([
      { a: { b: 1 }, c: 2 },
      { d: 3, a: { e: 4 } },
    ]),
  ).toEqual({
    names: ["a.b", "a.e", "c", "d"],
    values: [
      [1, undefined, 2, undefined],
      [undefined, 4, undefined, 3],
    ],
  });
});

test("a member that is null in some rows and an object in others has only the columns of the object", () => {
  expect(table([{ place: null }, { place: { lat: 1 } }, { place: null }])).toEqual({
    names: ["place.lat"],
    values: [[undefined], [1], [undefined]],
  });
  expect(table([{ place: null }, { place: null }]).names).toEqual(["place"]);
});

test("a member that is a number in some rows and an object in others has columns for both", () => {
  expect(table([{ a: 1 }, { a: { b: 2 } }, { a: {} }])).toEqual({
    names: ["a", "a.b"],
    values: [
      [1, undefined],
      [undefined, 2],
      [{}, undefined],
    ],
  });
});

test("rows that are not objects are values of one column", () => {
  expect(table([1, "b", [2, 3], null, true])).toEqual({
    names: ["value"],
    values: [[1], ["b"], [[2, 3]], [null], [true]],
  });
  expect(table([7, { value: 8 }]).names).toEqual(["value", "value#2"]);
});

test("different members with the same column name get numbered columns", () => {
  expect(table([{ "a.b": 1, a: { b: 2 } }])).toEqual({ names: ["a.b", "a.b#2"], values: [[1, 2]] });
});

test("an empty list has no columns, and inherited members do not count as values", () => {
  expect(table([]).names).toEqual([]);
  const columns = columnsOf(Type.Object({ toString: Type.String() }));
  expect(columns.map((column) => valueIn({}, column))).toEqual([undefined]);
});

test("the number of characters of each new column name, plus one for a separator, is reported once", () => {
  const counted: number[] = [];
  const rows = [{ a: { bc: 1 } }, { a: { bc: 2 }, d: 3 }];
  for (const _ of columnSteps(rows, new ClockPace(), (characters) => counted.push(characters)));
  expect(counted).toEqual([5, 2]);
});
