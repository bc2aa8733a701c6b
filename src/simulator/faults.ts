/** Faults to simulate, one kind per failure that a client must distinguish. */
export type Fault =
  /** This status instead of the healthy answer; `retryAfter` (seconds, or any text) is sent as `Retry-After`. */
  | { readonly kind: "status"; readonly code: number; readonly retryAfter?: number | string }
  /** 302 to `to`, an address as the upstream would write it. It is not changed to an address of the simulator. */
  | { readonly kind: "redirect"; readonly to: string }
  /** The healthy answer, after `ms` on the simulator's clock. */
  | { readonly kind: "delay"; readonly ms: number }
  /** No answer; the connection stays open until the client or the simulator closes it. */
  | { readonly kind: "hang" }
  /** The headers and this share of the body, then a closed connection; never the whole body. */
  | { readonly kind: "cut"; readonly afterRatio: number; readonly framing?: "length" | "chunked" }
  /** The connection closes before the first byte. */
  | { readonly kind: "down" }
  /** 200 with an HTML error page. */
  | { readonly kind: "html" }
  /** 200 with the right content type and no bytes. */
  | { readonly kind: "blank" }
  /** Well-formed, but with different field names. */
  | { readonly kind: "changed" }
  /** Well-formed, but without rows. */
  | { readonly kind: "empty" }
  /** One row is invalid. */
  | { readonly kind: "bad-row" };

export interface FaultSelector {
  /** An upstream's name, one of its hosts, or `*` for all. */
  readonly upstream: string;
  /** Only requests whose path and query contain this text. */
  readonly match?: string;
}

export interface FaultOrder extends FaultSelector {
  readonly fault: Fault;
  /** Number of further requests to which the fault applies; unlimited if absent. */
  readonly times?: number;
}

export interface FaultControl {
  /**
   * Adds a fault, which replaces an earlier fault of the same selector. If several faults match a request, the newest
   * one applies.
   */
  set(selector: FaultSelector, fault: Fault, times?: number): void;
  /** Ends the selector's fault. Without a selector, ends all faults. */
  clear(selector?: FaultSelector): void;
  /** The active faults, newest first. */
  list(): readonly FaultOrder[];
}

export interface FaultTarget {
  readonly upstream: string;
  readonly host: string;
  readonly pathAndQuery: string;
}

export interface FaultBook extends FaultControl {
  /** The fault for this request. The request counts towards the fault's `times`. */
  take(target: FaultTarget): Fault | undefined;
}

/** Maximum number of faults. Beyond it, the oldest are dropped, so that memory stays bounded. */
const ORDERS_MAX = 100;

export function faultBook(): FaultBook {
  let orders: readonly FaultOrder[] = [];

  function without(selector: FaultSelector): readonly FaultOrder[] {
    return orders.filter((order) => order.upstream !== selector.upstream || order.match !== selector.match);
  }

  return {
    set({ upstream, match }, fault, times) {
      const order = { upstream, ...(match !== undefined && { match }), fault, ...(times !== undefined && { times }) };
      orders = [order, ...without(order)].slice(0, ORDERS_MAX);
    },
    clear(selector) {
      orders = selector === undefined ? [] : without(selector);
    },
    list: () => orders,
    take(target) {
      const struck = orders.find((order) => strikes(order, target));
      if (struck?.times !== undefined) orders = orders.flatMap((order) => (order === struck ? spend(order) : order));
      return struck?.fault;
    },
  };
}

function strikes({ upstream, match = "" }: FaultOrder, target: FaultTarget): boolean {
  const named = upstream === "*" || upstream === target.upstream || upstream === target.host;
  return named && target.pathAndQuery.includes(match);
}

function spend(order: FaultOrder): readonly FaultOrder[] {
  const times = (order.times ?? 1) - 1;
  return times > 0 ? [{ ...order, times }] : [];
}
