import { describe, expect, test } from "vitest";
import { describeEachStore, type OpenStore } from "../../test/support/stores.js";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../kit/clock.js";
import { manualClock } from "../kit/manual-clock.js";
import { isWrapped, keyVault } from "./key-vault.js";
import { type RotatingKeys, rotatingKeys } from "./rotating-keys.js";

const START = Date.UTC(2026, 10, 22);
const name = "test-keys";
const policy = { rotatedEveryMs: 7 * DAY_MS, leadMs: 2 * MINUTE_MS, tokenMsMax: DAY_MS + HOUR_MS };
/** Number of weeks for which the test rotates keys. */
const WEEKS = 4;

const storedOf = async ({ database }: OpenStore): Promise<string> => {
  const rows = database.db.selectFrom("store_mark").select("value").where("name", "=", name);
  return (await rows.executeTakeFirstOrThrow()).value;
};

const signed = (ring: RotatingKeys): readonly [id: string, token: string] => {
  const { id, sign } = ring.signing();
  return [id, sign("t", "payload")];
};
const isAccepted = (ring: RotatingKeys, [id, token]: readonly [string, string]): boolean =>
  ring.find(id)?.open("t", token) === "payload";

await describeEachStore((open) => {
  test("nodes that start together share one key", async () => {
    const { database, openAgain } = await open();
    const other = await openAgain();
    const clock = manualClock(START);
    const options = { name, policy, clock };
    const nodes = await Promise.all([database, other, database, other].map((node) => rotatingKeys(node, options)));
    expect(new Set(nodes.map((node) => node.signing().id)).size).toBe(1);
    const [first, ...others] = nodes as [RotatingKeys, ...RotatingKeys[]];
    expect(others.every((node) => isAccepted(node, signed(first)))).toBe(true);
  });

  test("while keys rotate, no node refuses a token that has not expired", async () => {
    const { database, openAgain } = await open();
    const clock = manualClock(START);
    const nodes = [
      await rotatingKeys(database, { name, policy, clock }),
      await rotatingKeys(await openAgain(), { name, policy, clock }),
    ] as const;
    const ids = new Set<string>();
    const tokens: { readonly token: readonly [string, string]; readonly signedAt: number }[] = [];
    for (let hour = 0; hour < WEEKS * 7 * 24; hour += 3) {
      clock.advance(3 * HOUR_MS);
      // The second node reads a new key a minute after the first has created it.
      await nodes[0].refresh();
      clock.advance(MINUTE_MS);
      await nodes[1].refresh();
      clock.advance(2 * MINUTE_MS);
      for (const node of nodes) tokens.push({ token: signed(node), signedAt: clock.now() });
      ids.add(nodes[0].signing().id);
      const unexpired = tokens.filter(({ signedAt }) => clock.now() - signedAt <= DAY_MS);
      expect(unexpired.every(({ token }) => nodes.every((node) => isAccepted(node, token)))).toBe(true);
    }
    expect(ids.size).toBeGreaterThanOrEqual(WEEKS);
    const firstToken = tokens[0]?.token;
    expect(firstToken && isAccepted(nodes[0], firstToken)).toBe(false);
  });

  test("when a new key is due, nodes that refresh at the same time create only one key", async () => {
    const { database, openAgain } = await open();
    const clock = manualClock(START);
    const options = { name, policy, clock };
    const nodes = [await rotatingKeys(database, options), await rotatingKeys(await openAgain(), options)];
    clock.advance(8 * DAY_MS);
    await Promise.all(nodes.map((node) => node.refresh()));
    clock.advance(HOUR_MS);
    expect(new Set(nodes.map((node) => node.signing().id)).size).toBe(1);
  });

  describe("wrapped keys", () => {
    test("a vault wraps the stored keys, even those from before the vault, and keeps their values", async () => {
      const store = await open();
      const clock = manualClock(START);
      const plain = await rotatingKeys(store.database, { name, policy, clock });
      const vault = keyVault({ secret: "s".repeat(32), dataDir: store.dataDir });
      const wrapped = await rotatingKeys(store.database, { name, policy, clock, vault });
      expect(isWrapped(await storedOf(store))).toBe(true);
      expect(isAccepted(wrapped, signed(plain))).toBe(true);
    });

    test("keys wrapped with another secret are replaced at start-up; a running node only reports them", async () => {
      const store = await open();
      const clock = manualClock(START);
      const { dataDir, database } = store;
      const vaults = ["a", "b"].map((letter) => keyVault({ secret: letter.repeat(32), dataDir }));
      const first = await rotatingKeys(database, { name, policy, clock, vault: vaults[0] });
      const second = await rotatingKeys(database, { name, policy, clock, vault: vaults[1] });
      expect(second.signing().id).not.toBe(first.signing().id);
      await expect(first.refresh()).rejects.toThrow("VIGIL_KEY_SECRET");
      expect(isAccepted(first, signed(first))).toBe(true);
    });
  });
});
