import { expect, test } from "vitest";
import { tokenSigner } from "../../kit/signed-token.js";
import { CURSOR_BYTES_MAX, CURSOR_PATTERN, datasetCursors } from "./cursors.js";

const signer = tokenSigner(Buffer.alloc(32, 1));
const cursors = datasetCursors(signer);
const place = (position: number) => ({ position, snapshotGeneration: 0 });

test.each([0, 1, Number.MAX_SAFE_INTEGER])(
  "a cursor for position %i has the documented form and opens on every node",
  async (position) => {
    const cursor = await cursors.sign(place(position));
    expect(cursor).toMatch(new RegExp(CURSOR_PATTERN));
    expect(cursor.length).toBeLessThanOrEqual(CURSOR_BYTES_MAX);
    expect(await datasetCursors(tokenSigner(Buffer.alloc(32, 1))).open(cursor)).toEqual(place(position));
  },
);

test("changed and malformed cursors, and cursors of another store, are refused with the same 400", async () => {
  const cursor = await cursors.sign(place(7));
  const foreign = await datasetCursors(tokenSigner(Buffer.alloc(32, 2))).sign(place(7));
  const ofList = signer.sign("pg1", "7");
  const changed = cursor.replace(/^dsc1\.[^.]+/, `dsc1.${Buffer.from("8").toString("base64url")}`);
  for (const refused of [changed, foreign, ofList, "7", "dsc1.7", `${cursor}=`, "dsc1.".repeat(1_000), " "]) {
    await expect(cursors.open(refused)).rejects.toMatchObject({
      status: 400,
      body: { violations: [{ field: "cursor", description: expect.stringContaining("cursor of this log") }] },
    });
  }
});
