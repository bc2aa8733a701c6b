import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { limitTable } from "../http/call-limits.js";
import { loadServices } from "../services/registry.js";
import { addPlans, planColumns, planFacts, planRows } from "./plans.js";
import { parsed } from "./testing/parsed.js";

/**
 * Finds a table of a document by the title of the table's first column. Returns the header and the rows, without the
 * separator line.
 */
function documentedTable(file: string, title: string): readonly (readonly string[])[] {
  const lines = readFileSync(resolve(import.meta.dirname, "../..", file), "utf8").split("\n");
  const from = lines.findIndex((line) => line.startsWith(`| ${title} |`));
  const until = lines.findIndex((line, at) => at > from && !line.startsWith("|"));
  const cells = (line: string): string[] =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim());
  return lines
    .slice(from, until)
    .filter((_line, at) => at !== 1)
    .map(cells);
}

test("the table of plans equals the one in docs/access.md", async () => {
  const { quotas } = await loadServices();
  const limits = limitTable([], quotas);
  expect([planColumns(limits), ...planRows(limits)]).toEqual(documentedTable("docs/access.md", "plan"));
});

test("the table of plans shows the limits that the operator has changed", () => {
  const quota = { name: "brief", calls: "briefs", callsMax: { pro: 1, starter: 2, business: 3 } };
  const rows = planRows(limitTable(["starter-day=7", "default-minute=8", "brief-pro-day=9"], [quota]));
  expect(rows.find(([plan]) => plan === "starter")?.[4]).toBe("7");
  expect(rows.find(([plan]) => plan === "pro")?.slice(3)).toEqual(["8", "", "9"]);
});

/** The number at the beginning of a cell of the table; null for a cell without a number. */
function numberIn(cell: string | undefined): number | null {
  if (cell === "none") return 0;
  const [digits] = /^[\d,]+/.exec(cell ?? "") ?? [];
  return digits === undefined ? null : Number(digits.replaceAll(",", ""));
}

test("the plans in JSON have the same numbers as the table, including limits that the operator has changed", () => {
  const quota = { name: "brief", calls: "briefs", callsMax: { pro: 1, starter: 2, business: 3 } };
  const limits = limitTable(["starter-day=7", "default-minute=8"], [quota]);
  const facts = planFacts(limits);
  expect(facts.map(({ plan }) => plan)).toEqual(["free", "pro", "starter", "business", "enterprise"]);
  // The last row of the table is the operator, which is not a plan.
  expect(
    facts.map(({ plan, tier, callsPerMinute, callsPerDay, quotas }) => [
      plan,
      tier,
      callsPerMinute,
      callsPerDay,
      quotas["brief"],
    ]),
  ).toEqual(
    planRows(limits)
      .slice(0, -1)
      .map(([plan, tier, , ...cells]) => [plan, Number(tier), ...cells.map(numberIn)]),
  );
  expect(facts[0]).toEqual({
    plan: "free",
    tier: 0,
    takesKeys: false,
    callsPerMinute: null,
    callsPerDay: null,
    quotas: { brief: 0 },
  });
  expect(facts[1]).toMatchObject({ callsPerMinute: 8, callsPerDay: null, quotas: { brief: 1 } });
  expect(facts[2]).toMatchObject({ callsPerDay: 7, quotas: { brief: 2 } });
  expect(facts[4]).toMatchObject({ plan: "enterprise", takesKeys: true, quotas: { brief: null } });
});

test("vigil plans accepts --demo and --json", async () => {
  expect(await parsed((root, called) => addPlans(root, called("plans")), ["plans", "--demo", "--json"])).toEqual([
    ["plans", { demo: true, json: true }],
  ]);
});
