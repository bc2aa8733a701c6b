import { describe, expect, test } from "vitest";
import {
  country,
  enumNames,
  flag,
  ignoredInt32,
  ignoredText,
  instant,
  int32,
  int32Or,
  int32UpTo,
  normalText,
  pageSize,
  type QueryField,
  text,
} from "./query-field.js";

const NOW = Date.UTC(2026, 10, 21);
const read = <T>(field: QueryField<T>, ...values: string[]): unknown => {
  const decoded = field.decode(values, NOW);
  return "value" in decoded ? decoded.value : decoded;
};
const canonical = <T>(field: QueryField<T>, raw: string): string | undefined => {
  const decoded = field.decode([raw], NOW);
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
  ])("%s is read as %d", (raw, value) => {
    expect(Object.is(read(limit, raw), value)).toBe(true);
  });

  test.each([
    ["-1", 'must not be negative, got "-1"'],
    ["2147483648", 'must not exceed 2147483647, got "2147483648"'],
    ["1.0", 'must be a whole number, got "1.0"'],
    ["1e3", 'must be a whole number, got "1e3"'],
    ["+1", 'must be a whole number, got "+1"'],
    ["NaN", 'must be a whole number, got "NaN"'],
    ["٣", 'must be a whole number, got "٣"'],
  ])("%s is refused", (raw, violation) => {
    expect(read(limit, raw)).toEqual({ violation });
  });

  test("an absent number is read as 0, and a query with 0 equals a query without the number", () => {
    expect(read(limit)).toBe(0);
    expect([canonical(limit, "0"), canonical(limit, "5"), canonical(limit, "05")]).toEqual([undefined, "5", "5"]);
  });

  test("a repeated number is refused", () => {
    expect(read(limit, "1", "1")).toEqual({ violation: "must be given once, got 2 values" });
  });

  test("a custom rule receives the number and the time, but never the 0 that means the default", () => {
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
  ])("%s is read as %d", (raw, value) => {
    expect(read(size, raw)).toBe(value);
  });

  test.each(["-1", "ten", "1.5"])("%s is refused", (raw) => {
    expect(read(size, raw)).toHaveProperty("violation");
  });

  test("all spellings of the maximum are the same query", () => {
    expect(["0", "100", "500"].map((raw) => canonical(size, raw))).toEqual([undefined, undefined, undefined]);
    expect(canonical(size, "20")).toBe("20");
  });
});

describe("a country", () => {
  const codes: Readonly<Record<string, string>> = { ua: "UA", ukraine: "UA" };
  const field = country("Country", (raw) => codes[raw.trim().toLowerCase()]);

  test.each(["UA", "ua", " Ua ", "Ukraine", "UKRAINE"])("%s is read as the code UA", (raw) => {
    expect(field.decode([raw], NOW)).toEqual({ value: "UA" });
    expect(canonical(field, raw)).toBe("UA");
  });

  test("an unknown country adds a notice, and upper and lower case make the same query", () => {
    expect(field.decode([" Ukrania "], NOW)).toEqual({ value: "ukrania", unknownCountry: "Ukrania" });
    expect(canonical(field, "UKRANIA")).toBe(canonical(field, "ukrania"));
  });

  test("a blank country is the same as an absent one", () => {
    expect([field.decode([], NOW), field.decode(["  "], NOW)]).toEqual([{ value: "" }, { value: "" }]);
    expect(canonical(field, "  ")).toBeUndefined();
  });

  test("a country of more than 64 blanks is refused, because the documented length applies to the text that was sent", () => {
    expect(field.decode([" ".repeat(65)], NOW)).toHaveProperty("violation");
  });

  test("a country of more than 64 characters is refused without a lookup", () => {
    const presented: string[] = [];
    const all = country("Country", (raw) => {
      presented.push(raw);
      return "UA";
    });
    const violation = expect.stringMatching(/^must have at most 64 characters, got "x+…"$/);
    expect([read(all, "x".repeat(64)), read(all, "x".repeat(30_000))]).toEqual(["UA", { violation }]);
    expect(presented).toEqual(["x".repeat(64)]);
  });
});

describe("true and false", () => {
  const all = flag("All");

  test.each(["true", "TRUE", "True", "1"])("%s is true", (raw) => {
    expect([read(all, raw), canonical(all, raw)]).toEqual([true, "true"]);
  });

  test.each(["false", "FALSE", "False", "0"])("%s is false", (raw) => {
    expect([read(all, raw), canonical(all, raw)]).toEqual([false, undefined]);
  });

  test.each(["yes", "t", "2", "01", " true", "-0"])("%j is neither true nor false and is refused", (raw) => {
    expect(read(all, raw)).toEqual({ violation: `must be true or false, got "${raw}"` });
  });
});

describe("an instant", () => {
  const start = instant("Start");

  test.each([
    ["9223372036854775807", 2 ** 63],
    ["-9223372036854775808", -(2 ** 63)],
    ["1700000000000", 1_700_000_000_000],
    ["0001", 1],
    ["0", undefined],
    ["-0", undefined],
  ])("%s is accepted, like every int64", (raw, value) => {
    expect(read(start, raw)).toBe(value);
  });

  test.each(["9223372036854775808", "-9223372036854775809", "1".repeat(20), "1e3", "+1", "1.0", "2026-11-21"])(
    "%s is refused, because it is not an int64",
    (raw) => {
      expect(read(start, raw)).toEqual({ violation: `must be epoch milliseconds as an int64, got "${raw}"` });
    },
  );
});

describe("a whole number with a default", () => {
  const flows = int32Or("Flows", 50);

  test("0 and an absent number are read as the default and make the same query", () => {
    expect([read(flows), read(flows, "0"), read(flows, "50"), read(flows, "7")]).toEqual([50, 50, 50, 7]);
    expect(["0", "50", "7"].map((raw) => canonical(flows, raw))).toEqual([undefined, undefined, "7"]);
  });

  test.each(["-1", "many"])("%s is refused", (raw) => {
    expect(read(flows, raw)).toHaveProperty("violation");
  });
});

test("spellings that are normalised to the same string make the same query", () => {
  const cabin = normalText("Cabin", (raw) => (raw.trim().toUpperCase() === "FIRST" ? "FIRST" : "ECONOMY"));
  expect([read(cabin), read(cabin, " first "), read(cabin, "any")]).toEqual(["ECONOMY", "FIRST", "ECONOMY"]);
  expect(["first", "FIRST ", "economy", "?"].map((raw) => canonical(cabin, raw))).toEqual([
    "FIRST",
    "FIRST",
    undefined,
    undefined,
  ]);
});

test("a text without normalisation is read unchanged", () => {
  expect([read(text("Cursor")), read(text("Cursor"), " a ")]).toEqual(["", " a "]);
});

describe("an ignored parameter", () => {
  const fields = [ignoredInt32("Number"), ignoredText("Text")];

  test.each(["SEVERITY_LOW", "low", "OTHER_UNSPECIFIED", "-1", "99999999999999999999", "1.5", "", "%00", "\u0000"])(
    "%j is accepted and has no effect",
    (raw) => {
      for (const field of fields) expect([read(field, raw), canonical(field, raw)]).toEqual([undefined, undefined]);
    },
  );

  test("a repeated parameter is accepted", () => {
    for (const field of fields) expect(read(field, "a", "b")).toBeUndefined();
  });
});

describe("a whole number with a maximum", () => {
  const hours = int32UpTo("Hours", 168, 24);

  test.each([
    ["0", 24],
    ["1", 1],
    ["168", 168],
  ])("%s is read as %d", (raw, value) => {
    expect(read(hours, raw)).toBe(value);
  });

  test.each(["169", "-1", "1.5", "day"])("%s is refused", (raw) => {
    expect(read(hours, raw)).toHaveProperty("violation");
  });

  test("all spellings of the default are the same query", () => {
    expect([read(hours), canonical(hours, "0"), canonical(hours, "24"), canonical(hours, "25")]).toEqual([
      24,
      undefined,
      undefined,
      "25",
    ]);
  });
});

describe("names of an enum", () => {
  const colours = enumNames("Colours", ["COLOUR_RED", "COLOUR_DARK_BLUE"], "COLOUR_");

  test.each([
    [[], []],
    [["red"], ["red"]],
    [["COLOUR_RED"], ["red"]],
    [
      ["COLOUR_RED", "dark_blue"],
      ["dark_blue", "red"],
    ],
    [["red,COLOUR_DARK_BLUE"], ["dark_blue", "red"]],
    [["red", "COLOUR_RED"], ["red"]],
  ])("%j is read as %j", (values, names) => {
    expect(read(colours, ...values)).toEqual(names);
  });

  test.each(["RED", "Red", "colour_red", "COLOUR_red", "COLOUR_", "COLOUR_RED_", "green", "red;dark_blue"])(
    "%s is refused",
    (name) => {
      expect(read(colours, name)).toHaveProperty("violation");
    },
  );

  test("a name with its prefix and the same name without it make the same query", () => {
    expect(canonical(colours, "COLOUR_RED")).toBe(canonical(colours, "red"));
  });
});
