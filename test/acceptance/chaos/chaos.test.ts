import { expect, test } from "vitest";
import { SECOND_MS } from "../../../src/kit/clock.js";
import { whyNoPrivatePostgres } from "../../support/private-postgres.js";
import { whyNoPrivateRedis } from "../../support/private-redis.js";
import { playChaos } from "./play.js";
import { availability, lines } from "./report.js";
import { distributed, oneProcess } from "./world.js";

const SECONDS = Number(process.env["VIGIL_CHAOS_SECONDS"] || 1_800);
const SEED = Number(process.env["VIGIL_CHAOS_SEED"] || Math.floor(performance.timeOrigin / SECOND_MS));
/**
 * True if a simulator serves every document whose content is not known to the test. If false, the upstreams serve only
 * the documents of known content, which suits a busy machine.
 */
const IS_WHOLE = process.env["VIGIL_CHAOS_WHOLE"] !== "0";
/** Time limit: the duration of the run, plus time for the start, the last checks and slow repairs. */
const TEST_MS_MAX = (SECONDS + 1_200) * SECOND_MS;
const reason = whyNoPrivatePostgres() ?? whyNoPrivateRedis();
const shapes = [
  { shape: oneProcess, skipReason: undefined },
  { shape: distributed, skipReason: reason },
];

for (const { shape, skipReason } of shapes) {
  const title = skipReason === undefined ? shape.name : `${shape.name} (skipped: ${skipReason})`;
  test.skipIf(skipReason !== undefined)(
    `${title}: under chaos, answers stay correct, acknowledged writes are kept, and living nodes answer`,
    async () => {
      const say = (line: string): void => void process.stdout.write(`${shape.name}: ${line}\n`);
      say(`VIGIL_CHAOS_SEED=${SEED} replays the schedule`);
      const report = await playChaos({
        shape,
        seed: SEED,
        durationMs: SECONDS * SECOND_MS,
        everyMs: 8 * SECOND_MS,
        isWhole: IS_WHOLE,
        readers: 6,
        writers: 3,
        pauseMs: 60,
        say,
      });
      for (const line of lines(report)) say(line);
      expect(report.wrong).toEqual([]);
      expect(availability(report)).toBeGreaterThanOrEqual(0.999);
      // Some writes succeed even on a busy machine.
      expect(report.counts["acknowledged writes"]).toBeGreaterThan(0);
    },
    TEST_MS_MAX,
  );
}
