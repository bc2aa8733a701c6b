import type { PartRecords } from "../../src/snapshots/bodies/body.js";
import type { Stack } from "./stack.js";
import { buildOf, finishedRun } from "./stores.js";

/** The stored records of the newest generation of a dataset. */
export async function newestRecords({ service }: Stack, name: string): Promise<PartRecords> {
  const newest = await service.store.newest(name);
  if (!newest) throw new Error(`${name} has no generation`);
  return service.store.records(newest);
}

/** Publishes these records as the next generation, and serves it. */
export async function publish(stack: Stack, name: string, records: PartRecords): Promise<void> {
  await publishElsewhere(stack, name, records);
  await stack.service.registry.refresh();
}

/** Publishes these records as the next generation, as another node does, so that this one does not serve it yet. */
export async function publishElsewhere({ service, clock }: Stack, name: string, records: PartRecords): Promise<void> {
  const now = clock.now();
  await service.store.publish(name, buildOf(records, now), finishedRun(name, now), now);
}
