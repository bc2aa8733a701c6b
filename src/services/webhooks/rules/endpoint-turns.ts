/** Number of endpoints whose last turn is remembered, about 1 MB of ids and numbers. */
const REMEMBERED_MAX = 10_000;

/** The order in which endpoints had their last turns. */
export interface EndpointTurns {
  /** Notes that an attempt to the endpoint begins. */
  begin(endpointId: string): void;
  /** Sorts endpoints: first those without a remembered turn, in the given order, then those with the oldest turns. */
  inOrder<T extends { readonly endpoint_id: string }>(endpoints: readonly T[]): T[];
}

/** Remembers the last turn of an endpoint even while it has no attempt in progress. The oldest turns are forgotten. */
export function endpointTurns(rememberedMax = REMEMBERED_MAX): EndpointTurns {
  /** The number of the last turn of each endpoint, in ascending order. */
  const lastTurns = new Map<string, number>();
  let turn = 0;
  return {
    begin(endpointId) {
      turn += 1;
      lastTurns.delete(endpointId);
      lastTurns.set(endpointId, turn);
      const [oldest] = lastTurns.keys();
      if (lastTurns.size > rememberedMax && oldest !== undefined) lastTurns.delete(oldest);
    },
    inOrder: (endpoints) =>
      endpoints.toSorted((a, b) => (lastTurns.get(a.endpoint_id) ?? 0) - (lastTurns.get(b.endpoint_id) ?? 0)),
  };
}
