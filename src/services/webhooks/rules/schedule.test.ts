import { expect, test } from "vitest";
import { SECOND_MS } from "../../../kit/clock.js";
import { DOWN_AFTER_FAILURES, restsUntil } from "./schedule.js";

const NOW = Date.UTC(2026, 10, 23);
const middle = (): number => 0.5;

test("an endpoint rests after several failures, at first for five seconds and at most for ten minutes", () => {
  const rest = (failures: number): number => Math.max(restsUntil({ failures, now: NOW }, middle) - NOW, 0) / SECOND_MS;
  expect(rest(DOWN_AFTER_FAILURES - 1)).toBe(0);
  expect([0, 1, 2, 6, 7, 100].map((more) => rest(DOWN_AFTER_FAILURES + more))).toEqual([5, 10, 20, 320, 600, 600]);
});
