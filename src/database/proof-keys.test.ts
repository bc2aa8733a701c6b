import { createPublicKey, verify } from "node:crypto";
import { expect, test } from "vitest";
import { describeEachStore } from "../../test/support/stores.js";
import { MINUTE_MS } from "../kit/clock.js";
import { manualClock } from "../kit/manual-clock.js";
import { seededRandom } from "../kit/random.js";
import { isWrapped, type KeyVault, keyVault } from "./key-vault.js";
import type { OpenDatabase } from "./open-database.js";
import {
  type HeadSignature,
  KEY_MS,
  type PublishedProofKey,
  proofKeyFaults,
  proofKeys,
  type UnsignedHead,
} from "./proof-keys.js";

const NOW = Date.UTC(2026, 10, 23);
const head = { size: 3, rootHash: "ab".repeat(32) };
const vaultOf = (letter: string): KeyVault => keyVault({ secret: letter.repeat(32), dataDir: "" });

/** True if a published key made the signature while the key was valid. */
function isValid(
  { size, rootHash }: UnsignedHead,
  { timestamp, keyId, signature }: HeadSignature,
  keys: readonly PublishedProofKey[],
): boolean {
  const key = keys.find(({ kid }) => kid === keyId);
  if (!key || timestamp < key.validFrom || timestamp > key.validUntil) return false;
  const text = `vigil-tree-head-v1\n${size}\n${rootHash}\n${timestamp}\n${keyId}\n`;
  const { kty, crv, x } = key;
  const publicKey = createPublicKey({ key: { kty, crv, x }, format: "jwk" });
  return verify(null, Buffer.from(text), publicKey, Buffer.from(signature, "base64url"));
}

await describeEachStore((open) => {
  async function opened() {
    const { database, openAgain } = await open();
    const clock = manualClock(NOW);
    const random = seededRandom(7);
    const randomBytes = (count: number): Buffer => Buffer.from(Array.from({ length: count }, () => random() * 256));
    const keysOf = (vault: KeyVault | undefined, on: OpenDatabase = database) =>
      proofKeys({ database: on, clock, vault, randomBytes });
    const storedKeys = () => database.db.selectFrom("proof_key").selectAll().orderBy("created_at").execute();
    return {
      database,
      clock,
      keysOf,
      storedKeys,
      another: async (vault?: KeyVault) => keysOf(vault, await openAgain()),
    };
  }

  test("concurrent first starts create one key, and every node signs with it", async () => {
    const { keysOf, another, storedKeys } = await opened();
    const nodes = [keysOf(undefined), await another(), await another()];
    await Promise.all(nodes.map((node) => node.keep()));
    expect(await storedKeys()).toHaveLength(1);
    const signatures = await Promise.all(nodes.map((node) => node.sign(head)));
    expect(new Set(signatures.map(({ keyId }) => keyId)).size).toBe(1);
    const published = await keysOf(undefined).published();
    for (const signature of signatures) expect(isValid(head, signature, published)).toBe(true);
  });

  test("the signature of a head covers its size, root hash and time", async () => {
    const { keysOf } = await opened();
    const keys = keysOf(undefined);
    const signature = await keys.sign(head);
    const published = await keys.published();
    expect(isValid({ ...head, size: 4 }, signature, published)).toBe(false);
    expect(isValid({ ...head, rootHash: "ac".repeat(32) }, signature, published)).toBe(false);
    expect(isValid(head, { ...signature, timestamp: signature.timestamp + 1 }, published)).toBe(false);
  });

  test("a key is replaced after a year, and the heads that it signed stay valid", async () => {
    const { clock, keysOf, another } = await opened();
    const keys = keysOf(undefined);
    const old = await keys.sign(head);
    clock.advance(KEY_MS);
    expect((await keys.sign(head)).keyId).toBe(old.keyId);
    clock.advance(1);
    const [next, other] = await Promise.all([keys.sign(head), (await another()).sign(head)]);
    expect(next.keyId).not.toBe(old.keyId);
    expect(other.keyId).toBe(next.keyId);
    const published = await keys.published();
    expect(published.map(({ kid, validUntil }) => ({ kid, validUntil }))).toEqual([
      { kid: next.keyId, validUntil: clock.now() + KEY_MS + MINUTE_MS },
      { kid: old.keyId, validUntil: NOW + KEY_MS + MINUTE_MS },
    ]);
    expect(isValid(head, { ...old, timestamp: clock.now() + 2 * MINUTE_MS }, published)).toBe(false);
    expect([isValid(head, old, published), isValid(head, next, published)]).toEqual([true, true]);
  });

  test("the signing key is published with its signing period", async () => {
    const { keysOf } = await opened();
    const keys = keysOf(undefined);
    const { keyId, signsFrom, signsUntil, sign } = await keys.signer();
    expect((await keys.sign(head)).keyId).toBe(keyId);
    const [published] = await keys.published();
    expect(published).toMatchObject({ kid: keyId, validFrom: signsFrom });
    expect(published?.validUntil).toBeGreaterThanOrEqual(signsUntil);
    const publicKey = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: published?.x ?? "" }, format: "jwk" });
    expect(verify(null, Buffer.from("text"), publicKey, sign("text"))).toBe(true);
  });

  test("a change of any single character of a stored key is detected", async () => {
    const { database, keysOf, storedKeys } = await opened();
    const { keyId } = await keysOf(undefined).sign(head);
    const faults = async () => await proofKeyFaults(database.db);
    expect(await faults()).toEqual([]);
    const [stored] = await storedKeys();
    for (const column of ["key_id", "public_key", "private_key"] as const) {
      const text = stored?.[column] ?? "";
      for (let at = 0; at < text.length; at += 1) {
        const changed = text.slice(0, at) + (text[at] === "1" ? "2" : "1") + text.slice(at + 1);
        await database.db
          .updateTable("proof_key")
          .set({ ...stored, [column]: changed })
          .execute();
        const changedId = column === "key_id" ? changed : keyId;
        expect([column, at, await faults()]).toEqual([column, at, [{ keyId: changedId, problem: expect.any(String) }]]);
      }
    }
  });

  test("no fault is reported for a wrapped key", async () => {
    const { database, keysOf } = await opened();
    await keysOf(vaultOf("a")).sign(head);
    expect(await proofKeyFaults(database.db)).toEqual([]);
  });

  test("the private key is stored wrapped, even if it was created before the vault", async () => {
    const { keysOf, storedKeys } = await opened();
    const { keyId } = await keysOf(undefined).sign(head);
    expect((await storedKeys()).map(({ private_key }) => isWrapped(private_key))).toEqual([false]);
    const keys = keysOf(vaultOf("a"));
    await keys.keep();
    expect((await storedKeys()).map(({ private_key }) => isWrapped(private_key))).toEqual([true]);
    expect((await keys.sign(head)).keyId).toBe(keyId);
    expect(JSON.stringify(await keys.published())).not.toContain("wrapped");
  });

  test("a node that cannot unwrap the stored key signs with a new key, and both keys' heads are valid", async () => {
    const { keysOf, storedKeys } = await opened();
    const old = await keysOf(vaultOf("a")).sign(head);
    const next = await keysOf(vaultOf("b")).sign(head);
    expect(next.keyId).not.toBe(old.keyId);
    const published = await keysOf(vaultOf("b")).published();
    expect([isValid(head, old, published), isValid(head, next, published)]).toEqual([true, true]);
    expect((await keysOf(vaultOf("a")).sign(head)).keyId).toBe(old.keyId);
    await keysOf(undefined).keep();
    expect(await storedKeys()).toHaveLength(3);
  });
});
