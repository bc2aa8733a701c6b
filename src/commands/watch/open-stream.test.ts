import type { RequestListener } from "node:http";
import { describe, expect, test } from "vitest";
import { OperatorError } from "../../kit/operator-error.js";
import { serving } from "../testing/serving.js";
import { openStream, type StreamPlace, StreamUnavailable } from "./open-stream.js";

const NOW = Date.UTC(2026, 10, 23);
const PATH = "/api/things/v1/stream-thing-changes";
const open = (url: string, place: StreamPlace = {}, query: Readonly<Record<string, string>> = {}) =>
  openStream({ url, key: "the-key", path: PATH, query }, place, new AbortController().signal, NOW);

/** The error of a service that answers in this way. */
async function errorOf(listener: RequestListener): Promise<unknown> {
  return open(await serving(listener)).catch((error: unknown) => error);
}

describe("opening a stream", () => {
  test("sends key, filters and place, and returns the bytes", async () => {
    const requests: unknown[] = [];
    const url = await serving((request, answer) => {
      requests.push([request.url, request.headers["x-service-key"], request.headers["last-event-id"]]);
      answer.writeHead(200, { "Content-Type": "text/event-stream; charset=utf-8" }).end(": heartbeat\n\n");
    });
    let text = "";
    for await (const chunk of await open(url, { cursor: "c 1" }, { colour: "red,blue" })) text += Buffer.from(chunk);
    await open(url, { lastEventId: "7" });
    expect(text).toBe(": heartbeat\n\n");
    expect(requests).toEqual([
      [`${PATH}?colour=red%2Cblue&cursor=c+1`, "the-key", undefined],
      [PATH, "the-key", "7"],
    ]);
  });

  test.each([
    [400, '{"violations":[{"field":"cursor","description":"must be x"}]}', / answered 400: cursor must be x$/, 1],
    [401, "{}", /refuses the key; set VIGIL_KEY to one of its keys$/, 1],
    [403, '{"error":"This key lacks the scope read"}', / answered 403: This key lacks the scope read$/, 1],
    [
      404,
      '{"error":"Not found"}',
      / answered 404: Not found; the service is of another version, or has it switched off$/,
      1,
    ],
    [404, "<html>\u001b[2J", / answered 404; the service/, 1],
    [410, '{"error":"gone"}', /^the log does not reach back to this place, .*pollCursor/, 3],
    [302, "", / answered 302$/, 1],
    [204, "", /is not a stream/, 1],
    [200, "<html>", /is not a stream; is VIGIL_URL the address of a Vigil service\?$/, 1],
  ])("%i is final: %s", async (status, body, sentence, exitCode) => {
    const error = await errorOf((_, answer) => answer.writeHead(status, { Location: "http://127.0.0.1:1/" }).end(body));
    expect(error).toBeInstanceOf(OperatorError);
    expect(error).toMatchObject({ message: expect.stringMatching(sentence), exitCode });
    expect(String(error)).not.toContain("the-key");
  });

  test.each([
    [429, { "Retry-After": "30" }, '{"error":"too many"}', "the service answered 429: too many", NOW + 30_000],
    [503, {}, "", "the service answered 503", undefined],
    [502, { "Retry-After": "soon" }, "<html>", "the service answered 502", undefined],
  ])("%i may pass, after the time that the service asks for", async (status, headers, body, message, retryAt) => {
    const error = await errorOf((_, answer) => answer.writeHead(status, headers).end(body));
    expect(error).toBeInstanceOf(StreamUnavailable);
    expect(error).toMatchObject({ message, retryAt, isUnreachable: false });
  });

  test("says that nothing answers", async () => {
    const error = await open("http://127.0.0.1:1").catch((failed: unknown) => failed);
    expect(error).toMatchObject({ message: "no service answers at http://127.0.0.1:1", isUnreachable: true });
  });

  test("reads only the beginning of an endless error", async () => {
    const error = await errorOf((_, answer) => {
      answer.writeHead(503);
      const write = (): void => void (answer.destroyed || answer.write("x".repeat(10_000), () => setImmediate(write)));
      write();
    });
    expect(error).toMatchObject({ message: "the service answered 503" });
  });
});
