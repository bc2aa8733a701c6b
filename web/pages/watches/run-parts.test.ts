import { expect, test } from "vitest";
import type { TestedWatchFiring } from "../../../src/sdk/index.js";
import { begunAt, joined } from "./run-parts.js";

const firing = (firedAt: string) => ({ firedAt }) as TestedWatchFiring;

test("the parts of a truncated run are joined into one run", () => {
  const begun = begunAt("2026-11-01T00:00:00Z", "2026-11-18T00:00:00Z");
  const counts = { evaluations: 1000, firingCount: 1, skippedGenerations: 2 };
  const first = joined(begun, {
    ...counts,
    from: "2026-11-02T00:00:00Z",
    to: "2026-11-10T00:00:00Z",
    firings: [firing("2026-11-03T00:00:00Z")],
    truncated: true,
    continuation: "next",
  });
  // The log of changes begins later than the requested start, so the run begins where the log begins.
  expect(first).toMatchObject({ from: "2026-11-02T00:00:00Z", until: "2026-11-18T00:00:00Z", continuation: "next" });
  const whole = joined(first, {
    ...counts,
    from: "2026-11-10T00:00:00Z",
    to: "2026-11-18T00:01:00Z",
    firings: [firing("2026-11-12T00:00:00Z")],
    truncated: false,
  });
  expect(whole).toEqual({
    from: "2026-11-02T00:00:00Z",
    to: "2026-11-18T00:01:00Z",
    until: "2026-11-18T00:01:00Z",
    evaluations: 2000,
    firingCount: 2,
    skippedGenerations: 4,
    firings: [firing("2026-11-03T00:00:00Z"), firing("2026-11-12T00:00:00Z")],
    continuation: undefined,
  });
});
