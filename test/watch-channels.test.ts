import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { httpServer } from "../src/http/server.js";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../src/kit/clock.js";
import { logJob } from "../src/services/datasets/store/log-job.js";
import type { Earthquake } from "../src/services/seismology/records.js";
import type { WatchFiring } from "../src/services/watches/records.js";
import type { WrittenWatch } from "../src/services/watches/served-watch.js";
import { evaluationJob } from "../src/services/watches/store/evaluator/job.js";
import { mailQueueJob, mailSendJob } from "../src/services/watches/store/mail/jobs.js";
import { fanOutJob, sendJob } from "../src/services/webhooks/store/jobs.js";
import { outwardSender } from "../src/upstream/post-outward.js";
import { publishChanged } from "./support/published.js";
import { runJob } from "./support/run-job.js";
import { type SmtpTestServer, startSmtp } from "./support/smtp.js";
import { call, json, type Stack, startStack } from "./support/stack.js";
import { watchFeedPath } from "./support/watch-feed-path.js";

/* Follows firings end to end: from a published generation to real receivers on every channel. */

const ORIGIN = "https://vigil.example.com";
const WATCHES = "/api/watches/v1";
const READER = "reader@example.com";
const definition = {
  name: "Earthquakes",
  call: "/api/seismology/v1/list-earthquakes",
  on: "WATCH_ON_CHANGED",
};

const webhooks: string[] = [];
const receiver = createServer((request, response) => {
  text(request).then(
    (body) => {
      webhooks.push(body);
      response.writeHead(204).end();
    },
    (error: unknown) => response.destroy(error instanceof Error ? error : undefined),
  );
});

let stack: Stack;
let smtp: SmtpTestServer;
let key: Readonly<Record<string, string>>;

beforeAll(async () => {
  smtp = await startSmtp();
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const env = {
    VIGIL_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    VIGIL_MAIL_FROM: "vigil@example.org",
    VIGIL_PUBLIC_URL: ORIGIN,
    VIGIL_WEBHOOK_PRIVATE_TARGETS: receiverOrigin(),
  };
  stack = await startStack({ env, filled: ["earthquakes"], datasets: ["earthquakes"] });
  key = { "x-service-key": stack.service.access.ownerKey.key ?? "" };
  await runJob(stack, logJob);
}, 60_000);
afterAll(async () => {
  await stack.close();
  receiver.closeAllConnections();
  receiver.close();
  await smtp.close();
});

// The cast is safe, because only a server that listens on a pipe has a string as its address.
const receiverOrigin = (): string => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;

async function post<T>(path: string, body: object): Promise<T> {
  const headers = { ...key, "content-type": "application/json" };
  const answer = await call(stack.answer, "POST", path, headers, { body: JSON.stringify(body) });
  expect(answer.status, String(answer.body)).toBeLessThan(300);
  return json(answer) as T;
}

/** Publishes a change of one earthquake, and logs and evaluates it as the service does every second. */
async function change(magnitude: number): Promise<void> {
  stack.clock.advance(SECOND_MS);
  await publishChanged<Earthquake>(stack, "earthquakes", (records) => {
    const [first = "", ...others] = Object.keys(records);
    const [row, ...rows] = records[first] ?? [];
    if (!row) throw new Error("no earthquake is stored");
    const kept = Object.fromEntries(others.map((part) => [part, records[part] ?? []]));
    return { ...kept, [first]: [{ ...row, magnitude }, ...rows.slice(1)] };
  });
  await runJob(stack, logJob);
  await runJob(stack, evaluationJob);
}

interface Firings {
  readonly firings: readonly WatchFiring[];
  readonly nextCursor: string;
}

async function poll(query: string): Promise<Firings> {
  const answer = await stack.get(`${WATCHES}/list-watch-firings?${query}`, key);
  return json(answer) as Firings;
}

async function deliver(): Promise<void> {
  const sender = outwardSender({ clock: stack.clock, userAgent: "vigil-test/1.0" });
  await runJob(stack, fanOutJob);
  await runJob(stack, sendJob, { post: sender.post });
  await sender.close();
  await runJob(stack, mailQueueJob);
  await runJob(stack, mailSendJob);
}

/** Opens a real stream that continues from a cursor, and returns the first firing that the stream sends. */
async function streamed(cursor: string): Promise<unknown> {
  const server = httpServer(stack.answer);
  const base = await server.listen("127.0.0.1", 0);
  const address = `${base}${WATCHES}/stream-watch-firings?cursor=${cursor}`;
  const answer = await fetch(address, { headers: { ...key } });
  expect(answer.headers.get("content-type")).toContain("text/event-stream");
  const firing = await firstFiring(answer.body ?? new ReadableStream());
  await server.close();
  return firing;
}

/** Reads a stream up to the first firing, ends the stream, and returns the data of the firing. */
async function firstFiring(body: ReadableStream<Uint8Array>): Promise<unknown> {
  const decoder = new TextDecoder();
  let received = "";
  // Leaving the loop cancels the stream.
  for await (const chunk of body) {
    received += decoder.decode(chunk, { stream: true });
    const event = received.split("\n\n").find((block) => /^event: watch\.fired$/m.test(block));
    const [, data] = /^data: (\{.*\})$/m.exec(event ?? "") ?? [];
    if (data !== undefined) return JSON.parse(data);
  }
  throw new Error(`the stream ended after ${received}`);
}

test("one firing reaches polls, streams, webhooks, feeds and emails with the same content", async () => {
  const { watch } = await post<{ readonly watch: WrittenWatch }>(`${WATCHES}/create-watch`, {
    ...definition,
    emails: [READER],
  });
  const feedPath = await watchFeedPath(stack, watch.watchId, key);
  await post("/api/webhooks/v1/create-webhook-endpoint", { url: `${receiverOrigin()}/hooks`, events: ["watch.fired"] });
  await deliver();
  const [confirmation] = smtp.received;
  const [, link = ""] =
    new RegExp(`${ORIGIN}(\\S+confirm-watch-email\\?token=[\\w-]+)`).exec(confirmation?.parsed.text ?? "") ?? [];
  const form = { accept: "text/html", "content-type": "application/x-www-form-urlencoded", origin: ORIGIN };
  expect((await call(stack.answer, "POST", link, form, { body: "" })).status).toBe(200);
  stack.clock.advance(MINUTE_MS);
  await runJob(stack, evaluationJob);
  const { nextCursor } = await poll("");
  await change(9.1);
  await deliver();
  const { firings } = await poll(`cursor=${nextCursor}`);
  expect(firings).toHaveLength(1);
  const [firing] = firings;
  if (!firing) throw new Error("there is no firing");
  expect(firing).toMatchObject({ kind: "WATCH_FIRING_KIND_FIRED", watchId: watch.watchId, state: "ok" });
  const { rows = [] } = firing;
  expect(rows.map(({ change: kind }) => kind)).toEqual(["changed", "removed"]);
  expect(rows[0]?.after).toMatchObject({ magnitude: 9.1 });
  expect(await streamed(nextCursor)).toEqual({ ...firing, nextCursor: expect.any(String) });
  expect(webhooks.map((body) => JSON.parse(body).data)).toEqual([firing]);
  const feed = json(await call(stack.answer, "GET", `${feedPath}&format=jsonfeed`, {})) as {
    readonly items: readonly {
      readonly id: string;
      readonly url: string;
      readonly date_published: string;
      readonly content_text: string;
    }[];
  };
  const answerUrl = `${ORIGIN}${firing.links.answer}`;
  expect(feed.items).toMatchObject([
    { id: expect.stringContaining(firing.firingId), url: answerUrl, date_published: firing.firedAt },
  ]);
  const atom = String((await call(stack.answer, "GET", `${feedPath}&format=atom`, {})).body);
  expect(atom).toContain(`urn:vigil:firing:${firing.firingId}`);
  expect(atom).toContain(`<updated>${firing.firedAt}</updated>`);
  const [, mail, ...more] = smtp.received;
  expect([mail?.to, more]).toEqual([READER, []]);
  expect(mail?.parsed.text).toContain(firing.firedAt);
  expect(atom).toContain(answerUrl);
  expect(mail?.parsed.text).toContain(answerUrl);
  const [item] = feed.items;
  for (const text of [item?.content_text ?? "", atom.replaceAll("&quot;", '"'), mail?.parsed.text ?? ""]) {
    for (const { change: kind, id, before, after } of rows) {
      expect(text).toMatch(new RegExp(`^(?:.*>)?${kind}:? ${id}`, "m"));
      expect(text).toContain(JSON.stringify(after ?? before));
    }
    for (const { name } of firing.sources) expect(text).toContain(name);
  }
});

test("a test of a watch over a past period reports the same firings that the watch itself reported", async () => {
  const from = new Date(stack.clock.now()).toISOString();
  const { watch } = await post<{ readonly watch: { readonly watchId: string } }>(`${WATCHES}/create-watch`, {
    ...definition,
    name: "Live",
    quietSeconds: 60,
  });
  for (const [at, magnitude] of [8.1, 8.2, 8.2, 8.3, 8.1].entries()) {
    await change(magnitude);
    stack.clock.advance(at % 2 === 0 ? MINUTE_MS : 10 * SECOND_MS);
    if (at === 2) {
      await stack.restart();
      await runJob(stack, logJob);
    }
    await runJob(stack, evaluationJob);
  }
  stack.clock.advance(HOUR_MS);
  await runJob(stack, evaluationJob);
  const { firings } = await poll(`watch_id=${watch.watchId}`);
  expect(firings.length).toBeGreaterThan(1);
  const fired = firings.map(({ position: _position, firingId: _firingId, watchId: _watchId, ...firing }) => firing);
  const tested = await post<{ readonly firings: readonly unknown[] }>(`${WATCHES}/test-watch`, {
    watchId: watch.watchId,
    from,
  });
  expect(tested.firings).toEqual(fired);
});
