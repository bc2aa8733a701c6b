import { expect, test } from "vitest";
import { absent, snapshotOf, storedAnswerOf } from "../../../../test/support/stored-answers.js";
import { viewOf } from "../../../../test/support/views.js";
import { usCpi } from "../datasets/us-cpi.js";
import { getUsCpiMonthly } from "./get-us-cpi-monthly.js";

const [september, october] = [Date.UTC(2026, 8), Date.UTC(2026, 9)];
const headline = [
  { month: september, index: 320 },
  { month: october, index: 324 },
];
const cpi = snapshotOf(viewOf(usCpi, { headline, core: [], food: [], energy: [], shelter: [], services: [] }));
const latest = { month: october, headline: { index: 324, monthOverMonth: { percent: 1.25 } } };

test("get-us-cpi-monthly serves only the latest month by default, and every month if `history` is true", () => {
  expect(storedAnswerOf(getUsCpiMonthly, "", { cpi })).toEqual({ months: [latest], unavailable: false });
  expect(storedAnswerOf(getUsCpiMonthly, "history=true", { cpi })).toEqual({
    months: [{ month: september, headline: { index: 320 } }, latest],
    unavailable: false,
  });
});

test("get-us-cpi-monthly returns `unavailable: true` while nothing is stored", () => {
  expect(storedAnswerOf(getUsCpiMonthly, "history=true", { cpi: absent })).toEqual({ months: [], unavailable: true });
});
