import fc from "fast-check";
import { expect, test } from "vitest";
import { randomRuns } from "../../../../test/support/effort.js";
import { normalImport } from "../rules/normal/normal-import.js";
import { emptyState, inMemory, type PortfolioState } from "../testing/memory-portfolio.js";
import { type ImportReport, importCompanies } from "./import-companies.js";

const NOW = Date.UTC(2026, 10, 22);
const SCHEDULES = randomRuns(10_000);

interface Row {
  readonly name: string;
  readonly customerReference?: string;
}

/** Few names and references, so that rows collide. */
const row = fc.record(
  { name: fc.constantFrom("A", "B", "C"), customerReference: fc.constantFrom("1", "2", "3") },
  { requiredKeys: ["name"] },
);
const rowList = fc.array(row, { minLength: 1, maxLength: 8 });
/**
 * Imports that share a few ids. Each import crashes `crashes` times before its commit, and is repeated `retries` times
 * after its commit.
 */
const schedule = fc.array(
  fc.record({
    importId: fc.constantFrom("x", "y"),
    rows: rowList,
    order: fc.infiniteStream(fc.nat()),
    crashes: fc.nat({ max: 2 }),
    retries: fc.nat({ max: 2 }),
  }),
  { minLength: 1, maxLength: 4 },
);

function batchOf(clientImportId: string, rows: readonly Row[], order?: Iterator<number>) {
  const numbered = rows.map(({ name, customerReference }, ordinal) => ({
    ordinal,
    company: {
      name,
      domicileCountry: "DOMICILE_COUNTRY_US",
      ...(customerReference !== undefined && { customerReference }),
    },
  }));
  const arriving = order ? numbered.map((arrived) => ({ arrived, at: order.next().value as number })) : [];
  const shuffled = arriving.sort((a, b) => a.at - b.at).map(({ arrived }) => arrived);
  return normalImport({ clientImportId, rows: order ? shuffled : numbered });
}

function run(state: PortfolioState, batch: ReturnType<typeof batchOf>) {
  return inMemory(state, NOW, (turn) => importCompanies(turn, batch));
}

/** Returns the expected outcomes of a repeated import whose first call was committed. */
function repeated(report: ImportReport): readonly string[] {
  return report.results.map(({ outcome }) =>
    outcome === "COMPANY_IMPORT_ROW_OUTCOME_CREATED" ? "COMPANY_IMPORT_ROW_OUTCOME_REPLAYED" : outcome,
  );
}

const outcomes = ({ results }: ImportReport): readonly string[] => results.map(({ outcome }) => outcome);

test("row order, crashes and retries do not change which companies an import creates", async () => {
  await fc.assert(
    fc.asyncProperty(schedule, async (imports) => {
      let state = emptyState;
      for (const { importId, rows, order, crashes, retries } of imports) {
        const expected = await run(state, batchOf(importId, rows));
        // A crash before the commit leaves the state as it was.
        for (let crash = 0; crash < crashes; crash += 1) await run(state, batchOf(importId, rows, order));
        const committed = await run(state, batchOf(importId, rows, order));
        expect(committed).toEqual(expected);
        const created = committed.result.createdCount;
        expect(committed.state.generation).toBe(state.generation + created);
        expect(committed.state.companies.size).toBe(state.companies.size + created);
        state = committed.state;
        for (let retry = 0; retry < retries; retry += 1) {
          const again = await run(state, batchOf(importId, rows, order));
          expect(outcomes(again.result)).toEqual(repeated(committed.result));
          expect([...again.state.companies]).toEqual([...state.companies]);
          expect(again.state.generation).toBe(state.generation);
        }
        const { createdCount, replayedCount, rejectedCount } = committed.result;
        expect(createdCount + replayedCount + rejectedCount).toBe(rows.length);
      }
    }),
    { numRuns: SCHEDULES },
  );
}, 120_000);
