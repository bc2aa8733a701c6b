import { Type } from "typebox";
import { Watch } from "../served-watch.js";
import { watchWrite } from "../watch-write.js";

export const rotateWatchFeed = watchWrite({
  rpc: "rotate-watch-feed",
  requestTitle: "RotateWatchFeedRequest",
  summary: "Replace the link to the feed of a watch",
  description: "Revokes the link to the feed of the watch, and returns the watch with a new link.",
  repeats: "ignored",
  response: Type.Object({ watch: Watch }, { title: "RotateWatchFeedResponse" }),
  async run(watches, watchId) {
    const watch = await watches.rotateFeed(watchId);
    return watch && { watch };
  },
});
