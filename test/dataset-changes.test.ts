import { afterEach, beforeEach, expect, test } from "vitest";
import { DAY_MS } from "../src/kit/clock.js";
import { logJob } from "../src/services/datasets/store/log-job.js";
import { runJob } from "./support/run-job.js";
import { json, type Stack, startStack } from "./support/stack.js";

const STATES = "/api/datasets/v1/list-dataset-states";
const CHANGES = "/api/datasets/v1/list-dataset-changes";
const CPI = "/api/economic/v1/get-us-cpi-monthly";

interface States {
  readonly datasets: readonly { readonly dataset: string; readonly state: string; readonly generation?: number }[];
  readonly pollCursor: string;
}

interface Changes {
  readonly changes: readonly {
    readonly position: number;
    readonly dataset: string;
    readonly state: string;
    readonly previousState?: string;
    readonly generation?: number;
  }[];
  readonly nextCursor: string;
}

let stack: Stack;
beforeEach(async () => {
  stack = await startStack({ datasets: ["us-cpi"], env: { VIGIL_PUBLIC_READS: "on" } });
});
afterEach(() => stack.close());

/** Runs one round of the job that logs changes. */
const log = (): Promise<void> => runJob(stack, logJob);

const states = async (): Promise<States> => json(await stack.get(STATES)) as States;
const poll = async (query: string): Promise<Changes> => json(await stack.get(`${CHANGES}?${query}`)) as Changes;

test("the log reports each new generation and state, and both are the same as in the data answers", async () => {
  await log();
  const { datasets, pollCursor } = await states();
  expect(datasets.map(({ dataset, state }) => `${dataset} ${state}`)).toContain("us-cpi absent");
  await stack.run("us-cpi");
  await log();
  const built = await poll(`cursor=${pollCursor}`);
  expect(built.changes).toMatchObject([
    { position: datasets.length + 1, dataset: "us-cpi", state: "ok", previousState: "absent", generation: 1 },
  ]);
  stack.clock.advance(60 * DAY_MS);
  await log();
  const aged = await poll(`cursor=${built.nextCursor}&dataset=us-cpi`);
  expect(aged.changes).toMatchObject([{ dataset: "us-cpi", state: "stale", previousState: "ok", generation: 1 }]);
  const { headers } = await stack.get(CPI);
  expect([headers["X-Vigil-State"], headers["X-Vigil-Generation"]]).toEqual(["stale", "us-cpi=1"]);
  expect((await poll(`cursor=${pollCursor}&state=ok`)).changes).toMatchObject([{ state: "ok" }]);
  expect((await poll(`cursor=${pollCursor}&page_size=1`)).nextCursor).toBe(built.nextCursor);
});

test("a restart of the service logs nothing, and cursors stay valid", async () => {
  await stack.run("us-cpi");
  await log();
  const before = await states();
  await stack.restart();
  await log();
  expect(await states()).toEqual(before);
  expect(await poll(`cursor=${before.pollCursor}`)).toMatchObject({ changes: [], nextCursor: before.pollCursor });
});

test.each([
  ["cursor=dsc1.MQ.abc", "cursor"],
  ["cursor=7", "cursor"],
  ["state=fresh", "state"],
  ["dataset=US%20CPI", "dataset"],
  ["page_size=101", "pageSize"],
])("?%s is refused with a 400 on the field %s", async (query, field) => {
  const answer = await stack.get(`${CHANGES}?${query}`);
  expect([answer.status, json(answer)]).toMatchObject([400, { violations: [{ field }] }]);
});

test("the log needs a credential, even where reads are public", async () => {
  expect((await stack.get(CPI, {})).status).toBe(200);
  expect((await stack.get(STATES, {})).status).toBe(401);
  expect((await stack.get(CHANGES, {})).status).toBe(401);
});
