import fc from "fast-check";
import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { Failure } from "../contract/failures.js";
import { operation } from "../contract/operation.js";
import { country, flag, instant, type QueryField } from "../contract/query-field.js";
import { readQuery, wireName } from "./query.js";

const NOW = Date.UTC(2026, 10, 21);

/** A field of any number of strings, whose order does not matter. */
const texts: QueryField<readonly string[]> = {
  schema: Type.Array(Type.String()),
  description: "Some texts.",
  required: false,
  decode: (values) => ({ value: [...values].sort() }),
  canonical: (value) => (value.length === 0 ? undefined : value.join(",")),
};

const required: QueryField<string> = {
  schema: Type.String(),
  description: "A required text.",
  required: true,
  decode: ([text = ""]) => ({ value: text }),
  canonical: (value) => value,
};

const definition = {
  rpc: "get-things",
  summary: "Things",
  description: "Things.",
  cache: "daily",
  reads: {},
  response: Type.Object({}),
  examples: [],
  run: () => ({}),
} as const;

const things = operation({
  ...definition,
  query: { history: flag("All."), withNotes: flag("Notes."), countryCodes: texts },
});
const named = operation({ ...definition, query: { seriesName: required, history: flag("All.") } });

const violationsOf = (read: () => unknown): unknown => {
  try {
    read();
  } catch (error) {
    if (error instanceof Failure) return { status: error.status, ...error.body };
    throw error;
  }
  throw new Error("nothing was refused");
};

describe("wireName", () => {
  test.each([
    ["history", "history"],
    ["pageSize", "page_size"],
    ["countryCodes", "country_codes"],
    ["minAltitudeFt", "min_altitude_ft"],
  ])("the wire name of %s is %s", (field, wire) => {
    expect(wireName(field)).toBe(wire);
  });
});

describe("values", () => {
  const nothing = { history: false, withNotes: false, countryCodes: [] };
  test.each([
    { search: "", values: {} },
    { search: "history=true", values: { history: true } },
    { search: "history=false", values: {} },
    { search: "history=", values: {} },
    { search: "history", values: {} },
    { search: "history=&history=true", values: { history: true } },
    { search: "with_notes=true", values: { withNotes: true } },
    { search: "withNotes=true", values: {} },
    { search: "HISTORY=true", values: {} },
    { search: "country_codes=DE&country_codes=AT", values: { countryCodes: ["AT", "DE"] } },
    { search: "country_codes=%C3%84+%26", values: { countryCodes: ["Ä &"] } },
    { search: "history=%74rue", values: { history: true } },
    { search: "unknown=1&history=true&__proto__=x&constructor=y", values: { history: true } },
    { search: "%E0%A4%A=&&&=", values: {} },
  ])("the query '$search' sets $values and leaves all other values at their defaults", ({ search, values }) => {
    expect(readQuery(things, search, NOW).values).toEqual({ ...nothing, ...values });
  });
});

describe("the projection", () => {
  test.each([
    { search: "", jmespath: undefined },
    { search: "jmespath=", jmespath: undefined },
    { search: "jmespath=&jmespath=@", jmespath: "@" },
    { search: "jmespath=months%5B0%5D.value", jmespath: "months[0].value" },
    { search: "jmespath=a+b", jmespath: "a b" },
  ])("the projection of '$search' is $jmespath", ({ search, jmespath }) => {
    expect(readQuery(things, search, NOW)).toMatchObject({ jmespath, canonical: "" });
  });
});

describe("an invalid query string", () => {
  test.each([
    { search: "history=yes", violations: [["history", 'must be true or false, got "yes"']] },
    { search: "with_notes=TRU", violations: [["withNotes", 'must be true or false, got "TRU"']] },
    { search: "history=true&history=true", violations: [["history", "must be given once, got 2 values"]] },
    { search: "jmespath=a&jmespath=a&jmespath=b", violations: [["jmespath", "must be given once, got 3 values"]] },
    {
      search: "jmespath=a&with_notes=3&jmespath=b&history=2",
      violations: [
        ["history", 'must be true or false, got "2"'],
        ["withNotes", 'must be true or false, got "3"'],
        ["jmespath", "must be given once, got 2 values"],
      ],
    },
    { search: "history=a%00b%0Ac", violations: [["history", 'must be true or false, got "a?b?c"']] },
    {
      search: "country_codes=DE&country_codes=A%00",
      violations: [["countryCodes", "must not contain the character U+0000"]],
    },
    {
      search: `history=${"x".repeat(41)}`,
      violations: [["history", `must be true or false, got "${"x".repeat(40)}…"`]],
    },
  ])("'$search' is refused with all its violations", ({ search, violations }) => {
    expect(violationsOf(() => readQuery(things, search, NOW))).toEqual({
      status: 400,
      violations: violations.map(([field, description]) => ({ field, description })),
    });
  });

  test.each(["", "series_name=", "seriesName=a"])("'%s' is refused because series_name is missing", (search) => {
    expect(violationsOf(() => readQuery(named, search, NOW))).toEqual({
      status: 400,
      violations: [{ field: "seriesName", description: "is required" }],
    });
  });
});

describe("the notice", () => {
  const timed = operation({
    ...definition,
    ranges: [["startedAt", "endedAt"]],
    query: {
      startedAt: instant("From"),
      endedAt: instant("To"),
      country: country("Where", (text) => (text === "UA" ? "UA" : undefined)),
    },
  });

  test.each([
    ["", undefined],
    ["started_at=5&ended_at=5&country=UA&jmespath=@", undefined],
    ["started_at=6", undefined],
    ["startedAt=6", 'unknown-parameter;name="startedAt"'],
    ["a=&a=2&%22=3&=4", 'unknown-parameter;name="a", unknown-parameter;name="%22"'],
    ["started_at=6&ended_at=5", 'inverted-range;from="started_at";to="ended_at"'],
    ["country=Ukrania", 'unknown-country;parameter="country";value="Ukrania"'],
    [
      "started_at=6&ended_at=-6&country=X&x=1",
      'unknown-parameter;name="x", unknown-country;parameter="country";value="X", inverted-range;from="started_at";to="ended_at"',
    ],
  ])("the notice of '%s' is %s", (search, notice) => {
    expect(readQuery(timed, search, NOW).notice).toBe(notice);
  });
});

describe("the canonical text", () => {
  test.each([
    { search: "", canonical: "" },
    { search: "history=false&unknown=1&with_notes=", canonical: "" },
    { search: "with_notes=true&history=true", canonical: "history=true&withNotes=true" },
    { search: "country_codes=DE&country_codes=AT", canonical: "countryCodes=AT%2CDE" },
    { search: "history=true&jmespath=@", canonical: "history=true" },
  ])("the canonical text of '$search' is '$canonical'", ({ search, canonical }) => {
    expect(readQuery(things, search, NOW).canonical).toBe(canonical);
  });

  test("a value cannot be mistaken for another parameter", () => {
    const canonicalQuery = readQuery(things, "country_codes=a%26history%3Dtrue", NOW).canonical;
    const other = readQuery(things, "country_codes=a&history=true", NOW).canonical;
    expect(canonicalQuery).not.toBe(other);
    expect(canonicalQuery).not.toContain("&");
  });

  const parameter = fc.constantFrom(
    "history=true",
    "history=",
    "with_notes=true",
    "with_notes=false",
    "country_codes=DE",
    "country_codes=%41T",
    "unknown=1",
    "jmespath=@",
  );

  test("the canonical text ignores the order of parameters and is equal only for equal values", () => {
    const queries = fc.uniqueArray(parameter, { selector: (text) => text.split("=")[0] });
    const shuffled = queries.chain((fields) =>
      fc.tuple(fc.constant(fields), fc.shuffledSubarray(fields, { minLength: fields.length }), queries),
    );
    fc.assert(
      fc.property(shuffled, ([fields, reordered, others]) => {
        const [query, sameQuery, otherQuery] = [fields, reordered, others].map((parameters) =>
          readQuery(things, parameters.join("&"), NOW),
        );
        expect(sameQuery).toEqual(query);
        const isEqual = JSON.stringify(query?.values) === JSON.stringify(otherQuery?.values);
        expect(query?.canonical === otherQuery?.canonical).toBe(isEqual);
      }),
    );
  });
});
