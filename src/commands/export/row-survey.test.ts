import { describe, expect, test } from "vitest";
import { RowSurvey } from "./row-survey.js";

function surveyed(rows: readonly unknown[]) {
  const survey = new RowSurvey();
  for (const row of rows) survey.add(row);
  return survey.surveyed();
}

const kindsOf = (rows: readonly unknown[]): Readonly<Record<string, string>> =>
  Object.fromEntries(surveyed(rows).columns.map(({ name, kind }) => [name, kind]));

describe("the kind of a column", () => {
  test.each([
    { values: [true, null, false], kind: "boolean" },
    { values: [1, -2, 0], kind: "integer" },
    { values: [1, 2.5], kind: "number" },
    { values: [2 ** 53], kind: "number" },
    { values: [-0], kind: "number" },
    { values: ["a", ""], kind: "text" },
    { values: [["a"]], kind: "json" },
    { values: [{}], kind: "json" },
    { values: ["a", 1], kind: "json" },
    { values: [true, 1], kind: "json" },
    { values: [null], kind: "text" },
  ])("a column with the values $values has the kind $kind", ({ values, kind }) => {
    expect(kindsOf(values.map((value) => ({ value })))).toEqual({ value: kind });
  });

  test.each(["at", "occurredAt", "date", "dateStart", "startDate", "lastDay", "day", "month", "unchangedSince"])(
    "a column of instants named %s has the kind instant",
    (name) => {
      expect(kindsOf([{ [name]: 1_795_477_486_737 }, { [name]: 0 }])).toEqual({ [name]: "instant" });
      expect(kindsOf([{ inner: { [name]: -725_846_400_000 } }])).toEqual({ [`inner.${name}`]: "instant" });
    },
  );

  test.each([
    { name: "month", value: 12 },
    { name: "day", value: 365 },
    { name: "population", value: 8_000_000_000_000 },
    { name: "that", value: 1_795_477_486_737 },
  ])("a column named $name with the value $value has the kind integer", ({ name, value }) => {
    expect(kindsOf([{ [name]: value }])).toEqual({ [name]: "integer" });
  });

  test("a column with a fractional instant has the kind number", () => {
    expect(kindsOf([{ at: 1_795_477_486_737.5 }])).toEqual({ at: "number" });
  });
});

test.each([
  { row: { location: { latitude: 1, longitude: 2 } }, location: "location" },
  { row: { latitude: 1, longitude: 2 }, location: ["latitude", "longitude"] },
  { row: { lat: 1, lon: 2 }, location: ["lat", "lon"] },
  { row: { lat: 1, lng: 2 }, location: ["lat", "lng"] },
  { row: { lat: 1 }, location: undefined },
  { row: { location: "here" }, location: undefined },
])("the surveyed location of $row is $location", ({ row, location }) => {
  expect(surveyed([row]).location).toEqual(location);
});

test("rows with too many different members are refused with the advice to choose ndjson", () => {
  const survey = new RowSurvey();
  const add = () => {
    for (let id = 0; id < 10_000; id += 1) survey.add({ [`${id} ${"x".repeat(1_000)}`]: 1 });
  };
  expect(add).toThrow("choose ndjson");
});
