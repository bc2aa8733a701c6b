import { expect, test } from "vitest";
import { queryOf } from "../../../../test/support/operations.js";
import { absent, BUILT_AT, snapshotOf, storedAnswerOf } from "../../../../test/support/stored-answers.js";
import { viewOf } from "../../../../test/support/views.js";
import { humanitarianSummary } from "../datasets/humanitarian-summary.js";
import { getHumanitarianSummary } from "./get-humanitarian-summary.js";

const sudan = {
  countryCode: "SD",
  countryName: "Sudan",
  conflictEventsTotal: 12,
  conflictPoliticalViolenceEvents: 12,
  referencePeriod: "2026-10-01",
};
const humanitarian = snapshotOf(viewOf(humanitarianSummary, { months: [sudan] }));

test("get-humanitarian-summary serves the latest month of the requested country with the time of the build", () => {
  expect(storedAnswerOf(getHumanitarianSummary, "country_code=SD", { humanitarian })).toEqual({
    summary: { ...sudan, updatedAt: BUILT_AT },
  });
});

test("get-humanitarian-summary omits `summary` for a country without data, and while nothing is stored", () => {
  expect(storedAnswerOf(getHumanitarianSummary, "country_code=FR", { humanitarian })).toEqual({});
  expect(storedAnswerOf(getHumanitarianSummary, "country_code=SD", { humanitarian: absent })).toEqual({});
});

test.each(["", "country_code=", "country_code=sd", "country_code=Sudan"])(
  "get-humanitarian-summary refuses the query %j",
  (search) => {
    expect(() => queryOf(getHumanitarianSummary, search)).toThrow();
  },
);
