import type { CacheTier } from "./operation.js";
import { type Snapshot, type SnapshotState, snapshotStates } from "./snapshot.js";

interface Tier {
  readonly maxAgeSeconds: number;
  readonly sharedSeconds: number;
  readonly revalidateSeconds: number;
}

/**
 * Lifetimes of public answers, by tier. `cacheControl` limits them to the time for which the answer is valid. No answer
 * allows caches to serve it stale after an error (`stale-if-error`).
 */
const tiers: Readonly<Record<Exclude<CacheTier, "no-store">, Tier>> = {
  fast: { maxAgeSeconds: 60, sharedSeconds: 300, revalidateSeconds: 60 },
  medium: { maxAgeSeconds: 120, sharedSeconds: 600, revalidateSeconds: 120 },
  slow: { maxAgeSeconds: 300, sharedSeconds: 1_800, revalidateSeconds: 300 },
  static: { maxAgeSeconds: 600, sharedSeconds: 3_600, revalidateSeconds: 600 },
  daily: { maxAgeSeconds: 3_600, sharedSeconds: 14_400, revalidateSeconds: 7_200 },
};

/** The facts that decide the cache policy of an answer. */
export interface AnswerStanding {
  readonly tier: CacheTier;
  /** True if no credential was sent or needed. */
  readonly isPublic: boolean;
  /** True if the body has a degraded marker or the state of an input is not `ok`. */
  readonly isDegraded: boolean;
  /**
   * Time until the answer may change: until the earliest expected build of a dataset that it depends on, or until its
   * own validity ends.
   */
  readonly validForMs: number;
}

/** The `Cache-Control` of a data answer. */
export function cacheControl({ tier, isPublic, isDegraded, validForMs }: AnswerStanding): string {
  if (isDegraded || tier === "no-store") return "no-store";
  if (!isPublic) return "private, no-cache";
  const { maxAgeSeconds, sharedSeconds, revalidateSeconds } = tiers[tier];
  const leftSeconds = Math.max(0, Math.floor(validForMs / 1_000));
  const shared = Math.min(sharedSeconds, leftSeconds);
  const maxAge = Math.min(maxAgeSeconds, leftSeconds);
  // Background revalidation begins when the shared copy expires. It ends no later than the validity of the answer.
  const revalidate = Math.min(revalidateSeconds, leftSeconds - shared);
  return `public, max-age=${maxAge}, s-maxage=${shared}, stale-while-revalidate=${revalidate}`;
}

/** True for a body with a member that marks it as incomplete or unavailable. */
export function hasDegradedMarker(body: unknown): boolean {
  if (typeof body !== "object" || body === null) return false;
  const marker = body as Readonly<Record<string, unknown>>;
  return (
    marker["unavailable"] === true ||
    marker["upstreamUnavailable"] === true ||
    marker["dataAvailable"] === false ||
    marker["degraded"] === true ||
    marker["available"] === false ||
    (typeof marker["error"] === "string" && marker["error"] !== "")
  );
}

/** The state of an answer: the worst state of its snapshots and on-demand reads, or `ok` if it has neither. */
export function worstState(snapshots: readonly Pick<Snapshot<unknown>, "state">[]): SnapshotState {
  return snapshotStates.findLast((state) => snapshots.some((snapshot) => snapshot.state === state)) ?? "ok";
}
