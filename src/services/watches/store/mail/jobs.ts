import type { OpenLog } from "../../../../contract/change-log.js";
import { storeJob } from "../../../../database/service-store.js";
import { SECOND_MS } from "../../../../kit/clock.js";
import { firingLog } from "../../firing-log.js";
import { queueMails } from "./fan-out.js";
import { expireMails } from "./outcome.js";
import { sendMails } from "./send.js";

/** Queues emails. This job is separate from sending, so that a slow mail server does not delay queueing. */
export const mailQueueJob = storeJob({
  name: "watch mail queue",
  everyMs: SECOND_MS,
  reads: {},
  followsChanges: true,
  async run(parts, { mail, logs, signal }) {
    if (mail) await queueMails(parts, firingsIn(logs), signal);
  },
});

export const mailSendJob = storeJob({
  name: "watch mail sending",
  everyMs: SECOND_MS,
  reads: {},
  followsChanges: true,
  async run(parts, { mail, logs, signal }) {
    if (mail) await sendMails(parts, { mail, firings: firingsIn(logs), signal });
    await expireMails(parts, signal);
  },
});

function firingsIn(logs: readonly OpenLog[]): OpenLog {
  const firings = logs.find(({ log }) => log === firingLog);
  if (!firings) throw new Error("the log of firings is not open");
  return firings;
}
