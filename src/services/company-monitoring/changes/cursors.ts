import { hash } from "node:crypto";
import { DAY_MS, MINUTE_MS } from "../../../kit/clock.js";
import type { SigningRing } from "../../../kit/signing-ring.js";
import {
  type CursorClaims,
  type CursorState,
  claimsOf,
  keyIdIn,
  modeOf,
  payloadOf,
  type Surface,
} from "./cursor-claims.js";
import { type CursorRefusal, refusedCursor } from "./cursor-refusal.js";

const PREFIX = "cmc1";

/** Longest time for which a cursor is valid. */
export const CURSOR_MS_MAX = DAY_MS;
/** Tolerated difference between the clocks of two nodes. */
export const CURSOR_SKEW_MS = MINUTE_MS;

/** Longest cursor, in bytes. */
export const CURSOR_BYTES_MAX = 2_048;
/** The form of a cursor. */
export const CURSOR_PATTERN = "^cmc1\\.[A-Za-z0-9_-]{16,1536}\\.[A-Za-z0-9_-]{43}$";
const form = new RegExp(CURSOR_PATTERN);

/** The operation and filters for which a cursor is valid. */
export interface CursorUse {
  readonly surface: Surface;
  /** SHA-256 of the filters, hex. */
  readonly filterHash: string;
}

/** Signs and opens the cursors of one account. */
export interface CompanyCursors {
  /** Signs a cursor that is valid from now until `expiresAt`, at most a day. */
  sign(use: CursorUse, state: CursorState, expiresAt?: number): Promise<string>;
  /** Verifies a cursor and returns its state. Throws the same 400 for every refusal, whatever the reason. */
  open(cursor: string, use: CursorUse): Promise<CursorState>;
  /** Counts a refusal and returns the 400 for it. */
  refusal(reason: CursorRefusal): Error;
}

export interface CursorParts {
  readonly accountId: string;
  /** Reads the signing keys that are valid now. */
  readonly ring: () => Promise<SigningRing>;
  /** Epoch ms. */
  readonly now: () => number;
  readonly onRefused: (reason: CursorRefusal) => void;
}

/**
 * Creates cursors of the form `cmc1.<payload>.<signature>`, signed with HMAC-SHA-256 by the active key of the ring, and
 * opens them.
 */
export function companyCursors({ accountId, ring, now, onRefused }: CursorParts): CompanyCursors {
  const accountHash = hash("sha256", accountId, "base64url");
  const refusal = (reason: CursorRefusal): Error => {
    onRefused(reason);
    return refusedCursor();
  };
  return {
    refusal,
    async sign({ surface, filterHash }, state, expiresAtMax = Number.POSITIVE_INFINITY) {
      const key = (await ring()).signing();
      const issuedAt = now();
      const expiresAt = Math.min(expiresAtMax, issuedAt + CURSOR_MS_MAX);
      const bound = { accountHash, surface, mode: modeOf[surface], filterHash };
      return key.sign(PREFIX, payloadOf(key.id, { ...state, ...bound, issuedAt, expiresAt }));
    },
    async open(cursor, use) {
      const claims = verified(await ring(), cursor);
      if (typeof claims === "string") throw refusal(claims);
      const reason = refusalOf(claims, { ...use, accountHash }, now());
      if (reason !== undefined) throw refusal(reason);
      return stateOf(claims);
    },
  };
}

function stateOf({ snapshotGeneration, snapshotAsOf, watermark, after }: CursorClaims): CursorState {
  return { snapshotGeneration, snapshotAsOf, watermark, ...(after !== undefined && { after }) };
}

/** Verifies the form and the signature of a cursor. Returns the claims, or the reason for refusing the cursor. */
function verified(ring: SigningRing, cursor: string): CursorClaims | CursorRefusal {
  // The length is checked first, because that is cheaper than matching the form.
  if (cursor.length > CURSOR_BYTES_MAX || !form.test(cursor)) return "malformed";
  const keyId = keyIdIn(Buffer.from(cursor.split(".")[1] ?? "", "base64url").toString());
  if (keyId === undefined) return "malformed";
  const key = ring.find(keyId);
  if (!key) return "unknown-key";
  const payload = key.open(PREFIX, cursor);
  if (payload === undefined) return "signature";
  return claimsOf(payload) ?? "version";
}

/** Returns the first reason for refusing a cursor with a valid signature; undefined if there is none. */
function refusalOf(
  claims: CursorClaims,
  use: CursorUse & { readonly accountHash: string },
  now: number,
): CursorRefusal | undefined {
  if (claims.accountHash !== use.accountHash) return "account";
  if (claims.surface !== use.surface) return "surface";
  if (claims.mode !== modeOf[use.surface]) return "mode";
  if (claims.filterHash !== use.filterHash) return "filters";
  if (claims.issuedAt > now + CURSOR_SKEW_MS) return "early";
  const expiresAt = Math.min(claims.expiresAt, claims.issuedAt + CURSOR_MS_MAX);
  return now > expiresAt + CURSOR_SKEW_MS ? "expired" : undefined;
}
