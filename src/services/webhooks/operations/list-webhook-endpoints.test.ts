import { afterAll, beforeAll, expect, test } from "vitest";
import { type Headers, keyOn } from "../../../../test/support/callers.js";
import { call, json, type Stack, startStack } from "../../../../test/support/stack.js";
import { MINUTE_MS } from "../../../kit/clock.js";
import { webhooksIn } from "../store/tables.js";

const FOLDER = "/api/webhooks/v1";
const SCOPES = ["webhooks:read", "webhooks:write", "company_monitoring:read"] as const;
const request = { url: "https://receiver.example/", events: ["company_event.changed"] };

let stack: Stack;
let owner: Headers;

const newKey = async (scopes: readonly (typeof SCOPES)[number][] = SCOPES): Promise<Headers> => ({
  "x-service-key": await keyOn(stack, "business", scopes),
});

function post(rpc: string, body: object, headers = owner) {
  const type = { "content-type": "application/json" };
  return call(stack.answer, "POST", `${FOLDER}/${rpc}`, { ...headers, ...type }, { body: JSON.stringify(body) });
}

interface Listed {
  readonly endpoints: readonly { readonly endpointId: string; readonly state: string }[];
}

const list = async (headers = owner): Promise<Listed> =>
  json(await stack.get(`${FOLDER}/list-webhook-endpoints`, headers)) as Listed;

beforeAll(async () => {
  stack = await startStack({ datasets: [], env: { VIGIL_WEBHOOK_PRIVATE_TARGETS: "http://10.0.0.5:8080" } });
  owner = await newKey();
});
afterAll(() => stack.close());

test("a created endpoint is listed without its secret, and only for its own account", async () => {
  const answer = await post("create-webhook-endpoint", { ...request, description: "mine" });
  const { endpoint, secret } = json(answer) as { readonly endpoint: object; readonly secret: string };
  expect(answer.status).toBe(201);
  expect(Buffer.from(secret.slice("whsec_".length), "base64")).toHaveLength(32);
  expect((await list()).endpoints).toEqual([endpoint]);
  expect(JSON.stringify(await list())).not.toContain("whsec_");
  expect(await list(await newKey())).toEqual({ endpoints: [] });
});

test("the store holds no secret in plain text", async () => {
  const rows = await webhooksIn(stack.service.database.db).selectFrom("webhook_secret").select("secret").execute();
  expect(rows.length).toBeGreaterThan(0);
  for (const { secret } of rows) expect(secret).toMatch(/^wrapped:/);
});

test.each([
  [{ ...request, url: "https://127.0.0.1/" }, "url", "must name a public host"],
  [{ ...request, url: "receiver" }, "url", "must be an absolute https address"],
  [{ ...request, events: ["no.such.event"] }, "events", "each must be one of company_event.changed"],
  [{ ...request, filters: { colour: ["red"] } }, "filters.colour", "must be a facet of the events: companyId"],
  [{ ...request, filters: { direction: ["sideways"] } }, "filters.direction", "each must be one of positive"],
])("the endpoint %j is refused", async (body, field, description) => {
  const answer = await post("create-webhook-endpoint", body, await newKey());
  expect(answer.status).toBe(400);
  expect(json(answer)).toEqual({ violations: [{ field, description: expect.stringContaining(description) }] });
});

test("an endpoint may be at a private origin that the operator allows", async () => {
  const body = { ...request, url: "http://10.0.0.5:8080/hooks" };
  expect((await post("create-webhook-endpoint", body, await newKey())).status).toBe(201);
});

test("creating an endpoint for an event requires the scope of the event's log", async () => {
  const answer = await post("create-webhook-endpoint", request, await newKey(["webhooks:write"]));
  expect([answer.status, json(answer)]).toEqual([403, { error: "This key lacks the scope company_monitoring:read" }]);
});

test("an account has at most 20 endpoints, and deleting an endpoint makes room for another", async () => {
  const own = await newKey();
  const created = [];
  for (let count = 0; count < 20; count += 1) {
    created.push(json(await post("create-webhook-endpoint", request, own)) as { endpoint: { endpointId: string } });
  }
  const refused = await post("create-webhook-endpoint", request, own);
  expect([refused.status, json(refused)]).toMatchObject([422, { code: "ENDPOINT_LIMIT_REACHED" }]);
  const { endpointId = "" } = created[0]?.endpoint ?? {};
  expect((await post("delete-webhook-endpoint", { endpointId }, own)).status).toBe(200);
  expect((await list(own)).endpoints.map((endpoint) => endpoint.endpointId)).not.toContain(endpointId);
  stack.clock.advance(MINUTE_MS);
  expect((await post("create-webhook-endpoint", request, own)).status).toBe(201);
});

test("the endpoint of another account looks like one that does not exist", async () => {
  const [endpoint] = (await list()).endpoints;
  const other = await newKey();
  for (const rpc of ["rotate-webhook-secret", "delete-webhook-endpoint", "send-test-webhook"]) {
    const answer = await post(rpc, { endpointId: endpoint?.endpointId }, other);
    expect([answer.status, json(answer)]).toMatchObject([404, { code: "NOT_FOUND" }]);
  }
});

test("a paused endpoint accepts no test message", async () => {
  const [endpoint] = (await list()).endpoints;
  const target = { endpointId: endpoint?.endpointId, targetState: "WEBHOOK_ENDPOINT_STATE_PAUSED" };
  await post("set-webhook-endpoint-state", target);
  const answer = await post("send-test-webhook", { endpointId: endpoint?.endpointId });
  expect([answer.status, json(answer)]).toMatchObject([409, { code: "ENDPOINT_NOT_ACTIVE" }]);
});
