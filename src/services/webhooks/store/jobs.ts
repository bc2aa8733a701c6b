import { storeJob } from "../../../database/service-store.js";
import { MINUTE_MS, SECOND_MS } from "../../../kit/clock.js";
import { expireDeliveries } from "./expire.js";
import { fanOut } from "./fan-out.js";
import { sendDue } from "./send-due.js";

/** Queues deliveries. This job is separate from sending, so that a slow receiver does not delay the queue. */
export const fanOutJob = storeJob({
  name: "webhook fan-out",
  everyMs: SECOND_MS,
  reads: {},
  followsChanges: true,
  async run(parts, { logs, signal, noteChanges }) {
    if (await fanOut(parts, logs, signal)) noteChanges();
  },
});

export const sendJob = storeJob({
  name: "webhook sending",
  everyMs: SECOND_MS,
  reads: {},
  followsChanges: true,
  run: (parts, { post, signal }) => sendDue(parts, { post, signal }),
});

export const expiryJob = storeJob({
  name: "webhook expiry",
  everyMs: MINUTE_MS,
  reads: {},
  run: (parts, { signal }) => expireDeliveries(parts, signal),
});
