import { expect } from "vitest";
import type { ChannelOptions, ChannelOutcome } from "./channels.js";

/**
 * Expects that every consumer got all changes of its log, each once and in order, and that every receiver got each
 * change at least once, always under the same id. A receiver with an ordered endpoint must also get the changes of a
 * company in order. Replayed dead deliveries may be out of order.
 */
export function expectChannels({ figures, replayedIds, accounts }: ChannelOutcome, options: ChannelOptions): void {
  for (const { accountId, isOrdered, impacts, stored, received } of accounts) {
    expect(stored).toHaveLength(options.consumersPerAccount);
    for (const names of stored) expect(names, accountId).toEqual(impacts);
    const idOf = new Map(received.map(({ name, id }) => [name, id]));
    expect([...idOf.keys()].sort(), accountId).toEqual([...impacts].sort());
    expect(new Set(idOf.values()).size).toBe(impacts.length);
    for (const { name, id } of received) expect(idOf.get(name)).toBe(id);
    if (!isOrdered) continue;
    const lastOf = new Map<string, number>();
    for (const { companyId, position } of received.filter(({ id }) => !replayedIds.has(id))) {
      expect(position, `${accountId} ${companyId}`).toBeGreaterThanOrEqual(lastOf.get(companyId) ?? 0);
      lastOf.set(companyId, position);
    }
  }
  expect(accounts.flatMap(({ impacts }) => impacts)).toHaveLength(options.changes);
  // A run without one of these events would not test that event.
  const { kills, killedNodes, failedAttempts, rotatedSecrets, streams, polls } = figures;
  for (const count of [kills, killedNodes, failedAttempts, rotatedSecrets, streams, polls]) {
    expect(count).toBeGreaterThan(0);
  }
}
