import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { OutwardFailure } from "../contract/outward.js";
import { SECOND_MS } from "../kit/clock.js";
import { manualClock } from "../kit/manual-clock.js";
import type { Resolve } from "./address-policy.js";
import { outwardSender } from "./post-outward.js";
import { afterTest, heldAnswers, serve, serveAlways } from "./testing/local-servers.js";

const NOW = Date.UTC(2026, 10, 23);
const never = new AbortController().signal;
const HERE: Resolve = async () => [{ address: "127.0.0.1", family: 4 }];

/** A sender that resolves names with `resolve`, by default to this machine; closed after the test. */
function localSender(resolve = HERE) {
  const clock = manualClock(NOW);
  const sender = outwardSender({ clock, userAgent: "vigil-test/1.0", resolve });
  afterTest(() => sender.close());
  return { clock, post: sender.post };
}

const postTo = (url: string, privateOrigins: readonly string[] = []) => ({
  url,
  privateOrigins,
  headers: { "webhook-id": "msg_1" },
  body: '{"type":"a"}',
});

test("the body and the headers are posted to the path and query of the target", async () => {
  const bodies: Promise<string>[] = [];
  const server = await serve((request, response) => {
    bodies.push(text(request));
    response.writeHead(204).end();
  });
  const { post } = localSender();
  const target = `${server.origin()}/hooks?tenant=1`;
  expect(await post(postTo(target, [server.origin()]), never)).toEqual({ status: 204, retryAt: undefined });
  expect(server.requests[0]).toMatchObject({ method: "POST", url: "/hooks?tenant=1" });
  expect(server.requests[0]?.headers).toMatchObject({
    "webhook-id": "msg_1",
    "content-type": "application/json",
    "user-agent": "vigil-test/1.0",
  });
  expect(await bodies[0]).toBe('{"type":"a"}');
});

test.each([301, 302, 303, 307, 308])("a redirect with %i is returned and not followed", async (status) => {
  const inside = await serveAlways(200);
  const server = await serveAlways(status, { location: inside.origin() });
  const { post } = localSender();
  const origins = [server.origin(), inside.origin()];
  expect(await post(postTo(server.origin(), origins), never)).toMatchObject({ status });
  expect(inside.requests).toHaveLength(0);
});

test.each([
  ["127.0.0.1", 4],
  ["10.0.0.1", 4],
  ["169.254.169.254", 4],
  ["::1", 6],
  ["fe80::1", 6],
  ["::ffff:127.0.0.1", 6],
  ["64:ff9b::7f00:1", 6],
  ["2002:7f00:1::1", 6],
] as const)("a public name that resolves to %s is refused before a connection opens", async (address, family) => {
  const { post } = localSender(async () => [{ address, family }]);
  await expect(post(postTo("https://receiver.example/"), never)).rejects.toThrow(
    new OutwardFailure("the host name resolves to no public address"),
  );
});

test("a name is checked for each connection, so a name that moves to a private address is refused", async () => {
  let lookups = 0;
  const { post } = localSender(async () => {
    lookups += 1;
    // The first connection would go to a public address, which a test must not reach.
    if (lookups === 1) throw Object.assign(new Error("would connect"), { code: "ENOTFOUND" });
    return [{ address: "127.0.0.1", family: 4 }];
  });
  await expect(post(postTo("https://receiver.example/"), never)).rejects.toThrow("the host name does not resolve");
  await expect(post(postTo("https://receiver.example/"), never)).rejects.toThrow("no public address");
  expect(lookups).toBe(2);
});

test.each(["http://receiver.example/", "https://127.0.0.1/", "https://receiver.example:8443/"])(
  "%s, which may have been allowed earlier, is refused when the request is sent",
  async (url) => {
    await expect(localSender().post(postTo(url), never)).rejects.toThrow(/^the address must /);
  },
);

test("an answer that does not begin within 15 s is a failure", async () => {
  const { listener, waiting } = heldAnswers();
  const server = await serve(listener);
  const { clock, post } = localSender();
  const sent = expect(post(postTo(server.origin(), [server.origin()]), never)).rejects.toThrow("no answer within 15 s");
  await expect.poll(() => waiting.length, { interval: 1 }).toBe(1);
  clock.advance(15 * SECOND_MS);
  await sent;
});

test("the status is used even if the body never ends, and the connection is closed", async () => {
  const server = await serve((_request, response) => void response.writeHead(200).write("a"));
  const closed = new Promise<void>((resolve) => {
    server.server.on("connection", (socket) => socket.once("close", () => resolve()));
  });
  const { clock, post } = localSender();
  const sent = post(postTo(server.origin(), [server.origin()]), never);
  await expect.poll(() => clock.sleeping, { interval: 1 }).toBe(2);
  clock.advance(SECOND_MS);
  expect(await sent).toMatchObject({ status: 200 });
  await closed;
});

test("a body of more than 4 KB is not read to its end", async () => {
  let isCut = false;
  const server = await serve((_request, response) => {
    response.on("close", () => {
      isCut = !response.writableFinished;
    });
    response.writeHead(500).write("a".repeat(10_000_000));
  });
  const { post } = localSender();
  expect(await post(postTo(server.origin(), [server.origin()]), never)).toMatchObject({ status: 500 });
  await expect.poll(() => isCut, { interval: 1 }).toBe(true);
});

test("Retry-After is read as a time", async () => {
  const server = await serveAlways(503, { "retry-after": "120" });
  const { post } = localSender();
  const answer = await post(postTo(server.origin(), [server.origin()]), never);
  expect(answer).toEqual({ status: 503, retryAt: NOW + 120 * SECOND_MS });
});

test("a connection that breaks is a failure", async () => {
  const server = await serve((request) => void request.socket.destroy());
  const { post } = localSender();
  const sent = post(postTo(server.origin(), [server.origin()]), never);
  await expect(sent).rejects.toThrow(new OutwardFailure("the connection broke off"));
});

test("a refused connection is a failure that names no address", async () => {
  const server = await serveAlways(200);
  server.server.close();
  const { post } = localSender();
  const sent = post(postTo(server.origin(), [server.origin()]), never);
  await expect(sent).rejects.toThrow(new OutwardFailure("the connection was refused"));
});

test("if the caller cancels a request, the request rejects with the caller's reason", async () => {
  const { listener, waiting } = heldAnswers();
  const server = await serve(listener);
  const { post } = localSender();
  const stopping = new AbortController();
  const sent = expect(post(postTo(server.origin(), [server.origin()]), stopping.signal)).rejects.toThrow("stopping");
  await expect.poll(() => waiting.length, { interval: 1 }).toBe(1);
  stopping.abort(new Error("stopping"));
  await sent;
});
