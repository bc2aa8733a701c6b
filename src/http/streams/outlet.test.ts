import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { IdentifiedAnswer, type Outlet, type OutletEvents } from "../exchange.js";
import { type HttpServer, httpServer } from "../server.js";

const open: HttpServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

const headers = { "Content-Type": "text/event-stream" };
const answer = { status: 200, headers, body: undefined };

/** Number of bytes to send. For a caller that does not read, the kernel buffers only a few megabytes. */
const MORE_THAN_BUFFERS_HOLD = 30_000_000;

interface Waiting<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
}

function waiting<T>(): Waiting<T> {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/**
 * Starts a server that answers with a stream. Returns the stream's outlet and the events that the server reported to
 * the stream.
 */
async function streaming(limits?: Parameters<typeof httpServer>[2]) {
  const events: string[] = [];
  const [handed, closed, drained] = [waiting<Outlet>(), waiting<undefined>(), waiting<undefined>()];
  const follow = (outlet: Outlet): OutletEvents => {
    handed.resolve(outlet);
    return {
      drained: () => drained.resolve(undefined),
      closed() {
        events.push("closed");
        closed.resolve(undefined);
      },
    };
  };
  const server = httpServer(() => new IdentifiedAnswer({ ...answer, follow }, "r1", ""), {}, limits);
  open.push(server);
  const base = await server.listen("127.0.0.1", 0);
  return { base, events, outlet: handed.promise, closed: closed.promise, drained: drained.promise };
}

/** Opens a connection that requests the stream and reads nothing. */
async function asking(base: string): Promise<Socket> {
  const socket = connect(Number(new URL(base).port), "127.0.0.1");
  await once(socket, "connect");
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  return socket;
}

test("the head arrives immediately, and each piece as it is sent", async () => {
  const { base, outlet } = await streaming();
  const response = await fetch(base);
  const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
  for (const piece of ["one\n\n", "two\n\n"]) {
    expect((await outlet).send(piece)).toBe(true);
    expect((await reader.read()).value).toBe(piece);
  }
  (await outlet).end();
  expect(await reader.read()).toMatchObject({ done: true });
});

test("a stream is notified exactly once when its caller disconnects", async () => {
  const { base, outlet, closed, events } = await streaming();
  const socket = await asking(base);
  await outlet;
  socket.destroy();
  await closed;
  expect(events).toEqual(["closed"]);
});

test("a caller that does not read is disconnected", async () => {
  const limits = { max: 10, perAddressMax: 10, requestMs: 30_000, stillMs: 50, stillBytesMin: 1, isProxy: () => false };
  const { base, outlet, closed } = await streaming(limits);
  const socket = await asking(base);
  const { send } = await outlet;
  socket.pause();
  expect(send("x".repeat(MORE_THAN_BUFFERS_HOLD))).toBe(false);
  await closed;
  socket.destroy();
});

test("a slow caller is not disconnected: its stream continues once the caller has read", async () => {
  const { base, outlet, drained, events } = await streaming();
  const response = await fetch(base);
  const { send, end } = await outlet;
  expect(send("x".repeat(MORE_THAN_BUFFERS_HOLD))).toBe(false);
  const reader = (response.body ?? new ReadableStream()).getReader();
  let received = 0;
  while (received < MORE_THAN_BUFFERS_HOLD) received += (await reader.read()).value?.byteLength ?? 0;
  await drained;
  expect(events).toEqual([]);
  end();
});

test("the connection ends when its stream ends, so that a server with streams can close", async () => {
  const { base, outlet } = await streaming();
  const socket = await asking(base);
  const { end } = await outlet;
  const ended = once(socket.resume(), "close");
  end();
  await ended;
});
