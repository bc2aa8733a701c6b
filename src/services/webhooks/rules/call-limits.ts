import type { PathLimit } from "../../../contract/write.js";

export const createLimit: PathLimit = { name: "webhook-create", callsMax: 30 };
/** One limit for all writes that change existing endpoints, replay their deliveries or send test messages. */
export const changeLimit: PathLimit = { name: "webhook-change", callsMax: 30 };
