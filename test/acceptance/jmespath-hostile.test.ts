import { expect, test } from "vitest";
import {
  CONTRACT_SENTENCE,
  hostileDocument,
  hostileExpression,
  measuredRun,
} from "../../src/jmespath/testing/hostile.js";
import { seededRandom } from "../../src/kit/random.js";

const RUNS = 20_000;
const ROWS = 50_000;
const HOLD_MS_MAX = 50;
/**
 * One in this many expressions runs with the whole default budget. The others get only a part of it, to save time. A
 * part is enough, because the time for which an expression blocks the event loop does not depend on its budget.
 */
const FULL_BUDGET_EVERY = 40;
const FUEL_PART_UNITS = 250_000;
/** A busy machine also blocks the loop, so a long block is attributed to the expression only if it repeats. */
const ATTEMPTS = 4;
const REPEATED_FROM_MS = 20;

test(`none of ${RUNS} hostile expressions over ${ROWS} rows blocks the event loop for more than ${HOLD_MS_MAX} ms`, async () => {
  const root = hostileDocument(ROWS);
  const random = seededRandom(20_261_121);
  const worst = { holdMs: 0, expression: "" };
  const endings = new Map<string, number>();
  for (let run = 0; run < RUNS; run += 1) {
    const expression = hostileExpression(random);
    const fuelUnitsMax = run % FULL_BUDGET_EVERY === 0 ? undefined : FUEL_PART_UNITS;
    const { holdMs, ending } = await leastHold(expression, root, fuelUnitsMax);
    endings.set(ending, (endings.get(ending) ?? 0) + 1);
    if (holdMs > worst.holdMs) Object.assign(worst, { holdMs, expression });
  }
  console.info(`longest hold ${worst.holdMs.toFixed(1)} ms:`, worst.expression, Object.fromEntries(endings));
  expect(worst.holdMs).toBeLessThan(HOLD_MS_MAX);
});

async function leastHold(
  expression: string,
  root: unknown,
  fuelUnitsMax: number | undefined,
): Promise<{ holdMs: number; ending: string }> {
  let least = Number.POSITIVE_INFINITY;
  let ending = "";
  for (let attempt = 0; attempt < ATTEMPTS && least >= REPEATED_FROM_MS; attempt += 1) {
    const { projection, holdMs } = await measuredRun(expression, root, fuelUnitsMax);
    if (!projection.ok) expect(projection.error).toMatch(CONTRACT_SENTENCE);
    ending = projection.ok ? "ok" : endingOf(projection.error);
    least = Math.min(least, holdMs);
  }
  return { holdMs: least, ending };
}

/** The kind of a failure, without its numbers. */
function endingOf(error: string): string {
  return /budget exceeded|projection_too_large|argument/.exec(error)?.[0] ?? "other";
}
