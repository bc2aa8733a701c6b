import { SourceFailure } from "../contract/source.js";

export interface UnavailableDetail {
  readonly status?: number;
  readonly retryAt?: number | undefined;
  readonly cause?: unknown;
}

/** A failure of the host itself: no connection, no complete answer, or a 5xx. The circuit breaker counts it. */
export class HostTrouble extends SourceFailure {}

/** Creates a failure with the message "place: problem". The problem usually ends with what was expected. */
export function unavailable(place: string, problem: string, detail: UnavailableDetail = {}): SourceFailure {
  return new SourceFailure("unavailable", `${place}: ${problem}`, detail);
}

export function hostTrouble(place: string, problem: string, detail: UnavailableDetail = {}): HostTrouble {
  return new HostTrouble("unavailable", `${place}: ${problem}`, detail);
}

const PLACE_LENGTH_MAX = 200;

/** Host and path of an address, for messages; without the query, which may contain secrets. */
export function placeOf(url: URL): string {
  return `${url.host}${url.pathname}`.slice(0, PLACE_LENGTH_MAX);
}
