import { expect, test } from "vitest";
import { randomRuns } from "../../../../test/support/effort.js";
import { keyHolder } from "../../../../test/support/principals.js";
import { DATASETS, logRandom, randomDefinition } from "../../../../test/support/watches/random-watches.js";
import { storedExpressions } from "../../../app/stored-expressions.js";
import { SECOND_MS } from "../../../kit/clock.js";
import { LoopTurns } from "../../../kit/loop-turns.js";
import { manualClock } from "../../../kit/manual-clock.js";
import { type Random, seededRandom } from "../../../kit/random.js";
import { tokenSigner } from "../../../kit/signed-token.js";
import { scriptedWorld } from "../store/testing/scripted-world.js";
import { NOW } from "../store/testing/watch-node.js";
import { pick, whole } from "../testing/random-watch.js";
import { type CheckedDefinition, checkedDefinition } from "./checked-definition.js";
import { type DryFiring, type DryRunParts, dryRun, FIRINGS_SHOWN_MAX, type Span } from "./dry-run.js";
import { checkPlace, testContinuations } from "./test-continuation.js";

const WORLDS = randomRuns(200);
const WATCHES_PER_WORLD = 10;
const ENTRIES = 40;
const CUT_SHARE = 0.2;
/** Longer than the time limit of a run. */
const LONG_MS = 1_000 * SECOND_MS;

const continuations = testContinuations(tokenSigner(Buffer.alloc(32)), "acc_1");

/** Creates a clock that exceeds a run's time limit at a random reading. */
function cutAtRandom(random: Random): () => number {
  let isFirst = true;
  return () => {
    const at = !isFirst && random() < CUT_SHARE ? LONG_MS : 0;
    isFirst = false;
    return at;
  };
}

/** Returns the combined outcome of several runs, each of which continues where the previous one was cut off. */
async function testedInParts(checked: CheckedDefinition, { from, to }: Span, parts: DryRunParts, random: Random) {
  const firings: DryFiring[] = [];
  let [evaluations, firingCount, skippedGenerations, cuts] = [0, 0, 0, -1];
  for (let begin: Span["from"] | undefined = from; begin !== undefined; ) {
    const run = await dryRun(checked, { from: begin, to }, { ...parts, monotonic: cutAtRandom(random) });
    firings.push(...run.firings);
    evaluations += run.evaluations;
    firingCount += run.firingCount;
    skippedGenerations += run.skippedGenerations;
    cuts += 1;
    const { cutAt } = run;
    begin = cutAt && continuations.open(checked.definition, continuations.sign(checked.definition, cutAt));
    if (typeof begin === "object") await checkPlace(begin, checked.question, { timeline: parts.timeline, to });
  }
  return { cuts, run: { evaluations, firingCount, skippedGenerations, firings: firings.slice(0, FIRINGS_SHOWN_MAX) } };
}

test("a dry run that is cut off at random points and continued has the firings of an uninterrupted run", async () => {
  const turns = new LoopTurns();
  const totals = { cuts: 0, firings: 0 };
  for (let seed = 1; seed <= WORLDS; seed += 1) {
    const random = seededRandom(seed);
    const clock = manualClock(NOW);
    const world = scriptedWorld(clock, storedExpressions({ projectionFuel: 1_000_000 }, turns));
    for (const dataset of DATASETS) logRandom({ random, world }, dataset);
    for (let entry = 0; entry < ENTRIES; entry += 1) {
      // Some changes have the same time.
      clock.advance(SECOND_MS * whole(random, 20));
      logRandom({ random, world }, pick(random, DATASETS));
    }
    const span = { from: NOW, to: clock.now() };
    const parts: DryRunParts = { answers: world.answers, timeline: world.timeline, turns, monotonic: () => 0 };
    for (let count = 0; count < WATCHES_PER_WORLD; count += 1) {
      const checked = checkedDefinition(randomDefinition(random, `watch ${count}`), world.answers, keyHolder);
      const { from: _from, to: _to, truncated, ...uncut } = await dryRun(checked, span, parts);
      expect(truncated).toBe(false);
      const { cuts, run } = await testedInParts(checked, span, parts, random);
      expect({ seed, count, ...run }).toEqual({ seed, count, ...uncut });
      totals.cuts += cuts;
      totals.firings += uncut.firingCount;
    }
  }
  expect(totals.cuts).toBeGreaterThan(WORLDS * WATCHES_PER_WORLD);
  expect(totals.firings).toBeGreaterThan(WORLDS * WATCHES_PER_WORLD);
});
