import { randomBytes } from "node:crypto";
import type { Clock } from "../kit/clock.js";
import { isLive, type RotatingKey, type RotationPolicy, rotated, signingKeyAt } from "../kit/key-rotation.js";
import { tokenSigner } from "../kit/signed-token.js";
import type { RingSigner, SigningRing } from "../kit/signing-ring.js";
import { isWrapped, type KeyVault } from "./key-vault.js";
import type { OpenDatabase } from "./open-database.js";

const KEY_BYTES = 32;
const ID_BYTES = 4;

export interface RotatingKeysOptions {
  /** Row of `store_mark` that holds the keys. */
  readonly name: string;
  readonly policy: RotationPolicy;
  readonly clock: Clock;
  /** Wraps the keys. Undefined if the nodes do not share a vault. */
  readonly vault?: KeyVault | undefined;
}

/** Rotating signing keys of this store, shared by all nodes. */
export interface RotatingKeys extends SigningRing {
  /** Reads the keys of the store, and rotates them when that is due. */
  refresh(): Promise<void>;
}

type OpenKey = RotatingKey & { readonly signer: RingSigner };

/**
 * Opens the rotating keys of a store; the first call creates them. If this vault cannot unwrap the stored keys, they
 * are replaced, which invalidates the tokens signed with them.
 */
export async function rotatingKeys(database: OpenDatabase, options: RotatingKeysOptions): Promise<RotatingKeys> {
  const { name, policy, clock, vault } = options;
  let keys: readonly OpenKey[] = [];

  /** Stores `changed` unless another node has changed the keys since `stored` was read. */
  async function replace(stored: string | undefined, changed: readonly RotatingKey[]): Promise<void> {
    const text = JSON.stringify(changed);
    const value = vault?.wrap(text, name) ?? text;
    if (stored === undefined) {
      const row = database.db.insertInto("store_mark").values({ name, value });
      await row.onConflict((conflict) => conflict.column("name").doNothing()).execute();
      return;
    }
    const update = database.db.updateTable("store_mark").set({ value });
    await update.where("name", "=", name).where("value", "=", stored).execute();
  }

  async function refresh(): Promise<void> {
    const stored = await storedText(database, name);
    const current = keysIn(stored, name, vault);
    // Unreadable keys are replaced only at the start. Otherwise, nodes with different secrets would keep replacing each
    // other's keys.
    if (keys.length > 0 && current.length === 0) throw unreadable(name);
    const next = rotated(current, clock.now(), policy, freshKey);
    const isUnwrapped = stored !== undefined && vault !== undefined && !isWrapped(stored);
    if (next === current && !isUnwrapped) {
      keys = opened(current, keys);
      return;
    }
    await replace(stored, next);
    keys = opened(keysIn(await storedText(database, name), name, vault), keys);
    if (keys.length === 0) throw unreadable(name);
  }

  await refresh();
  return {
    refresh,
    signing() {
      const key = signingKeyAt(keys, clock.now());
      if (!key) throw new Error(`the keys ${name} were never read`);
      return key.signer;
    },
    find(id) {
      const key = keys.find((candidate) => candidate.id === id);
      return key && isLive(keys, id, clock.now(), policy) ? key.signer : undefined;
    },
  };
}

function freshKey(): Pick<RotatingKey, "id" | "secret"> {
  return { id: randomBytes(ID_BYTES).toString("hex"), secret: randomBytes(KEY_BYTES).toString("hex") };
}

/** Parses the stored keys; none if there is no row, or if this vault cannot unwrap the row. */
function keysIn(stored: string | undefined, name: string, vault: KeyVault | undefined): readonly RotatingKey[] {
  if (stored === undefined) return [];
  const text = isWrapped(stored) ? vault?.unwrap(stored, name) : stored;
  return text === undefined ? [] : JSON.parse(text);
}

function opened(keys: readonly RotatingKey[], before: readonly OpenKey[]): readonly OpenKey[] {
  return keys.map((key) => {
    const same = before.find(({ id, secret }) => id === key.id && secret === key.secret);
    return { ...key, signer: same?.signer ?? { id: key.id, ...tokenSigner(Buffer.from(key.secret, "hex")) } };
  });
}

function unreadable(name: string): Error {
  return new Error(
    `the keys ${name} were wrapped by another node with another secret; give all nodes one VIGIL_KEY_SECRET`,
  );
}

async function storedText({ db }: OpenDatabase, name: string): Promise<string | undefined> {
  const row = await db.selectFrom("store_mark").select("value").where("name", "=", name).executeTakeFirst();
  return row?.value;
}
