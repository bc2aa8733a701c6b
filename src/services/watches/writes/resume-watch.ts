import { Type } from "typebox";
import { storedAnswers } from "../../../contract/stored-answers.js";
import { write } from "../../../contract/write.js";
import { exampleWatchId } from "../example-watch.js";
import { watchesPort } from "../ports.js";
import { WatchId } from "../records.js";
import { changeLimit } from "../rules/call-limits.js";
import { watchNotFound } from "../rules/failures.js";
import { WrittenWatch, writtenWatch } from "../served-watch.js";

export const resumeWatch = write({
  rpc: "resume-watch",
  summary: "Resume a watch",
  description:
    "Evaluates the changes since the pause. If there are more than 100, only the newest change is evaluated: the answer after that change is compared with the last report of the watch. Also starts a watch that the service disabled or paused. 422 WATCH_LIMIT_REACHED if the plan permits no further active watch. If the plan does not include the call of the watch, the answer is the 401 or 403 of that call.",
  access: { scope: "watches:write" },
  limit: changeLimit,
  repeats: "replayed",
  isTransaction: true,
  failures: ["itemNotFound", "limitReached"],
  uses: { watches: watchesPort, answers: storedAnswers },
  request: Type.Object({ watchId: WatchId }, { title: "ResumeWatchRequest" }),
  example: { watchId: exampleWatchId },
  response: Type.Object({ watch: WrittenWatch }, { title: "ResumeWatchResponse" }),
  async run({ watchId }, { principal, ports: { watches, answers } }) {
    const { call } = (await watches.find(watchId))?.definition ?? {};
    // Throws the failure that the caller would get for the call of a Pro operation.
    if (call !== undefined && (answers.reopen(call)?.tier ?? 0) > 0) answers.ask(call, principal);
    const watch = await watches.setState(watchId, "WATCH_STATE_ACTIVE");
    if (!watch) throw watchNotFound();
    return { body: { watch: writtenWatch(watch) } };
  },
});
