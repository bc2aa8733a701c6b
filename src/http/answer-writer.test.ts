import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test } from "vitest";
import { AnswerWriter } from "./answer-writer.js";
import { type Answer, IdentifiedAnswer } from "./exchange.js";
import { preparedAnswer } from "./prepared-answer.js";

const NOON = Date.UTC(2026, 10, 22, 12);

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A server that sends these answers in turn, and then repeats the last one. */
async function serve(
  answers: readonly Answer[],
  adapt: (response: ServerResponse) => void = () => undefined,
): Promise<number> {
  const writer = new AnswerWriter(() => NOON);
  const left = [...answers];
  const server = createServer((request, response) => {
    adapt(response);
    const answer = (left.length > 1 ? left.shift() : left[0]) as Answer;
    writer.write(request, response, identified(answer));
  });
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

function identified(answer: Answer): IdentifiedAnswer {
  return new IdentifiedAnswer(answer, "r1", 'RateLimit: "key";r=1;t=2\r\nRateLimit-Reset: 2\r\n');
}

/** Sends bytes and returns everything received until the connection ends, with all dates replaced by the same one. */
async function conversation(port: number, bytes: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.end(bytes);
  return (await text(socket)).replaceAll(/\r\nDate: [^\r]+\r\n/g, "\r\nDate: <now>\r\n");
}

const GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
const LAST = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

const bodyOf = (body: string): Answer => {
  const headers = {
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(body)),
    ETag: '"t"',
  };
  return preparedAnswer(200, headers, Buffer.from(body));
};
const small = bodyOf('{"a":1}');
const answers: readonly (readonly [name: string, answer: Answer])[] = [
  ["a small body in ASCII", small],
  ["a small body beyond ASCII", bodyOf('{"a":"é – 名"}')],
  ["a large body", bodyOf(JSON.stringify("a".repeat(60_000)))],
  ["an empty body", bodyOf("")],
  ["a 304", preparedAnswer(304, { ETag: '"t"' }, undefined)],
  ["a 204", preparedAnswer(204, { Vary: "Origin" }, undefined)],
];

describe.each(answers)("%s", (_, answer) => {
  const { status, headers, body } = answer;
  const unprepared: Answer = { status, headers, body };

  test.each([
    ["one request after another", GET + GET + LAST],
    ["HEAD", `${GET}${GET.replace("GET", "HEAD")}${LAST}`],
    ["HTTP/1.0", `${GET}GET / HTTP/1.0\r\n\r\n`],
    ["HTTP/1.0 that keeps the connection open", `${GET}GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n${LAST}`],
    ["a request that ends the connection", GET + LAST],
  ])("an answer is sent with the bytes that Node would write, for %s", async (_name, bytes) => {
    const prepared = await conversation(await serve([answer]), bytes);
    expect(prepared).toBe(await conversation(await serve([unprepared]), bytes));
    expect(prepared.split("HTTP/1.1 ").length).toBeGreaterThan(2);
  });
});

test("answers on one connection keep their order if a prepared answer follows one that Node wrote", async () => {
  const own: Answer = { status: 404, headers: { "Content-Type": "text/plain" }, body: "nothing here" };
  const all = await conversation(await serve([small, own, small, own, small]), GET + GET + GET + GET + LAST);
  expect([...all.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
    "200",
    "404",
    "200",
    "404",
    "200",
  ]);
});

test("a prepared head has the date of the second in which it is sent", async () => {
  const socket = connect(await serve([small]), "127.0.0.1");
  await once(socket, "connect");
  socket.end(GET + GET + LAST);
  const dates = [...(await text(socket)).matchAll(/\r\nDate: ([^\r]+)\r\n/g)].map(([, date]) => date);
  expect(dates).toHaveLength(3);
  // Only the second head is prepared. Node writes the first head, and the head on a connection that closes.
  expect(dates[1]).toBe("Sun, 22 Nov 2026 12:00:00 GMT");
});

test.each([
  [
    "keeps heads behind an accessor",
    (response: ServerResponse) => {
      let header: unknown = null;
      const accessor = { get: () => header, set: (value: unknown) => (header = value) };
      Object.defineProperty(response, "_header", { ...accessor, configurable: true });
    },
  ],
  ["adds no date", (response: ServerResponse) => (response.sendDate = false)],
])("Node writes every head if Node %s", async (_, adapt) => {
  const { status, headers, body } = small;
  const prepared = await conversation(await serve([small], adapt), GET + GET + LAST);
  expect(prepared).toBe(await conversation(await serve([{ status, headers, body }], adapt), GET + GET + LAST));
});

test("an answer without a Content-Length header gets one", async () => {
  const answer: Answer = { status: 200, headers: { "Content-Type": "text/plain" }, body: "é" };
  expect(await conversation(await serve([answer]), LAST)).toContain("\r\nContent-Length: 2\r\n");
});
