import { expect, test } from "vitest";
import { describeEachStore } from "../../test/support/stores.js";
import { claimStore, StoreKindMismatch } from "./store-mark.js";

await describeEachStore((open) => {
  test.each(["real", "demo"] as const)("a %s store can be claimed as the same kind again and again", async (kind) => {
    const { database, openAgain } = await open();
    await claimStore(database, kind);
    await claimStore(await openAgain(), kind);
    const mark = await database.db.selectFrom("store_mark").selectAll().execute();
    expect(mark).toEqual([{ name: "kind", value: kind }]);
  });

  test.each([
    {
      kind: "demo",
      claimed: "real",
      sentence:
        'This store holds simulated data (made by "vigil demo"); real data never goes into it. Set VIGIL_DATA_DIR (or DATABASE_URL) to another place, or start the service with "npm run demo".',
    },
    {
      kind: "real",
      claimed: "demo",
      sentence:
        'This store holds real data; "vigil demo" never writes simulated data into it (found real, wanted demo). Set VIGIL_DATA_DIR (or DATABASE_URL) to another place, or start the service with "npm start".',
    },
  ] as const)(
    "a $kind store refuses to be claimed as $claimed, names the remedy, and stays $kind",
    async ({ kind, claimed, sentence }) => {
      const { database } = await open();
      await claimStore(database, kind);
      const claim = claimStore(database, claimed);
      await expect(claim).rejects.toThrow(StoreKindMismatch);
      await expect(claim).rejects.toMatchObject({ message: sentence });
      await claimStore(database, kind);
    },
  );

  test("if two processes claim a new store at the same time as different kinds, one is refused", async () => {
    const { database } = await open();
    const claims = await Promise.allSettled([claimStore(database, "real"), claimStore(database, "demo")]);
    expect(claims.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });
});
