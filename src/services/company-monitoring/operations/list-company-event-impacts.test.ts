import { describe, expect, test } from "vitest";
import { companyContext } from "../../../../test/support/companies/company-ports.js";
import { impactOf } from "../../../../test/support/companies/impacts.js";
import type { ImpactFilters, PageBounds } from "../changes/company-reading.js";
import { listCompanyEventImpacts } from "./list-company-event-impacts.js";

const NOW = Date.UTC(2026, 10, 22);
const boundary = { snapshotGeneration: 9, snapshotAsOf: NOW, watermark: 6 };
const impacts = [1, 2, 3].map((at) => impactOf(NOW + at));
const noFilters = { companyId: [], direction: [], lifecycle: [] } as const;

describe("list-company-event-impacts", () => {
  test("the first page is served as of the boundary, with a cursor for the next page and a cursor for later changes", async () => {
    const requested: [ImpactFilters, PageBounds][] = [];
    const reading = {
      boundary: async () => boundary,
      async impacts(filters: ImpactFilters, page: PageBounds) {
        requested.push([filters, page]);
        return impacts;
      },
    };
    const filters = { ...noFilters, direction: ["negative"] };
    const answer = await listCompanyEventImpacts.run({ ...filters, pageSize: 2, cursor: "" }, companyContext(reading));
    expect(requested).toEqual([[filters, { ...boundary, rowsMax: 3 }]]);
    expect(answer.impacts).toEqual(impacts.slice(0, 2));
    expect(JSON.parse(answer.nextCursor)).toEqual({ ...boundary, after: impacts[1]?.impactId });
    expect(answer.snapshot).toEqual({
      snapshotAsOf: "2026-11-22T00:00:00.000Z",
      snapshotGeneration: "9",
      pollCursor: JSON.stringify(boundary),
    });
  });

  test("the next page is served as of the boundary in the cursor, and the last page has no cursor", async () => {
    const reading = { isListable: async () => true, impacts: async () => impacts.slice(2) };
    const cursor = JSON.stringify({ ...boundary, after: impacts[1]?.impactId });
    const answer = await listCompanyEventImpacts.run({ ...noFilters, pageSize: 2, cursor }, companyContext(reading));
    expect(answer).toMatchObject({ impacts: impacts.slice(2), nextCursor: "", snapshot: { snapshotGeneration: "9" } });
  });
});
