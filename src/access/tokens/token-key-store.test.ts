import { expect, test } from "vitest";
import { describeEachStore } from "../../../test/support/stores.js";
import { isWrapped, keyVault } from "../../database/key-vault.js";
import { MINUTE_MS } from "../../kit/clock.js";
import { manualClock } from "../../kit/manual-clock.js";
import { tokenIssuer } from "./token-issuer.js";
import { tokenKeyStore } from "./token-key-store.js";
import { tokenKeys } from "./token-keys.js";

const now = Date.UTC(2026, 2, 1);
const key = { kid: "one", privateJwk: '{"d":"x"}', publicJwk: '{"x":"y"}', createdAt: now };

const vault = keyVault({ secret: "s".repeat(32), dataDir: "" });
const elsewhere = keyVault({ secret: "e".repeat(32), dataDir: "" });

await describeEachStore((open) => {
  test("the store keeps keys until they are removed, and every connection sees the same keys", async () => {
    const { database, openAgain } = await open();
    const [store, other] = [tokenKeyStore(database, vault), tokenKeyStore(await openAgain(), vault)];
    expect(await store.list()).toEqual([]);
    await store.add(key);
    expect(await other.list()).toEqual([key]);
    await other.remove("one");
    await store.remove("one");
    expect(await store.list()).toEqual([]);
  });

  test("a new private half is stored wrapped, and listing the keys wraps those that are not wrapped yet", async () => {
    const { database } = await open();
    const old = { kid: "old", private_jwk: '{"d":"y"}', public_jwk: "{}", created_at: now };
    await database.db.insertInto("token_key").values(old).execute();
    const store = tokenKeyStore(database, vault);
    await store.add(key);
    const keys = await store.list();
    expect(new Map(keys.map(({ kid, privateJwk }) => [kid, privateJwk]))).toEqual(
      new Map([
        ["one", '{"d":"x"}'],
        ["old", '{"d":"y"}'],
      ]),
    );
    const rows = await database.db.selectFrom("token_key").select("private_jwk").execute();
    expect(rows.every(({ private_jwk }) => isWrapped(private_jwk))).toBe(true);
  });

  test("a node with its own vault signs with its own keys and verifies tokens signed by any node", async () => {
    const clock = manualClock(now);
    const { database } = await open();
    const issuers = [vault, elsewhere].map((own) =>
      tokenIssuer({ keys: tokenKeys(tokenKeyStore(database, own), clock), clock, issuer: "vigil", audience: "api" }),
    );
    const grant = { subject: "acc_1", keyId: "key_1", scopes: ["read"] };
    const issued = [];
    for (const issuer of issuers) issued.push(await issuer.issue(grant));
    clock.advance(MINUTE_MS);
    for (const issuer of issuers) {
      for (const { token } of issued) expect(await issuer.verify(token)).toMatchObject(grant);
    }
    expect(await database.db.selectFrom("token_key").selectAll().execute()).toHaveLength(2);
  });

  test("nodes that start at the same time accept each other's tokens", async () => {
    const clock = manualClock(now);
    const { database, openAgain } = await open();
    const issuers = [database, await openAgain(), await openAgain()].map((node) =>
      tokenIssuer({ keys: tokenKeys(tokenKeyStore(node, vault), clock), clock, issuer: "vigil", audience: "api" }),
    );
    const grant = { subject: "acc_1", keyId: "key_1", scopes: ["read"] };
    const issued = await Promise.all(issuers.map((issuer) => issuer.issue(grant)));
    clock.advance(MINUTE_MS);
    for (const issuer of issuers) {
      for (const { token } of issued) expect(await issuer.verify(token)).toMatchObject(grant);
    }
  });
});
