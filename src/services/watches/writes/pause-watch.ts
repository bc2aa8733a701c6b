import { Type } from "typebox";
import { write } from "../../../contract/write.js";
import { watchesPort } from "../ports.js";
import { WatchId } from "../records.js";
import { changeLimit } from "../rules/call-limits.js";
import { watchNotFound } from "../rules/failures.js";
import { Watch } from "../served-watch.js";

export const pauseWatch = write({
  rpc: "pause-watch",
  summary: "Pause a watch",
  description:
    "A paused watch is not evaluated. resume-watch continues with the changes since, if the log still has them.",
  access: { scope: "watches:write" },
  limit: changeLimit,
  repeats: "replayed",
  isTransaction: true,
  failures: ["itemNotFound"],
  uses: { watches: watchesPort },
  request: Type.Object({ watchId: WatchId }, { title: "PauseWatchRequest" }),
  response: Type.Object({ watch: Watch }, { title: "PauseWatchResponse" }),
  async run({ watchId }, { ports }) {
    const watch = await ports.watches.setState(watchId, "WATCH_STATE_PAUSED");
    if (!watch) throw watchNotFound();
    return { body: { watch } };
  },
});
