import type { PathLimit } from "../../../contract/write.js";

export const createLimit: PathLimit = { name: "watch-create", callsMax: 60 };
/** One limit for updates, pauses, resumptions and deletions together. */
export const changeLimit: PathLimit = { name: "watch-change", callsMax: 60 };
export const testLimit: PathLimit = { name: "watch-test", callsMax: 10 };
