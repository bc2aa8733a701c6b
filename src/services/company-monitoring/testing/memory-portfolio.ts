import type { Company } from "../portfolio/company.js";
import type { EarlierRequest, PortfolioTurn, RequestKey } from "../ports.js";

/** The state of one account. */
export interface PortfolioState {
  readonly companies: ReadonlyMap<string, Company>;
  /** The rows of each request, by ordinal. */
  readonly requests: ReadonlyMap<string, ReadonlyMap<number, EarlierRequest>>;
  readonly generation: number;
  /** Number of ids assigned so far. */
  readonly ids: number;
}

export const emptyState: PortfolioState = { companies: new Map(), requests: new Map(), generation: 0, ids: 0 };

/** Runs a write on a copy of the state, like a transaction. Returns its result and the resulting state. */
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
    findAll: async (companyIds) => new Map([...companies].filter(([companyId]) => companyIds.includes(companyId))),
    findByReferences: async (references) =>
      new Map(
        [...companies.values()].flatMap((company) => {
          const { customerReference } = company;
          const isFound = customerReference !== undefined && references.includes(customerReference);
          return isFound ? [[customerReference, company]] : [];
        }),
      ),
    findRequest: async (key) => requests.get(requestText(key)) ?? new Map(),
    newCompanyId: nextId("cm_company_"),
    newClaimId: nextId("cm_claim_"),
    async add(added) {
      for (const { company, request } of added) {
        companies.set(company.companyId, company);
        if (request) {
          const { fingerprint, ordinal } = request;
          const rows = requests.get(requestText(request)) ?? new Map();
          requests.set(requestText(request), new Map(rows).set(ordinal, { fingerprint, companyId: company.companyId }));
        }
        generation += 1;
      }
    },
    async replace(_before, after) {
      companies.set(after.companyId, after);
      generation += 1;
    },
  };
  const result = await work(turn);
  return { result, state: { companies, requests, generation, ids } };
}

function requestText({ kind, requestId }: RequestKey): string {
  return JSON.stringify([kind, requestId]);
}
