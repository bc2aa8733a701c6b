import { afterAll, beforeAll, expect, test } from "vitest";
import { MINUTE_MS, SECOND_MS } from "../src/kit/clock.js";
import { logJob } from "../src/services/datasets/store/log-job.js";
import type { WrittenWatch } from "../src/services/watches/served-watch.js";
import { evaluationJob } from "../src/services/watches/store/evaluator/job.js";
import { SETTLED_AFTER_MS } from "../src/services/watches/store/evaluator/settled.js";
import { makeAccount, makeKey, openSession, setPlan } from "./support/callers.js";
import { publishChanged, withoutFirstRows } from "./support/published.js";
import { runJob } from "./support/run-job.js";
import { call, json, type Stack, startStack } from "./support/stack.js";
import { watchFeedPath } from "./support/watch-feed-path.js";

/* Watches of an account whose plan changes, with a Pro operation on real data. */

const WATCHES = "/api/watches/v1";
const PRO_CALL = "/api/sanctions/v1/list-sanctions-pressure";
const ORIGIN = "http://127.0.0.1:8787";

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ filled: ["sanctions-lists"], datasets: ["sanctions-lists"] });
  await runJob(stack, logJob);
}, 60_000);
afterAll(() => stack.close());

/** An account on the business plan with a watch on a Pro operation, called with a key or in a browser session. */
async function watchingAccount() {
  const account = await makeAccount(stack, "business");
  const created = await makeKey(stack, account, ["read", "watches:read", "watches:write"]);
  const key = { "x-service-key": created.key };
  const session = { cookie: `vigil_session=${await openSession(stack, created)}`, origin: ORIGIN };
  const post = (rpc: string, body: object, headers: Readonly<Record<string, string>> = key) =>
    call(
      stack.answer,
      "POST",
      `${WATCHES}/${rpc}`,
      { ...headers, "content-type": "application/json" },
      { body: JSON.stringify(body) },
    );
  const definition = { name: "Sanctions", call: PRO_CALL, on: "WATCH_ON_CHANGED" };
  const { watch } = json(await post("create-watch", definition)) as { readonly watch: WrittenWatch };
  const feedPath = await watchFeedPath(stack, watch.watchId, key);
  const feed = () => stack.get(`${feedPath}&format=jsonfeed`, {});
  return { account, key, session, watch, post, feed };
}

/** Lets the service log and evaluate what has happened. */
async function evaluate(): Promise<void> {
  await runJob(stack, logJob);
  stack.clock.advance(SETTLED_AFTER_MS + SECOND_MS);
  await runJob(stack, logJob);
  await runJob(stack, evaluationJob);
}

async function changeSanctions(): Promise<void> {
  stack.clock.advance(MINUTE_MS);
  await publishChanged(stack, "sanctions-lists", withoutFirstRows);
  await evaluate();
}

test("after a downgrade, a watch on a Pro operation delivers no more data, and it cannot be resumed until the plan includes the operation", async () => {
  const { account, key, session, watch, post, feed } = await watchingAccount();
  await evaluate();
  await changeSanctions();
  const titles = async () => (json(await feed()) as { items: { title: string }[] }).items.map(({ title }) => title);
  expect(await titles()).toEqual([expect.stringContaining("Sanctions: ")]);
  await setPlan(stack, account, "free", "active");
  expect((await stack.get(PRO_CALL, key)).status).toBe(403);
  await changeSanctions();
  await changeSanctions();
  expect(await titles()).toEqual([expect.stringContaining("does not include this call")]);
  const refused = await post("resume-watch", { watchId: watch.watchId }, session);
  expect([refused.status, json(refused)]).toEqual([401, json(await stack.get(PRO_CALL, session))]);
  await setPlan(stack, account, "business", "active");
  expect((await post("resume-watch", { watchId: watch.watchId })).status).toBe(200);
  await evaluate();
  expect(await titles()).toHaveLength(4);
});

test("while a plan has lapsed, the feed of a watch is not served, like the list of its firings", async () => {
  const { account, key, feed } = await watchingAccount();
  const statuses = async () => [(await feed()).status, (await stack.get(`${WATCHES}/list-watch-firings`, key)).status];
  expect(await statuses()).toEqual([200, 200]);
  await setPlan(stack, account, "business", "lapsed");
  expect(await statuses()).toEqual([404, 403]);
  await setPlan(stack, account, "business", "active");
  expect(await statuses()).toEqual([200, 200]);
});
