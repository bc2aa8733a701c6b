import { expect, test } from "vitest";
import { describeEachStore } from "../../test/support/stores.js";
import { HOUR_MS, MINUTE_MS } from "../kit/clock.js";
import { manualClock } from "../kit/manual-clock.js";
import { accountsOf } from "./accounts.js";
import { auditEvents } from "./audit-log.js";
import { credentialStore } from "./credential-store.js";
import { openSessions } from "./open-sessions.js";
import { hashOfSession, sessionIdOf } from "./session-token.js";

const NOW = Date.UTC(2026, 10, 18, 12);
const ADDRESS = "192.0.2.1";
const by = { actor: "test" };

await describeEachStore((openStore) => {
  /** Two accounts with a key each, and a function that opens a session for an account. */
  async function open() {
    const { database } = await openStore();
    const clock = manualClock(NOW);
    const accounts = accountsOf(database, "vgl_", clock.now);
    const credentials = credentialStore(database, clock);
    const keys = new Map<string, string>();
    for (const id of ["acc_a", "acc_b"]) {
      await accounts.create({ id, name: id, plan: "starter" }, by);
      const created = await accounts.createKey(
        { accountId: id, name: `key of ${id}`, scopes: new Set(["read"]), expiresAt: null },
        by,
      );
      if (typeof created === "string") throw new Error(created);
      keys.set(id, created.card.id);
    }
    async function signIn(accountId: string): Promise<string> {
      const session = await credentials.signIn(keys.get(accountId) ?? "", ADDRESS);
      if (!session) throw new Error(`${accountId} cannot sign in`);
      return session.token;
    }
    return { database, clock, accounts, keys, signIn, sessions: openSessions(database, clock.now) };
  }

  test("the list has the valid sessions of one account, newest first, and marks the caller's own session", async () => {
    const { clock, keys, signIn, sessions } = await open();
    const first = await signIn("acc_a");
    await signIn("acc_b");
    clock.advance(MINUTE_MS);
    const second = await signIn("acc_a");
    const card = (token: string, createdAt: number) => ({
      id: sessionIdOf(hashOfSession(token)),
      keyId: keys.get("acc_a"),
      keyName: "key of acc_a",
      address: ADDRESS,
      createdAt,
      expiresAt: createdAt + 12 * HOUR_MS,
      isCurrent: token === second,
    });
    const cards = [card(second, NOW + MINUTE_MS), card(first, NOW)];
    expect(await sessions.list("acc_a", second)).toEqual(cards);
    clock.advance(12 * HOUR_MS - MINUTE_MS);
    expect(await sessions.list("acc_a", second)).toEqual(cards.slice(0, 1));
  });

  test("a revoked key has no open session", async () => {
    const { accounts, keys, signIn, sessions } = await open();
    await signIn("acc_a");
    await accounts.revokeKey("acc_a", keys.get("acc_a") ?? "", by);
    expect(await sessions.list("acc_a", undefined)).toEqual([]);
  });

  test("ending a session writes an audit event, and an account cannot end a session of another account", async () => {
    const { database, signIn, sessions } = await open();
    const [kept, ended] = [await signIn("acc_a"), await signIn("acc_a")];
    const id = sessionIdOf(hashOfSession(ended));
    expect(await sessions.end("acc_b", id, undefined, by)).toBeUndefined();
    expect(await sessions.end("acc_a", id, ended, { ...by, address: ADDRESS })).toMatchObject({ id, isCurrent: true });
    expect(await sessions.end("acc_a", id, undefined, by)).toBeUndefined();
    expect((await sessions.list("acc_a", kept)).map(({ isCurrent }) => isCurrent)).toEqual([true]);
    const [{ id: _, ...newest } = { id: 0 }] = await auditEvents(database.db, { limit: 1 });
    const event = {
      at: NOW,
      action: "session.ended",
      actor: "test",
      accountId: "acc_a",
      subject: id,
      address: ADDRESS,
    };
    expect(newest).toMatchObject(event);
  });

  test("a string that is not an id ends no session", async () => {
    const { signIn, sessions } = await open();
    await signIn("acc_a");
    for (const id of ["", "ses_", "ses_%", `ses_${"_".repeat(24)}`]) {
      expect(await sessions.end("acc_a", id, undefined, by)).toBeUndefined();
    }
    expect(await sessions.list("acc_a", undefined)).toHaveLength(1);
  });
});
