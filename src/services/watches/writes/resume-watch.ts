import { Type } from "typebox";
import { write } from "../../../contract/write.js";
import { watchesPort } from "../ports.js";
import { WatchId } from "../records.js";
import { changeLimit } from "../rules/call-limits.js";
import { watchNotFound } from "../rules/failures.js";
import { Watch } from "../served-watch.js";

export const resumeWatch = write({
  rpc: "resume-watch",
  summary: "Resume a watch",
  description:
    "Evaluates the changes since the pause; after more than 100, only the newest one, compared with what was told last. Also starts a watch that the service disabled.",
  access: { scope: "watches:write" },
  limit: changeLimit,
  repeats: "replayed",
  isTransaction: true,
  failures: ["itemNotFound"],
  uses: { watches: watchesPort },
  request: Type.Object({ watchId: WatchId }, { title: "ResumeWatchRequest" }),
  response: Type.Object({ watch: Watch }, { title: "ResumeWatchResponse" }),
  async run({ watchId }, { ports }) {
    const watch = await ports.watches.setState(watchId, "WATCH_STATE_ACTIVE");
    if (!watch) throw watchNotFound();
    return { body: { watch } };
  },
});
