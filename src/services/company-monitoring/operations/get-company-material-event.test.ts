import { expect, test } from "vitest";
import { companyContext } from "../../../../test/support/companies/company-ports.js";
import { impactOf } from "../../../../test/support/companies/impacts.js";
import type { EventDetail } from "../changes/company-reading.js";
import { getCompanyMaterialEvent } from "./get-company-material-event.js";

const impact = impactOf(Date.UTC(2026, 10, 22));
// The operation passes the event and its references through without reading them.
const event = { eventId: impact.eventId } as EventDetail["event"];
const evidence = ["1", "2"].map((evidenceId) => ({ evidenceId }) as EventDetail["evidence"][number]);

const answerFor = (impactId: string, evidenceTotalCount = 2) =>
  getCompanyMaterialEvent.run(
    { impactId },
    companyContext({
      event: async (id) => (id === impact.impactId ? { event, impact, evidence, evidenceTotalCount } : undefined),
    }),
  );

test("get-company-material-event serves the event and the impact with the references to evidence", async () => {
  expect(await answerFor(impact.impactId)).toEqual({
    event,
    impact,
    evidence,
    evidenceTotalCount: 2,
    evidenceTruncated: false,
  });
});

test("get-company-material-event states whether there are more references than it serves", async () => {
  expect(await answerFor(impact.impactId, 3)).toMatchObject({ evidenceTotalCount: 3, evidenceTruncated: true });
});

test("get-company-material-event answers 404 for an impact that the account does not have", async () => {
  await expect(answerFor("cm_impact_00000000000000000000000000")).rejects.toMatchObject({ status: 404 });
});
