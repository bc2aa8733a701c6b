import { describe, expect, test } from "vitest";
import { companyContext } from "../../../../test/support/companies/company-ports.js";
import { impactOf } from "../../../../test/support/companies/impacts.js";
import { listCompanyEventChanges } from "./list-company-event-changes.js";

const NOW = Date.UTC(2026, 10, 22);
const changes = [3, 4, 5].map((position) => ({ position, impact: impactOf(NOW + position) }));

const poll = (watermark: number, pageSize: number, oldest = 1, snapshotGeneration = 9) =>
  listCompanyEventChanges.run(
    { cursor: JSON.stringify({ snapshotGeneration, snapshotAsOf: NOW, watermark }), pageSize },
    companyContext({
      changesAfter: async (position, changesMax) => ({
        log: { snapshotGeneration: 9, oldest, newest: 6 },
        changes: changes.filter((change) => change.position > position).slice(0, changesMax),
      }),
    }),
  );
const watermarkOf = ({ nextCursor }: { readonly nextCursor: string }): number => JSON.parse(nextCursor).watermark;

describe("list-company-event-changes", () => {
  test("a poll serves the changes after the cursor in the order of the log, and the next poll continues after them", async () => {
    const answer = await poll(2, 2);
    expect(answer.impacts).toEqual(changes.slice(0, 2).map(({ impact }) => impact));
    expect(watermarkOf(answer)).toBe(4);
    expect(answer.pollState).toBe("COMPANY_EVENT_POLL_STATE_CURRENT");
  });

  test("after a page that is not full, the next poll continues at the end of the log", async () => {
    const answer = await poll(4, 50);
    expect([answer.impacts.length, watermarkOf(answer)]).toEqual([1, 6]);
  });

  test("a poll delivers the changes and requires a new snapshot if the companies have changed since the cursor", async () => {
    const answer = await poll(4, 50, 1, 8);
    expect([answer.impacts.length, answer.pollState]).toEqual([1, "COMPANY_EVENT_POLL_STATE_SNAPSHOT_REQUIRED"]);
  });

  test("a poll has no changes and no next cursor if the log does not reach back to the request's cursor", async () => {
    expect(await poll(2, 50, 4)).toEqual({
      impacts: [],
      nextCursor: "",
      pollState: "COMPANY_EVENT_POLL_STATE_SNAPSHOT_REQUIRED",
    });
  });
});
