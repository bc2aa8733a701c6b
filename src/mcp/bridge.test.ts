import { describe, expect, test } from "vitest";
import { bridge, type PostedAnswer } from "./bridge.js";

interface Posted {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends these chunks over a bridge and returns the printed and the posted messages. */
async function carried(
  chunks: readonly (string | Uint8Array)[],
  answer: (body: string, signal: AbortSignal) => Promise<PostedAnswer> | PostedAnswer,
) {
  const printed: unknown[] = [];
  const posted: Posted[] = [];
  async function* input() {
    for (const chunk of chunks) yield typeof chunk === "string" ? Buffer.from(chunk) : chunk;
  }
  await bridge({
    input: input(),
    print: (line) => printed.push(JSON.parse(line)),
    post: async (bytes, headers, signal) => {
      const body = Buffer.from(bytes).toString("utf8");
      posted.push({ body, headers });
      return answer(body, signal);
    },
    signal: new AbortController().signal,
  });
  return { printed, posted };
}

const ok = (body: string): PostedAnswer => ({
  status: 200,
  text: JSON.stringify({ jsonrpc: "2.0", id: JSON.parse(body).id, result: {} }),
  retryAfter: null,
});
const line = (message: object): string => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;

describe("lines", () => {
  test("each message is posted once, however its bytes are split into chunks", async () => {
    const [first, second] = [line({ id: 1, method: "ping" }), line({ id: "ä", method: "ping" })];
    const bytes = Buffer.from(first + second);
    const { printed, posted } = await carried([bytes.subarray(0, 5), bytes.subarray(5, 60), bytes.subarray(60)], ok);
    expect(posted.map(({ body }) => `${body}\n`)).toEqual([first, second]);
    expect(printed).toEqual([
      { jsonrpc: "2.0", id: 1, result: {} },
      { jsonrpc: "2.0", id: "ä", result: {} },
    ]);
  });

  test("the last line needs no line break", async () => {
    const { printed } = await carried([line({ id: 1, method: "ping" }).trim()], ok);
    expect(printed).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }]);
  });

  test("blank lines are ignored, including a blank last line without a line break", async () => {
    const { printed } = await carried(["\n \r\n", line({ id: 1, method: "ping" }), " \r"], ok);
    expect(printed).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }]);
  });

  test("a line of more than 1 MB is refused, and the next one is answered", async () => {
    const { printed, posted } = await carried(
      ["x".repeat(700_000), "x".repeat(700_000), `\n${line({ id: 2, method: "ping" })}`],
      ok,
    );
    expect(printed).toContainEqual({ jsonrpc: "2.0", error: { code: -32_600, message: "the message is too long" } });
    expect(posted).toHaveLength(1);
  });

  test("text that is not a message is a protocol error", async () => {
    const { printed } = await carried(["hello\n"], ok);
    expect(printed).toEqual([{ jsonrpc: "2.0", error: { code: -32_700, message: "the body must be JSON in UTF-8" } }]);
  });

  test("notifications are not answered", async () => {
    const { printed, posted } = await carried([line({ method: "notifications/initialized" })], ok);
    expect({ printed, posted }).toEqual({ printed: [], posted: [] });
  });
});

test("a request of protocol version 2026-07-28 gets headers with its version, method and name; a name outside ASCII is in Base64", async () => {
  const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
  const { posted } = await carried(
    [
      line({ id: 1, method: "tools/call", params: { name: "find", _meta } }),
      line({ id: 2, method: "resources/read", params: { uri: "vigil://ä", _meta } }),
      line({ id: 3, method: "ping" }),
    ],
    ok,
  );
  const common = { "MCP-Protocol-Version": "2026-07-28" };
  expect(posted.map(({ headers }) => headers)).toEqual([
    { ...common, "Mcp-Method": "tools/call", "Mcp-Name": "find" },
    { ...common, "Mcp-Method": "resources/read", "Mcp-Name": "=?base64?dmlnaWw6Ly/DpA==?=" },
    {},
  ]);
});

describe("an answer of the service that is not a message", () => {
  test.each([
    [
      401,
      '{"error":"API key required"}',
      "the service answered 401: API key required; set VIGIL_KEY to one of its keys",
    ],
    [413, '{"error":"payload_too_large"}', "the service answered 413: payload_too_large"],
    [200, "<html>", "the service answered 200: an unknown message; is VIGIL_URL the address of a Vigil service?"],
  ])("a %i answer without a message becomes an error with the status and reason", async (status, text, message) => {
    const { printed } = await carried([line({ id: 1, method: "ping" })], () => ({ status, text, retryAfter: null }));
    expect(printed).toEqual([{ jsonrpc: "2.0", id: 1, error: { code: -32_603, message, data: { status } } }]);
  });

  test("a 429 answer becomes an error with the time until a retry", async () => {
    const text = '{"error":"Too many requests"}';
    const { printed } = await carried([line({ id: 1, method: "ping" })], () => ({
      status: 429,
      text,
      retryAfter: "7",
    }));
    expect(printed).toMatchObject([{ error: { data: { status: 429, retryAfterSeconds: 7 } } }]);
  });
});

test("a message that no service answers gets an error with advice", async () => {
  const { printed } = await carried([line({ id: 1, method: "ping" })], () => {
    throw new Error("no service answers at http://127.0.0.1:1; start one, or set VIGIL_URL");
  });
  expect(printed).toMatchObject([{ id: 1, error: { code: -32_603, message: expect.stringContaining("start one") } }]);
});

test("a cancelled request ends and gets no answer", async () => {
  const cancel = line({ method: "notifications/cancelled", params: { requestId: 1 } });
  const { printed } = await carried([line({ id: 1, method: "ping" }), cancel], (_body, signal) => {
    return new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  });
  expect(printed).toEqual([]);
});

test("at most 32 messages are in progress at the same time", async () => {
  let running = 0;
  let most = 0;
  const lines = Array.from({ length: 100 }, (_, id) => line({ id, method: "ping" }));
  const { printed } = await carried(lines, async (body) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return ok(body);
  });
  expect(printed).toHaveLength(100);
  expect(most).toBe(32);
});
