import { Type } from "typebox";
import { write } from "../../../contract/write.js";
import { createCompany } from "../portfolio/create-company.js";
import { companyLimitReached, replayConflict } from "../portfolio/failures.js";
import { servedCompany } from "../portfolio/served-company.js";
import { portfolio } from "../ports.js";
import { BoundedText, MonitoredCompany, MonitoredCompanyInput } from "../records.js";
import { REQUEST_ID_BYTES_MAX } from "../rules/limits.js";
import { normalCompany } from "../rules/normal/normal-company.js";
import { normalText } from "../rules/normal/normal-text.js";
import { refusals } from "../rules/normal/refusals.js";

export const createMonitoredCompany = write({
  rpc: "create-monitored-company",
  summary: "Monitor a company",
  description:
    "Adds a company to the account's portfolio and queues its first scan. A repeat of clientRequestId with the same company returns the company that was created; a repeat with another company is refused with 409 REPLAY_CONFLICT. If the account has a company with this customerReference, that company is returned unchanged. If the account already has 500 companies, the request is refused with 422 COMPANY_LIMIT_REACHED.",
  access: { scope: "company_monitoring:write" },
  limit: { name: "company-create", callsMax: 30 },
  repeats: "replayed",
  isTransaction: true,
  failures: ["conflict", "limitReached"],
  uses: { portfolio },
  request: Type.Object(
    {
      clientRequestId: Type.Optional(
        BoundedText(
          REQUEST_ID_BYTES_MAX,
          "The client's own id of this request; an empty string is the same as no id",
          0,
        ),
      ),
      company: MonitoredCompanyInput,
    },
    { title: "CreateMonitoredCompanyRequest" },
  ),
  example: {
    clientRequestId: "example",
    company: {
      name: "Example Industries",
      domicileCountry: "DOMICILE_COUNTRY_US",
      domains: ["example.com"],
      customerReference: "crm-17",
    },
  },
  response: Type.Object({ company: MonitoredCompany }, { title: "CreateMonitoredCompanyResponse" }),
  async run({ clientRequestId, company: input }, { ports }) {
    const refused = refusals();
    const requestId = clientRequestId
      ? refused.take("clientRequestId", normalText(clientRequestId, REQUEST_ID_BYTES_MAX), "")
      : undefined;
    const company = normalCompany(input, "company", refused);
    refused.check();
    const turn = await ports.portfolio.turn();
    const request = requestId === undefined ? undefined : ({ kind: "create", requestId } as const);
    const creation = await createCompany(turn, company, request);
    if (creation.outcome === "conflict") throw replayConflict();
    if (creation.outcome === "limit") throw companyLimitReached();
    return { body: { company: servedCompany(creation.company, turn.now) } };
  },
});
