import { expect, it, vi } from "vitest";
import { DAY_MS } from "../kit/clock.js";
import { localClient, requestTo, serveAlways } from "./testing/local-servers.js";

it("at least the publisher's spacing passes between the starts of two calls to a host", async () => {
  const server = await serveAlways(200, {}, "x");
  const { client, clock } = localClient([server.origin(), server.origin("other.test")]);
  const spaced = requestTo(`${server.origin()}/`, { spacingMs: 750 });
  const calls = [1, 2, 3].map(() => client.fetch(spaced));
  await calls[0];
  await client.fetch(requestTo(`${server.origin("other.test")}/`, { spacingMs: 750 }));
  expect(server.requests).toHaveLength(2);
  await vi.waitUntil(() => clock.sleeping >= 2);
  clock.advance(749);
  expect([clock.sleeping, server.requests.length]).toEqual([2, 2]);
  clock.advance(1);
  await calls[1];
  expect(server.requests).toHaveLength(3);
  clock.advance(749);
  expect([clock.sleeping, server.requests.length]).toEqual([1, 3]);
  clock.advance(1);
  await calls[2];
  expect(server.requests).toHaveLength(4);
});

it("after the clock is set back, a call waits no longer than the spacing", async () => {
  const server = await serveAlways(200, {}, "x");
  const { client, clock } = localClient([server.origin()]);
  const spaced = requestTo(`${server.origin()}/`, { spacingMs: 750 });
  await client.fetch(spaced);
  clock.set(clock.now() - DAY_MS);
  const next = client.fetch(spaced);
  await vi.waitUntil(() => clock.sleeping >= 1);
  clock.advance(750);
  await next;
  expect(server.requests).toHaveLength(2);
});

it("a caller that leaves while waiting is released immediately", async () => {
  const server = await serveAlways(200, {}, "x");
  const { client, clock } = localClient([server.origin()]);
  const spaced = requestTo(`${server.origin()}/`, { spacingMs: 60_000 });
  await client.fetch(spaced);
  const leaving = new AbortController();
  const left = expect(client.fetch(spaced, leaving)).rejects.toThrow("cancelled");
  await vi.waitUntil(() => clock.sleeping > 0);
  leaving.abort();
  await left;
  expect(server.requests).toHaveLength(1);
});

it("calls to a simulator are not spaced", async () => {
  const server = await serveAlways(200, { "x-vigil-simulated": "1" }, "x");
  const { client } = localClient([], { rewriteBase: server.origin("127.0.0.1"), acceptSimulated: true });
  const spaced = requestTo("https://archive.test/", { spacingMs: 60_000 });
  await Promise.all([client.fetch(spaced), client.fetch(spaced), client.fetch(spaced)]);
  expect(server.requests).toHaveLength(3);
});

it("hosts of one publisher share its spacing", async () => {
  const server = await serveAlways(200, {}, "x");
  const { client, clock } = localClient([server.origin(), server.origin("other.test")]);
  const shared = { spacingMs: 110, spacedWith: "publisher" };
  await client.fetch(requestTo(`${server.origin()}/`, shared));
  const second = client.fetch(requestTo(`${server.origin("other.test")}/`, shared));
  await vi.waitUntil(() => clock.sleeping >= 1);
  expect(server.requests).toHaveLength(1);
  clock.advance(110);
  await second;
  expect(server.requests).toHaveLength(2);
});
