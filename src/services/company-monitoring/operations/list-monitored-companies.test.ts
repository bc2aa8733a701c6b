import { describe, expect, test } from "vitest";
import { companyContext } from "../../../../test/support/companies/company-ports.js";
import type { CompanyFilters, PageBounds } from "../changes/company-reading.js";
import type { MonitoredCompany } from "../records.js";
import { listMonitoredCompanies } from "./list-monitored-companies.js";

const boundary = { snapshotGeneration: 9, snapshotAsOf: Date.UTC(2026, 10, 22), watermark: 6 };
// The list reads only the ids of companies.
const companies = ["cm_company_1", "cm_company_2"].map((companyId) => ({ companyId }) as MonitoredCompany);

describe("list-monitored-companies", () => {
  test("the first page is served as of the boundary, with a cursor for the next page", async () => {
    const requested: [CompanyFilters, PageBounds][] = [];
    const reading = {
      boundary: async () => boundary,
      async companies(filters: CompanyFilters, page: PageBounds) {
        requested.push([filters, page]);
        return companies;
      },
    };
    const filters = { lifecycle: ["active"], coverage: [] };
    const answer = await listMonitoredCompanies.run({ ...filters, pageSize: 1, cursor: "" }, companyContext(reading));
    expect(requested).toEqual([[filters, { ...boundary, rowsMax: 2 }]]);
    expect(answer).toMatchObject({ companies: [{ companyId: "cm_company_1" }], snapshot: { snapshotGeneration: "9" } });
    expect(JSON.parse(answer.nextCursor)).toEqual({ ...boundary, after: "cm_company_1" });
  });

  test("a cursor whose rows may have been removed is refused", async () => {
    const context = companyContext({ isListable: async () => false });
    const query = { lifecycle: [], coverage: [], pageSize: 1, cursor: JSON.stringify(boundary) };
    await expect(listMonitoredCompanies.run(query, context)).rejects.toThrow("refused: gone");
  });
});
