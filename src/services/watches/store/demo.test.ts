import { afterAll, beforeAll, expect, test } from "vitest";
import { post } from "../../../../test/support/accounts.js";
import { runJob } from "../../../../test/support/run-job.js";
import { json, type Stack, startStack } from "../../../../test/support/stack.js";
import { SECOND_MS } from "../../../kit/clock.js";
import { logJob } from "../../datasets/store/log-job.js";
import type { Watch } from "../served-watch.js";
import { demoWatchesJob } from "./demo.js";

const LIST = "/api/watches/v1/list-watches";

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ datasets: ["earthquakes"], filled: ["earthquakes"] });
});
afterAll(() => stack.close());

async function listed(): Promise<readonly Watch[]> {
  return (json(await stack.get(LIST)) as { readonly watches: readonly Watch[] }).watches;
}

test("a demo creates its watches after its datasets are logged, and does not recreate deleted watches", async () => {
  await runJob(stack, demoWatchesJob);
  expect(await listed()).toEqual([]);
  await runJob(stack, logJob);
  stack.clock.advance(SECOND_MS);
  await runJob(stack, demoWatchesJob);
  const watches = await listed();
  expect(watches.map(({ on }) => on).sort()).toEqual(["WATCH_ON_NEW_ROWS", "WATCH_ON_STATE_CHANGES"]);
  const owner = { "x-service-key": stack.service.access.ownerKey.key ?? "" };
  for (const { watchId } of watches) {
    const answer = await post(stack.answer, "/api/watches/v1/delete-watch", { watchId }, owner);
    expect(answer.status).toBe(200);
  }
  await stack.restart();
  await runJob(stack, demoWatchesJob);
  expect(await listed()).toEqual([]);
});
