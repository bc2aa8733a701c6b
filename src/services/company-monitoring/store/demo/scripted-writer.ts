import { OPERATOR_ACCOUNT, type Principal } from "../../../../contract/access/principal.js";
import type { StoreParts } from "../../../../database/service-store.js";
import { inTransaction } from "../../../../database/transaction.js";
import { createCompany } from "../../portfolio/create-company.js";
import { normalCompany } from "../../rules/normal/normal-company.js";
import { refusals } from "../../rules/normal/refusals.js";
import { admissionRound } from "../admission/admission-job.js";
import { portfolioOf } from "../portfolio-store.js";
import { storeFindings } from "../scan/store-findings.js";
import { type CompanyDatabase, companiesIn } from "../tables.js";
import { beginsGap, STORY_STEPS, scriptedStep, sourceOf, stepCountOf } from "./demo-script.js";
import { openGap } from "./provider-gap.js";

const companies = [
  { name: "Northlight Shipping", domicileCountry: "DOMICILE_COUNTRY_NO", domains: ["northlight.example"] },
  { name: "Tessel Semiconductors", domicileCountry: "DOMICILE_COUNTRY_TW", domains: ["tessel.example"] },
  { name: "Harvestline Foods", domicileCountry: "DOMICILE_COUNTRY_US", domains: ["harvestline.example"] },
  { name: "Ridgeway Energy", domicileCountry: "DOMICILE_COUNTRY_DE", domains: ["ridgeway.example"] },
  { name: "Adara Pharma", domicileCountry: "DOMICILE_COUNTRY_IN", domains: ["adara.example"] },
] as const;

/**
 * The first company of the simulated registers. The script has no story about it, so it gets no events while another
 * company of the demo is active. Its coverage still becomes adequate, except while the web search fails.
 */
export const registeredCompany = {
  name: "Simulated Merzurla 0 Corp.",
  domicileCountry: "DOMICILE_COUNTRY_US",
  domains: [],
  identifiers: ["CIK:0001900001"],
};

const operator: Principal = {
  kind: "key",
  actor: "simulator",
  accountId: OPERATOR_ACCOUNT,
  scopes: new Set(),
  plan: "enterprise",
  planState: "active",
  isOperator: true,
};

/**
 * Plays one step of the demo: stores scripted findings on companies of the operator's account. They are assessed like
 * all other findings. The first call plays a whole story: reported, published, corrected and retracted. Occasionally a
 * search fails for the registered company.
 */
export async function playStep(parts: StoreParts): Promise<void> {
  const { signal } = new AbortController();
  for (let count = 0; count < STORY_STEPS; count += 1) {
    const played = await storeStep(parts);
    await admissionRound(parts, signal);
    if (played === undefined) return;
    const { step, registeredId } = played;
    if (beginsGap(step) && registeredId !== undefined) {
      await openGap(companiesIn(parts.database.db), OPERATOR_ACCOUNT, registeredId, parts.clock.now());
    }
    if (step >= STORY_STEPS - 1) return;
  }
}

interface PlayedStep {
  readonly step: number;
  /** Undefined while the registered company is paused or removed. */
  readonly registeredId: string | undefined;
}

/**
 * Stores the findings of the next step, after creating the companies that do not exist yet. Returns undefined at the
 * end of the script, or if no company is active.
 */
async function storeStep(parts: StoreParts): Promise<PlayedStep | undefined> {
  return inTransaction(parts.database.db, async (on) => {
    const call = { principal: operator, actor: operator.actor, address: "", db: on };
    const turn = await portfolioOf(parts, call).turn();
    const ids = new Map<number, string>();
    for (const [at, company] of [...companies, registeredCompany].entries()) {
      const input = { ...company, domains: [...company.domains], customerReference: `demo-${at + 1}` };
      const request = { kind: "create", requestId: `demo ${at + 1}` } as const;
      const creation = await createCompany(turn, normalCompany(input, "company", refusals()), request);
      if ("company" in creation && creation.company.lifecycle === "active") ids.set(at, creation.company.companyId);
    }
    const db = companiesIn(on);
    const step = await nextStep(db);
    if (step === undefined) return undefined;
    const names = companies.map(({ name }) => name);
    const { company, findings } = scriptedStep(step, names, turn.now);
    // A visitor may have paused or removed a company. Its stories are then played on the first company that is still
    // active.
    const companyId = ids.get(company) ?? [...ids.values()][0];
    if (companyId === undefined) return undefined;
    const own = findings.map((finding) => ({ companyId, finding }));
    await storeFindings(db, OPERATOR_ACCOUNT, own, turn.now);
    return { step, registeredId: ids.get(companies.length) };
  });
}

/** Returns the first step that has not been played; undefined at the end of the script. */
async function nextStep(db: CompanyDatabase): Promise<number | undefined> {
  const rows = await db
    .selectFrom("company_finding")
    .select("source_id")
    .where("account_id", "=", OPERATOR_ACCOUNT)
    .where("provider", "=", "news")
    .where("source_id", "like", "https://news.example/demo/%")
    .execute();
  const played = new Set(rows.map(({ source_id }) => source_id));
  for (let step = 0; step < stepCountOf(companies.length); step += 1) if (!played.has(sourceOf(step))) return step;
  return undefined;
}
