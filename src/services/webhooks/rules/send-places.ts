/** Maximum number of concurrent attempts: in total on a node, per account and per endpoint. */
const SENDS_MAX = 64;
export const SENDS_PER_ACCOUNT_MAX = 16;
export const SENDS_PER_ENDPOINT_MAX = 4;

/** The concurrent attempts of a node, and how many more it may begin. */
export interface SendPlaces {
  /** Number of attempts that the node may begin, whatever their accounts. */
  free(): number;
  /** Accounts with attempts in progress that may not begin another one. */
  fullAccounts(): readonly string[];
  /** Number of attempts that the endpoint may begin. */
  freeFor(accountId: string, endpointId: string): number;
  begin(accountId: string, endpointId: string): void;
  end(accountId: string, endpointId: string): void;
}

/**
 * Counts attempts in progress. An account begins an attempt only while it has fewer in progress than the node has free
 * places. Scarce places therefore go to the accounts with the fewest attempts, even if the receivers of many other
 * accounts are slow.
 */
export function sendPlaces(): SendPlaces {
  const perAccount = new Map<string, number>();
  const perEndpoint = new Map<string, number>();
  let taken = 0;
  const freeForAccount = (accountId: string): number => {
    const own = perAccount.get(accountId) ?? 0;
    // Each attempt adds one to the account's and takes one from the node's, so half of the difference is left.
    return Math.min(SENDS_PER_ACCOUNT_MAX - own, Math.ceil((SENDS_MAX - taken - own) / 2));
  };
  const change = (accountId: string, endpointId: string, by: 1 | -1): void => {
    taken += by;
    add(perAccount, accountId, by);
    add(perEndpoint, endpointId, by);
  };
  return {
    free: () => SENDS_MAX - taken,
    fullAccounts: () => [...perAccount.keys()].filter((accountId) => freeForAccount(accountId) <= 0),
    freeFor: (accountId, endpointId) =>
      Math.max(Math.min(freeForAccount(accountId), SENDS_PER_ENDPOINT_MAX - (perEndpoint.get(endpointId) ?? 0)), 0),
    begin: (accountId, endpointId) => change(accountId, endpointId, 1),
    end: (accountId, endpointId) => change(accountId, endpointId, -1),
  };
}

function add(counts: Map<string, number>, id: string, by: number): void {
  const count = (counts.get(id) ?? 0) + by;
  if (count === 0) counts.delete(id);
  else counts.set(id, count);
}
