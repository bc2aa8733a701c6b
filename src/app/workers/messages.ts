import type { Figures, GrantUse, Taken } from "../../limits/grant.js";
import type { Charge } from "../../limits/limiter.js";
import type { Announcement } from "../announcements.js";

/**
 * Messages from a worker to the primary. While a restart replaces workers, the primary still runs the earlier version.
 * Members may therefore be added, but the meaning of an existing member must stay the same.
 */
export type FromWorker =
  /** The store is open. */
  | { readonly kind: "opened" }
  /** The worker answers calls at this address. */
  | { readonly kind: "serving"; readonly address: string }
  /** The primary passes the announcement on to all other workers. */
  | { readonly kind: "announce"; readonly announcement: Announcement }
  /** Charges a call to the counters that the primary keeps. The primary answers with `taken`. */
  | { readonly kind: "take"; readonly id: number; readonly charges: readonly Charge[]; readonly now: number }
  /** Reads the counters without charging. The primary answers with `looked`. */
  | { readonly kind: "look"; readonly id: number; readonly charges: readonly Charge[]; readonly now: number }
  /** Refunds charges of an earlier call. */
  | { readonly kind: "give-back"; readonly takenId: number; readonly indexes: readonly number[] }
  /** Reports the use of a grant, under which this worker admitted calls without asking the primary. */
  | { readonly kind: "grant-ended"; readonly grantId: number; readonly use: GrantUse }
  /** Asks for the metrics of all processes. */
  | { readonly kind: "metrics"; readonly id: number }
  /** The metrics of this worker. */
  | { readonly kind: "own-metrics"; readonly id: number; readonly text: string };

/** Messages from the primary to a worker. */
export type ToWorker =
  /** Asks to stop after draining for this time. A primary of an earlier version omits this time. */
  | { readonly kind: "stop"; readonly drainMs?: number }
  /** Asks the worker to print the start-up message of the whole service, which shows this address. */
  | { readonly kind: "greet"; readonly address: string }
  | { readonly kind: "announce"; readonly announcement: Announcement }
  | { readonly kind: "taken"; readonly id: number; readonly taken: Taken }
  | { readonly kind: "looked"; readonly id: number; readonly standings: readonly Figures[] }
  /** Asks the worker to end a grant now and to report its use. */
  | { readonly kind: "recall"; readonly grantId: number }
  | { readonly kind: "metrics"; readonly id: number; readonly text: string }
  | { readonly kind: "own-metrics"; readonly id: number };
