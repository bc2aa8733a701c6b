import { afterAll, beforeAll, expect, test } from "vitest";
import { type Headers, keyOn } from "../../../../test/support/callers.js";
import { call, json, type Stack, startStack } from "../../../../test/support/stack.js";
import type { Watch } from "../served-watch.js";

const FOLDER = "/api/watches/v1";
const definition = {
  name: "Large earthquakes",
  call: "/api/seismology/v1/list-earthquakes?min_magnitude=6",
  on: "WATCH_ON_NEW_ROWS",
};

let stack: Stack;
let owner: Headers;

const newKey = async (plan: "starter" | "business" = "business"): Promise<Headers> => ({
  "x-service-key": await keyOn(stack, plan, ["watches:read", "watches:write", "read"]),
});

function post(rpc: string, body: object, headers = owner) {
  const type = { "content-type": "application/json" };
  return call(stack.answer, "POST", `${FOLDER}/${rpc}`, { ...headers, ...type }, { body: JSON.stringify(body) });
}

async function create(more: object = {}, headers = owner): Promise<Watch> {
  const answer = await post("create-watch", { ...definition, ...more }, headers);
  expect(answer.status).toBe(201);
  return (json(answer) as { readonly watch: Watch }).watch;
}

const get = (watchId: string, headers = owner) => stack.get(`${FOLDER}/get-watch?watch_id=${watchId}`, headers);

beforeAll(async () => {
  stack = await startStack({ datasets: [], env: { VIGIL_WATCHES_MAX: "starter=2" } });
  owner = await newKey();
});
afterAll(() => stack.close());

test("a created watch is served with the defaults of its definition and the datasets that its call reads", async () => {
  const watch = await create();
  const feedPath = expect.stringContaining("/get-watch-feed?token=");
  expect(json(await get(watch.watchId))).toEqual({ watch: { ...watch, feedPath } });
  expect(watch).toMatchObject({
    ...definition,
    quietSeconds: 0,
    grouping: "WATCH_GROUPING_EVALUATION",
    emails: [],
    datasets: ["earthquakes"],
  });
});

test("the watch of another account looks like one that does not exist", async () => {
  const { watchId } = await create();
  const other = await newKey();
  const answers = [
    await get(watchId, other),
    await post("update-watch", { watchId, definition }, other),
    await post("pause-watch", { watchId }, other),
    await post("resume-watch", { watchId }, other),
    await post("delete-watch", { watchId }, other),
    await post("test-watch", { watchId, from: "2026-01-01T00:00:00Z" }, other),
  ];
  for (const answer of answers) expect([answer.status, json(answer)]).toMatchObject([404, { code: "NOT_FOUND" }]);
});

test.each([
  [{ on: "WATCH_ON_BECOMES_TRUE" }, "condition"],
  [{ on: "WATCH_ON_STATE_CHANGES", condition: "@" }, "condition"],
  [{ condition: "earthquakes[?" }, "condition"],
  [{ on: "WATCH_ON_BECOMES_TRUE", condition: "`true`", identity: "id" }, "identity"],
  [{ on: "WATCH_ON_BECOMES_TRUE", condition: "`true`", grouping: "WATCH_GROUPING_ROW" }, "grouping"],
  [{ on: "WATCH_ON_THRESHOLD_CROSSED", condition: "length(earthquakes)" }, "threshold"],
  [{ threshold: { above: 1 } }, "threshold"],
  [{ on: "WATCH_ON_THRESHOLD_CROSSED", condition: "`1`", threshold: { above: 1, below: 0 } }, "threshold"],
  [{ on: "WATCH_ON_THRESHOLD_CROSSED", condition: "`1`", threshold: { above: 1, clearsAt: 2 } }, "threshold.clearsAt"],
  [{ on: "WATCH_ON_THRESHOLD_CROSSED", condition: "`1`", threshold: { below: 1, clearsAt: 0 } }, "threshold.clearsAt"],
  [{ call: "/api/seismology/v1/list-earthquakes?jmespath=a" }, "call"],
  [{ call: "/api/watches/v1/list-watches" }, "call"],
])("a definition with %j is refused with a 400 that names %s", async (more, field) => {
  const answer = await post("create-watch", { ...definition, ...more }, await newKey());
  expect([answer.status, json(answer)]).toMatchObject([400, { violations: [{ field }] }]);
});

test("the plan limits the number of watches of an account, and deleting a watch makes room for another", async () => {
  const starter = await newKey("starter");
  const { watchId } = await create({}, starter);
  await create({}, starter);
  const refused = await post("create-watch", definition, starter);
  expect([refused.status, json(refused)]).toMatchObject([422, { code: "WATCH_LIMIT_REACHED" }]);
  expect((await post("delete-watch", { watchId }, starter)).status).toBe(200);
  await create({}, starter);
});

test("an update replaces the whole definition of a watch", async () => {
  const { watchId } = await create({ condition: "earthquakes" });
  const answer = await post("update-watch", { watchId, definition: { ...definition, quietSeconds: 60 } });
  const { watch } = json(answer) as { readonly watch: Watch };
  expect(watch).toMatchObject({ quietSeconds: 60 });
  expect(watch).not.toHaveProperty("condition");
});

test.each([
  [{ from: "2026-01-01T00:00:00Z" }, "definition"],
  [{ definition }, "from"],
  [{ definition, from: "2026-01-01T00:00:00Z", continuation: "wtc1.e30.x" }, "from"],
  [{ definition, continuation: "wtc1.e30.x" }, "continuation"],
  [{ definition, from: "yesterday" }, "from"],
  [{ definition, from: "2099-01-01T00:00:00Z" }, "from"],
  [{ definition, from: "2026-01-01T00:00:00Z", to: "2099-01-01T00:00:00Z" }, "to"],
])("a `test-watch` request with %j is refused with a 400 that names %s", async (body, field) => {
  const answer = await post("test-watch", body);
  expect([answer.status, json(answer)]).toMatchObject([400, { violations: [{ field }] }]);
});
