import type { PartRecords } from "../../src/snapshots/bodies/body.js";
import type { Stack } from "./stack.js";
import { buildOf, finishedRun } from "./stores.js";

/** A stored row of numbers. */
export type Row = Readonly<Record<string, number>>;
type Rows = Readonly<Record<string, readonly Row[]>>;

/** Publishes the newest build of a dataset of numbers again, with changed records. */
export async function publishChanged(stack: Stack, dataset: string, change: (records: Rows) => Rows): Promise<void> {
  const { store, registry } = stack.service;
  const at = stack.clock.now();
  const before = await store.newest(dataset);
  if (!before) throw new Error(`${dataset} has no generation`);
  // The dataset stores rows of numbers.
  const records: PartRecords = change((await store.records(before)) as Rows);
  const comparison = { dataset: stack.dataset(dataset), before: undefined };
  await store.publish(dataset, { ...buildOf(records, at), comparison }, finishedRun(dataset, at), at);
  await registry.refresh();
}

/** Records with another index for one month of one part. */
export function withIndex(records: Rows, part: string, month: number, index: number): Rows {
  const points = (records[part] ?? []).map((point) => (point["month"] === month ? { month, index } : point));
  return { ...records, [part]: points };
}
