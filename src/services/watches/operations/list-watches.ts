import { Type } from "typebox";
import { accountRead } from "../../../contract/account-read.js";
import { failure } from "../../../contract/failures.js";
import { text } from "../../../contract/query-field.js";
import { sortablePattern } from "../../../kit/sortable-id.js";
import { watchesPort } from "../ports.js";
import { pageSize } from "../query-fields.js";
import { WATCH_PREFIX } from "../rules/ids.js";
import { Watch } from "../served-watch.js";

const watchIdShape = new RegExp(sortablePattern(WATCH_PREFIX));

export const listWatches = accountRead({
  rpc: "list-watches",
  summary: "Watches of the account",
  description: "All watches in the order of their creation, with their states.",
  access: { scope: "watches:read" },
  uses: { watches: watchesPort },
  query: { pageSize, cursor: text("`nextCursor` of the previous page") },
  response: Type.Object(
    {
      watches: Type.Array(Watch, { description: "One page of watches" }),
      watchLimit: Type.Integer({ minimum: 0, description: "Maximum number of watches under the plan of the account" }),
      nextCursor: Type.String({ description: "Send it as `cursor` for the next page; empty on the last page" }),
    },
    { title: "ListWatchesResponse" },
  ),
  examples: [{}, { page_size: "10" }],
  async run({ pageSize, cursor }, { ports: { watches } }) {
    // The cursor is the id of the last watch on the previous page. It needs no signature, because it leads only to rows
    // of the caller's account.
    if (cursor !== "" && !watchIdShape.test(cursor)) {
      throw failure("validation", { violations: [{ field: "cursor", description: "must be a cursor of this list" }] });
    }
    // One extra row shows whether another page follows.
    const rows = await watches.list(cursor, pageSize + 1);
    const page = rows.slice(0, pageSize);
    const last = rows.length > pageSize ? page.at(-1) : undefined;
    return { watches: [...page], watchLimit: watches.watchesMax, nextCursor: last?.watchId ?? "" };
  },
});
