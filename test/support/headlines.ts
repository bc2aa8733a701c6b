import { type Headline, headlineEvidence } from "../../src/services/intelligence/rules/evidence/headlines.js";
import type { Stack } from "./stack.js";
import { buildOf, finishedRun } from "./stores.js";

const EVIDENCE = "country-evidence";

/**
 * Builds the evidence of briefs. Then replaces its part `headline` with evidence from these headlines, and publishes
 * the result. Headlines that mention Ukraine become evidence on Ukraine; others are left out.
 */
export async function storeHeadlines(stack: Stack, headlines: readonly Headline[]): Promise<void> {
  const { generation, status } = await stack.runAlone(EVIDENCE);
  if (!generation) throw new Error(`no evidence: ${status.error}`);
  const { store, registry } = stack.service;
  const at = stack.clock.now();
  const facts = headlineEvidence("UA", headlines, (title) => (title.includes("Ukraine") ? ["UA"] : []));
  const records = {
    ...(await store.records(generation)),
    headline: facts.map((fact) => ({ countryCode: "UA", ...fact })),
  };
  const fresh = { state: "fresh", confirmedAt: at, error: null, validators: {} } as const;
  const parts = { ...status.parts, headline: fresh };
  await store.publish(EVIDENCE, buildOf(records, generation.newestAt), finishedRun(EVIDENCE, at, { parts }), at);
  await registry.refresh();
}
