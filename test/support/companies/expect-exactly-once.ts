import { expect } from "vitest";
import type { ExactlyOnceOptions, ExactlyOnceOutcome } from "./exactly-once.js";

/** Expects positions without gaps, and that every poller got all changes of its log, each once and in order. */
export function expectExactlyOnce(
  { figures, logs }: ExactlyOnceOutcome,
  options: Pick<ExactlyOnceOptions, "changes" | "pollersPerAccount">,
): void {
  for (const { accountId, positions, impacts, deliveries } of logs) {
    expect(positions, accountId).toEqual(positions.map((_, at) => at + 1));
    expect(deliveries).toHaveLength(options.pollersPerAccount);
    for (const received of deliveries) expect(received, accountId).toEqual(impacts);
  }
  expect(logs.flatMap(({ impacts }) => impacts)).toHaveLength(options.changes);
  // Each of these events must have happened; otherwise the run has not tested it.
  expect(figures.kills).toBeGreaterThan(0);
  expect([...figures.refusals.keys()]).toEqual(["early"]);
  expect(figures.snapshotsRequired).toBeGreaterThan(0);
  expect(figures.keys.size).toBeGreaterThan(1);
}
