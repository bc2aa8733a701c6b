import { expect, test } from "vitest";
import { impactOf } from "../../../../test/support/companies/impacts.js";
import { companyEventLog } from "./company-event-log.js";

test("a change of an impact is shown as one line with its outcome, its ids and the beginning of its reason", () => {
  const impact = { ...impactOf(Date.UTC(2026, 10, 23)), rationale: `publish: ${"x".repeat(500)}` };
  const { changedAt, impactId, companyId, canonicalUrl } = impact;
  const line = companyEventLog.line?.({ position: 1, impact });
  expect(line).toMatch(/ {2}admitted negative (?:low|medium|high) /);
  expect(line).toContain(`${changedAt}  admitted`);
  expect(line).toContain(`${impactId} on ${companyId}, ${canonicalUrl}: publish: xxx`);
  expect(line?.length).toBeLessThan(400);
});
