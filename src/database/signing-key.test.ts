import { expect, test } from "vitest";
import { describeEachStore } from "../../test/support/stores.js";
import { signingKey } from "./signing-key.js";

await describeEachStore((open) => {
  test("a store has one key of 32 bytes, the same on every node and after every start", async () => {
    const { database, openAgain } = await open();
    const other = await openAgain();
    const keys = await Promise.all([database, other, database, other].map(signingKey));
    expect(keys[0]).toHaveLength(32);
    expect(new Set(keys.map((key) => key.toString("hex"))).size).toBe(1);
    expect(await signingKey(await openAgain())).toEqual(keys[0]);
  });

  test("two stores have different keys", async () => {
    const [one, other] = await Promise.all([open(), open()]);
    expect(await signingKey(one.database)).not.toEqual(await signingKey(other.database));
  });
});
