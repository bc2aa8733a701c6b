import type { CommandCall } from "../../../contract/service-command.js";
import { OperatorError } from "../../../kit/operator-error.js";
import type { MonitoredCompany } from "../records.js";

const PATH = "/api/company-monitoring/v1/list-monitored-companies";

interface Page {
  readonly companies: readonly MonitoredCompany[];
  readonly nextCursor: string;
}

/**
 * Returns every active or paused company, oldest first, as of one moment. Throws `OperatorError` if the service answers
 * with an error.
 */
export async function allCompanies(call: CommandCall): Promise<readonly MonitoredCompany[]> {
  const companies: MonitoredCompany[] = [];
  for (let cursor = ""; ; ) {
    const query = new URLSearchParams({ page_size: "100", ...(cursor !== "" && { cursor }) });
    for (const lifecycle of ["active", "paused"]) query.append("lifecycle", lifecycle);
    const { status, body } = await call.send(`${PATH}?${query}`);
    if (status !== 200) throw new OperatorError(`${PATH} answered ${status}: ${JSON.stringify(body)}`);
    // The cast is safe, because the body is the service's own answer to this request.
    const page = body as Page;
    companies.push(...page.companies);
    call.note(`${companies.length} companies`);
    if (page.nextCursor === "") return companies;
    cursor = page.nextCursor;
  }
}
