import { expect, test } from "vitest";
import { SECOND_MS } from "../../src/kit/clock.js";
import { openSqliteStore } from "../support/stores.js";
import { playHostile } from "../support/watches/hostile-watches.js";

const WATCHES = Number(process.env["VIGIL_HOSTILE_WATCHES"] || 60);
const ROWS = Number(process.env["VIGIL_HOSTILE_ROWS"] || 20_000);
const GENERATIONS = Number(process.env["VIGIL_HOSTILE_GENERATIONS"] || 12);
const TEST_MS_MAX = 60 * 60 * SECOND_MS;

test(
  `${WATCHES} hostile watches over ${ROWS} rows send firings of bounded size to their owner and delay no other account`,
  async () => {
    const store = await openSqliteStore();
    try {
      const figures = await playHostile(store, { seed: 20, watches: WATCHES, rows: ROWS, generations: GENERATIONS });
      // The times for which the event loop was blocked are printed but not checked, because they include work and
      // garbage collection of the test itself.
      process.stdout.write(`${JSON.stringify(figures)}\n`);
      expect(figures.disabledWatches).toBeGreaterThan(2);
    } finally {
      await store.dispose();
    }
  },
  TEST_MS_MAX,
);
