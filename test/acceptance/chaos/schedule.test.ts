import { expect, test } from "vitest";
import { faultKinds, plannedFaults } from "./schedule.js";

const options = { seed: 7, durationMs: 600_000, kinds: faultKinds, everyMs: 5_000 };

test("the same seed gives the same schedule, and another seed gives a different one", () => {
  expect(plannedFaults(options)).toEqual(plannedFaults(options));
  expect(plannedFaults({ ...options, seed: 8 })).not.toEqual(plannedFaults(options));
});

test("every kind of fault occurs once before a kind occurs again, and all faults start within the run", () => {
  const faults = plannedFaults(options);
  expect(new Set(faults.slice(0, faultKinds.length).map(({ kind }) => kind)).size).toBe(faultKinds.length);
  expect(faults.length).toBeGreaterThan(80);
  for (const { atMs } of faults) expect(atMs).toBeLessThan(options.durationMs);
});
