import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import { type ConnectionLimits, connectionLimitsDefault } from "./connection-limits.js";
import { IdentifiedAnswer } from "./exchange.js";
import type { Pipeline } from "./pipeline.js";
import { type HttpServer, httpServer } from "./server.js";

const closing: { close(): unknown }[] = [];
afterEach(async () => {
  for (const { close } of closing.splice(0).toReversed()) await close();
});

const saying = (body: string): IdentifiedAnswer =>
  new IdentifiedAnswer({ status: 200, headers: { "Content-Type": "text/plain" }, body }, "r1", "");

async function serve(limits: Partial<ConnectionLimits>, answer: Pipeline = () => saying("hello")) {
  const server: HttpServer = httpServer(answer, {}, { ...connectionLimitsDefault, ...limits });
  const base = await server.listen("127.0.0.1", 0);
  closing.push(server);
  return { server, base, port: Number(new URL(base).port) };
}

/** Opens a connection from this local address to the server. */
async function caller(port: number, localAddress = "127.0.0.1"): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  closing.push({ close: () => socket.destroy() });
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return socket;
}

const ended = (socket: Socket): Promise<unknown> => (socket.closed ? Promise.resolve() : once(socket, "close"));
const ask = (path = "/"): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

/** Makes one call and returns the status line; "" if the connection was closed instead. */
async function answerOn(socket: Socket): Promise<string> {
  socket.write(ask());
  const answered = new Promise<string>((resolve) => {
    socket.once("data", (chunk) => resolve(String(chunk).split("\r\n", 1)[0] ?? ""));
    socket.once("close", () => resolve(""));
  });
  return answered;
}

test("a new connection of an address at its limit replaces the oldest idle connection of that address", async () => {
  const { port } = await serve({ perAddressMax: 3 });
  const [first, second, third] = [await caller(port), await caller(port), await caller(port)];
  expect(await answerOn(third)).toBe("HTTP/1.1 200 OK");
  const fourth = await caller(port);
  await ended(first);
  expect(await answerOn(fourth)).toBe("HTTP/1.1 200 OK");
  expect([second.closed, third.closed]).toEqual([false, false]);
});

test("an address whose connections are all in use gets no connection beyond its limit", async () => {
  let finish = (): void => undefined;
  const later = new Promise<IdentifiedAnswer>((resolve) => {
    finish = () => resolve(saying("late"));
  });
  let calls = 0;
  const { port } = await serve({ perAddressMax: 2 }, () => {
    calls += 1;
    return later;
  });
  const busy = [await caller(port), await caller(port)];
  for (const socket of busy) socket.write(ask());
  await expect.poll(() => calls).toBe(2);
  await ended(await caller(port));
  const answers = busy.map((socket) => once(socket, "data"));
  finish();
  for (const [chunk] of await Promise.all(answers)) expect(String(chunk)).toMatch(/^HTTP\/1\.1 200 OK/);
});

test("the service stays reachable for everyone while one address opens hundreds of idle connections", async () => {
  const { port } = await serve({ max: 100, perAddressMax: 500 });
  for (let index = 0; index < 300; index += 1) await caller(port);
  for (const address of ["127.0.0.2", "127.0.0.3"]) {
    const others = [];
    for (let index = 0; index < 10; index += 1) others.push(await caller(port, address));
    for (const other of others) expect(await answerOn(other)).toBe("HTTP/1.1 200 OK");
  }
  expect(await answerOn(await caller(port))).toBe("HTTP/1.1 200 OK");
});

test("while connections are scarce, an address with many connections must replace its oldest one to open another", async () => {
  const { port } = await serve({ max: 100, perAddressMax: 500 });
  const first = [];
  for (let index = 0; index < 80; index += 1) first.push(await caller(port));
  const next = await caller(port);
  expect(await answerOn(next)).toBe("HTTP/1.1 200 OK");
  await ended(first[0] as Socket);
  expect((first[1] as Socket).closed).toBe(false);
});

test("connections through a trusted proxy are not limited by address", async () => {
  const { port } = await serve({ perAddressMax: 2, isProxy: (address) => address === "127.0.0.9" });
  const proxied = [];
  for (let index = 0; index < 10; index += 1) proxied.push(await caller(port, "127.0.0.9"));
  for (const socket of proxied) expect(await answerOn(socket)).toBe("HTTP/1.1 200 OK");
});

test("beyond the total limit, a proxy's new connection is closed immediately", async () => {
  const { port } = await serve({ max: 2, isProxy: () => true });
  await caller(port);
  await caller(port);
  await ended(await caller(port));
});

/** Resolves once the server has destroyed the connection; until then, writing to the socket succeeds. */
function destroyedByServer(socket: Socket): Promise<void> {
  const sent = () => new Promise<unknown>((resolve) => socket.write("x", resolve));
  return expect.poll(sent, { timeout: 15_000, interval: 20 }).toBeInstanceOf(Error);
}

test("an unread answer is cut off once it makes no progress, although the caller keeps sending", async () => {
  const { port } = await serve({ stillMs: 150 }, () => saying("x".repeat(32_000_000)));
  const socket = await caller(port);
  socket.write(ask());
  await destroyedByServer(socket);
});

test("an answer that is read too slowly is cut off, although it makes progress", async () => {
  const { port } = await serve({ stillMs: 200, stillBytesMin: 8_000_000 }, () => saying("x".repeat(64_000_000)));
  const socket = await caller(port);
  let bytes = 0;
  socket.on("data", (chunk) => {
    bytes += chunk.length;
    socket.pause();
    setTimeout(() => socket.resume(), 20);
  });
  socket.write(ask());
  await destroyedByServer(socket);
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(64_000_000);
});

test("an answer that is read slowly arrives whole", async () => {
  const body = "x".repeat(24_000_000);
  const { port } = await serve({ stillMs: 400 }, () => saying(body));
  const socket = await caller(port);
  socket.write(ask());
  let bytes = 0;
  socket.on("data", (chunk) => {
    bytes += chunk.length;
    socket.pause();
    setTimeout(() => socket.resume(), 2);
  });
  await expect.poll(() => bytes, { timeout: 15_000 }).toBeGreaterThanOrEqual(body.length);
});

test("a connection stays open while its answer is being made, even for longer than the limit for unread answers", async () => {
  const { port } = await serve(
    { stillMs: 50 },
    () => new Promise((resolve) => setTimeout(() => resolve(saying("late")), 400)),
  );
  expect(await answerOn(await caller(port))).toBe("HTTP/1.1 200 OK");
});

test("a caller who never completes a request gets an error and is disconnected, even if it keeps its own side open", async () => {
  const { port } = await serve({ requestMs: 100 });
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  closing.push({ close: () => socket.destroy() });
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.write("GET / HTTP/1.1\r\n");
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /);
  await destroyedByServer(socket);
});
