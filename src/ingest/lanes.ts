import type { SourceRequest } from "../contract/source.js";

/** Whose turn it is among requests in lanes. */
export interface Lanes {
  /** The next request, of the lane with the fewest under way and among those the one that waited longest. */
  next(): Turn | undefined;
}

export interface Turn {
  readonly request: SourceRequest;
  end(): void;
}

interface Lane {
  readonly waiting: SourceRequest[];
  running: number;
  lastTurn: number;
}

/**
 * Requests by their lanes. A slow lane gathers requests under way and so stands back behind the others: what it holds up
 * is itself. Within a lane, those that `isDoubtful` come last.
 */
export function lanesOf(requests: readonly SourceRequest[], isDoubtful: (request: SourceRequest) => boolean): Lanes {
  const byName = new Map<string, Lane>();
  const doubtfulLast = [...requests].sort((a, b) => Number(isDoubtful(a)) - Number(isDoubtful(b)));
  for (const request of doubtfulLast) {
    const name = request.lane ?? "";
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
        .reduce<Lane | undefined>((best, one) => (best === undefined || isBefore(one, best) ? one : best), undefined);
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

function isBefore(a: Lane, b: Lane): boolean {
  return a.running < b.running || (a.running === b.running && a.lastTurn < b.lastTurn);
}
