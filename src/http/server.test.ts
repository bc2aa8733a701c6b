import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test } from "vitest";
import { type Answer, type Call, IdentifiedAnswer } from "./exchange.js";
import type { Pipeline } from "./pipeline.js";
import { type HttpServer, httpServer } from "./server.js";

const open: HttpServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function serve(answer: Pipeline): Promise<{ readonly server: HttpServer; readonly base: string }> {
  const server = httpServer(answer);
  const base = await server.listen("127.0.0.1", 0);
  open.push(server);
  return { server, base };
}

const headers = { "Content-Type": "text/plain" };
const identified = (answer: Answer): IdentifiedAnswer =>
  new IdentifiedAnswer(answer, "r1", 'RateLimit: "default";r=1;t=2\r\n');
const saying = (body: string): IdentifiedAnswer => identified({ status: 200, headers, body });

/** Sends bytes to the server and returns all that it answers until the connection closes. */
async function rawAnswer(base: string, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(base).port), "127.0.0.1");
  await once(socket, "connect");
  socket.end(bytes);
  return text(socket);
}

describe("an answer", () => {
  test.each([
    ["a ready answer", () => saying("hello")],
    ["an answer that comes later", async () => saying("hello")],
  ])("%s is sent with its content length and request id", async (_, answer) => {
    const { base } = await serve(answer);
    const got = await fetch(base);
    expect([got.status, await got.text()]).toEqual([200, "hello"]);
    expect(got.headers.get("content-length")).toBe("5");
    expect(got.headers.get("x-request-id")).toBe("r1");
    expect(got.headers.get("ratelimit")).toBe('"default";r=1;t=2');
  });

  test("the answer to HEAD has headers and no body", async () => {
    const { base } = await serve(() => saying("hello"));
    const got = await fetch(base, { method: "HEAD" });
    expect([got.headers.get("content-length"), await got.text()]).toEqual(["5", ""]);
  });

  test("a 304 ends after its headers", async () => {
    const { base } = await serve(() => identified({ status: 304, headers: { ETag: '"t"' }, body: undefined }));
    const raw = await rawAnswer(base, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    expect(raw).toMatch(/^HTTP\/1\.1 304 /);
    expect(raw.endsWith("\r\n\r\n")).toBe(true);
  });

  test("a request whose body is never read gets an answer", async () => {
    const { base } = await serve(() => saying("hello"));
    const got = await fetch(base, { method: "POST", body: "x".repeat(300_000) });
    expect(await got.text()).toBe("hello");
    expect(await (await fetch(base)).text()).toBe("hello");
  });
});

test("the pipeline gets the method, the target, the address and the headers that are not empty", async () => {
  const calls: Call[] = [];
  const { base } = await serve((call) => {
    calls.push(call);
    return saying("");
  });
  const sent = request(`${base}/a%20b?x=%zz`, { method: "PATCH", headers: { "X-Service-Key": "k", "X-Empty": "" } });
  sent.end();
  await once(sent, "response");
  const [call] = calls;
  expect(call).toMatchObject({ method: "PATCH", target: "/a%20b?x=%zz", remoteAddress: "127.0.0.1" });
  expect([call?.header("x-service-key"), call?.header("x-empty"), call?.header("x-none")]).toEqual([
    "k",
    undefined,
    undefined,
  ]);
});

test.each([
  ["http://vigil.example/api/x?a=b", "/api/x?a=b"],
  ["HTTPS://vigil.example:8443/api/x", "/api/x"],
  ["http://vigil.example", "/"],
  ["http://vigil.example?a=b", "/?a=b"],
  ["/http://vigil.example/api/x", "/http://vigil.example/api/x"],
])("the target %s is read as %s", async (sent, target) => {
  const { base } = await serve((call) => saying(call.target));
  const raw = await rawAnswer(base, `GET ${sent} HTTP/1.1\r\nHost: vigil.example\r\nConnection: close\r\n\r\n`);
  expect(raw.split("\r\n\r\n")[1]).toBe(target);
});

test("two thousand characters of any script fit into a query", async () => {
  const { base } = await serve(({ target }) => saying(String(decodeURIComponent(target).length)));
  const framework = "😀".repeat(2_000);
  const expression = "'ж'".repeat(250);
  const path = `/?framework=${encodeURIComponent(framework)}&jmespath=${encodeURIComponent(expression)}`;
  const answer = await fetch(`${base}${path}`);
  expect(await answer.text()).toBe(String(decodeURIComponent(path).length));
});

test.each([
  ["text that is not HTTP", "GARBAGE\r\n\r\n", 400, "Bad Request"],
  [
    "a head that is too long",
    `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${"a".repeat(40_000)}\r\n\r\n`,
    431,
    "Request Header Fields Too Large",
  ],
  [
    "a request with two lengths",
    "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx",
    400,
    "Bad Request",
  ],
  ["a request without a host", "GET / HTTP/1.1\r\n\r\n", 400, "Bad Request"],
  ["an unknown expectation", "GET / HTTP/1.1\r\nHost: x\r\nExpect: 200-ok\r\n\r\n", 417, "Expectation Failed"],
])("%s gets an error in the usual form, with the header X-Vigil-Data in a demo", async (_, bytes, status, sentence) => {
  const server = httpServer(() => saying("hello"), { "X-Vigil-Data": "simulated" });
  open.push(server);
  const raw = await rawAnswer(await server.listen("127.0.0.1", 0), bytes);
  expect(raw).toMatch(new RegExp(`^HTTP/1\\.1 ${status} ${sentence}\r\n`));
  expect(raw).toContain("\r\nCache-Control: no-store\r\n");
  expect(raw).toContain("\r\nX-Content-Type-Options: nosniff\r\n");
  expect(raw).toContain("\r\nX-Vigil-Data: simulated\r\n");
  expect(raw.split("\r\n\r\n")[1]).toBe(JSON.stringify({ message: sentence }));
});

test("an HTTP/1.0 request needs no host", async () => {
  const { base } = await serve(() => saying("hello"));
  const raw = await rawAnswer(base, "GET / HTTP/1.0\r\n\r\n");
  expect(raw.split("\r\n\r\n")[1]).toBe("hello");
});

test("a caller that expects 100 Continue gets it", async () => {
  const { base } = await serve(async (call) => saying(String(await call.body(100))));
  const socket = connect(Number(new URL(base).port), "127.0.0.1");
  socket.write("POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
  const [first] = await once(socket, "data");
  expect(String(first)).toMatch(/^HTTP\/1\.1 100 Continue\r\n/);
  socket.end("hello");
  expect((await text(socket)).split("\r\n\r\n")[1]).toBe("hello");
});

test("closing the server finishes the calls under way and ends all connections", async () => {
  let finish: (answer: IdentifiedAnswer) => void = () => undefined;
  let begun: () => void = () => undefined;
  const isBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const { server, base } = await serve(() => {
    begun();
    return new Promise((resolve) => {
      finish = resolve;
    });
  });
  open.splice(0);
  const answering = fetch(base);
  await isBegun;
  const closed = server.close();
  finish(saying("hello"));
  expect(await (await answering).text()).toBe("hello");
  await closed;
  await expect(fetch(base)).rejects.toThrow();
});

test("listening fails if the port is taken", async () => {
  const { base } = await serve(() => saying("hello"));
  await expect(httpServer(() => saying("")).listen("127.0.0.1", Number(new URL(base).port))).rejects.toThrow(
    "EADDRINUSE",
  );
});
