import type { PartRecords } from "../../src/snapshots/bodies/body.js";
import type { Stack } from "./stack.js";
import { finishedRun } from "./stores.js";

/** The stored rows of a dataset by part. */
type Rows<Row> = Readonly<Record<string, readonly Row[]>>;

/** The stored records of the newest generation of a dataset. The caller names the type of the rows. */
export async function newestRecords<Row = unknown>({ service }: Stack, name: string): Promise<Rows<Row>> {
  const newest = await service.store.newest(name);
  if (!newest) throw new Error(`${name} has no generation`);
  return (await service.store.records(newest)) as Rows<Row>;
}

/** Publishes these records as the next generation, and serves it. */
export async function publish(stack: Stack, name: string, records: PartRecords): Promise<void> {
  await publishElsewhere(stack, name, records);
  await stack.service.registry.refresh();
}

/** Publishes these records as the next generation, as another node would. The stack does not serve them yet. */
export async function publishElsewhere(stack: Stack, name: string, records: PartRecords): Promise<void> {
  const now = stack.clock.now();
  const dataset = stack.dataset(name);
  const comparison = { dataset, before: undefined };
  const build = { records, newestAt: dataset.newestAt(records), provenance: {}, comparison };
  await stack.service.store.publish(name, build, finishedRun(name, now), now);
}

/** Changes the records of the newest generation, and publishes the result as the next generation. */
export async function publishChanged<Row>(
  stack: Stack,
  name: string,
  change: (records: Rows<Row>) => PartRecords,
): Promise<void> {
  await publish(stack, name, change(await newestRecords<Row>(stack, name)));
}

/** Records with the first row of each part removed. */
export function withoutFirstRows(records: Rows<unknown>): PartRecords {
  return Object.fromEntries(Object.entries(records).map(([part, rows]) => [part, rows.slice(1)]));
}

/** A stored month of an index. */
export interface IndexMonth {
  readonly month: number;
  readonly index: number;
}

/** Records with a different index for one month of one part. */
export function withIndex(records: Rows<IndexMonth>, part: string, { month, index }: IndexMonth): Rows<IndexMonth> {
  const months = (records[part] ?? []).map((own) => (own.month === month ? { month, index } : own));
  return { ...records, [part]: months };
}
