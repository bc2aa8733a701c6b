import { Type } from "typebox";
import { write } from "../../../contract/write.js";
import { watchesPort } from "../ports.js";
import { WatchId } from "../records.js";
import { changeLimit } from "../rules/call-limits.js";
import { watchNotFound } from "../rules/failures.js";

export const deleteWatch = write({
  rpc: "delete-watch",
  summary: "Delete a watch",
  description: "Removes the watch at once. Its firings stay in the log until they are 90 days old.",
  access: { scope: "watches:write" },
  limit: changeLimit,
  repeats: "replayed",
  isTransaction: true,
  failures: ["itemNotFound"],
  uses: { watches: watchesPort },
  request: Type.Object({ watchId: WatchId }, { title: "DeleteWatchRequest" }),
  response: Type.Object({ watchId: WatchId }, { title: "DeleteWatchResponse" }),
  async run({ watchId }, { ports }) {
    if (!(await ports.watches.remove(watchId))) throw watchNotFound();
    return { body: { watchId } };
  },
});
