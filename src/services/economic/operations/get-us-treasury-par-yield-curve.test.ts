import { expect, test } from "vitest";
import { absent, snapshotOf, storedAnswerOf } from "../../../../test/support/stored-answers.js";
import { viewOf } from "../../../../test/support/views.js";
import { usTreasuryYields } from "../datasets/us-treasury-yields.js";
import { getUsTreasuryParYieldCurve } from "./get-us-treasury-par-yield-curve.js";

const curves = [
  { date: Date.UTC(2026, 10, 16), twoYear: 3.5, tenYear: 4.1 },
  { date: Date.UTC(2026, 10, 17), tenYear: 4.25 },
];
const yields = snapshotOf(viewOf(usTreasuryYields, { curves }));

test("get-us-treasury-par-yield-curve serves the latest day, and every day with `history`", () => {
  expect(storedAnswerOf(getUsTreasuryParYieldCurve, "", { yields })).toEqual({
    curves: curves.slice(1),
    unavailable: false,
  });
  expect(storedAnswerOf(getUsTreasuryParYieldCurve, "history=true", { yields })).toEqual({
    curves,
    unavailable: false,
  });
});

test("get-us-treasury-par-yield-curve returns `unavailable: true` while nothing is stored", () => {
  expect(storedAnswerOf(getUsTreasuryParYieldCurve, "", { yields: absent })).toEqual({ curves: [], unavailable: true });
});
