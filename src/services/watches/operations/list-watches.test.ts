import { expect, test } from "vitest";
import { keyHolder } from "../../../../test/support/principals.js";
import { Failure } from "../../../contract/failures.js";
import type { Watches } from "../ports.js";
import type { Watch } from "../served-watch.js";
import { listWatches } from "./list-watches.js";

const idOf = (number: number): string => `wch_${String(number).padStart(26, "0")}`;

/** Lists watches that have only the member that the operation reads. */
function list(cursor: string, pageSize = 2) {
  const all = [1, 2, 3].map((number) => ({ watchId: idOf(number) }) as Watch);
  const never = (): never => {
    throw new Error("list-watches must call only `list`");
  };
  const watches: Watches = {
    watchesMax: 25,
    list: async (after, rowsMax) => all.filter(({ watchId }) => watchId > after).slice(0, rowsMax),
    find: never,
    create: never,
    update: never,
    setState: never,
    rotateFeed: never,
    remove: never,
  };
  return listWatches.run({ cursor, pageSize }, { principal: keyHolder, ports: { watches } });
}

test("each page of watches continues after the previous page, and the last page has no cursor", async () => {
  const first = await list("");
  expect(first).toMatchObject({ watches: [{ watchId: idOf(1) }, { watchId: idOf(2) }], watchLimit: 25 });
  expect(await list(first.nextCursor)).toMatchObject({ watches: [{ watchId: idOf(3) }], nextCursor: "" });
});

test("a cursor that is not the id of a watch is refused", async () => {
  await expect(list("x")).rejects.toThrow(Failure);
});
