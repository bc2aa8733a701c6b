import type { PathLimit } from "../../../contract/write.js";

export const createLimit: PathLimit = { name: "webhook-create", callsMax: 30 };
/** Changes of endpoints and their deliveries, together. */
export const changeLimit: PathLimit = { name: "webhook-change", callsMax: 30 };
