import { Type } from "typebox";
import { datasetTimeline } from "../../../contract/dataset-log.js";
import { storedAnswers } from "../../../contract/stored-answers.js";
import { write } from "../../../contract/write.js";
import { exampleDefinition } from "../example-watch.js";
import { mailRecipients } from "../mail-ports.js";
import { watchesPort } from "../ports.js";
import { requestMembers } from "../records.js";
import { createLimit } from "../rules/call-limits.js";
import { checkedDefinition } from "../rules/checked-definition.js";
import { watchLimitReached } from "../rules/failures.js";
import { checkMailable, nameRecipients } from "../rules/named-recipients.js";
import { requestedDefinition } from "../rules/requested-definition.js";
import { startAtEnd } from "../rules/start.js";
import { WrittenWatch, writtenWatch } from "../served-watch.js";

export const createWatch = write({
  rpc: "create-watch",
  summary: "Create a watch",
  description:
    "The watched `call` is evaluated at every later change of its datasets; the first comparison is with the answer at the time of creation. Firings are in list-watch-firings, stream-watch-firings and webhooks (`watch.fired`). 422 WATCH_LIMIT_REACHED at the limit of the plan. Addresses in `emails` get firings once their owners have confirmed them (`recipients`); 422 WATCH_EMAIL_LIMIT_REACHED after too many new addresses in a day.",
  access: { scope: "watches:write" },
  limit: createLimit,
  success: 201,
  repeats: "replayed",
  isTransaction: true,
  failures: ["limitReached"],
  uses: { watches: watchesPort, recipients: mailRecipients, answers: storedAnswers, timeline: datasetTimeline },
  request: Type.Object(requestMembers, { title: "CreateWatchRequest" }),
  example: exampleDefinition,
  response: Type.Object({ watch: WrittenWatch }, { title: "CreateWatchResponse" }),
  async run(input, { principal, ports, now }) {
    const { watches, recipients, answers, timeline } = ports;
    const { definition, question } = checkedDefinition(requestedDefinition(input), answers, principal);
    checkMailable(definition, recipients);
    const { datasets } = question;
    const watch = await watches.create({ definition, datasets, memory: await startAtEnd(timeline, datasets, now()) });
    if (watch === "too many") throw watchLimitReached(watches.watchesMax);
    if (definition.emails.length === 0) return { body: { watch: writtenWatch(watch) } };
    await nameRecipients(recipients, watch.watchId, definition);
    const named = await watches.find(watch.watchId);
    return { body: { watch: writtenWatch(named?.watch ?? watch) } };
  },
});
