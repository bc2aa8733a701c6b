import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { StoreJob } from "../src/database/service-store.js";
import { refusedWebhook } from "../src/kit/standard-webhook.js";
import { takeTurn } from "../src/services/company-monitoring/store/account-turn.js";
import { appendImpact } from "../src/services/company-monitoring/store/impact-log.js";
import { companiesIn } from "../src/services/company-monitoring/store/tables.js";
import { fanOutJob, sendJob } from "../src/services/webhooks/store/jobs.js";
import { outwardSender } from "../src/upstream/post-outward.js";
import { type Headers, makeAccount, makeKey } from "./support/callers.js";
import { impactOf, revised } from "./support/companies/impacts.js";
import { runJob } from "./support/run-job.js";
import { call, json, type Stack, startStack } from "./support/stack.js";

/* The real sender sends the entries of the change log to a real HTTP server. */

const SCOPES = ["webhooks:read", "webhooks:write", "company_monitoring:read"] as const;
const COMPANIES = "/api/company-monitoring/v1";

interface Message {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const received: Message[] = [];
const receiver = createServer((request, response) => {
  text(request).then(
    (body) => {
      received.push({ headers: request.headers, body });
      response.writeHead(204).end();
    },
    (error: unknown) => response.destroy(error instanceof Error ? error : undefined),
  );
});

let stack: Stack;
let accountId: string;
let owner: Headers;
let origin: string;

beforeAll(async () => {
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  // The cast is safe, because the receiver listens on a TCP port, not on a pipe.
  origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  stack = await startStack({ datasets: [], env: { VIGIL_WEBHOOK_PRIVATE_TARGETS: origin } });
  accountId = await makeAccount(stack, "business");
  owner = { "x-service-key": (await makeKey(stack, accountId, SCOPES)).key };
});
afterAll(async () => {
  await stack.close();
  receiver.closeAllConnections();
  receiver.close();
});

async function post(rpc: string, body: object): Promise<unknown> {
  const headers = { ...owner, "content-type": "application/json" };
  const answer = await call(stack.answer, "POST", `/api/webhooks/v1/${rpc}`, headers, { body: JSON.stringify(body) });
  expect(answer.status, String(answer.body)).toBeLessThan(300);
  return json(answer);
}

const get = async (path: string): Promise<unknown> => json(await stack.get(path, owner));

/** Runs a job once with the real sender. */
async function run(job: StoreJob<Record<string, never>>): Promise<void> {
  const sender = outwardSender({ clock: stack.clock, userAgent: "vigil-test/1.0" });
  await runJob(stack, job, { post: sender.post });
  await sender.close();
}

test("webhooks deliver changes signed, with their positions, and with the content that a poll serves", async () => {
  const { snapshot } = (await get(`${COMPANIES}/list-company-event-impacts`)) as {
    readonly snapshot: { readonly pollCursor: string };
  };
  const { secret } = (await post("create-webhook-endpoint", {
    url: `${origin}/hooks`,
    events: ["company_event.changed"],
  })) as { readonly secret: string };
  const impact = impactOf(stack.clock.now());
  await stack.service.database.db.transaction().execute(async (transaction) => {
    const db = companiesIn(transaction);
    await takeTurn(db, accountId);
    await appendImpact(db, accountId, impact, stack.clock.now());
    await appendImpact(db, accountId, revised(impact, stack.clock.now()), stack.clock.now());
  });
  await run(fanOutJob);
  await run(sendJob);
  const polled = (await get(`${COMPANIES}/list-company-event-changes?cursor=${snapshot.pollCursor}`)) as {
    readonly impacts: readonly object[];
  };
  expect(received.map(({ body }) => JSON.parse(body))).toEqual(
    polled.impacts.map((served, at) => ({
      type: "company_event.changed",
      timestamp: new Date(stack.clock.now()).toISOString(),
      simulated: true,
      data: { position: at + 1, impact: served },
    })),
  );
  for (const { headers, body } of received) {
    expect(refusedWebhook(headers, body, [secret], stack.clock.now())).toBeUndefined();
  }
  expect(await get("/api/webhooks/v1/list-webhook-deliveries?state=delivered")).toMatchObject({
    deliveries: [{ position: 2 }, { position: 1, attempts: [{ responseStatus: 204 }] }],
  });
});
