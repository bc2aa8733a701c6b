import { expect, test } from "vitest";
import { decide } from "./decision.js";
import { evidenceOf } from "./evidence.js";
import { servedEvent, servedImpact } from "./served-impact.js";
import { finding, revision } from "./testing/findings.js";

test("an impact is served with its direction, channels, overall confidence and the reasons for its publication", () => {
  const evidence = [finding(), finding({ origin: "wire-b", title: "Blaze at Orrin refinery" })].map(evidenceOf);
  const decision = decide(evidence, revision.now);
  expect(servedImpact(decision, revision)).toMatchObject({
    direction: "MATERIAL_IMPACT_DIRECTION_NEGATIVE",
    channels: ["MATERIAL_IMPACT_CHANNEL_REPUTATION", "MATERIAL_IMPACT_CHANNEL_FINANCES"],
    confidence: { overall: 0.862 },
    occurredAt: "2026-11-22T00:00:00.000Z",
    evidenceTotalCount: 2,
  });
  expect(servedImpact(decision, revision).rationale).toMatch(/^publish: counted findings: 2,.*2 independent origins/);
  expect(servedEvent(decision, revision)).toMatchObject({
    category: "accident",
    summary: "Fire breaks out at the Orrin refinery",
  });
});
