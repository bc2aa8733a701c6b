import { expect, test } from "vitest";
import { tokenSigner } from "../../../kit/signed-token.js";
import { CURSOR_BYTES_MAX, CURSOR_PATTERN, firingCursors } from "./cursors.js";

const signer = tokenSigner(Buffer.alloc(32, 1));
const cursors = firingCursors(signer, "acc_a");
const place = (position: number) => ({ position, snapshotGeneration: 0 });

test.each([0, 1, Number.MAX_SAFE_INTEGER])(
  "a cursor for position %i has the documented form and opens to the same position",
  async (position) => {
    const cursor = await cursors.sign(place(position));
    expect(cursor).toMatch(new RegExp(CURSOR_PATTERN));
    expect(cursor.length).toBeLessThanOrEqual(CURSOR_BYTES_MAX);
    expect(await cursors.open(cursor)).toEqual(place(position));
  },
);

test("cursors of other accounts and stores, and strings that are not cursors, are refused with the same 400", async () => {
  const ofAccount = await firingCursors(signer, "acc_b").sign(place(7));
  const ofStore = await firingCursors(tokenSigner(Buffer.alloc(32, 2)), "acc_a").sign(place(7));
  for (const refused of [ofAccount, ofStore, "7", "wfc1.7", "wfc1.".repeat(1_000), " "]) {
    await expect(cursors.open(refused)).rejects.toMatchObject({
      status: 400,
      body: { violations: [{ field: "cursor", description: expect.stringContaining("cursor of this log") }] },
    });
  }
});
