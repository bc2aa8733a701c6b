import { expect, test } from "vitest";
import { SECOND_MS } from "../../src/kit/clock.js";
import { expectSameScans, playMonitoringCrashes, playUndisturbed } from "../support/companies/monitoring-crash.js";
import { availableStores } from "../support/stores.js";

const KILLS = Number(process.env["VIGIL_MONITORING_KILLS"] || 300);
const SEED = Number(process.env["VIGIL_MONITORING_SEED"] || 17);
const TEST_MS_MAX = 60 * 60 * SECOND_MS;

for (const { name, skipReason, open } of await availableStores()) {
  const title = skipReason === undefined ? name : `${name} (skipped: ${skipReason})`;
  test.skipIf(skipReason !== undefined)(
    `${title}: no scan window is counted twice and no impact is lost or doubled after ${KILLS} kills at random points of scans and admission`,
    async () => {
      process.stdout.write(`${name}: seed ${SEED}\n`);
      const startedAt = performance.now();
      const [store, undisturbed] = [await open(), await open()];
      try {
        const figures = await playMonitoringCrashes(store, { seed: SEED, kills: KILLS });
        process.stdout.write(`${name}: ${secondsSince(startedAt)} s, ${JSON.stringify(figures)}\n`);
        await playUndisturbed(undisturbed, figures.ticks);
        const state = await expectSameScans(store, undisturbed);
        const counts = Object.entries(state).map(([part, rows]) => `${rows.length} ${part}`);
        process.stdout.write(`${name}: ${secondsSince(startedAt)} s, ${counts.join(", ")}\n`);
        // If most kills hit an idle process, or no events were admitted, the test would prove nothing.
        expect(figures.duringScan + figures.duringAdmission).toBeGreaterThan(KILLS / 2);
        expect(Math.min(figures.duringScan, figures.duringAdmission)).toBeGreaterThan(KILLS / 20);
        expect(Math.min(figures.leftLeases, figures.leftFindings)).toBeGreaterThan(KILLS / 20);
        for (const lifecycle of ["ADMITTED", "CORRECTED", "RETRACTED"]) {
          expect(state.log.filter((line) => line.includes(`LIFECYCLE_${lifecycle}`)).length).toBeGreaterThan(0);
        }
      } finally {
        await Promise.all([store.dispose(), undisturbed.dispose()]);
      }
    },
    TEST_MS_MAX,
  );
}

function secondsSince(startedAt: number): number {
  return Math.round((performance.now() - startedAt) / SECOND_MS);
}
