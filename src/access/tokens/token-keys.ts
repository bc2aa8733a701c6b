import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK_EC_Public,
} from "jose";
import { type Clock, DAY_MS, isWithin, MINUTE_MS, SECOND_MS } from "../../kit/clock.js";

export const TOKEN_ALGORITHM = "ES256";

/** Largest tolerated difference between the clocks of our nodes. */
export const CLOCK_SKEW_MS = 30 * SECOND_MS;

/** A stored key pair, both halves as JSON Web Keys in JSON. */
export interface StoredTokenKey {
  readonly kid: string;
  /** Undefined if this node cannot decrypt the private half; the node can then verify with the key, but not sign. */
  readonly privateJwk: string | undefined;
  readonly publicJwk: string;
  readonly createdAt: number;
}

/** The store of the signing keys, shared by all nodes. */
export interface TokenKeyStore {
  list(): Promise<readonly StoredTokenKey[]>;
  add(key: StoredTokenKey): Promise<void>;
  /** Does nothing if another node has removed the key. */
  remove(kid: string): Promise<void>;
}

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
}

/** A published public key. */
export interface PublishedKey extends JWK_EC_Public {
  readonly kty: "EC";
  readonly kid: string;
  readonly alg: typeof TOKEN_ALGORITHM;
  readonly use: "sig";
}

/** The published keys. */
export interface PublishedKeys {
  /** The active public keys, newest first. */
  readonly keys: readonly PublishedKey[];
  /**
   * Time for which caches may keep the keys, ms. Until then, every new token is signed by one of them. It is 0 if a new
   * key would sign immediately.
   */
  readonly maxAgeMs: number;
}

/** The keys that sign tokens, shared by all nodes. The methods reject if they have to read the store and cannot. */
export interface TokenKeys {
  /** Maximum lifetime of a token. Signing keys are kept at least that long after they sign. */
  readonly tokenLifetimeMsMax: number;
  /** Returns the current signing key. Creates one if there is none or the newest is too old. */
  signing(): Promise<SigningKey>;
  /** Returns the public key of this id; undefined if the key is unknown or retired. */
  verifying(kid: string): Promise<CryptoKey | undefined>;
  jwks(): Promise<PublishedKeys>;
  /**
   * Ids of the stored keys with a half that the last read could not parse. Without its private half, a key does not
   * sign; without its public half, it is not used at all.
   */
  unreadable(): readonly string[];
}

export interface TokenKeyOptions {
  /** Called once for each stored key that cannot be read. */
  readonly onUnreadable?: (error: Error) => void;
  /** Age at which the newest key gets a successor. Default: 30 days. */
  readonly rotateEveryMs?: number;
  /** Age at which a key is retired. Default: 31 days. */
  readonly keepMs?: number;
}

/** Maximum age of the keys in memory. */
const READ_AGE_MS_MAX = MINUTE_MS;

/**
 * Maximum age of the keys in memory when a key id is unknown. The id may be new, but invented ids must not flood the
 * database with reads.
 */
const READ_AGE_MS_MAX_UNKNOWN = 10 * SECOND_MS;

/** A successor is published this long before it signs, so that every node and cache has it by then. */
const PUBLISHED_AHEAD_MS = 2 * MINUTE_MS;

/** Longest time for which caches may keep the published keys. A node may publish the keys of its last read. */
const CACHED_MS_MAX = PUBLISHED_AHEAD_MS - READ_AGE_MS_MAX;

interface KnownKey {
  readonly stored: StoredTokenKey;
  readonly published: PublishedKey;
  readonly publicKey: CryptoKey;
  /** Undefined if this node cannot sign with the key. */
  readonly privateKey: CryptoKey | undefined;
}

interface ReadKey {
  readonly kid: string;
  /** True if one half of the key could not be read. */
  readonly isUnreadable: boolean;
  readonly key: KnownKey | undefined;
}

/** Manages the ES256 keys in `store`, and replaces the signing key regularly. */
export function tokenKeys(store: TokenKeyStore, clock: Clock, options: TokenKeyOptions = {}): TokenKeys {
  const { rotateEveryMs = 30 * DAY_MS, keepMs = 31 * DAY_MS, onUnreadable } = options;
  // The time between the successor's creation and the old key's retirement has two equal parts. In the first, every
  // node gets the successor, and the old key may still sign. In the second, the last tokens of the old key expire.
  const graceMs = (keepMs - rotateEveryMs) / 2;
  if (graceMs <= CLOCK_SKEW_MS) throw new Error("keepMs must be more than a minute longer than rotateEveryMs");

  let unreadable: readonly string[] = [];
  const reported = new Set<string>();
  const read = keyReader(store, clock, (kids) => {
    unreadable = kids;
    for (const kid of kids) {
      if (!reported.has(kid)) onUnreadable?.(new Error(`token key ${kid} of the store is not an ES256 key in JSON`));
      reported.add(kid);
    }
  });
  let rotation: Promise<void> | undefined;

  const ageOf = ({ stored }: KnownKey): number => clock.now() - stored.createdAt;
  const isTooOld = (newest: KnownKey | undefined): boolean => newest === undefined || ageOf(newest) > rotateEveryMs;

  /** Returns the active keys, newest first, from a read at most `ageMsMax` ago. */
  async function keys(ageMsMax = READ_AGE_MS_MAX): Promise<readonly KnownKey[]> {
    return (await read(ageMsMax)).filter((key) => ageOf(key) < keepMs);
  }

  /** Returns the active keys with which this node can sign, newest first. */
  async function ownKeys(ageMsMax = READ_AGE_MS_MAX): Promise<readonly KnownKey[]> {
    return (await keys(ageMsMax)).filter(({ privateKey }) => privateKey !== undefined);
  }

  async function rotate(): Promise<void> {
    // Read again, because another node may have created the successor since the last read.
    const [newest] = await ownKeys(0);
    if (!isTooOld(newest)) return;
    await store.add(await newKey(clock.now()));
    await removeRetired();
    await keys(0);
  }

  async function removeRetired(): Promise<void> {
    const retired = (await store.list()).filter(({ createdAt }) => clock.now() - createdAt >= keepMs);
    await Promise.all(retired.map(({ kid }) => store.remove(kid)));
  }

  /** Returns the newest key that every node has, unless that key is too old to sign. */
  function settledKey(candidates: readonly KnownKey[]): KnownKey | undefined {
    return candidates.find((key) => ageOf(key) >= PUBLISHED_AHEAD_MS && ageOf(key) < rotateEveryMs + graceMs);
  }

  /**
   * Returns the newest key that every node has by now, that is young enough to sign, and whose private half this node
   * can read. If there is none, as at the first start, returns the newest key with a readable private half.
   */
  async function keyToSignWith(): Promise<SigningKey> {
    const candidates = await ownKeys();
    const chosen = settledKey(candidates) ?? candidates[0];
    if (!chosen?.privateKey) throw new Error("the store of token keys lacks the key that was just added to it");
    return { kid: chosen.stored.kid, privateKey: chosen.privateKey };
  }

  return {
    tokenLifetimeMsMax: graceMs - CLOCK_SKEW_MS,
    async signing() {
      const [newest] = await ownKeys();
      if (isTooOld(newest)) {
        rotation ??= rotate().finally(() => {
          rotation = undefined;
        });
        await rotation;
      }
      return await keyToSignWith();
    },
    async verifying(kid) {
      const ofThisId = ({ stored }: KnownKey): boolean => stored.kid === kid;
      const key = (await keys()).find(ofThisId) ?? (await keys(READ_AGE_MS_MAX_UNKNOWN)).find(ofThisId);
      return key?.publicKey;
    },
    async jwks() {
      const active = await keys();
      const settled = settledKey(active);
      const signsForMs = settled === undefined ? 0 : rotateEveryMs + graceMs - ageOf(settled);
      return { keys: active.map(({ published }) => published), maxAgeMs: Math.min(CACHED_MS_MAX, signsForMs) };
    },
    unreadable: () => unreadable,
  };
}

/** Reads the keys of a store unless the last read is recent enough. Concurrent reads share one query. */
function keyReader(
  store: TokenKeyStore,
  clock: Clock,
  onRead: (unreadable: readonly string[]) => void,
): (ageMsMax: number) => Promise<readonly KnownKey[]> {
  let read: { readonly startedAt: number; readonly keys: Promise<readonly KnownKey[]> } | undefined;

  async function readKeys(): Promise<readonly KnownKey[]> {
    const storedKeys = await Promise.all((await store.list()).map(readKey));
    onRead(storedKeys.filter(({ isUnreadable }) => isUnreadable).map(({ kid }) => kid));
    return newestFirst(storedKeys.flatMap(({ key }) => key ?? []));
  }

  function startRead(): NonNullable<typeof read> {
    const started = { startedAt: clock.now(), keys: readKeys() };
    // A failure reaches only the callers that wait for this read; the next call reads again.
    started.keys.catch(() => {
      if (read === started) read = undefined;
    });
    return started;
  }

  return (ageMsMax) => {
    if (!read || !isWithin(clock.now(), read.startedAt, ageMsMax)) read = startRead();
    return read.keys;
  };
}

/** Creates a key pair. Its id is the thumbprint of the public half (RFC 7638). */
async function newKey(createdAt: number): Promise<StoredTokenKey> {
  const { privateKey, publicKey } = await generateKeyPair(TOKEN_ALGORITHM, { extractable: true });
  const [privateJwk, publicJwk] = await Promise.all([exportJWK(privateKey), exportJWK(publicKey)]);
  return {
    kid: await calculateJwkThumbprint(publicJwk),
    privateJwk: JSON.stringify(privateJwk),
    publicJwk: JSON.stringify(publicJwk),
    createdAt,
  };
}

/**
 * Parses a stored key. An unreadable private half disables signing; an unreadable public half disables the whole key.
 */
async function readKey(stored: StoredTokenKey): Promise<ReadKey> {
  const { kid } = stored;
  const [publicKey, privateKey] = await Promise.all([
    halfOf(() => publicHalf(stored)),
    halfOf(() => privateHalf(stored)),
  ]);
  const isUnreadable = publicKey === UNREADABLE || privateKey === UNREADABLE;
  if (publicKey === UNREADABLE) return { kid, isUnreadable, key: undefined };
  return {
    kid,
    isUnreadable,
    key: { stored, ...publicKey, privateKey: privateKey === UNREADABLE ? undefined : privateKey },
  };
}

const UNREADABLE = Symbol("unreadable");

/**
 * Parses one half of a key. Drops the parser's error, because its message quotes the input, which may be the private
 * key.
 */
async function halfOf<Half>(parse: () => Promise<Half>): Promise<Half | typeof UNREADABLE> {
  try {
    return await parse();
  } catch {
    return UNREADABLE;
  }
}

async function publicHalf({ kid, publicJwk }: StoredTokenKey) {
  const { x, y } = JSON.parse(publicJwk);
  // The members are listed one by one, so that no other member of the stored key is ever published.
  const published: PublishedKey = {
    kty: "EC",
    crv: "P-256",
    x,
    y,
    kid,
    alg: TOKEN_ALGORITHM,
    use: "sig",
  };
  return { published, publicKey: await importJWK(published, TOKEN_ALGORITHM) };
}

async function privateHalf({ privateJwk }: StoredTokenKey): Promise<CryptoKey | undefined> {
  if (privateJwk === undefined) return undefined;
  const { x, y, d } = JSON.parse(privateJwk);
  return importJWK({ kty: "EC" as const, crv: "P-256", x, y, d }, TOKEN_ALGORITHM);
}

function newestFirst(keys: readonly KnownKey[]): readonly KnownKey[] {
  // Keys made at the same time are ordered by id, so that all nodes agree on the newest key.
  return keys.toSorted(
    ({ stored: a }, { stored: b }) => b.createdAt - a.createdAt || (a.kid < b.kid ? -1 : Number(a.kid > b.kid)),
  );
}
