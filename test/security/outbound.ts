import { expect } from "vitest";
import type { StoreJob } from "../../src/database/service-store.js";
import { fanOutJob, sendJob } from "../../src/services/webhooks/store/jobs.js";
import { outwardSender } from "../../src/upstream/post-outward.js";
import { makeAccount, makeKey } from "../support/callers.js";
import { runJob } from "../support/run-job.js";
import { type Stack, startStack } from "../support/stack.js";
import type { Risk } from "./attack.js";
import { type Canary, openCanary } from "./canary.js";
import { BATCH, endpoint, type House, newMinute, WEBHOOKS } from "./house.js";

/** Spellings of addresses of this machine, of private networks and of a cloud's metadata service. */
const privateTargets = [
  "https://127.0.0.1/",
  "https://127.1/",
  "https://0/",
  "https://0.0.0.0/",
  "https://2130706433/",
  "https://0x7f000001/",
  "https://0x7f.0.0.1/",
  "https://017700000001/",
  "https://0177.0.0.1/",
  "https://127.0.0.1./",
  "https://①②⑦.⓪.⓪.①/",
  "https://10.0.0.5/",
  "https://172.16.0.1/",
  "https://192.168.1.1/",
  "https://100.64.0.1/",
  "https://169.254.169.254/latest/meta-data/",
  "https://[::1]/",
  "https://[::]/",
  "https://[::ffff:127.0.0.1]/",
  "https://[::ffff:7f00:1]/",
  "https://[::127.0.0.1]/",
  "https://[0:0:0:0:0:ffff:169.254.169.254]/",
  "https://[64:ff9b::7f00:1]/",
  "https://[64:ff9b:1::a00:5]/",
  "https://[2002:7f00:1::]/",
  "https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/",
  "https://[fc00::1]/",
  "https://[fe80::1]/",
  "https://[fd00:ec2::254]/",
  "https://localhost/",
  "https://LOCALHOST./",
  "https://vigil.localhost/",
  "https://intranet/",
];

/** Targets that are not plain https addresses. */
const otherTargets = [
  "http://receiver.example/",
  "https://receiver.example:22/",
  "https://user:password@receiver.example/",
  "https://receiver.example/#fragment",
  "file:///etc/passwd",
  "ftp://receiver.example/",
  "gopher://receiver.example/",
  "data:text/plain,x",
  "javascript:alert(1)",
  "//receiver.example/",
  "https:///etc/passwd",
  "https://receiver.example@127.0.0.1/",
  "https://127.0.0.1\\@receiver.example/",
];

async function createdStatus({ send, attacker }: House, url: string): Promise<number> {
  const body = { ...endpoint, url };
  return (await send(`${WEBHOOKS}/create-webhook-endpoint`, { headers: attacker.by, body })).status;
}

/**
 * Starts a service that may send to these origins, sends a test message to a webhook endpoint at `url`, and returns the
 * recorded delivery.
 */
async function deliveredTo(url: string, origins: readonly string[]): Promise<unknown> {
  const stack = await startStack({ datasets: [], env: { VIGIL_WEBHOOK_PRIVATE_TARGETS: origins.join(",") } });
  try {
    const { key } = await makeKey(stack, await makeAccount(stack, "business"), [
      "webhooks:read",
      "webhooks:write",
      "company_monitoring:read",
    ]);
    const headers = { "x-service-key": key, "content-type": "application/json" };
    const post = async (rpc: string, body: object) => {
      const { call, json } = await import("../support/stack.js");
      return json(await call(stack.answer, "POST", `${WEBHOOKS}/${rpc}`, headers, { body: JSON.stringify(body) }));
    };
    const created = (await post("create-webhook-endpoint", { ...endpoint, url })) as {
      readonly endpoint: { readonly endpointId: string };
    };
    await post("send-test-webhook", { endpointId: created.endpoint.endpointId });
    for (const job of [fanOutJob, sendJob]) await runWithSender(stack, job);
    const listed = await stack.get(`${WEBHOOKS}/list-webhook-deliveries`, headers);
    return JSON.parse(String(listed.body)).deliveries[0];
  } finally {
    await stack.close();
  }
}

async function runWithSender(stack: Stack, job: StoreJob<Record<string, never>>): Promise<void> {
  const sender = outwardSender({ clock: stack.clock, userAgent: "vigil-test/1.0" });
  await runJob(stack, job, { post: sender.post });
  await sender.close();
}

async function withCanary(use: (canary: Canary) => Promise<void>): Promise<void> {
  const canary = await openCanary();
  try {
    await use(canary);
  } finally {
    canary.close();
  }
}

export const outbound: Risk = {
  id: "API7",
  title: "Server side request forgery",
  attacks: [
    {
      name: "a webhook endpoint at a private address is refused, however it is spelled",
      attack:
        "Register an address of this machine, a private network or a cloud's metadata service in decimal, octal, hexadecimal, IPv4-mapped, IPv4-compatible, NAT64, 6to4 and Teredo form",
      defence: "Addresses are parsed before they are compared with every range that is not public",
      async run(house) {
        for (const [index, url] of privateTargets.entries()) {
          if (index % 20 === 0) newMinute(house);
          expect([url, await createdStatus(house, url)]).toEqual([url, 400]);
        }
      },
    },
    {
      name: "a webhook endpoint is refused if its address has a port, a user or a scheme other than https",
      attack:
        "Register a URL of a file, with another protocol, with the port of an internal service or with a misleading host",
      defence: "Only https on port 443 without credentials is accepted",
      async run(house) {
        for (const url of otherTargets) expect([url, await createdStatus(house, url)]).toEqual([url, 400]);
      },
    },
    {
      name: "a name that resolves to a private address is refused when the connection opens",
      attack: "Register a public name that resolves to a private address, from the start or only after registration",
      defence: "Resolved addresses are checked for every connection, so a name that becomes private is refused",
      async run({ stack }) {
        for (const address of [
          "127.0.0.1",
          "169.254.169.254",
          "::1",
          "::ffff:127.0.0.1",
          "::7f00:1",
          "64:ff9b::a00:5",
        ]) {
          const answers = [{ address, family: address.includes(":") ? 6 : 4 }];
          const sender = outwardSender({
            clock: stack.clock,
            userAgent: "vigil-test/1.0",
            resolve: async () => answers,
          });
          const post = { url: "https://rebound.example/", headers: {}, body: "{}", privateOrigins: [] };
          await expect(sender.post(post, new AbortController().signal)).rejects.toThrow(
            "the host name resolves to no public address",
          );
          await sender.close();
        }
      },
    },
    {
      name: "a redirect of a receiver is not followed",
      attack: "Answer a delivery with a redirect to an internal service",
      defence: "Deliveries follow no redirect; the attempt counts as failed",
      run: () =>
        withCanary(async (canary) => {
          const receiver = await openCanary((_request, response) => {
            response.writeHead(307, { location: `${canary.origin}/latest/meta-data/` }).end();
          });
          const delivery = await deliveredTo(`${receiver.origin}/hooks`, [receiver.origin, canary.origin]);
          receiver.close();
          expect(receiver.requests).toHaveLength(1);
          expect(canary.requests).toHaveLength(0);
          expect(delivery).toMatchObject({ attempts: [{ responseStatus: 307 }] });
        }),
    },
    {
      name: "the body of a receiver's answer is not shown to the account",
      attack: "Read an internal page through the log of deliveries",
      defence: "The body of an answer is dropped; the log has the status and an error message written by the service",
      async run() {
        const receiver = await openCanary((_request, response) => {
          response.writeHead(500, { "x-internal": "classified" }).end("classified page");
        });
        const delivery = await deliveredTo(`${receiver.origin}/hooks`, [receiver.origin]);
        receiver.close();
        expect(delivery).toMatchObject({ attempts: [{ responseStatus: 500 }] });
        expect(JSON.stringify(delivery)).not.toContain("classified");
      },
    },
    {
      name: "a call that names another host reaches no other host",
      attack: "Use the service as a proxy: absolute request targets, CONNECT and batch items with a host",
      defence: "Targets are looked up among the paths of the service and never forwarded",
      run: ({ send, sendRaw, attacker }) =>
        withCanary(async (canary) => {
          const { host } = new URL(canary.origin);
          for (const request of [
            `GET ${canary.origin}/latest HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
            `GET //${host}/latest HTTP/1.1\r\nHost: x\r\n\r\n`,
            `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
          ]) {
            expect(await sendRaw(request)).not.toMatch(/^HTTP\/1\.1 2|internal/);
          }
          const paths = [`${canary.origin}/latest`, `//${host}/latest`, `/\\${host}/latest`, `@${host}/latest`];
          const body = { operations: paths.map((path, at) => ({ id: String(at), path })) };
          const { results } = JSON.parse((await send(BATCH, { headers: attacker.by, body })).body);
          for (const result of results) expect(result).toMatchObject({ status: 0, error: "invalid_path" });
          expect(canary.requests).toHaveLength(0);
        }),
    },
  ],
};
