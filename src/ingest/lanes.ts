/** Schedules requests that are grouped into lanes, one lane per host. */
export interface Lanes<Request> {
  /**
   * Returns the next request of the lane with the fewest running requests. If several lanes have equally few, chooses
   * the lane that has waited longest. Returns undefined if no request is left.
   */
  next(): Turn<Request> | undefined;
}

export interface Turn<Request> {
  readonly request: Request;
  end(): void;
}

interface Lane<Request> {
  readonly waiting: Request[];
  running: number;
  lastTurn: number;
}

/**
 * Groups requests by lane. A slow lane accumulates running requests and is therefore chosen less often, so it delays
 * only itself. Requests keep their order within a lane. Lanes that have not yet had a turn are served in the order of
 * their first requests.
 */
export function lanesOf<Request>(requests: readonly Request[], laneOf: (request: Request) => string): Lanes<Request> {
  const byName = new Map<string, Lane<Request>>();
  for (const request of requests) {
    const name = laneOf(request);
    const lane = byName.get(name) ?? { waiting: [], running: 0, lastTurn: 0 };
    lane.waiting.push(request);
    byName.set(name, lane);
  }
  const lanes = [...byName.values()];
  let turns = 0;
  return {
    next() {
      const lane = lanes
        .filter(({ waiting }) => waiting.length > 0)
        .reduce<Lane<Request> | undefined>(
          (best, other) => (best === undefined || isBefore(other, best) ? other : best),
          undefined,
        );
      const request = lane?.waiting.shift();
      if (!lane || !request) return undefined;
      turns += 1;
      lane.lastTurn = turns;
      lane.running += 1;
      return {
        request,
        end() {
          lane.running -= 1;
        },
      };
    },
  };
}

function isBefore<Request>(a: Lane<Request>, b: Lane<Request>): boolean {
  return a.running < b.running || (a.running === b.running && a.lastTurn < b.lastTurn);
}
