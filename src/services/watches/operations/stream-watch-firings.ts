import { stream } from "../../../contract/stream.js";
import { firingLog } from "../firing-log.js";
import { firingFilters } from "../query-fields.js";

export const streamWatchFirings = stream({
  rpc: "stream-watch-firings",
  summary: "Firings of watches as they happen",
  description:
    "The firings that `list-watch-firings` polls, from the same log and by the same positions: a client may switch between the two and neither misses nor repeats a firing.",
  log: firingLog,
  filters: firingFilters,
});
