import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Deprecation, deprecationFaults, deprecationHeaders } from "./deprecation.js";

const POLICY = "https://vigil.example/docs/versioning";
const SINCE = Date.UTC(2026, 10, 18, 12);
const SUNSET = Date.UTC(2027, 4, 18, 12);
const DAY_MS = 86_400_000;

describe("the headers", () => {
  test("the headers contain the start, the sunset and a link to the policy page", () => {
    expect(deprecationHeaders({ since: SINCE, sunset: SUNSET }, POLICY)).toEqual({
      Deprecation: "@1795003200",
      Sunset: "Tue, 18 May 2027 12:00:00 GMT",
      Link: `<${POLICY}>; rel="deprecation"; type="text/html"`,
    });
  });

  test("the headers contain a link to the successor, if there is one", () => {
    const successor = "/api/economic/v2/get-us-cpi-monthly";
    expect(deprecationHeaders({ since: SINCE, sunset: SUNSET, successor }, POLICY)["Link"]).toBe(
      `<${POLICY}>; rel="deprecation"; type="text/html", </api/economic/v2/get-us-cpi-monthly>; rel="successor-version"`,
    );
  });

  test("the start and the sunset are sent in whole seconds", () => {
    expect(deprecationHeaders({ since: SINCE + 999, sunset: SUNSET + 999 }, POLICY)).toMatchObject({
      Deprecation: "@1795003200",
      Sunset: "Tue, 18 May 2027 12:00:00 GMT",
    });
  });
});

describe("the policy", () => {
  test.each<[what: string, deprecation: Deprecation]>([
    ["a notice of exactly six months", { since: SINCE, sunset: SUNSET }],
    ["a notice of a year", { since: SINCE, sunset: SINCE + 365 * DAY_MS }],
    [
      "a sunset at the end of February for a start at the end of August",
      { since: Date.UTC(2026, 7, 31), sunset: Date.UTC(2027, 1, 28) },
    ],
    ["a sunset on the leap day", { since: Date.UTC(2027, 7, 31), sunset: Date.UTC(2028, 1, 29) }],
    ["a successor", { since: SINCE, sunset: SUNSET, successor: "/api/economic/v2/get-us-cpi-monthly" }],
  ])("the policy allows %s", (_, deprecation) => {
    expect(deprecationFaults(deprecation)).toEqual([]);
  });

  test.each<[what: string, deprecation: Deprecation, fault: RegExp]>([
    [
      "a notice that is a millisecond shorter than six months",
      { since: SINCE, sunset: SUNSET - 1 },
      /^sunset must be at least 6 months after "since", that is 2027-05-18T12:00:00.000Z or later, got 2027-05-18T11:59:59.999Z$/,
    ],
    [
      "a notice of 90 days, which would satisfy the contract",
      { since: SINCE, sunset: SINCE + 90 * DAY_MS },
      /^sunset must be at least 6 months/,
    ],
    ["a sunset before its announcement", { since: SUNSET, sunset: SINCE }, /^sunset must be at least 6 months/],
    [
      "a start that is not a date",
      { since: Number.NaN, sunset: SUNSET },
      /^since must be an instant in epoch ms, got NaN$/,
    ],
    [
      "a sunset that never comes",
      { since: SINCE, sunset: Number.POSITIVE_INFINITY },
      /^sunset must be an instant in epoch ms, got Infinity$/,
    ],
    [
      "a successor that would break out of its link in the header",
      { since: SINCE, sunset: SUNSET, successor: '/api>; rel="next"' },
      /^successor must be a path of this service/,
    ],
    [
      "a successor on another host",
      { since: SINCE, sunset: SUNSET, successor: "https://other.example/api" },
      /^successor must be a path of this service/,
    ],
  ])("the policy refuses %s", (_, deprecation, fault) => {
    expect(deprecationFaults(deprecation)).toEqual([expect.stringMatching(fault)]);
  });

  test("an allowed notice is always longer than 90 days, and a notice of 184 days is always allowed", () => {
    const instants = fc.integer({ min: 0, max: Date.UTC(2100, 0, 1) });
    fc.assert(
      fc.property(instants, fc.integer({ min: 0, max: 400 * DAY_MS }), (since, notice) => {
        const isAllowed = deprecationFaults({ since, sunset: since + notice }).length === 0;
        if (isAllowed) expect(notice).toBeGreaterThan(90 * DAY_MS);
        else expect(notice).toBeLessThan(184 * DAY_MS);
      }),
    );
  });
});
