import { expect, test } from "vitest";
import { describeEachStore } from "../../../test/support/stores.js";
import { MINUTE_MS } from "../../kit/clock.js";
import { manualClock } from "../../kit/manual-clock.js";
import { tokenIssuer } from "./token-issuer.js";
import { tokenKeyStore } from "./token-key-store.js";
import { tokenKeys } from "./token-keys.js";

const now = Date.UTC(2026, 2, 1);
const key = { kid: "one", privateJwk: '{"d":"x"}', publicJwk: '{"x":"y"}', createdAt: now };

await describeEachStore((open) => {
  test("keeps keys until they are removed, the same for every connection", async () => {
    const { database, openAgain } = await open();
    const [store, other] = [tokenKeyStore(database), tokenKeyStore(await openAgain())];
    expect(await store.list()).toEqual([]);
    await store.add(key);
    expect(await other.list()).toEqual([key]);
    await other.remove("one");
    await store.remove("one");
    expect(await store.list()).toEqual([]);
  });

  test("nodes that start at the same time accept each other's tokens", async () => {
    const clock = manualClock(now);
    const { database, openAgain } = await open();
    const issuers = [database, await openAgain(), await openAgain()].map((node) =>
      tokenIssuer({ keys: tokenKeys(tokenKeyStore(node), clock), clock, issuer: "vigil", audience: "api" }),
    );
    const grant = { subject: "acc_1", keyId: "key_1", scopes: ["read"] };
    const issued = await Promise.all(issuers.map((issuer) => issuer.issue(grant)));
    clock.advance(MINUTE_MS);
    for (const issuer of issuers) {
      for (const { token } of issued) expect(await issuer.verify(token)).toMatchObject(grant);
    }
  });
});
