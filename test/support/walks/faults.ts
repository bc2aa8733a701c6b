import type { Fault } from "../../../src/simulator/faults.js";

/** One way in which an upstream fails. */
export interface UpstreamFault {
  readonly name: string;
  readonly fault: Fault;
  /** The error of the run, as health shows it. */
  readonly error: RegExp;
}

/**
 * Faults that make a request fail immediately. `timeout` is not included, because a hanging request fails only after
 * the clock has moved.
 */
export const promptFaults: readonly UpstreamFault[] = [
  { name: "404", fault: { kind: "status", code: 404 }, error: /unavailable: .*404/ },
  { name: "500", fault: { kind: "status", code: 500 }, error: /unavailable: .*500/ },
  {
    name: "429 with Retry-After",
    fault: { kind: "status", code: 429, retryAfter: 120 },
    error: /unavailable: .*(429|requested a pause)/,
  },
  { name: "a cut body", fault: { kind: "cut", afterRatio: 0.5 }, error: /unavailable: / },
  {
    name: "a body cut at a chunk",
    fault: { kind: "cut", afterRatio: 0.5, framing: "chunked" },
    error: /unavailable: /,
  },
  { name: "an HTML page", fault: { kind: "html" }, error: /changed: / },
  { name: "no bytes", fault: { kind: "blank" }, error: /empty: / },
  { name: "no rows", fault: { kind: "empty" }, error: /(empty|changed): / },
  { name: "another shape", fault: { kind: "changed" }, error: /changed: / },
];

export const timeout: UpstreamFault = {
  name: "no answer in time",
  fault: { kind: "hang" },
  error: /unavailable: .*within \d+ ms/,
};

export const refusedConnection: UpstreamFault = {
  name: "a refused connection",
  fault: { kind: "down" },
  error: /unavailable: /,
};
