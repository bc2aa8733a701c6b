import fc from "fast-check";
import { expect, test } from "vitest";
import { principalOf } from "../../../../test/support/companies/principal-of.js";
import { randomRuns } from "../../../../test/support/effort.js";
import { Failure } from "../../../contract/failures.js";
import { lifecycles } from "../records.js";
import type { CompanyLifecycle } from "../rules/lifecycle.js";
import { emptyState, inMemory, type PortfolioState } from "../testing/memory-portfolio.js";
import { createMonitoredCompany } from "./create-monitored-company.js";
import { importMonitoredCompanyBatch } from "./import-monitored-company-batch.js";
import { setMonitoredCompanyState } from "./set-monitored-company-state.js";
import { updateMonitoredCompany } from "./update-monitored-company.js";

const NOW = Date.UTC(2026, 10, 22);
const SCHEDULES = randomRuns(10_000);

/** Few names, references and ids, so that writes collide. */
const names = fc.constantFrom("A", "B");
const references = fc.constantFrom("", "1", "2");
const companies = fc.record({ name: names, customerReference: references });
/** The index of a company in the order of creation; there may be no company at this index. */
const places = fc.nat({ max: 2 });

const command = fc.oneof(
  fc.record({ kind: fc.constant("create" as const), requestId: references, company: companies }),
  fc.record({
    kind: fc.constant("import" as const),
    importId: fc.constantFrom("x", "y"),
    companies: fc.array(companies, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constant("update" as const),
    place: places,
    patch: fc.record({ name: names, customerReference: references }, { requiredKeys: [] }),
  }),
  fc.record({ kind: fc.constant("state" as const), place: places, targetLifecycle: fc.constantFrom(...lifecycles) }),
);
type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never;
const schedule = fc.array(command, { maxLength: 6 });

const domicileCountry = "DOMICILE_COUNTRY_US";

/** Returns the state after a write. A refused write does not change the state. */
async function after(state: PortfolioState, at: number, step: Command): Promise<PortfolioState> {
  try {
    const written = await inMemory(state, at, async (turn) => {
      const ports = { portfolio: { turn: async () => turn } };
      const context = { principal: principalOf("acc_a"), ports, now: () => at };
      switch (step.kind) {
        case "create":
          return createMonitoredCompany.run(
            { clientRequestId: step.requestId, company: { ...step.company, domicileCountry } },
            context,
          );
        case "import": {
          const rows = step.companies.map((company, ordinal) => ({
            ordinal,
            company: { ...company, domicileCountry },
          }));
          const batch = { contractVersion: "cm-import-v1", clientImportId: step.importId, rows } as const;
          return importMonitoredCompanyBatch.run(batch, context);
        }
        case "update":
          return updateMonitoredCompany.run({ companyId: companyAt(state, step.place), patch: step.patch }, context);
        case "state": {
          const { place, targetLifecycle } = step;
          return setMonitoredCompanyState.run({ companyId: companyAt(state, place), targetLifecycle }, context);
        }
      }
    });
    return written.state;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return state;
  }
}

function companyAt(state: PortfolioState, place: number): string {
  return [...state.companies.keys()][place] ?? "cm_company_00000000000000000000000000";
}

const edges: Readonly<Record<CompanyLifecycle, readonly CompanyLifecycle[]>> = {
  active: ["active", "paused", "removed"],
  paused: ["active", "paused", "removed"],
  removed: ["removed"],
};

/** Returns descriptions of the rules that the step from one state to the next violates. */
function brokenRules(before: PortfolioState, next: PortfolioState): readonly string[] {
  let effects = 0;
  const broken: string[] = [];
  for (const [companyId, company] of next.companies) {
    const earlier = before.companies.get(companyId);
    if (JSON.stringify(company) !== JSON.stringify(earlier)) effects += 1;
    if (!(earlier ? edges[earlier.lifecycle] : ["active"]).includes(company.lifecycle)) {
      broken.push(`${companyId} went from ${earlier?.lifecycle ?? "nothing"} to ${company.lifecycle}`);
    }
  }
  for (const companyId of before.companies.keys()) {
    if (!next.companies.has(companyId)) broken.push(`${companyId} is gone`);
  }
  const growth = next.generation - before.generation;
  if (growth !== effects) broken.push(`the generation grew by ${growth} for ${effects} created or changed companies`);
  return broken;
}

test("lifecycles change only along allowed edges, and each created or changed company adds a generation", async () => {
  await fc.assert(
    fc.asyncProperty(schedule, async (steps) => {
      let state = emptyState;
      for (const [at, step] of steps.entries()) {
        const next = await after(state, NOW + at, step);
        expect(brokenRules(state, next)).toEqual([]);
        state = next;
      }
    }),
    { numRuns: SCHEDULES },
  );
}, 120_000);
