import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { connectionLimitsDefault } from "../src/http/connection-limits.js";
import { type HttpServer, httpServer } from "../src/http/server.js";
import { byOwner, type CallHeaders } from "./support/accounts.js";
import { proxies, startProxy } from "./support/deploy/proxy.js";
import { type Stack, startStack } from "./support/stack.js";

const LIST = "/api/seismology/v1/list-earthquakes";
const BATCH = "/api/batch/v1/execute";

interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** Sends a call as it is: adds no headers, and does not decode the answer. */
function send(origin: string, target: string, headers: CallHeaders, method = "GET", body = ""): Promise<Received> {
  return new Promise((resolve, reject) => {
    const sent = request(`${origin}${target}`, { method, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: endToEnd(answer.headers),
          body: Buffer.concat(chunks).toString("base64"),
        }),
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Headers that differ between connections or answers, and headers by which a proxy identifies itself. */
const OF_ONE = new Set(["connection", "keep-alive", "transfer-encoding", "date", "server", "via", "x-request-id"]);

function endToEnd(headers: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !OF_ONE.has(name) && !/^x-ratelimit|^ratelimit/.test(name)),
  );
}

/**
 * Sends a call and returns the answer. If a compressed form is requested, repeats the call until that form is ready:
 * the service prepares it after the first answer.
 */
async function prepared(origin: string, target: string, headers: CallHeaders): Promise<Received> {
  if (headers["accept-encoding"] === undefined) return send(origin, target, headers);
  const compressed = async (): Promise<Received | undefined> => {
    const answer = await send(origin, target, headers);
    return answer.headers["content-encoding"] === undefined ? undefined : answer;
  };
  const answer = await vi.waitUntil(compressed, { timeout: 20_000, interval: 10 });
  if (answer === undefined) throw new Error(`${target} has no compressed form`);
  return answer;
}

/** Reads a stream until its text contains `part`, closes the stream, and returns the text. */
function streamed(origin: string, target: string, headers: CallHeaders, part: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(`${origin}${target}`, { headers, agent: false }, (answer) => {
      let text = "";
      answer.on("data", (chunk: Buffer) => {
        text += String(chunk);
        if (!text.includes(part)) return;
        resolve(text);
        sent.destroy();
      });
      answer.on("end", () => reject(new Error(`the stream ended: ${text}`)));
    });
    sent.on("error", reject);
    sent.end();
  });
}

/** Two nodes and a proxy in front of them. */
interface Front {
  /** The address of the second node. */
  readonly direct: string;
  readonly origin: string;
  stopNode(node: 0 | 1): Promise<void>;
  close(): Promise<void>;
}

async function openFront(proxy: (typeof proxies)[number]): Promise<Front> {
  const folder = mkdtempSync(join(tmpdir(), "vigil-proxy-"));
  const limits = { ...connectionLimitsDefault, isProxy: () => true };
  const nodes = [httpServer(stack.answer, {}, limits), httpServer(stack.answer, {}, limits)] as const;
  const origins = [await nodes[0].listen("127.0.0.1", 0), await nodes[1].listen("127.0.0.1", 0)] as const;
  const running = await startProxy(proxy, join(folder, "proxy"), [new URL(origins[0]).host, new URL(origins[1]).host]);
  const open = new Set<HttpServer>(nodes);
  const stop = async (node: HttpServer): Promise<void> => {
    if (open.delete(node)) await node.close();
  };
  return {
    direct: origins[1],
    origin: running.origin,
    stopNode: (node) => stop(nodes[node]),
    async close() {
      await running.stop();
      for (const node of nodes) await stop(node);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

let stack: Stack;
let key: CallHeaders;
beforeAll(async () => {
  stack = await startStack({ filled: ["earthquakes", "us-cpi"], env: { VIGIL_TRUSTED_PROXIES: "127.0.0.1" } });
  key = byOwner(stack);
}, 60_000);
afterAll(() => stack.close());

describe.each(proxies)("$name in front of two nodes", (proxy) => {
  describe.skipIf(proxy.binary === undefined)("(skipped where it is not installed)", () => {
    let front: Front;
    beforeAll(async () => {
      front = await openFront(proxy);
    }, 60_000);
    afterAll(() => front.close());

    test.each([
      { name: "a plain answer", target: LIST, headers: {} },
      { name: "a brotli answer", target: LIST, headers: { "accept-encoding": "br" } },
      { name: "a gzip answer", target: LIST, headers: { "accept-encoding": "gzip" } },
      { name: "CSV", target: LIST, headers: { accept: "text/csv" } },
      { name: "a refused parameter", target: `${LIST}?page_size=x`, headers: {} },
      { name: "an unknown path", target: "/api/nothing", headers: {} },
      { name: "a document", target: "/openapi.json", headers: { "accept-encoding": "br" } },
      { name: "the console", target: "/", headers: { accept: "text/html" } },
      { name: "a long expression", target: `${LIST}?jmespath=${"%20".repeat(2_000)}@`, headers: {} },
    ])("passes $name with the same status, headers and bytes", async ({ target, headers }) => {
      const own = await prepared(front.direct, target, { ...key, ...headers });
      expect(await send(front.origin, target, { ...key, ...headers })).toEqual(own);
    });

    test("passes 304, HEAD and the body of a POST", async () => {
      const first = await prepared(front.direct, LIST, { ...key, "accept-encoding": "br" });
      const { etag } = first.headers;
      const again = { ...key, "accept-encoding": "br", "if-none-match": String(etag) };
      expect([(await send(front.origin, LIST, again)).status, etag]).toEqual([304, expect.stringContaining('"')]);
      expect((await send(front.origin, LIST, key, "HEAD")).headers).toEqual(
        (await send(front.direct, LIST, key, "HEAD")).headers,
      );
      const batch = JSON.stringify({ operations: [{ id: "a", path: LIST }] });
      const sent = { ...key, "content-type": "application/json", "content-length": String(Buffer.byteLength(batch)) };
      const own = await send(front.direct, BATCH, sent, "POST", batch);
      expect([own.status, Buffer.from(own.body, "base64").toString()]).toEqual([
        200,
        expect.stringContaining('"succeeded":1'),
      ]);
      expect(await send(front.origin, BATCH, sent, "POST", batch)).toEqual(own);
    });

    test("sends the events of a stream while it is open", async () => {
      const target = "/api/datasets/v1/stream-dataset-changes";
      expect(await streamed(front.origin, target, key, "event: ready")).toContain("retry:");
    });

    test("hides /metrics, even from a caller that forges a local address in X-Forwarded-For", async () => {
      expect((await send(front.origin, "/metrics", key)).status).toBe(404);
      const claimed = await send(front.origin, "/metrics", { ...key, "x-forwarded-for": "127.0.0.1" });
      expect(claimed.status).toBe(404);
    });

    test.each([0, 1] as const)("answers from the other node when node %i has stopped", async (node) => {
      const halved = await openFront(proxy);
      try {
        await halved.stopNode(node);
        for (let call = 0; call < 10; call += 1) {
          expect((await send(halved.origin, LIST, key)).status).toBe(200);
        }
      } finally {
        await halved.close();
      }
    });
  });
});
