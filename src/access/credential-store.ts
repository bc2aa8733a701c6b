import { createHash, randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { PlanKey, PlanState } from "../contract/access/plans.js";
import { OPERATOR_ACCOUNT } from "../contract/access/principal.js";
import { scopesOf } from "../contract/access/scopes.js";
import type { OpenedSession } from "../contract/write.js";
import type { OpenDatabase } from "../database/open-database.js";
import { inTransaction } from "../database/transaction.js";
import { type Clock, HOUR_MS, isWithin, MINUTE_MS } from "../kit/clock.js";
import { entriesUpTo } from "../kit/entries-up-to.js";
import { accessChange, accessVersion } from "./access-change.js";
import { audit } from "./audit-log.js";
import type { Credential } from "./credential.js";
import { CredentialCache } from "./credential-cache.js";
import { hashOfKey } from "./key-format.js";
import { hashOfSession, SESSION_PREFIX } from "./session-token.js";
import { type Assurance, StoreContact } from "./store-contact.js";

/** The plan of an account, with its payment state. */
interface AccountStanding {
  readonly plan: PlanKey;
  readonly planState: PlanState;
}

/**
 * Finds keys and sessions. Results are cached until any account changes on any node, for 60 s at most. With the
 * assurance `remembered`, lookups also succeed for a limited time while the store is lost.
 */
export interface CredentialStore {
  /** Returns a key that was cached in the last 60 s before `now`, epoch ms; undefined for any other key. */
  recalledKey(key: string, now: number): Credential | undefined;
  /** Finds a key; undefined for an unknown or revoked one. The result of a cached key is returned without a promise. */
  key(key: string, assurance?: Assurance): Credential | undefined | Promise<Credential | undefined>;
  session(token: string, assurance?: Assurance): Credential | undefined | Promise<Credential | undefined>;
  /** Finds a key by its id. An access token contains the id of the key that it was issued from. */
  keyById(id: string, assurance?: Assurance): Credential | undefined | Promise<Credential | undefined>;
  /**
   * Reads the plan of an account from the store at every call. Returns an earlier result only while the store is lost.
   */
  account(id: string, assurance?: Assurance): Promise<AccountStanding | undefined>;
  /** Opens a session of the key's account. Returns undefined for an invalid key. */
  signIn(keyId: string, address: string): Promise<OpenedSession | undefined>;
  /** Opens a session with the secret of a one-time link. Returns undefined if the link or its key is not valid. */
  signInByLink(secret: string, address: string): Promise<OpenedSession | undefined>;
  /** Creates the secret of a link that is valid for one hour and opens one session of this key's account. */
  makeLink(keyId: string): Promise<string>;
  signOut(token: string, address: string): Promise<void>;
  /** Records the use of a key at `at`, epoch ms. Recorded uses are written periodically. */
  used(keyId: string, at: number): void;
  /**
   * If accounts have changed since the last call, drops all cached credentials and reads the most recently used ones
   * again. Writes the recorded uses, at most once a minute.
   */
  refresh(): Promise<void>;
}

const SESSION_MS = 12 * HOUR_MS;
const LINK_MS = HOUR_MS;
const ACCOUNTS_REMEMBERED_MAX = 10_000;
/** Interval at which the last use of a key is written. */
const USE_WRITTEN_EVERY_MS = MINUTE_MS;
const SECRET_BYTES = 32;

/** `contact` decides whether remembered values may be used. Default: nothing is remembered. */
export function credentialStore(
  { db }: OpenDatabase,
  clock: Clock,
  contact: StoreContact = new StoreContact({ clock, rememberedMs: 0 }),
): CredentialStore {
  // Keys, key ids and session tokens have separate caches, so that a key id, for example, is never accepted as a key.
  const keys = new CredentialCache({
    clock,
    contact,
    nameInStore: hashOfKey,
    find: (hashes) => keysBy("key_hash", hashes),
  });
  const keyIds = new CredentialCache({ clock, contact, find: (ids) => keysBy("id", ids) });
  const sessions = new CredentialCache({ clock, contact, nameInStore: hashOfSession, find: findSessions });
  const accounts = new LRUCache<string, { readonly standing: AccountStanding | undefined }>(
    entriesUpTo(ACCOUNTS_REMEMBERED_MAX),
  );
  const usedAt = new Map<string, number>();
  let usesWrittenAt = clock.now();
  let lastChange: string | undefined;

  async function keysBy(
    column: "key_hash" | "id",
    values: readonly string[],
  ): Promise<ReadonlyMap<string, Credential>> {
    const rows = await db
      .selectFrom("api_key")
      .innerJoin("account", "account.id", "api_key.account_id")
      .select(["api_key.id as key_id", "key_hash", "account_id", "scopes", "expires_at", "plan", "plan_state"])
      .where(`api_key.${column}`, "in", values)
      .where("revoked_at", "is", null)
      .execute();
    return new Map(
      rows.map((row) => [
        column === "id" ? row.key_id : row.key_hash,
        credentialOf({ ...row, endsAt: row.expires_at ?? Number.POSITIVE_INFINITY }, "key"),
      ]),
    );
  }

  async function findSessions(hashes: readonly string[]): Promise<ReadonlyMap<string, Credential>> {
    const rows = await db
      .selectFrom("session")
      .innerJoin("api_key", "api_key.id", "session.key_id")
      .innerJoin("account", "account.id", "api_key.account_id")
      .select(["session_hash", "key_id", "account_id", "scopes", "plan", "plan_state"])
      .select(["session.expires_at as session_ends_at", "api_key.expires_at as key_ends_at"])
      .where("session_hash", "in", hashes)
      .where("revoked_at", "is", null)
      .execute();
    return new Map(
      rows.map((row) => {
        const endsAt = Math.min(row.session_ends_at, row.key_ends_at ?? Number.POSITIVE_INFINITY);
        return [row.session_hash, credentialOf({ ...row, endsAt }, "session")];
      }),
    );
  }

  async function standingOf(id: string): Promise<AccountStanding | undefined> {
    const changeBefore = lastChange;
    const row = await db.selectFrom("account").select(["plan", "plan_state"]).where("id", "=", id).executeTakeFirst();
    const standing = row && { plan: row.plan as PlanKey, planState: row.plan_state as PlanState };
    if (changeBefore === lastChange) accounts.set(id, { standing });
    return standing;
  }

  async function signIn(keyId: string, address: string): Promise<OpenedSession | undefined> {
    const credential = (await keysBy("id", [keyId])).get(keyId);
    const at = clock.now();
    if (!credential || credential.endsAt <= at) return undefined;
    const token = `${SESSION_PREFIX}${randomBytes(SECRET_BYTES).toString("base64url")}`;
    const expiresAt = Math.min(at + SESSION_MS, credential.endsAt);
    await inTransaction(db, async (transaction) => {
      await transaction.deleteFrom("session").where("expires_at", "<=", at).execute();
      const times = { created_at: at, expires_at: expiresAt };
      const session = { session_hash: hashOfSession(token), key_id: keyId, ...times, address };
      await transaction.insertInto("session").values(session).execute();
      const { accountId } = credential.principal;
      const event = { at, action: "signed-in", actor: keyId, address } as const;
      await audit(transaction, { ...event, ...(accountId !== undefined && { accountId }) });
    });
    return { token, expiresAt };
  }

  async function writeUses(): Promise<void> {
    usesWrittenAt = clock.now();
    const uses = [...usedAt];
    usedAt.clear();
    for (const [id, last_used_at] of uses) {
      await db.updateTable("api_key").set({ last_used_at }).where("id", "=", id).execute();
    }
  }

  return {
    recalledKey: (key, now) => keys.recalled(key, now),
    key: (key, assurance = "confirmed") => keys.get(key, assurance),
    keyById: (id, assurance = "confirmed") => keyIds.get(id, assurance),
    session: (token, assurance = "confirmed") => sessions.get(token, assurance),
    async account(id, assurance = "confirmed") {
      const remembered = accounts.get(id);
      const find = (): Promise<AccountStanding | undefined> => standingOf(id);
      if (assurance === "confirmed" || !remembered) return contact.ask(find);
      return contact.askOr(find, remembered.standing);
    },
    signIn,
    async signInByLink(secret, address) {
      const row = await db
        .deleteFrom("sign_in_link")
        .where("link_hash", "=", sha256(secret))
        .where("expires_at", ">", clock.now())
        .returning("key_id")
        .executeTakeFirst();
      return row && signIn(row.key_id, address);
    },
    async makeLink(keyId) {
      const secret = randomBytes(SECRET_BYTES).toString("base64url");
      const link = { link_hash: sha256(secret), key_id: keyId, expires_at: clock.now() + LINK_MS };
      await db.deleteFrom("sign_in_link").where("expires_at", "<=", clock.now()).execute();
      await db.insertInto("sign_in_link").values(link).execute();
      return secret;
    },
    async signOut(token, address) {
      await accessChange(db, async (transaction) => {
        const row = await transaction
          .deleteFrom("session")
          .where("session_hash", "=", hashOfSession(token))
          .returning("key_id")
          .executeTakeFirst();
        if (!row) return;
        const owner = transaction.selectFrom("api_key").select("account_id").where("id", "=", row.key_id);
        const { account_id: accountId } = await owner.executeTakeFirstOrThrow();
        await audit(transaction, { at: clock.now(), action: "signed-out", actor: row.key_id, accountId, address });
      });
      sessions.delete(token);
    },
    used(keyId, at) {
      usedAt.set(keyId, at);
    },
    async refresh() {
      await contact.check(async () => {
        const version = await accessVersion(db);
        if (version === lastChange) return;
        lastChange = version;
        accounts.clear();
        await Promise.all([keys, keyIds, sessions].map((cache) => cache.reload()));
      });
      if (!isWithin(clock.now(), usesWrittenAt, USE_WRITTEN_EVERY_MS)) await writeUses();
    },
  };
}

interface CredentialRow {
  readonly key_id: string;
  readonly account_id: string;
  readonly scopes: string;
  readonly plan: string;
  readonly plan_state: string;
  readonly endsAt: number;
}

function credentialOf(row: CredentialRow, kind: "key" | "session"): Credential {
  const scopes = scopesOf(row.scopes);
  return {
    keyId: row.key_id,
    endsAt: row.endsAt,
    principal: {
      kind,
      actor: row.key_id,
      accountId: row.account_id,
      scopes,
      // The casts are safe, because the service writes only plans and plan states to these columns.
      plan: row.plan as PlanKey,
      planState: row.plan_state as PlanState,
      isOperator: row.account_id === OPERATOR_ACCOUNT && scopes.has("account:write"),
    },
  };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
