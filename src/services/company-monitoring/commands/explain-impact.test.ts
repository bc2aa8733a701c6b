import { expect, test } from "vitest";
import { decide } from "../admission/decision.js";
import { evidenceOf } from "../admission/evidence.js";
import { servedEvent, servedEvidence, servedImpact } from "../admission/served-impact.js";
import { finding, revision } from "../admission/testing/findings.js";
import { explainImpact } from "./explain-impact.js";

test("an impact is explained by its axes, the reasons for its decision and its evidence", async () => {
  const evidence = [finding(), finding({ origin: "wire-b", title: "Blaze at Orrin refinery" })].map(evidenceOf);
  const decision = decide(evidence, revision.now);
  const paths: string[] = [];
  const text = await explainImpact.run({
    argument: revision.impactId,
    options: {},
    async fetch(path) {
      paths.push(path);
      return {
        event: servedEvent(decision, revision),
        impact: servedImpact(decision, revision),
        evidence: evidence.map((item, at) => servedEvidence(item, `cm_evidence_${at}`)),
        evidenceTotalCount: 3,
      };
    },
  });
  expect(paths).toEqual(["/api/company-monitoring/v1/get-company-material-event?impact_id=cm_impact_1"]);
  const lines = text.split("\n");
  expect(lines[0]).toBe("Fire breaks out at the Orrin refinery");
  expect(text).toMatch(/^attribution +0\.950 +0\.9 +yes$/m);
  expect(text).toMatch(/^Newest decision: publish$/m);
  expect(text).toMatch(/^- 2 independent origins/m);
  expect(text).toMatch(/Wire A +news +independent authoritative +https:\/\/news\.example/);
  expect(lines.at(-1)).toBe("and 1 more");
});
