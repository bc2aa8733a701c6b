import { Type } from "typebox";
import { changeLimit } from "../rules/call-limits.js";
import { Watch } from "../served-watch.js";
import { watchWrite } from "../watch-write.js";

export const resumeWatch = watchWrite({
  rpc: "resume-watch",
  requestTitle: "ResumeWatchRequest",
  summary: "Resume a watch",
  description:
    "Evaluates the changes since the pause. If there are more than 100, only the newest change is evaluated: the answer after that change is compared with the last report of the watch. Also starts a watch that the service disabled or paused. 422 WATCH_LIMIT_REACHED if the plan permits no further active watch.",
  limit: changeLimit,
  failures: ["limitReached"],
  response: Type.Object({ watch: Watch }, { title: "ResumeWatchResponse" }),
  async run(watches, watchId) {
    const watch = await watches.setState(watchId, "WATCH_STATE_ACTIVE");
    return watch && { watch };
  },
});
