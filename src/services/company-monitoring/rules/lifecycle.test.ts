import fc from "fast-check";
import { expect, test } from "vitest";
import { type CompanyLifecycle, lifecycleName, lifecycleOf, mayBecome } from "./lifecycle.js";

const lifecycles = ["active", "paused", "removed"] as const;

test("a removed company stays removed, whatever state is requested", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...lifecycles)), (targets) => {
      let current: CompanyLifecycle = "active";
      let wasRemoved = false;
      for (const target of targets) {
        if (mayBecome(current, target)) current = target;
        wasRemoved ||= current === "removed";
        expect(wasRemoved).toBe(current === "removed");
      }
    }),
    { numRuns: 1_000 },
  );
});

test("an active or paused company can change to any state, including its own", () => {
  for (const target of lifecycles)
    expect([mayBecome("active", target), mayBecome("paused", target)]).toEqual([true, true]);
});

test.each(lifecycles)("the contract name of %s maps back to it", (lifecycle) => {
  expect(lifecycleOf(lifecycleName(lifecycle))).toBe(lifecycle);
});
