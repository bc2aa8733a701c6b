import { describe, expect, test } from "vitest";
import { type QueryField, texts } from "./query-field.js";
import { calendarDate, choice, clampedCount, countUpTo, decimal, textLike, textOfLength } from "./value-fields.js";

const read = <T>(field: QueryField<T>, ...values: string[]): unknown => {
  const decoded = field.decode(values, 0);
  return "value" in decoded ? decoded.value : decoded;
};
const canonical = <T>(field: QueryField<T>, ...raw: string[]): string | undefined => {
  const decoded = field.decode(raw, 0);
  if ("violation" in decoded) throw new Error(decoded.violation);
  return field.canonical(decoded.value);
};
const refused = { violation: expect.any(String) };

describe("texts", () => {
  const codes = texts("Codes", { pattern: "^[A-Z]{3}$", itemsMax: 3 });

  test.each([
    [[], []],
    [["IST"], ["IST"]],
    [
      ["IST", "ESB"],
      ["IST", "ESB"],
    ],
    [["IST,ESB"], ["IST", "ESB"]],
    [
      ["IST,ESB", "LHR"],
      ["IST", "ESB", "LHR"],
    ],
    [["IST", "IST"], ["IST"]],
  ])("%j is read as %j", (raw, value) => {
    expect(read(codes, ...raw)).toEqual(value);
  });

  test("a string that does not match the pattern is refused with a message that quotes the string", () => {
    expect(read(codes, "IST,ist")).toEqual({ violation: 'each value must match ^[A-Z]{3}$, got "ist"' });
  });

  test("empty strings between commas are ignored", () => {
    expect(read(codes, ",IST,,")).toEqual(["IST"]);
  });

  test("with inUpperCase, strings are converted to upper case before they are compared with the pattern", () => {
    const airports = texts("Airports", { pattern: "^[A-Z]{3}$", inUpperCase: true });
    expect(read(airports, "lhr, Ist", "LHR")).toEqual(["LHR", "IST"]);
    expect(read(airports, "lhr,l1r")).toEqual({ violation: 'each value must match ^[A-Z]{3}$, got "L1R"' });
    // The Kelvin sign lower-cases to k, but is not a letter of a code.
    expect(read(airports, "lh\u212a")).toHaveProperty("violation");
  });

  test("values beyond countedMax are dropped before a set is sorted", () => {
    const set = texts("Airports", { isSet: true, countedMax: 2 });
    expect(read(set, "C,B,A")).toEqual(["B", "C"]);
    expect(canonical(set, "C,B")).toBe(canonical(set, "B", "C", "A"));
  });

  test("a list equal to the fallback is the same query as an absent list", () => {
    const airports = texts("Airports", { fallback: ["IST", "ESB"] });
    expect(read(airports)).toEqual(["IST", "ESB"]);
    expect(canonical(airports, "IST,ESB")).toBeUndefined();
    expect(canonical(airports, "ESB,IST")).toBe("ESB,IST");
    const set = texts("Airports", { fallback: ["IST", "ESB"], isSet: true });
    expect(canonical(set, "ESB", "IST")).toBeUndefined();
  });

  test("the maximum number of values is accepted, and one more is refused", () => {
    expect(read(codes, "AAA,BBB,CCC")).toHaveLength(3);
    expect(read(codes, "AAA,BBB,CCC", "DDD")).toEqual({ violation: "must have at most 3 values, got 4" });
  });

  test("repeated parameters and values joined by commas are the same query, and an absent list is the default", () => {
    expect(canonical(codes, "IST", "ESB")).toBe(canonical(codes, "IST,ESB"));
    expect(canonical(codes)).toBeUndefined();
  });
});

describe("a list of strings in upper case", () => {
  const codes = texts("Codes", { itemsMax: 3, charactersMax: 10, inUpperCase: true });

  test.each([
    [
      ["LHR", "jfk"],
      ["LHR", "JFK"],
    ],
    [["lhr,JFK"], ["LHR", "JFK"]],
    [
      ["lhr, jfk ,", "DXB"],
      ["LHR", "JFK", "DXB"],
    ],
    [["LHR", "lhr,LHR"], ["LHR"]],
    [[",", " "], []],
    [[], []],
  ])("%j is read as %j", (raw, value) => {
    expect(read(codes, ...raw)).toEqual(value);
  });

  test("a list that is one value or one character longer than the maximum is refused", () => {
    expect(read(codes, "a,b", "c")).toEqual(["A", "B", "C"]);
    expect(read(codes, "a,b", "c,d")).toEqual({ violation: "must have at most 3 values, got 4" });
    expect(read(codes, "a,b,c,d,e,")).toEqual({ violation: "must have at most 3 values, got 5" });
    expect(read(codes, "abcdefghij")).toEqual(["ABCDEFGHIJ"]);
    expect(read(codes, "abcdefghijk")).toHaveProperty("violation");
  });

  test("all spellings of a list are the same query", () => {
    const spelled = (...raw: string[]): string | undefined => {
      const decoded = codes.decode(raw, 0);
      return "value" in decoded ? codes.canonical(decoded.value) : "refused";
    };
    expect([spelled("lhr", "JFK"), spelled("LHR,jfk,"), spelled(",")]).toEqual(["LHR,JFK", "LHR,JFK", undefined]);
  });
});

describe("a decimal", () => {
  const latitude = decimal("Latitude", { min: -90, max: 90 });

  test.each([
    ["0", 0],
    ["-0", 0],
    ["-0.0", 0],
    ["41.25", 41.25],
    ["-90", -90],
    ["90", 90],
    ["9e1", 90],
    [".5", 0.5],
  ])("%s is read as %d", (raw, value) => {
    expect(Object.is(read(latitude, raw), value)).toBe(true);
  });

  test.each(["90.0001", "-90.0001", "1e309", "NaN", "Infinity", "0x10", "1,5", "+1", " 1", "", "-"])(
    "%j is refused",
    (raw) => {
      expect(read(latitude, raw)).toEqual(refused);
    },
  );

  test("an absent number is 0, and a query with 0 is the same as a query without a number", () => {
    expect(read(latitude)).toBe(0);
    expect([canonical(latitude, "0"), canonical(latitude, "1.50")]).toEqual([undefined, "1.5"]);
  });
});

test("a choice accepts its names, and is the fallback if it is absent or unspecified", () => {
  const direction = choice(["D_IN", "D_BOTH"], "D_BOTH", "Direction");
  expect([read(direction), read(direction, "D_UNSPECIFIED"), read(direction, "D_IN")]).toEqual([
    "D_BOTH",
    "D_BOTH",
    "D_IN",
  ]);
  expect([read(direction, "d_in"), read(direction, "0")]).toEqual([refused, refused]);
  expect(canonical(direction, "D_BOTH")).toBeUndefined();
});

test("a choice refuses other names", () => {
  const cabin = choice(["CABIN_CLASS_FIRST", "CABIN_CLASS_FAST"], "CABIN_CLASS_FIRST", "Cabin");
  expect(read(cabin, "CABIN_CLASS_UNSPECIFIED")).toBe("CABIN_CLASS_FIRST");
  for (const foreign of ["OTHER_UNSPECIFIED", "_UNSPECIFIED", "CABIN_CLASS_F_UNSPECIFIED", "cabin_class_fast"]) {
    expect(read(cabin, foreign)).toEqual(refused);
  }
});

test.each([
  ["ab", refused],
  ["abc", "abc"],
  ["abcd", "abcd"],
  ["abcde", refused],
  ["🛫🛫🛫", "🛫🛫🛫"],
])("a string is accepted only if it has 3 to 4 characters: %s", (raw, value) => {
  expect(read(textOfLength("Airport", { minLength: 3, maxLength: 4 }), raw)).toEqual(value);
});

test("a string must match its pattern, and is the fallback if it is absent", () => {
  const currency = textLike("Currency", "^[A-Za-z]{3}$", "usd");
  expect([read(currency), read(currency, "EUR"), read(currency, "euro")]).toEqual(["usd", "EUR", refused]);
  expect([canonical(currency, "usd"), canonical(currency, "EUR")]).toEqual([undefined, "EUR"]);
});

test("a day that is not in the calendar is refused", () => {
  const day = calendarDate("Day", { required: true });
  expect([read(day, "2026-11-21"), read(day, "2026-11-31"), read(day, "2026-11-2")]).toEqual([
    "2026-11-21",
    refused,
    refused,
  ]);
});

test.each([
  ["0", 30],
  ["1", 1],
  ["100", 100],
  ["101", refused],
  ["-1", refused],
  ["1.5", refused],
])("a count must be from 1 to 100, and 0 means the default of 30: %s", (raw, value) => {
  expect(read(countUpTo("Rows", { max: 100, fallback: 30 }), raw)).toEqual(value);
});

test.each([
  ["-5", 1],
  ["0", 1],
  ["1", 1],
  ["9", 9],
  ["10", 9],
  ["99999999999", 9],
  ["two", refused],
])("a count is clamped to the range from 1 to 9: %s", (raw, value) => {
  expect(read(clampedCount("Passengers", { min: 1, max: 9 }), raw)).toEqual(value);
});
