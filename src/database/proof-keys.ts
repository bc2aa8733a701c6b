import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";
import type { Kysely } from "kysely";
import { DAY_MS, MINUTE_MS } from "../kit/clock.js";
import { isWrapped } from "./key-vault.js";
import type { Database, ProofKeyRow } from "./schema.js";
import type { StoreParts } from "./service-store.js";
import { inTransaction } from "./transaction.js";

const SEED_BYTES = 32;
/** Beginning of an Ed25519 key in PKCS #8 (RFC 8410); the seed follows. */
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");
/** Period in which a key signs. */
export const KEY_MS = 365 * DAY_MS;
/** Tolerance for the clock differences between nodes. */
const TOLERANCE_MS = MINUTE_MS;

/** A head of the Merkle log before it is signed. */
export interface UnsignedHead {
  readonly size: number;
  /** Hex. */
  readonly rootHash: string;
}

/** The signature of a head. */
export interface HeadSignature {
  /** Epoch ms. */
  readonly timestamp: number;
  readonly keyId: string;
  /** Ed25519, base64url. */
  readonly signature: string;
}

/** A public key as a JSON Web Key (RFC 8037), with its signing period in epoch ms. */
export interface PublishedProofKey {
  readonly kty: "OKP";
  readonly crv: "Ed25519";
  readonly x: string;
  readonly kid: string;
  readonly alg: "EdDSA";
  readonly use: "sig";
  readonly validFrom: number;
  readonly validUntil: number;
}

/** The key that signs now. */
export interface ProofSigner {
  readonly keyId: string;
  /**
   * The period in which the key signs, epoch ms. It begins a minute before the creation of the key, because the clocks
   * of nodes differ.
   */
  readonly signsFrom: number;
  readonly signsUntil: number;
  /** Returns the Ed25519 signature of a text. */
  sign(text: string): Buffer;
}

/** The keys that sign heads and answers, shared by all nodes. */
export interface ProofKeys {
  /**
   * Creates a key unless this node can read one that is younger than a year. Wraps the current key if it was stored
   * before the nodes shared a vault.
   */
  keep(): Promise<void>;
  sign(head: UnsignedHead): Promise<HeadSignature>;
  signer(): Promise<ProofSigner>;
  /** Lists all keys that ever existed, newest first. */
  published(): Promise<readonly PublishedProofKey[]>;
}

export type ProofKeyParts = Pick<StoreParts, "database" | "clock" | "vault" | "randomBytes">;

type OpenKey = ProofKeyRow & { readonly seed: string };

/** Manages the keys of a store. A node that cannot unwrap the keys of other nodes signs with a key of its own. */
export function proofKeys({ database, clock, vault, randomBytes }: ProofKeyParts): ProofKeys {
  function seedOf({ private_key, key_id }: ProofKeyRow): string | undefined {
    if (vault !== undefined) return vault.unwrap(private_key, key_id);
    return isWrapped(private_key) ? undefined : private_key;
  }

  /** Finds the newest key that was created within the last year and that this node can read. */
  async function usableKey(db: Kysely<Database>): Promise<OpenKey | undefined> {
    const now = clock.now();
    const rows = await db
      .selectFrom("proof_key")
      .selectAll()
      .where("created_at", ">=", now - KEY_MS)
      // A key from the future was created by a wrong clock; its signatures would not be valid yet.
      .where("created_at", "<=", now + TOLERANCE_MS)
      .orderBy("created_at", "desc")
      .orderBy("key_id")
      .execute();
    for (const row of rows) {
      const seed = seedOf(row);
      if (seed !== undefined) return { ...row, seed };
    }
    return undefined;
  }

  async function currentKey(): Promise<OpenKey> {
    return (await usableKey(database.db)) ?? (await added());
  }

  /** Adds and returns a key; if another node has just added one, returns that key. */
  async function added(): Promise<OpenKey> {
    return await inTransaction(database.db, async (db) => {
      // Locks the log, so that nodes add keys one after the other.
      await db
        .updateTable("proof_log")
        .set((log) => ({ size: log.ref("size") }))
        .execute();
      const usable = await usableKey(db);
      if (usable !== undefined) return usable;
      const seed = randomBytes(SEED_BYTES).toString("hex");
      const public_key = publicHalf(privateKeyOf(seed));
      const key_id = thumbprint(public_key);
      const row = { key_id, public_key, private_key: vault?.wrap(seed, key_id) ?? seed, created_at: clock.now() };
      await db.insertInto("proof_key").values(row).execute();
      return { ...row, seed };
    });
  }

  /** Wraps a key that was stored before the nodes shared a vault. */
  async function wrap({ key_id, private_key }: ProofKeyRow): Promise<void> {
    if (vault === undefined || isWrapped(private_key)) return;
    await database.db
      .updateTable("proof_key")
      .set({ private_key: vault.wrap(private_key, key_id) })
      .where("key_id", "=", key_id)
      .where("private_key", "=", private_key)
      .execute();
  }

  async function signer(): Promise<ProofSigner> {
    const { key_id: keyId, created_at: createdAt, seed } = await currentKey();
    const key = privateKeyOf(seed);
    return {
      keyId,
      signsFrom: createdAt - TOLERANCE_MS,
      signsUntil: createdAt + KEY_MS,
      sign: (text) => sign(null, Buffer.from(text), key),
    };
  }

  return {
    async keep() {
      await wrap(await currentKey());
    },
    async sign(head) {
      const current = await signer();
      const { keyId } = current;
      const timestamp = clock.now();
      const signature = current.sign(signedText(head, timestamp, keyId));
      return { timestamp, keyId, signature: signature.toString("base64url") };
    },
    signer,
    async published() {
      const rows = await database.db
        .selectFrom("proof_key")
        .select(["key_id", "public_key", "created_at"])
        .orderBy("created_at", "desc")
        .execute();
      return rows.map(({ key_id, public_key, created_at }) => ({
        kty: "OKP",
        crv: "Ed25519",
        x: public_key,
        kid: key_id,
        alg: "EdDSA",
        use: "sig",
        validFrom: created_at - TOLERANCE_MS,
        validUntil: created_at + KEY_MS + TOLERANCE_MS,
      }));
    },
  };
}

/** A stored key whose parts contradict each other. */
export interface ProofKeyFault {
  readonly keyId: string;
  readonly problem: string;
}

/**
 * Checks that the id and the private half of each stored key belong to its public half. A wrapped private half is not
 * checked, because its wrapping protects it.
 */
export async function proofKeyFaults(db: Kysely<Database>): Promise<readonly ProofKeyFault[]> {
  const rows = await db.selectFrom("proof_key").selectAll().orderBy("created_at").orderBy("key_id").execute();
  return rows.flatMap((row) => {
    const problem = keyProblem(row);
    return problem === undefined ? [] : [{ keyId: row.key_id, problem }];
  });
}

function keyProblem({ key_id, public_key, private_key }: ProofKeyRow): string | undefined {
  if (thumbprint(public_key) !== key_id) return "is not the thumbprint of its public half";
  if (isWrapped(private_key)) return undefined;
  const isSeed =
    Buffer.from(private_key, "hex").toString("hex") === private_key && private_key.length === 2 * SEED_BYTES;
  const isPair = isSeed && publicHalf(privateKeyOf(private_key)) === public_key;
  return isPair ? undefined : "has a private half that does not belong to its public half";
}

/** Formats the text that the signature of a head covers. */
function signedText({ size, rootHash }: UnsignedHead, timestamp: number, keyId: string): string {
  return `vigil-tree-head-v1\n${size}\n${rootHash}\n${timestamp}\n${keyId}\n`;
}

function privateKeyOf(seed: string): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8, Buffer.from(seed, "hex")]), format: "der", type: "pkcs8" });
}

function publicHalf(key: KeyObject): string {
  const { x } = createPublicKey(key).export({ format: "jwk" });
  if (x === undefined) throw new Error("an Ed25519 key has no public half");
  return x;
}

/** Computes the thumbprint of a public key (RFC 7638). */
function thumbprint(x: string): string {
  return createHash("sha256")
    .update(JSON.stringify({ crv: "Ed25519", kty: "OKP", x }))
    .digest("base64url");
}
