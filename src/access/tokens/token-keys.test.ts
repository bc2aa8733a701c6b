import { beforeEach, describe, expect, test } from "vitest";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../kit/clock.js";
import { type ManualClock, manualClock } from "../../kit/manual-clock.js";
import { type StoredTokenKey, type TokenKeyStore, type TokenKeys, tokenKeys } from "./token-keys.js";

interface CountingStore extends TokenKeyStore {
  readonly rows: Map<string, StoredTokenKey>;
  reads: number;
  broken: boolean;
}

function countingStore(): CountingStore {
  const rows = new Map<string, StoredTokenKey>();
  const store: CountingStore = {
    rows,
    reads: 0,
    broken: false,
    async list() {
      store.reads += 1;
      if (store.broken) throw new Error("the database is lost");
      return [...rows.values()];
    },
    async add(key) {
      rows.set(key.kid, key);
    },
    async remove(kid) {
      rows.delete(kid);
    },
  };
  return store;
}

let clock: ManualClock;
let store: CountingStore;
let keys: TokenKeys;

beforeEach(() => {
  clock = manualClock(Date.UTC(2026, 2, 1));
  store = countingStore();
  keys = tokenKeys(store, clock);
});

const kidNow = async (of = keys): Promise<string> => (await of.signing()).kid;
const listed = async (of = keys): Promise<readonly string[]> => (await of.jwks()).keys.map(({ kid }) => kid);

test("the first key is made on demand, and only once for concurrent callers", async () => {
  expect(await listed()).toEqual([]);
  const kids = await Promise.all([kidNow(), kidNow(), kidNow()]);
  expect(new Set(kids).size).toBe(1);
  expect([...store.rows.keys()]).toEqual([kids[0]]);
});

test("a node uses the key that another node has made", async () => {
  const kid = await kidNow();
  expect(await kidNow(tokenKeys(store, clock))).toBe(kid);
  expect(store.rows.size).toBe(1);
});

test("if two keys are made at the same time, all nodes sign with the same one", async () => {
  const other = countingStore();
  await Promise.all([kidNow(), kidNow(tokenKeys(other, clock))]);
  const rows = [...store.rows, ...other.rows];
  const kids = await Promise.all(
    [rows, rows.toReversed()].map((of) =>
      kidNow(tokenKeys({ ...store, list: async () => of.map(([, row]) => row) }, clock)),
    ),
  );
  expect(rows).toHaveLength(2);
  expect(new Set(kids).size).toBe(1);
});

test("a successor is made after 30 days and signs two minutes later, once every node knows it", async () => {
  const first = await kidNow();
  clock.advance(30 * DAY_MS);
  expect(await kidNow()).toBe(first);
  expect(store.rows.size).toBe(1);

  clock.advance(1);
  expect(await kidNow()).toBe(first);
  const [second, ...others] = await listed();
  expect(others).toEqual([first]);
  clock.advance(2 * MINUTE_MS - 1);
  expect(await kidNow()).toBe(first);
  clock.advance(1);
  expect(await kidNow()).toBe(second);
  expect(store.rows.size).toBe(2);
});

test("a successor is published before it signs, even by a node that cached the keys just before rotation", async () => {
  const other = tokenKeys(store, clock);
  const first = await kidNow();
  clock.advance(30 * DAY_MS + 1);
  expect(await listed(other)).toEqual([first]);
  await kidNow();
  clock.advance(2 * MINUTE_MS - 1);
  expect(await kidNow()).toBe(first);
  expect(await listed(other)).toHaveLength(2);
});

test("a node that has not yet seen the successor does not create a second one", async () => {
  const other = tokenKeys(store, clock);
  const first = await kidNow();
  clock.advance(30 * DAY_MS + 1);
  expect(await listed(other)).toEqual([first]);
  await kidNow();
  await kidNow(other);
  expect(store.rows.size).toBe(2);
});

test("after a long pause without calls, the successor signs immediately", async () => {
  const first = await kidNow();
  clock.advance(30.5 * DAY_MS);
  const second = await kidNow();
  expect(second).not.toBe(first);
  expect(await listed()).toEqual([second, first]);
});

describe("caches may keep the published keys", () => {
  const maxAgeMs = async (): Promise<number> => (await keys.jwks()).maxAgeMs;

  test("only once the first key has been published for two minutes", async () => {
    expect(await maxAgeMs()).toBe(0);
    await kidNow();
    clock.advance(2 * MINUTE_MS - 1);
    expect(await maxAgeMs()).toBe(0);
    clock.advance(1);
    expect(await maxAgeMs()).toBe(MINUTE_MS);
  });

  test("only until a key that they lack can sign", async () => {
    const other = tokenKeys(store, clock);
    await kidNow();
    clock.advance(30 * DAY_MS + 1);
    await listed(other);
    const successor = await kidNow().then(async () => (await listed())[0]);
    clock.advance(MINUTE_MS - 1);
    const { keys: known, maxAgeMs: lifetimeMs } = await other.jwks();
    expect(known.map(({ kid }) => kid)).not.toContain(successor);
    clock.advance(lifetimeMs);
    expect(await kidNow()).not.toBe(successor);
  });

  test("not at all while the only key is so old that its successor signs immediately", async () => {
    await kidNow();
    clock.advance(30.5 * DAY_MS - 5 * SECOND_MS);
    expect(await maxAgeMs()).toBe(5 * SECOND_MS);
    clock.advance(5 * SECOND_MS);
    expect(await maxAgeMs()).toBe(0);
  });
});

test("a key is retired after 31 days and leaves the store at the next rotation", async () => {
  const first = await kidNow();
  clock.advance(30 * DAY_MS + 1);
  await kidNow();
  clock.advance(DAY_MS - 2);
  expect(await keys.verifying(first)).toBeDefined();
  clock.advance(1);
  expect(await keys.verifying(first)).toBeUndefined();
  expect(await listed()).not.toContain(first);
  expect(store.rows.has(first)).toBe(true);
  clock.advance(30 * DAY_MS);
  await kidNow();
  expect(store.rows.has(first)).toBe(false);
});

test("settings are refused if keepMs exceeds rotateEveryMs by only a minute", () => {
  expect(() => tokenKeys(store, clock, { rotateEveryMs: DAY_MS, keepMs: DAY_MS + MINUTE_MS })).toThrow("keepMs");
  expect(tokenKeys(store, clock, { rotateEveryMs: DAY_MS, keepMs: 2 * DAY_MS }).tokenLifetimeMsMax).toBe(
    DAY_MS / 2 - 30 * SECOND_MS,
  );
});

test("no private member is published, even if it is stored in the public column", async () => {
  await kidNow();
  for (const [kid, row] of store.rows) store.rows.set(kid, { ...row, publicJwk: row.privateJwk ?? "" });
  const { keys: published } = await tokenKeys(store, clock).jwks();
  expect(published.map((key) => Object.keys(key).sort())).toEqual([["alg", "crv", "kid", "kty", "use", "x", "y"]]);
  expect(published[0]).toMatchObject({ alg: "ES256", crv: "P-256", kty: "EC", use: "sig" });
});

test("signing keys cannot be exported, and verifying keys cannot sign", async () => {
  const { kid, privateKey } = await keys.signing();
  expect(privateKey).toMatchObject({ type: "private", extractable: false, usages: ["sign"] });
  expect(await keys.verifying(kid)).toMatchObject({ type: "public", usages: ["verify"] });
});

test("a node reads the store once a minute", async () => {
  const kid = await kidNow();
  store.reads = 0;
  clock.advance(MINUTE_MS - 1);
  await Promise.all([kidNow(), keys.verifying(kid), keys.jwks()]);
  expect(store.reads).toBe(0);
  clock.advance(1);
  await Promise.all([kidNow(), keys.verifying(kid), keys.jwks()]);
  expect(store.reads).toBe(1);
});

test("a removed key is forgotten within a minute", async () => {
  const kid = await kidNow();
  await store.remove(kid);
  clock.advance(MINUTE_MS);
  expect(await keys.verifying(kid)).toBeUndefined();
});

test("unknown key ids cause at most one read per ten seconds", async () => {
  await kidNow();
  store.reads = 0;
  const askOften = () => Promise.all(Array.from({ length: 50 }, (_, index) => keys.verifying(`unknown-${index}`)));
  expect(new Set(await askOften())).toEqual(new Set([undefined]));
  expect(store.reads).toBe(0);
  for (const reads of [1, 2, 3]) {
    clock.advance(10 * SECOND_MS - 1);
    await askOften();
    expect(store.reads).toBe(reads - 1);
    clock.advance(1);
    await askOften();
    await askOften();
    expect(store.reads).toBe(reads);
  }
});

test("a node finds another node's new key at most ten seconds after the last read", async () => {
  expect(await keys.verifying("unknown")).toBeUndefined();
  const kid = await kidNow(tokenKeys(store, clock));
  expect(await keys.verifying(kid)).toBeUndefined();
  clock.advance(10 * SECOND_MS);
  expect(await keys.verifying(kid)).toBeDefined();
});

test("a node finds a new key even if the clock was ahead at the last read", async () => {
  expect(await keys.verifying("unknown")).toBeUndefined();
  clock.set(clock.now() - DAY_MS);
  const kid = await kidNow(tokenKeys(store, clock));
  expect(await keys.verifying(kid)).toBeDefined();
});

test("while the store cannot be read, no key can verify, sign or be published", async () => {
  store.broken = true;
  await expect(keys.verifying("unknown")).rejects.toThrow("the database is lost");
  await expect(keys.signing()).rejects.toThrow("the database is lost");
  await expect(keys.jwks()).rejects.toThrow("the database is lost");
  store.broken = false;
  expect(await keys.verifying(await kidNow())).toBeDefined();
});

describe("a stored key that cannot be read", () => {
  const unreadable = '{"d":"secret';
  const sentenceOf = (kid: string) => new Error(`token key ${kid} of the store is not an ES256 key in JSON`);
  const damage = (kid: string, change: Partial<StoredTokenKey>): void => {
    const row = store.rows.get(kid);
    if (row) store.rows.set(kid, { ...row, ...change });
  };
  /** Another node and its reported errors. */
  function node() {
    const reports: Error[] = [];
    return { reports, keys: tokenKeys(store, clock, { onUnreadable: (error) => reports.push(error) }) };
  }

  test("an unreadable key neither verifies nor signs, is reported once by its id, and does not affect other keys", async () => {
    const broken = await kidNow();
    clock.advance(30 * DAY_MS + 1);
    const whole = await kidNow(tokenKeys(store, clock));
    expect(whole).toBe(broken);
    const [successor = ""] = [...store.rows.keys()].filter((kid) => kid !== broken);
    damage(broken, { publicJwk: unreadable, privateJwk: unreadable });
    const other = node();
    expect(await listed(other.keys)).toEqual([successor]);
    expect(await kidNow(other.keys)).toBe(successor);
    expect(await other.keys.verifying(broken)).toBeUndefined();
    expect(await other.keys.verifying(successor)).toBeDefined();
    clock.advance(MINUTE_MS);
    await listed(other.keys);
    expect([other.reports, other.keys.unreadable()]).toEqual([[sentenceOf(broken)], [broken]]);
  });

  test("an unreadable key gets a successor if it is the only key", async () => {
    const broken = await kidNow();
    damage(broken, { publicJwk: unreadable });
    const other = node();
    const successor = await kidNow(other.keys);
    expect(successor).not.toBe(broken);
    expect(await listed(other.keys)).toEqual([successor]);
    expect(other.reports).toEqual([sentenceOf(broken)]);
  });

  test("a key whose private half is damaged still verifies while another key signs", async () => {
    const broken = await kidNow();
    damage(broken, { privateJwk: unreadable });
    const other = node();
    expect(await kidNow(other.keys)).not.toBe(broken);
    expect(await other.keys.verifying(broken)).toBeDefined();
    expect(other.reports).toEqual([sentenceOf(broken)]);
  });

  test("an unreadable key is no longer listed as unreadable once it is removed", async () => {
    const broken = await kidNow();
    damage(broken, { publicJwk: unreadable });
    const other = node();
    await listed(other.keys);
    await store.remove(broken);
    clock.advance(MINUTE_MS);
    await listed(other.keys);
    expect(other.keys.unreadable()).toEqual([]);
  });
});
