import { type Kysely, sql } from "kysely";
import { type Clock, HOUR_MS, SECOND_MS } from "../kit/clock.js";
import { hasEnded, type Leases } from "./leases.js";
import type { OpenDatabase } from "./open-database.js";
import type { Database, IdempotencyClaimRow } from "./schema.js";

/** An answer stored for replays. */
export interface StoredAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** The state of a claim: free, running, made for another body, or done with its answer. */
export type Claim =
  | { readonly kind: "free" }
  | { readonly kind: "running" }
  | { readonly kind: "other-body" }
  | { readonly kind: "done"; readonly answer: StoredAnswer };

/**
 * Stores the claims of writes that are sent with an `Idempotency-Key`. A claim is a hash of the caller, the path and
 * the key. Only one call at a time can hold it, and the answer is stored together with the write.
 */
export interface IdempotencyStore {
  look(claim: string, bodyHash: string): Promise<Claim>;
  /**
   * Takes a free claim and returns a `token` that later proves that the caller holds it. If the claim is not free,
   * returns the result of `look`. The stored answer counts towards the maximum size for `owner` (`keptBytesMax`).
   */
  take(
    claim: string,
    bodyHash: string,
    owner: string,
  ): Promise<{ readonly kind: "taken"; readonly token: ClaimToken } | Claim>;
  /** Stores the answer in the transaction of the write. Throws `ClaimLost` if the token no longer holds the claim. */
  finish(on: Kysely<Database>, token: ClaimToken, answer: StoredAnswer): Promise<void>;
  /** Frees a claim without storing an answer, so that the next call with this claim runs the write. */
  release(on: Kysely<Database>, token: ClaimToken): Promise<void>;
  /**
   * Signals to other processes that this process is alive. Removes expired claims and answers. If an owner's answers
   * exceed `keptBytesMax`, removes the oldest of them. Called every few seconds.
   */
  heartbeat(): Promise<void>;
}

export interface ClaimToken {
  readonly claim: string;
  readonly claimedAt: number;
  readonly owner: string;
}

/**
 * Thrown if a call no longer holds its claim, usually because the claim expired and another call took it over. The call
 * must not commit.
 */
export class ClaimLost extends Error {
  override readonly name = "ClaimLost";
}

/** Longest time for which a call may hold its claim. */
const RUNNING_MS_MAX = 180 * SECOND_MS;
/** Time for which an answer is stored. */
export const KEPT_MS = 24 * HOUR_MS;
/**
 * Maximum total size of the stored answers of one owner. It suffices for a day of small answers on a path that is
 * limited to 30 calls a minute.
 */
const KEPT_BYTES_MAX = 64 * 1_048_576;
/** Approximate overhead of a claim besides its answer; without it, empty answers would not count towards the cap. */
const CLAIM_BYTES = 512;
/** Time for which another process counts as alive after its last heartbeat, unless it is known to have ended. */
const ALIVE_MS = 15 * SECOND_MS;

export interface IdempotencySettings {
  /** Maximum total size of the stored answers of one owner. */
  readonly keptBytesMax: number;
}

/** Creates the store. `holder` names this process. */
export function idempotencyStore(
  { db }: OpenDatabase,
  leases: Leases,
  holder: string,
  clock: Clock,
  settings: IdempotencySettings = { keptBytesMax: KEPT_BYTES_MAX },
): IdempotencyStore {
  /** The owners with new stored answers since the last heartbeat. */
  const grown = new Set<string>();

  async function find(claim: string): Promise<IdempotencyClaimRow | undefined> {
    return db.selectFrom("idempotency_claim").selectAll().where("claim", "=", claim).executeTakeFirst();
  }

  async function isRunning(row: IdempotencyClaimRow): Promise<boolean> {
    if (clock.now() >= row.claimed_at + RUNNING_MS_MAX) return false;
    if (row.holder === holder) return true;
    if (hasEnded(row.holder)) return false;
    const lease = db.selectFrom("lease").select("expires_at").where("name", "=", leaseName(row.holder));
    const alive = await lease.executeTakeFirst();
    return alive !== undefined && alive.expires_at > clock.now();
  }

  async function claimOf(row: IdempotencyClaimRow | undefined, bodyHash: string): Promise<Claim> {
    if (!row || row.expires_at <= clock.now()) return { kind: "free" };
    const { status, content_type, body } = row;
    const isDone = status !== null && content_type !== null && body !== null;
    if (!isDone && !(await isRunning(row))) return { kind: "free" };
    if (row.body_hash !== bodyHash) return { kind: "other-body" };
    return isDone ? { kind: "done", answer: { status, contentType: content_type, body } } : { kind: "running" };
  }

  /** Removes the oldest answers of an owner until the remaining ones fit into the cap. */
  async function prune(owner: string): Promise<void> {
    const sizes = db
      .selectFrom("idempotency_claim")
      .select(["claim", sql<number>`sum(kept_bytes) over (order by claimed_at desc, claim)`.as("newer_bytes")])
      .where("owner", "=", owner)
      .where("status", "is not", null);
    const surplus = db.selectFrom(sizes.as("sizes")).select("claim").where("newer_bytes", ">", settings.keptBytesMax);
    await db.deleteFrom("idempotency_claim").where("claim", "in", surplus).execute();
  }

  return {
    look: async (claim, bodyHash) => claimOf(await find(claim), bodyHash),
    async take(claim, bodyHash, owner) {
      const before = await find(claim);
      const state = await claimOf(before, bodyHash);
      if (state.kind !== "free") return state;
      const claimedAt = clock.now();
      const row = { body_hash: bodyHash, holder, claimed_at: claimedAt, expires_at: claimedAt + RUNNING_MS_MAX };
      const fresh = { ...row, owner, kept_bytes: 0, status: null, content_type: null, body: null };
      const claimedRow = before
        ? await db
            .updateTable("idempotency_claim")
            .set(fresh)
            .where("claim", "=", claim)
            .where("holder", "=", before.holder)
            .where("claimed_at", "=", before.claimed_at)
            .where("expires_at", "=", before.expires_at)
            .returning("claim")
            .executeTakeFirst()
        : await db
            .insertInto("idempotency_claim")
            .values({ claim, ...fresh })
            .onConflict((conflict) => conflict.column("claim").doNothing())
            .returning("claim")
            .executeTakeFirst();
      if (claimedRow) return { kind: "taken", token: { claim, claimedAt, owner } };
      // Another call was faster. If its claim has already ended, this call tries again.
      const faster = await claimOf(await find(claim), bodyHash);
      return faster.kind === "free" ? this.take(claim, bodyHash, owner) : faster;
    },
    async finish(on, { claim, claimedAt, owner }, { status, contentType, body }) {
      const kept_bytes = Buffer.byteLength(body) + CLAIM_BYTES;
      const kept = await on
        .updateTable("idempotency_claim")
        .set({ status, content_type: contentType, body, kept_bytes, expires_at: clock.now() + KEPT_MS })
        .where("claim", "=", claim)
        .where("holder", "=", holder)
        .where("claimed_at", "=", claimedAt)
        .where("status", "is", null)
        .returning("claim")
        .executeTakeFirst();
      if (!kept) throw new ClaimLost(`the claim of ${RUNNING_MS_MAX / SECOND_MS} s ran out before the write was done`);
      grown.add(owner);
    },
    async release(on, { claim, claimedAt }) {
      await on
        .deleteFrom("idempotency_claim")
        .where("claim", "=", claim)
        .where("holder", "=", holder)
        .where("claimed_at", "=", claimedAt)
        .where("status", "is", null)
        .execute();
    },
    async heartbeat() {
      await leases.acquire(leaseName(holder), holder, ALIVE_MS);
      await db.deleteFrom("idempotency_claim").where("expires_at", "<=", clock.now()).execute();
      for (const owner of grown) {
        await prune(owner);
        grown.delete(owner);
      }
    },
  };
}

function leaseName(holder: string): string {
  return `process ${holder}`;
}
