import { expect, test } from "vitest";
import type { AuditEvent } from "../access/audit-log.js";
import { type FailureName, failure } from "../contract/failures.js";
import { MINUTE_MS } from "../kit/clock.js";
import { manualClock } from "../kit/manual-clock.js";
import { deniedWrites } from "./denied-writes.js";
import type { Exchange } from "./exchange.js";

const NOW = Date.UTC(2026, 10, 18, 12);

function watched() {
  const clock = manualClock(NOW);
  const events: AuditEvent[] = [];
  const note = deniedWrites({ clock, addressOf: () => "192.0.2.1", audit: async (event) => void events.push(event) });
  const denied = (actor: string, path = "/api/a") => {
    const principal = { actor, accountId: "acc_1" };
    // The cast is safe, because only these two members of an exchange are used.
    return note({ principal, path } as Exchange, failure("operatorOnly", null));
  };
  return { clock, events, note, denied };
}

test("the audit event of a refused write contains the caller, path, address and reason", async () => {
  const { events, denied } = watched();
  await denied("key_1");
  expect(events).toEqual([
    {
      at: NOW,
      action: "write.denied",
      actor: "key_1",
      accountId: "acc_1",
      subject: "/api/a",
      address: "192.0.2.1",
      detail: { reason: "operatorOnly" },
    },
  ]);
});

test("repeated refusals of a caller are recorded once a minute, with the number of refusals in between", async () => {
  const { clock, events, denied } = watched();
  for (let again = 0; again < 50; again += 1) await denied("key_1");
  expect(events).toHaveLength(1);
  await clock.advance(MINUTE_MS);
  await denied("key_1");
  expect(events.map(({ detail }) => detail)).toEqual([
    { reason: "operatorOnly" },
    { reason: "operatorOnly", repeatedBefore: 49 },
  ]);
});

test("refusals of another caller or path are recorded immediately", async () => {
  const { events, denied } = watched();
  await denied("key_1");
  await denied("key_2");
  await denied("key_1", "/api/b");
  expect(events.map(({ actor, subject }) => [actor, subject])).toEqual([
    ["key_1", "/api/a"],
    ["key_2", "/api/a"],
    ["key_1", "/api/b"],
  ]);
});

test("refusals of unidentified callers, and refusals other than a 403, are not recorded", async () => {
  const { events, note } = watched();
  const path = "/api/a";
  await note({ principal: undefined, path } as Exchange, failure("operatorOnly", null));
  const principal = { actor: "key_1", accountId: "acc_1" };
  const others: readonly FailureName[] = ["notFound", "keyRequired"];
  for (const other of others) await note({ principal, path } as Exchange, failure(other as "notFound", null));
  expect(events).toEqual([]);
});
