import { expect, test } from "vitest";
import { describeEachStore } from "../../test/support/stores.js";
import { claimStore, StoreKindMismatch } from "./store-mark.js";

await describeEachStore((open) => {
  test.each(["real", "demo"] as const)("a %s store can be claimed as what it is again and again", async (kind) => {
    const { database, openAgain } = await open();
    await claimStore(database, kind);
    await claimStore(await openAgain(), kind);
    const mark = await database.db.selectFrom("store_mark").selectAll().execute();
    expect(mark).toEqual([{ name: "kind", value: kind }]);
  });

  test.each([
    {
      made: "demo",
      claimed: "real",
      sentence:
        'This store holds simulated data (made by "vigil demo"); real data never goes into it. Set VIGIL_DATA_DIR (or DATABASE_URL) to another place, or start it with "npm run demo".',
    },
    {
      made: "real",
      claimed: "demo",
      sentence:
        'This store holds real data; "vigil demo" never writes simulated data into it (found real, wanted demo). Set VIGIL_DATA_DIR (or DATABASE_URL) to another place, or start it with "npm start".',
    },
  ] as const)("a $made store refuses to be $claimed, says what to do, and stays $made", async (given) => {
    const { database } = await open();
    await claimStore(database, given.made);
    const claim = claimStore(database, given.claimed);
    await expect(claim).rejects.toThrow(StoreKindMismatch);
    await expect(claim).rejects.toMatchObject({ message: given.sentence });
    await claimStore(database, given.made);
  });

  test("of two that claim a new store at once as different kinds, one is refused", async () => {
    const { database } = await open();
    const claims = await Promise.allSettled([claimStore(database, "real"), claimStore(database, "demo")]);
    expect(claims.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });
});
