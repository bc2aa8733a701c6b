import { expect, test } from "vitest";
import { describeEachStore } from "../../../../../test/support/stores.js";
import { noFigures, playLiveAndDry } from "../../../../../test/support/watches/live-and-dry.js";

await describeEachStore((open) => {
  test("despite faults and kills, random watches have the same firings live and in a dry run", async () => {
    const figures = noFigures();
    await playLiveAndDry(await open(), 23, figures);
    // test/acceptance/watches.test.ts plays many more watches.
    expect(Math.min(figures.kills, figures.faults, figures.failures)).toBeGreaterThan(0);
    expect(figures.firings).toBeGreaterThan(figures.watches);
  });
});
