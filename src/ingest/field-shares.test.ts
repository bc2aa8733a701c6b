import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import type { SourceRunReport, StoredPartStatus } from "../snapshots/provenance.js";
import { absentFields, optionalFields } from "./absent-fields.js";
import { fieldsAfter } from "./field-shares.js";

const Row = Type.Object({
  id: Type.String(),
  name: Type.Optional(Type.String()),
  place: Type.Object({ city: Type.Union([Type.String(), Type.Null()]), lat: Type.Number() }),
  tags: Type.Array(Type.String()),
});

describe("the optional fields of a row", () => {
  test("the optional fields are those that may be left out or null, including fields of nested objects", () => {
    expect(optionalFields(Row)).toEqual(["name", "place.city"]);
    expect(optionalFields(Type.Array(Type.String()))).toEqual([]);
  });

  test("a field counts as absent if it is left out, null or an empty string", () => {
    const absent = absentFields(Row);
    for (const row of [
      { id: "1", name: "a", place: { city: "b", lat: 1 } },
      { id: "2", name: "", place: { city: null, lat: 1 } },
      { id: "3", place: { city: "", lat: 0 } },
    ]) {
      absent.count(row);
    }
    expect(absent.rowsWithout).toEqual({ name: 2, "place.city": 2 });
  });

  test("at most forty optional fields are counted", () => {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`f${index}`, Type.Optional(Type.String())]),
    );
    expect(optionalFields(Type.Object(many))).toHaveLength(40);
  });
});

describe("the shares of rows without a field", () => {
  const report = (rowsRead: number, without: number, rowsBad = 0): SourceRunReport => ({
    part: "things",
    source: "probe",
    requestKey: "a",
    url: "https://x.test/a",
    fetchedAt: 0,
    outcome: "ok",
    status: 200,
    bytes: 1,
    sha256: "0",
    newestAt: null,
    rowsRead,
    rowsBad,
    rowsWithout: { name: without },
    error: null,
  });

  /** The warnings after each of several runs. */
  function warningsOf(runs: readonly (readonly SourceRunReport[])[]): readonly (readonly string[])[] {
    let status: StoredPartStatus = { state: "fresh", confirmedAt: 0, error: null, validators: {} };
    return runs.map((reports) => {
      const { fields, warnings } = fieldsAfter("things", status, reports);
      status = { ...status, fields };
      return warnings;
    });
  }

  test("the share is computed from the good rows of all answers in a run", () => {
    const { fields } = fieldsAfter("things", undefined, [
      report(60, 10, 10),
      report(50, 0),
      { ...report(9, 9), part: "other" },
    ]);
    expect(fields).toEqual({ probe: { rows: 100, share: { name: 0.1 }, usual: { name: 0.1 } } });
  });

  test("a share that jumps compared with earlier runs causes a warning that names the source, the field and the shares", () => {
    expect(warningsOf([[report(100, 5)], [report(100, 10)], [report(100, 60)]])).toEqual([
      [],
      [],
      ["probe: 60 % of 100 rows lack name, usually 6 %"],
    ]);
  });

  test("a share that grows slowly, falls or is based on few rows causes no warning", () => {
    expect(warningsOf([[report(100, 0)], [report(100, 20)], [report(100, 25)]]).flat()).toEqual([]);
    expect(warningsOf([[report(100, 90)], [report(100, 0)]]).flat()).toEqual([]);
    expect(warningsOf([[report(100, 0)], [report(19, 10)], [report(4, 4)]]).flat()).toEqual([]);
  });

  test("a field that all rows lack causes a warning if there are at least five rows, until its absence has become usual", () => {
    const runs = Array.from({ length: 12 }, () => [report(5, 5)]);
    const warnings = warningsOf([[report(100, 0)], ...runs]);
    expect(warnings[1]).toEqual(["probe: 100 % of 5 rows lack name, usually 0 %"]);
    expect(warnings.at(-1)).toEqual([]);
  });

  test("the shares stay the same if nothing was read", () => {
    const first = fieldsAfter("things", undefined, [report(100, 5)]);
    const status: StoredPartStatus = {
      state: "fresh",
      confirmedAt: 0,
      error: null,
      validators: {},
      fields: first.fields,
    };
    expect(fieldsAfter("things", status, [])).toEqual({ fields: first.fields, warnings: [] });
  });
});
