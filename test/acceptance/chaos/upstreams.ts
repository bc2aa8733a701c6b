import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { HOUR_MS } from "../../../src/kit/clock.js";
import { type Random, seededRandom } from "../../../src/kit/random.js";
import { editionDocument } from "./editions.js";

/** Ways in which a storm makes a request fail. */
const stormKinds = ["429", "500", "hang", "garbage", "cut", "reset"] as const;
type StormKind = (typeof stormKinds)[number];

interface Storm {
  readonly kinds: readonly StormKind[];
  /** Share of the requests that fail because of the storm. */
  readonly share: number;
  readonly random: Random;
}

/**
 * The upstreams of a run: documents of known content, a simulator for all other requests, and storms, in which at least
 * half of the requests fail.
 */
export interface Upstreams {
  readonly baseUrl: string;
  /** Number of the newest edition of the documents of known content. */
  readonly edition: number;
  /** Publishes the next edition. */
  publish(): void;
  /** Number of requests that failed because of a storm. */
  readonly hits: number;
  storm(seed: number): void;
  calm(): void;
  close(): Promise<void>;
}

/**
 * Maximum number of requests that a storm leaves unanswered at the same time. If there are more, the connection of the
 * oldest request is closed.
 */
const HUNG_MAX = 200;

/**
 * Starts the upstreams of a run. Requests for unknown documents go to the simulator at `elsewhere`, or get a 404 if
 * there is none.
 */
export async function startUpstreams(startedAt: number, elsewhere: string | undefined): Promise<Upstreams> {
  let edition = 1;
  let storm: Storm | undefined;
  let hits = 0;
  const hung = new Set<ServerResponse>();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = request.url ?? "/";
    if (storm !== undefined && storm.random() < storm.share) {
      hits += 1;
      const kind = storm.kinds[Math.floor(storm.random() * storm.kinds.length)] ?? "500";
      strike(kind, target, response);
      return;
    }
    const own = editionDocument(target, edition, startedAt - HOUR_MS);
    if (own !== undefined) {
      response.writeHead(200, { "Content-Type": own.contentType }).end(own.body);
    } else if (elsewhere === undefined) response.writeHead(404).end();
    else await forward(elsewhere, request, response);
  }

  function strike(kind: StormKind, target: string, response: ServerResponse): void {
    const body = editionDocument(target, edition, startedAt - HOUR_MS)?.body ?? "<html>";
    switch (kind) {
      case "429":
        response.writeHead(429, { "Retry-After": "1" }).end("slow down");
        break;
      case "500":
        response.writeHead(500).end("<h1>Internal Server Error</h1>");
        break;
      case "garbage":
        response.writeHead(200, { "Content-Type": "text/html" }).end(`<!doctype html>${body.slice(10, 60)}\u0000<p>`);
        break;
      case "cut":
        response.writeHead(200, { "Content-Length": String(Buffer.byteLength(body)) });
        response.write(body.slice(0, body.length / 2), () => response.destroy());
        break;
      case "reset":
        response.socket?.resetAndDestroy();
        break;
      case "hang": {
        hung.add(response);
        response.once("close", () => hung.delete(response));
        const [oldest] = hung;
        if (hung.size > HUNG_MAX) oldest?.destroy();
      }
    }
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    // The cast is safe, because a TCP server that listens has an address with a port.
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get edition() {
      return edition;
    },
    get hits() {
      return hits;
    },
    publish() {
      edition += 1;
    },
    storm(seed) {
      const random = seededRandom(seed);
      storm = { random, share: 0.5 + random() / 2, kinds: stormKinds.filter(() => random() < 0.5) };
    },
    calm() {
      storm = undefined;
      for (const response of hung) response.destroy();
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const FORWARDED = ["if-none-match", "if-modified-since", "content-type", "authorization", "x-api-key"];
const RETURNED = new Set(["content-type", "etag", "last-modified"]);

/**
 * Forwards a request. Removes the header by which the simulator marks its answers, because a store of real data refuses
 * marked answers.
 */
async function forward(base: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const headers = FORWARDED.flatMap((name): [string, string][] => {
    const value = request.headers[name];
    return typeof value === "string" ? [[name, value]] : [];
  });
  const method = request.method ?? "GET";
  const body = method === "POST" ? await text(request) : null;
  const answer = await fetch(base + request.url, { method, headers, body });
  const returned = [...answer.headers].filter(([name]) => RETURNED.has(name));
  response.writeHead(answer.status, Object.fromEntries(returned)).end(Buffer.from(await answer.arrayBuffer()));
}
