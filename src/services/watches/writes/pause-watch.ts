import { Type } from "typebox";
import { changeLimit } from "../rules/call-limits.js";
import { WrittenWatch, writtenWatch } from "../served-watch.js";
import { watchWrite } from "../watch-write.js";

export const pauseWatch = watchWrite({
  rpc: "pause-watch",
  requestTitle: "PauseWatchRequest",
  summary: "Pause a watch",
  description:
    "A paused watch is not evaluated. resume-watch continues with the changes since the pause, if the log still has them.",
  limit: changeLimit,
  response: Type.Object({ watch: WrittenWatch }, { title: "PauseWatchResponse" }),
  async run(watches, watchId) {
    const watch = await watches.setState(watchId, "WATCH_STATE_PAUSED");
    return watch && { watch: writtenWatch(watch) };
  },
});
