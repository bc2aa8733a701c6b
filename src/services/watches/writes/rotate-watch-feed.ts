import { Type } from "typebox";
import { write } from "../../../contract/write.js";
import { watchesPort } from "../ports.js";
import { WatchId } from "../records.js";
import { watchNotFound } from "../rules/failures.js";
import { Watch } from "../served-watch.js";

export const rotateWatchFeed = write({
  rpc: "rotate-watch-feed",
  summary: "Replace the link to the feed of a watch",
  description: "Ends the link to the feed of the watch and returns the watch with a new one.",
  access: { scope: "watches:write" },
  repeats: "replayed",
  isTransaction: true,
  failures: ["itemNotFound"],
  uses: { watches: watchesPort },
  request: Type.Object({ watchId: WatchId }, { title: "RotateWatchFeedRequest" }),
  response: Type.Object({ watch: Watch }, { title: "RotateWatchFeedResponse" }),
  async run({ watchId }, { ports }) {
    const watch = await ports.watches.rotateFeed(watchId);
    if (!watch) throw watchNotFound();
    return { body: { watch } };
  },
});
