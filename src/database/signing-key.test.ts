import { expect, test } from "vitest";
import { describeEachStore } from "../../test/support/stores.js";
import { isWrapped, keyVault } from "./key-vault.js";
import { signingKey } from "./signing-key.js";

await describeEachStore((open) => {
  test("a store has one signing key of 32 bytes, the same on every node and after every start", async () => {
    const { database, openAgain } = await open();
    const other = await openAgain();
    const keys = await Promise.all([database, other, database, other].map((node) => signingKey(node)));
    expect(keys[0]).toHaveLength(32);
    expect(new Set(keys.map((key) => key.toString("hex"))).size).toBe(1);
    expect(await signingKey(await openAgain())).toEqual(keys[0]);
  });

  test("a signing key stored without a vault is kept and wrapped, and each node with the vault reads it", async () => {
    const { database, openAgain, dataDir } = await open();
    const before = await signingKey(database);
    const vault = keyVault({ secret: undefined, dataDir });
    const nodes = [database, await openAgain()];
    expect(await Promise.all(nodes.map((node) => signingKey(node, vault)))).toEqual([before, before]);
    const { value } = await database.db
      .selectFrom("store_mark")
      .select("value")
      .where("name", "=", "signing-key")
      .executeTakeFirstOrThrow();
    expect(isWrapped(value)).toBe(true);
    expect(value).not.toContain(before.toString("hex"));
  });

  test("a signing key that the vault cannot unwrap is replaced, once for all nodes that share the vault", async () => {
    const { database, openAgain, dataDir } = await open();
    const lost = await signingKey(database, keyVault({ secret: "l".repeat(32), dataDir }));
    const vault = keyVault({ secret: "n".repeat(32), dataDir });
    const nodes = [database, await openAgain(), await openAgain()];
    const keys = await Promise.all(nodes.map((node) => signingKey(node, vault)));
    expect(new Set(keys.map((key) => key.toString("hex"))).size).toBe(1);
    expect(keys[0]).not.toEqual(lost);
  });

  test("two stores have different signing keys", async () => {
    const [first, other] = await Promise.all([open(), open()]);
    expect(await signingKey(first.database)).not.toEqual(await signingKey(other.database));
  });
});
