import { Type } from "typebox";
import { datasetTimeline } from "../../../contract/dataset-log.js";
import { storedAnswers } from "../../../contract/stored-answers.js";
import { write } from "../../../contract/write.js";
import { exampleDefinition, exampleWatchId } from "../example-watch.js";
import { mailRecipients } from "../mail-ports.js";
import { watchesPort } from "../ports.js";
import { WatchId, WatchRequest } from "../records.js";
import { changeLimit } from "../rules/call-limits.js";
import { checkedDefinition } from "../rules/checked-definition.js";
import { asksTheSame } from "../rules/definition.js";
import { watchNotFound } from "../rules/failures.js";
import { checkMailable, nameRecipients } from "../rules/named-recipients.js";
import { requestedDefinition } from "../rules/requested-definition.js";
import { startAtEnd } from "../rules/start.js";
import { WrittenWatch, writtenWatch } from "../served-watch.js";

export const updateWatch = write({
  rpc: "update-watch",
  summary: "Replace the definition of a watch",
  description:
    "The new definition replaces the whole earlier one. A change of the call, trigger, condition, identity or threshold restarts the watch from the current answers. An update also activates a disabled watch.",
  access: { scope: "watches:write" },
  limit: changeLimit,
  repeats: "replayed",
  isTransaction: true,
  failures: ["itemNotFound", "limitReached"],
  uses: { watches: watchesPort, recipients: mailRecipients, answers: storedAnswers, timeline: datasetTimeline },
  request: Type.Object({ watchId: WatchId, definition: WatchRequest }, { title: "UpdateWatchRequest" }),
  example: { watchId: exampleWatchId, definition: exampleDefinition },
  response: Type.Object({ watch: WrittenWatch }, { title: "UpdateWatchResponse" }),
  async run({ watchId, definition: input }, { principal, ports, now }) {
    const { watches, recipients, answers, timeline } = ports;
    const earlier = await watches.find(watchId);
    if (!earlier) throw watchNotFound();
    const { definition, question } = checkedDefinition(requestedDefinition(input), answers, principal);
    checkMailable(definition, recipients);
    const { datasets } = question;
    const memory = await startAtEnd(timeline, datasets, now());
    const goesOn = asksTheSame(earlier.definition, definition);
    const watch = await watches.update(watchId, { definition, datasets, memory }, goesOn);
    if (!watch) throw watchNotFound();
    if (definition.emails.length === 0 && earlier.definition.emails.length === 0) {
      return { body: { watch: writtenWatch(watch) } };
    }
    await nameRecipients(recipients, watchId, definition);
    const named = await watches.find(watchId);
    return { body: { watch: writtenWatch(named?.watch ?? watch) } };
  },
});
