import type { PathLimit } from "../../../contract/write.js";

export const createLimit: PathLimit = { name: "webhook-create", callsMax: 30 };
/** The limit that changes of endpoints and of their deliveries share. */
export const changeLimit: PathLimit = { name: "webhook-change", callsMax: 30 };
