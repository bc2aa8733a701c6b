import { type StoreParts, storeJob } from "../../../database/service-store.js";
import { SECOND_MS } from "../../../kit/clock.js";
import { type LogWriter, logWriter } from "./log-writer.js";

/** The writer of each open store: jobs are declared once, but several stores can be open in one process. */
const writers = new WeakMap<StoreParts, LogWriter>();

/** Logs each new generation and each new state of the datasets. A state can change merely because time passes. */
export const logJob = storeJob({
  name: "dataset changes",
  everyMs: SECOND_MS,
  reads: {},
  onEachNode: true,
  async run(parts, { standings, noteChanges }) {
    const write = writers.get(parts) ?? logWriter(parts);
    writers.set(parts, write);
    if (await write(standings())) noteChanges();
  },
});
