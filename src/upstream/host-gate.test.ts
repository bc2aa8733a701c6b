import { describe, expect, it, vi } from "vitest";
import { DAY_MS, MINUTE_MS } from "../kit/clock.js";
import {
  heldAnswers,
  type LocalServer,
  localClient,
  requestTo,
  serve,
  serveAlways,
  signalled,
} from "./testing/local-servers.js";

const limits = { failuresMax: 3, restMs: MINUTE_MS };

/** A server whose status can be changed while it runs. */
async function serveStatus(): Promise<{ server: LocalServer; say: (status: number, retryAfter?: string) => void }> {
  let answer: { status: number; headers: Record<string, string> } = { status: 500, headers: {} };
  const server = await serve((_request, response) => void response.writeHead(answer.status, answer.headers).end());
  const say = (status: number, retryAfter?: string): void => {
    answer = { status, headers: retryAfter === undefined ? {} : { "retry-after": retryAfter } };
  };
  return { server, say };
}

describe("the breaker of a host", () => {
  it("the breaker opens after consecutive failures, refuses calls, lets one probe through after each pause, and closes once a probe succeeds", async () => {
    const { server, say } = await serveStatus();
    const { client, clock } = localClient([server.origin()], { limits });
    const request = requestTo(`${server.origin()}/`);
    for (let call = 0; call < 3; call += 1) await expect(client.fetch(request)).rejects.toThrow("answered 500");
    await expect(client.fetch(request)).rejects.toMatchObject({
      kind: "unavailable",
      retryAt: clock.now() + MINUTE_MS,
      message: expect.stringContaining("the host failed 3 times in a row"),
    });
    expect(server.requests).toHaveLength(3);

    clock.advance(MINUTE_MS);
    await expect(client.fetch(request)).rejects.toThrow("answered 500");
    await expect(client.fetch(request)).rejects.toThrow("the host failed 4 times in a row");
    expect(server.requests).toHaveLength(4);

    clock.advance(MINUTE_MS);
    say(200);
    for (let call = 0; call < 3; call += 1) expect((await client.fetch(request)).status).toBe(200);
  });

  it("setting the clock back does not extend the pause", async () => {
    const { server, say } = await serveStatus();
    const { client, clock } = localClient([server.origin()], { limits });
    const request = requestTo(`${server.origin()}/`);
    for (let call = 0; call < 3; call += 1) await client.fetch(request).catch(() => undefined);
    clock.set(clock.now() - DAY_MS);
    say(200);
    await expect(client.fetch(request)).rejects.toMatchObject({ retryAt: clock.now() + MINUTE_MS });
    clock.advance(MINUTE_MS);
    expect((await client.fetch(request)).status).toBe(200);
  });

  it.each([200, 500])("one call probes while the others wait for its outcome, here the status %i", async (status) => {
    const held = heldAnswers();
    const server = await serve((request, response) => {
      if (server.requests.length === 4) held.listener(request, response);
      else response.writeHead(server.requests.length < 4 ? 500 : 200).end();
    });
    const { client, clock } = localClient([server.origin()], { limits });
    const request = requestTo(`${server.origin()}/`);
    for (let call = 0; call < 3; call += 1) await client.fetch(request).catch(() => undefined);
    clock.advance(MINUTE_MS);
    const calls = Promise.allSettled([1, 2, 3].map(() => client.fetch(request)));
    await vi.waitUntil(() => held.waiting.length === 1);
    expect(server.requests).toHaveLength(4);
    held.waiting[0]?.writeHead(status).end();
    const ended = status === 200 ? "fulfilled" : "rejected";
    expect((await calls).map((call) => call.status)).toEqual([ended, ended, ended]);
    expect(server.requests).toHaveLength(status === 200 ? 6 : 4);
  });

  it("the next call probes if the probing caller leaves", async () => {
    const held = heldAnswers();
    const server = await serve((request, response) => {
      if (server.requests.length === 4) held.listener(request, response);
      else response.writeHead(server.requests.length < 4 ? 500 : 200).end();
    });
    const { client, clock } = localClient([server.origin()], { limits });
    const request = requestTo(`${server.origin()}/`);
    for (let call = 0; call < 3; call += 1) await client.fetch(request).catch(() => undefined);
    clock.advance(MINUTE_MS);
    const leaving = new AbortController();
    const left = expect(client.fetch(request, leaving)).rejects.toThrow("cancelled");
    const next = client.fetch(request);
    await vi.waitUntil(() => held.waiting.length === 1);
    leaving.abort();
    await left;
    expect((await next).status).toBe(200);
  });

  it("the breaker of one host does not affect other hosts", async () => {
    const { server: broken } = await serveStatus();
    const healthy = await serveAlways(200, {}, "x");
    const { client } = localClient([broken.origin("a.test"), healthy.origin("b.test")], { limits });
    for (let call = 0; call < 4; call += 1)
      await client.fetch(requestTo(`${broken.origin("a.test")}/`)).catch(() => undefined);
    expect((await client.fetch(requestTo(`${healthy.origin("b.test")}/`))).status).toBe(200);
  });

  it("hosts stay distinct even if one simulator replaces all of them", async () => {
    const server = await serve(({ url }, response) => void response.writeHead(url === "/a.org/" ? 500 : 200).end());
    const { client } = localClient([], { limits, rewriteBase: `http://127.0.0.1:${server.port}` });
    for (let call = 0; call < 4; call += 1) await client.fetch(requestTo("https://a.org/")).catch(() => undefined);
    await expect(client.fetch(requestTo("https://a.org/"))).rejects.toThrow("in a row");
    expect((await client.fetch(requestTo("https://b.org/"))).status).toBe(200);
  });

  it("a 404, a cancelled call and a local refusal do not count as failures", async () => {
    const { happened, tell } = signalled();
    const server = await serve(({ url }, response) => {
      if (url === "/held") tell();
      else if (url === "/large") response.end("xx");
      else response.writeHead(url === "/ok" ? 200 : 404).end();
    });
    const { client } = localClient([server.origin()], { limits: { failuresMax: 1 } });
    await expect(client.fetch(requestTo(`${server.origin()}/missing`))).rejects.toThrow("answered 404");
    await expect(client.fetch(requestTo(`${server.origin()}/large`, { bytesMax: 1 }))).rejects.toThrow("larger than");
    const leaving = new AbortController();
    const left = expect(client.fetch(requestTo(`${server.origin()}/held`), leaving)).rejects.toThrow("cancelled");
    await happened;
    leaving.abort();
    await left;
    expect((await client.fetch(requestTo(`${server.origin()}/ok`))).status).toBe(200);
  });
});

describe("Retry-After", () => {
  it.each([
    [429, "120", 120_000],
    [503, "120", 120_000],
    [429, "Sat, 21 Nov 2026 12:05:00 GMT", 300_000],
    [429, "999999999", 86_400_000],
  ])("after a %i with the Retry-After %s, no call is sent to the host for %i ms", async (status, header, waitMs) => {
    const { server, say } = await serveStatus();
    const { client, clock } = localClient([server.origin()]);
    const request = requestTo(`${server.origin()}/`);
    const retryAt = clock.now() + waitMs;
    say(status, header);
    await expect(client.fetch(request)).rejects.toMatchObject({ kind: "unavailable", status, retryAt });
    say(200);
    clock.advance(waitMs - 1);
    await expect(client.fetch(request)).rejects.toMatchObject({
      retryAt,
      message: expect.stringContaining("requested a pause"),
    });
    expect(server.requests).toHaveLength(1);
    clock.advance(1);
    expect((await client.fetch(request)).status).toBe(200);
  });

  it.each([
    [429, undefined],
    [429, "soon"],
    [429, "-5"],
    [500, "120"],
    [404, "120"],
  ])("after a %i, the Retry-After %s is ignored", async (status, header) => {
    const { server, say } = await serveStatus();
    const { client } = localClient([server.origin()]);
    say(status, header);
    await expect(client.fetch(requestTo(`${server.origin()}/`))).rejects.toMatchObject({ status, retryAt: undefined });
    say(200);
    expect((await client.fetch(requestTo(`${server.origin()}/`))).status).toBe(200);
  });

  it("setting the clock back does not extend the wait", async () => {
    const { server, say } = await serveStatus();
    const { client, clock } = localClient([server.origin()]);
    const request = requestTo(`${server.origin()}/`);
    say(429, "120");
    await client.fetch(request).catch(() => undefined);
    clock.advance(MINUTE_MS);
    await expect(client.fetch(request)).rejects.toThrow("requested a pause");
    clock.set(clock.now() - DAY_MS);
    say(200);
    await expect(client.fetch(request)).rejects.toMatchObject({ retryAt: clock.now() + MINUTE_MS });
    clock.advance(MINUTE_MS);
    expect((await client.fetch(request)).status).toBe(200);
  });

  it("Retry-After also stops calls that wait for their turn", async () => {
    const held = heldAnswers();
    const server = await serve(held.listener);
    const { client } = localClient([server.origin()], { limits: { inFlightMax: 1 } });
    const calls = [1, 2, 3].map(() => client.fetch(requestTo(`${server.origin()}/`)));
    const settled = Promise.allSettled(calls);
    await vi.waitUntil(() => held.waiting.length === 1);
    held.waiting[0]?.writeHead(429, { "retry-after": "60" }).end();
    expect((await settled).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(server.requests).toHaveLength(1);
  });
});

describe("concurrency per host", () => {
  it("concurrency is limited, further calls wait, and calls beyond the waiting limit are refused", async () => {
    const held = heldAnswers();
    const server = await serve(held.listener);
    const { client } = localClient([server.origin()], { limits: { waitingMax: 2 } });
    const calls = [1, 2, 3, 4, 5, 6].map(() => client.fetch(requestTo(`${server.origin()}/`)));
    await expect(client.fetch(requestTo(`${server.origin()}/`))).rejects.toThrow("2 calls to this host are waiting");
    await vi.waitUntil(() => held.waiting.length === 4);
    expect(server.requests).toHaveLength(4);
    for (let index = 0; index < 6; index += 1) {
      await vi.waitUntil(() => held.waiting[index] !== undefined);
      held.waiting[index]?.end();
    }
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(6).fill(200));
  });

  it("waiting does not count against the time limit, and a waiting caller can leave immediately", async () => {
    const held = heldAnswers();
    const server = await serve(held.listener);
    const { client, clock } = localClient([server.origin()], { limits: { inFlightMax: 1 } });
    const first = client.fetch(requestTo(`${server.origin()}/`, { timeoutMs: 60_000 }));
    const second = client.fetch(requestTo(`${server.origin()}/`, { timeoutMs: 10 }));
    const leaving = new AbortController();
    const third = expect(client.fetch(requestTo(`${server.origin()}/`), leaving)).rejects.toThrow("cancelled");
    await vi.waitUntil(() => held.waiting.length === 1);
    clock.advance(1_000);
    leaving.abort();
    await third;
    held.waiting[0]?.end();
    await first;
    await vi.waitUntil(() => held.waiting.length === 2);
    held.waiting[1]?.end();
    expect((await second).status).toBe(200);
  });

  it("a caller that leaves while waiting does not block the callers after it", async () => {
    const held = heldAnswers();
    const server = await serve(held.listener);
    const { client } = localClient([server.origin()], { limits: { inFlightMax: 1 } });
    const leaving = new AbortController();
    const request = requestTo(`${server.origin()}/`);
    const first = client.fetch(request);
    const left = expect(client.fetch(request, leaving)).rejects.toThrow("cancelled");
    const behind = client.fetch(request);
    await vi.waitUntil(() => held.waiting.length === 1);
    leaving.abort();
    await left;
    held.waiting[0]?.end();
    await first;
    await vi.waitUntil(() => held.waiting.length === 2);
    held.waiting[1]?.end();
    expect((await behind).status).toBe(200);
    expect(server.requests).toHaveLength(2);
  });
});
