import { describe, expect, test } from "vitest";
import { queryOf } from "../../../../test/support/operations.js";
import { absent, BUILT_AT, snapshotOf, storedAnswerOf } from "../../../../test/support/stored-answers.js";
import { viewOf } from "../../../../test/support/views.js";
import { displacement } from "../datasets/displacement.js";
import type { PopulationRow } from "../records.js";
import { getDisplacementSummary } from "./get-displacement-summary.js";

const pair = (originCode: string, asylumCode: string, refugees: number): PopulationRow => ({
  year: 2025,
  originCode,
  originName: originCode,
  asylumCode,
  asylumName: asylumCode,
  refugees,
  asylumSeekers: 0,
  idps: 0,
  stateless: 0,
});
const people = snapshotOf(
  viewOf(displacement, { population: [pair("SYR", "TUR", 300), pair("AFG", "DEU", 200), pair("SDN", "TCD", 100)] }),
);

interface Answer {
  readonly dataAvailable: boolean;
  readonly summary: { readonly countries: { code: string }[]; readonly topFlows: { refugees: number }[] };
}
const answerTo = (search: string) => storedAnswerOf(getDisplacementSummary, search, { people }) as Answer;

describe("get-displacement-summary", () => {
  test("the answer has the totals of the stored year, and lists the largest countries and flows first", () => {
    const answer = answerTo("");
    expect(answer).toMatchObject({
      dataAvailable: true,
      fetchedAt: BUILT_AT,
      summary: { year: 2025, globalTotals: { refugees: 600, total: 600 } },
    });
    expect(answer.summary.countries.map(({ code }) => code)).toEqual(["SYR", "TUR", "AFG", "DEU", "SDN", "TCD"]);
    expect(answer.summary.topFlows.map(({ refugees }) => refugees)).toEqual([300, 200, 100]);
  });

  test.each([
    ["country_limit=2", 2, 3],
    ["country_limit=0", 6, 3],
    ["flow_limit=1", 6, 1],
    ["flow_limit=0", 6, 3],
  ])("%j limits the answer to %i countries and %i flows", (search, countryCount, flowCount) => {
    const { countries, topFlows } = answerTo(search).summary;
    expect([countries.length, topFlows.length]).toEqual([countryCount, flowCount]);
  });

  test("the answer is empty for a year that is not stored, and while nothing is stored", () => {
    const empty = { dataAvailable: false, fetchedAt: 0, summary: { countries: [], topFlows: [] } };
    expect(storedAnswerOf(getDisplacementSummary, "", { people: absent })).toEqual(empty);
    expect(() => queryOf(getDisplacementSummary, "year=1950")).toThrow();
    // `answerTo` parses the query with `queryOf`, whose clock is set to 1970. The year 1960 is therefore valid.
    expect(answerTo("year=1960")).toEqual(empty);
  });
});
