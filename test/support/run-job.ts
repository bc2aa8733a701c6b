import { type JobParts, jobContext } from "../../src/app/store-jobs.js";
import type { StoreJob } from "../../src/database/service-store.js";
import type { Stack } from "./stack.js";

/** Runs a job once, with the parts of the stack's service. The parts in `replaced` take precedence. */
export async function runJob(stack: Stack, job: StoreJob, replaced: Partial<JobParts> = {}): Promise<void> {
  const parts = { ...stack.service.jobParts, ...replaced, signal: new AbortController().signal };
  await job.run(parts.store, jobContext(job.reads, parts));
}
