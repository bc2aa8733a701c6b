import type { Company } from "../portfolio/company.js";
import type { EarlierRequest, PortfolioTurn, RequestKey } from "../ports.js";

/** The state of one account. */
export interface PortfolioState {
  readonly companies: ReadonlyMap<string, Company>;
  readonly requests: ReadonlyMap<string, EarlierRequest>;
  readonly generation: number;
  /** Number of ids that were assigned. */
  readonly ids: number;
}

export const emptyState: PortfolioState = { companies: new Map(), requests: new Map(), generation: 0, ids: 0 };

/** Runs a write on a copy of the state, as a transaction does. Returns its result and the state after it. */
export async function inMemory<T>(
  state: PortfolioState,
  now: number,
  work: (turn: PortfolioTurn) => Promise<T>,
): Promise<{ readonly result: T; readonly state: PortfolioState }> {
  const companies = new Map(state.companies);
  const requests = new Map(state.requests);
  let { generation, ids } = state;
  const nextId = (prefix: string) => (): string => {
    ids += 1;
    return `${prefix}${String(ids).padStart(26, "0")}`;
  };
  const turn: PortfolioTurn = {
    now,
    companyCount: () => [...companies.values()].filter(({ lifecycle }) => lifecycle !== "removed").length,
    find: async (companyId) => companies.get(companyId),
    findByReference: async (reference) =>
      [...companies.values()].find(({ customerReference }) => customerReference === reference),
    findRequest: async (key) => requests.get(requestText(key)),
    newCompanyId: nextId("cm_company_"),
    newClaimId: nextId("cm_claim_"),
    async add({ company, request }) {
      companies.set(company.companyId, company);
      if (request) {
        requests.set(requestText(request), { fingerprint: request.fingerprint, companyId: company.companyId });
      }
      generation += 1;
    },
    async replace(_before, after) {
      companies.set(after.companyId, after);
      generation += 1;
    },
  };
  const result = await work(turn);
  return { result, state: { companies, requests, generation, ids } };
}

function requestText({ kind, requestId, ordinal }: RequestKey): string {
  return JSON.stringify([kind, requestId, ordinal]);
}
