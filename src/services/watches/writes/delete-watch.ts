import { Type } from "typebox";
import { WatchId } from "../records.js";
import { changeLimit } from "../rules/call-limits.js";
import { watchWrite } from "../watch-write.js";

export const deleteWatch = watchWrite({
  rpc: "delete-watch",
  requestTitle: "DeleteWatchRequest",
  summary: "Delete a watch",
  description: "Removes the watch immediately. Its firings stay in the log until they are 90 days old.",
  limit: changeLimit,
  response: Type.Object({ watchId: WatchId }, { title: "DeleteWatchResponse" }),
  async run(watches, watchId) {
    return (await watches.remove(watchId)) ? { watchId } : undefined;
  },
});
