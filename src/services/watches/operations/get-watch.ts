import { Type } from "typebox";
import { accountRead } from "../../../contract/account-read.js";
import { watchesPort } from "../ports.js";
import { requiredWatchId } from "../query-fields.js";
import { watchNotFound } from "../rules/failures.js";
import { Watch } from "../served-watch.js";

export const getWatch = accountRead({
  rpc: "get-watch",
  summary: "One watch of the account",
  description:
    "The definition and state of the watch. `evaluatedPosition` is the position in the log of datasets up to which the watch was evaluated.",
  access: { scope: "watches:read" },
  failures: ["itemNotFound"],
  uses: { watches: watchesPort },
  query: { watchId: requiredWatchId },
  response: Type.Object({ watch: Watch }, { title: "GetWatchResponse" }),
  examples: [{ watch_id: "wch_00000000000000000000000000" }],
  async run({ watchId }, { ports }) {
    const stored = await ports.watches.find(watchId);
    if (!stored) throw watchNotFound();
    return { watch: stored.watch };
  },
});
