import { memberOf } from "../../../kit/member-of.js";

/** The operations whose pages a cursor continues. */
export const surfaces = [
  "list-monitored-companies",
  "list-company-event-impacts",
  "list-company-event-changes",
] as const;
export type Surface = (typeof surfaces)[number];

/** `snapshot`: the next page of a list, as of the list's `Boundary`. `poll`: a position in the change log. */
export type CursorMode = "snapshot" | "poll";

/** The mode of the cursors of each operation. */
export const modeOf = {
  "list-monitored-companies": "snapshot",
  "list-company-event-impacts": "snapshot",
  "list-company-event-changes": "poll",
} as const satisfies Readonly<Record<Surface, CursorMode>>;

/** The state of an account's portfolio and log at one moment. */
export interface Boundary {
  /** Number of changes to the account's portfolio. */
  readonly snapshotGeneration: number;
  /** Epoch ms. */
  readonly snapshotAsOf: number;
  /** The last position in the change log that the snapshot includes. */
  readonly watermark: number;
}

/** The state in a cursor: the boundary of its list, and the last row before the page. */
export interface CursorState extends Boundary {
  /** Logical identifier of the last row before the page; absent from poll cursors. */
  readonly after?: string;
}

/** The claims of a cursor. */
export interface CursorClaims extends CursorState {
  /** Digest of the account's id, not the id itself, because a cursor is part of a URL, which third parties may log. */
  readonly accountHash: string;
  readonly surface: Surface;
  readonly mode: CursorMode;
  /** SHA-256 of the filters, hex. */
  readonly filterHash: string;
  /** Epoch ms. */
  readonly issuedAt: number;
  /** Epoch ms. */
  readonly expiresAt: number;
}

/** Version of the payload. A cursor of another version is refused. */
const VERSION = 1;

/** Returns the payload of a cursor: JSON with short names. */
export function payloadOf(keyId: string, claims: CursorClaims): string {
  const { after } = claims;
  return JSON.stringify({
    v: VERSION,
    k: keyId,
    o: claims.accountHash,
    s: surfaces.indexOf(claims.surface),
    m: claims.mode,
    f: claims.filterHash,
    i: claims.issuedAt,
    e: claims.expiresAt,
    g: claims.snapshotGeneration,
    t: claims.snapshotAsOf,
    w: claims.watermark,
    ...(after !== undefined && { a: after }),
  });
}

/**
 * Returns the id of the key in a payload; undefined for text that is not a payload. The payload has not been verified
 * at this point.
 */
export function keyIdIn(payload: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(payload);
    if (typeof parsed !== "object" || parsed === null) return undefined;
    const keyId = memberOf(parsed as Readonly<Record<string, unknown>>, "k");
    return typeof keyId === "string" ? keyId : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the claims of a payload. The caller must have verified the signature. Returns undefined for a payload of
 * another version or of an unknown operation.
 */
export function claimsOf(payload: string): CursorClaims | undefined {
  // The payload was signed by this service, so the members of version 1 have these types.
  const { v, o, s, m, f, i, e, g, t, w, a } = JSON.parse(payload);
  if (v !== VERSION) return undefined;
  const surface = surfaces[s];
  if (surface === undefined) return undefined;
  return {
    accountHash: o,
    surface,
    mode: m,
    filterHash: f,
    issuedAt: i,
    expiresAt: e,
    snapshotGeneration: g,
    snapshotAsOf: t,
    watermark: w,
    ...(a !== undefined && { after: a }),
  };
}
