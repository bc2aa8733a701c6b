import { describe, expect, test } from "vitest";
import { countryCode, ignoredName, int32, int32UpTo, pageSize, type QueryField, text } from "./query-field.js";

const NOW = Date.UTC(2026, 10, 21);
const read = <T>(field: QueryField<T>, ...values: string[]): unknown => {
  const decoded = field.decode(values, NOW);
  return "value" in decoded ? decoded.value : decoded;
};
const canonical = <T>(field: QueryField<T>, given: string): string | undefined => {
  const decoded = field.decode([given], NOW);
  if ("violation" in decoded) throw new Error(decoded.violation);
  return field.canonical(decoded.value);
};

describe("a whole number", () => {
  const limit = int32("Rows");

  test.each([
    ["0", 0],
    ["-0", 0],
    ["7", 7],
    ["007", 7],
    ["2147483647", 2_147_483_647],
  ])("%s is %d", (given, value) => {
    expect(Object.is(read(limit, given), value)).toBe(true);
  });

  test.each([
    ["-1", 'must not be negative, got "-1"'],
    ["2147483648", 'must not exceed 2147483647, got "2147483648"'],
    ["1.0", 'must be a whole number, got "1.0"'],
    ["1e3", 'must be a whole number, got "1e3"'],
    ["+1", 'must be a whole number, got "+1"'],
    ["NaN", 'must be a whole number, got "NaN"'],
    ["٣", 'must be a whole number, got "٣"'],
  ])("%s is refused", (given, violation) => {
    expect(read(limit, given)).toEqual({ violation });
  });

  test("absent is 0, and 0 is the same query as none", () => {
    expect(read(limit)).toBe(0);
    expect([canonical(limit, "0"), canonical(limit, "5"), canonical(limit, "05")]).toEqual([undefined, "5", "5"]);
  });

  test("twice is refused", () => {
    expect(read(limit, "1", "1")).toEqual({ violation: "must be given once, got 2 values" });
  });

  test("a rule of its own sees the number and the time, but never the 0 that stands for the default", () => {
    const year = int32("Year", (value, now) => (value > new Date(now).getUTCFullYear() ? "is not over" : undefined));
    expect([read(year, "2026"), read(year, "2027"), read(year, "0")]).toEqual([2026, { violation: "is not over" }, 0]);
  });
});

describe("a page size", () => {
  const size = pageSize(100);

  test.each([
    ["0", 100],
    ["1", 1],
    ["100", 100],
    ["101", 100],
    ["99999999999999999999999", 100],
  ])("%s is %d", (given, value) => {
    expect(read(size, given)).toBe(value);
  });

  test.each(["-1", "ten", "1.5"])("%s is refused", (given) => {
    expect(read(size, given)).toHaveProperty("violation");
  });

  test("every way to say the maximum is the same query", () => {
    expect(["0", "100", "500"].map((given) => canonical(size, given))).toEqual([undefined, undefined, undefined]);
    expect(canonical(size, "20")).toBe("20");
  });
});

test("a country code is read in any case", () => {
  const country = countryCode("Country");
  expect([read(country), read(country, "sy"), read(country, " SY ")]).toEqual(["", "SY", "SY"]);
  expect(canonical(country, "sy")).toBe("SY");
});

test("a text is what it is", () => {
  expect([read(text("Cursor")), read(text("Cursor"), " a ")]).toEqual(["", " a "]);
});

describe("an ignored name", () => {
  const severity = ignoredName(["SEVERITY_LOW", "SEVERITY_HIGH"], "Ignored");

  test.each(["SEVERITY_LOW", "SEVERITY_HIGH", "SEVERITY_UNSPECIFIED"])("%s changes nothing", (given) => {
    expect(read(severity, given)).toBeUndefined();
    expect(canonical(severity, given)).toBeUndefined();
  });

  test.each(["low", "severity_low", "1", "SEVERITY_"])("%s is refused all the same", (given) => {
    expect(read(severity, given)).toEqual({ violation: `must be one of SEVERITY_LOW, SEVERITY_HIGH, got "${given}"` });
  });
});

describe("a whole number up to a most", () => {
  const hours = int32UpTo("Hours", 168, 24);

  test.each([
    ["0", 24],
    ["1", 1],
    ["168", 168],
  ])("%s is %d", (given, value) => {
    expect(read(hours, given)).toBe(value);
  });

  test.each(["169", "-1", "1.5", "day"])("%s is refused", (given) => {
    expect(read(hours, given)).toHaveProperty("violation");
  });

  test("every way to say the default is the same query", () => {
    expect([read(hours), canonical(hours, "0"), canonical(hours, "24"), canonical(hours, "25")]).toEqual([
      24,
      undefined,
      undefined,
      "25",
    ]);
  });
});
