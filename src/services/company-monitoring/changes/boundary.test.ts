import { expect, test } from "vitest";
import { type CompanyNode, companyNode } from "../../../../test/support/companies/company-node.js";
import { createCompanyTables } from "../../../../test/support/companies/company-tables.js";
import { describeEachStore } from "../../../../test/support/stores.js";
import { manualClock } from "../../../kit/manual-clock.js";
import { type Random, seededRandom } from "../../../kit/random.js";
import { listMonitoredCompanies } from "../operations/list-monitored-companies.js";
import type { Lifecycle, MonitoredCompany } from "../records.js";
import { createMonitoredCompany } from "../writes/create-monitored-company.js";
import { setMonitoredCompanyState } from "../writes/set-monitored-company-state.js";
import { updateMonitoredCompany } from "../writes/update-monitored-company.js";

const WRITERS = 16;
const WRITES_EACH = 12;
const LISTS = 12;
const ACCOUNT = "acc_boundary";
const ACTIVE = "MONITORED_COMPANY_LIFECYCLE_ACTIVE";
const PAUSED = "MONITORED_COMPANY_LIFECYCLE_PAUSED";
const REMOVED = "MONITORED_COMPANY_LIFECYCLE_REMOVED";

/** One effective write: its position, and the company after the write. */
interface Effect {
  readonly position: number;
  readonly company: MonitoredCompany;
}

/** All pages of one list, read while companies were written. */
interface List {
  readonly lifecycle: readonly string[];
  readonly watermark: number;
  readonly companies: readonly MonitoredCompany[];
  readonly boundaries: ReadonlySet<string>;
}

/** Acts as one of the writers: creates companies, and changes them at random. */
async function keepWriting(node: CompanyNode, name: string, random: Random, effects: Effect[]): Promise<void> {
  const own: string[] = [];
  for (let count = 0; count < WRITES_EACH; count += 1) {
    const companyId = own[Math.floor(random() * own.length)];
    const kind = companyId === undefined || random() < 0.4 ? "create" : random() < 0.5 ? "update" : "state";
    const target: Lifecycle = [ACTIVE, PAUSED, REMOVED][Math.floor(random() * 3)] as Lifecycle;
    const { result, position } = await node
      .write(ACCOUNT, (context) => {
        if (companyId === undefined || kind === "create") {
          const company = { name: `${name} ${count}`, domicileCountry: "DOMICILE_COUNTRY_GB" };
          return createMonitoredCompany.run({ company }, context);
        }
        if (kind === "update") {
          return updateMonitoredCompany.run({ companyId, patch: { name: `${name} ${count}` } }, context);
        }
        return setMonitoredCompanyState.run({ companyId, targetLifecycle: target }, context);
      })
      // A removed company accepts no further change.
      .catch(() => ({ result: { text: "" }, position: undefined }));
    if (position === undefined || !("body" in result)) continue;
    const { company } = result.body;
    if (kind === "create") own.push(company.companyId);
    effects.push({ position, company: company as MonitoredCompany });
  }
}

async function readList(node: CompanyNode, lifecycle: readonly string[], random: Random): Promise<List> {
  const context = node.contextOf(ACCOUNT);
  const companies: MonitoredCompany[] = [];
  const boundaries = new Set<string>();
  let cursor = "";
  let watermark = 0;
  do {
    const query = { lifecycle, coverage: [], pageSize: 1 + Math.floor(random() * 7), cursor };
    const page = await listMonitoredCompanies.run(query, context);
    companies.push(...page.companies);
    const payload = JSON.parse(Buffer.from(page.snapshot.pollCursor.split(".")[1] ?? "", "base64url").toString());
    watermark = payload.w;
    boundaries.add(`${payload.w} ${page.snapshot.snapshotGeneration} ${page.snapshot.snapshotAsOf}`);
    cursor = page.nextCursor;
  } while (cursor !== "");
  return { lifecycle, watermark, companies, boundaries };
}

/** Returns the companies as they are after all effects up to a position. */
function companiesAt(effects: readonly Effect[], watermark: number): readonly MonitoredCompany[] {
  const byId = new Map<string, MonitoredCompany>();
  for (const { position, company } of effects.toSorted((a, b) => a.position - b.position)) {
    if (position <= watermark) byId.set(company.companyId, company);
  }
  return [...byId.values()].sort((a, b) => (a.companyId < b.companyId ? -1 : 1));
}

await describeEachStore((open) => {
  test(`while ${WRITERS} writers are active, the pages of a list show exactly the state at the watermark of the list`, async () => {
    const store = await open();
    await createCompanyTables(store.database);
    const clock = manualClock(Date.UTC(2026, 10, 22));
    const random = seededRandom(16);
    const nodes = [companyNode(store.database, clock), companyNode(await store.openAgain(), clock)] as const;
    const nodeOf = (at: number): CompanyNode => nodes[at % 2] as CompanyNode;
    const effects: Effect[] = [];
    const lists: List[] = [];
    const filters = [[], ["active"], ["paused", "removed"]];

    const writing = Promise.all(
      Array.from({ length: WRITERS }, (_, at) => keepWriting(nodeOf(at), `Writer ${at}`, seededRandom(at), effects)),
    );
    for (let list = 0; list < LISTS; list += 1) {
      lists.push(await readList(nodeOf(list), filters[list % filters.length] ?? [], random));
    }
    await writing;
    lists.push(await readList(nodes[0], [], random));

    expect(effects.map(({ position }) => position).sort((a, b) => a - b)).toEqual(effects.map((_, at) => at + 1));
    for (const { lifecycle, watermark, companies, boundaries } of lists) {
      expect(boundaries.size).toBe(1);
      const expected = companiesAt(effects, watermark).filter(
        (company) => lifecycle.length === 0 || lifecycle.some((name) => company.lifecycle.endsWith(name.toUpperCase())),
      );
      expect(companies).toEqual(expected);
    }
    // If all lists had been read before the first write or after the last, the test would prove nothing.
    expect(lists.some(({ watermark }) => watermark > 0 && watermark < effects.length)).toBe(true);
    expect(lists.at(-1)?.watermark).toBe(effects.length);
  });
});
