import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Clock } from "../kit/clock.js";
import { type ExchangeParts, exchange } from "./exchange.js";
import { answerFaultControl } from "./fault-endpoint.js";
import { type FaultControl, faultBook } from "./faults.js";
import { loadUpstreams } from "./loader.js";
import type { NewsFeed } from "./models/headlines.js";
import { newsPublishers } from "./news-publishers.js";
import { openRecordedFolder } from "./recorded.js";
import { send, textReply } from "./reply.js";
import { type RequestHistory, requestLog } from "./request-log.js";
import { routeTable } from "./route-table.js";
import { upstreamUrlOf } from "./target.js";
import type { SimulatedUpstream } from "./upstream.js";

export interface SimulatorOptions {
  readonly clock: Clock;
  readonly seed: number;
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** Default 127.0.0.1. The fault endpoint needs no credential, so keep the simulator on loopback. */
  readonly host?: string;
  /** Feeds whose publishers are simulated, in addition to the upstreams that have their own files. Default: none. */
  readonly newsFeeds?: readonly NewsFeed[];
  /** Serves the payloads recorded in this folder instead of simulated ones. */
  readonly recordedDir?: string;
  /** Additional upstreams, for tests. */
  readonly upstreams?: readonly SimulatedUpstream[];
}

export interface Simulator {
  /** `http://<host>:<port>`; requests for `https://<upstream>/<path>` go to `<baseUrl>/<upstream>/<path>`. */
  readonly baseUrl: string;
  readonly faults: FaultControl;
  readonly requests: RequestHistory;
  /** Keys that the upstreams accept, by the name of the setting that holds the real key. */
  readonly credentials: Readonly<Record<string, string>>;
  /** Stops listening and drops every connection, including hanging ones. */
  close(): Promise<void>;
}

/**
 * Starts a server that answers like the upstreams, in their wire formats. Apart from faults, an answer depends only on
 * the request, the seed and the clock, or on the recorded folder. Every answer has `X-Vigil-Simulated: 1`. Rejects if
 * the port is in use or an upstream file is invalid.
 */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  // Loaded once per process, because the upstream files do not change while the process runs.
  ownUpstreams ??= loadUpstreams();
  const simulated = withPublishers(await ownUpstreams, options.newsFeeds ?? []);
  const upstreams = [...simulated, ...(options.upstreams ?? [])];
  const parts = await exchangeParts(options, upstreams);
  const server = createServer((request, response) => {
    answer(parts, request, response).catch((error: unknown) => fail(response, error, parts.clock));
  });
  const baseUrl = await listen(server, options.host ?? "127.0.0.1", options.port ?? 0);
  const credentials = Object.assign({}, ...upstreams.map((upstream) => upstream.credentials ?? {}));
  return { baseUrl, faults: parts.faults, requests: parts.log, credentials, close: () => close(server) };
}

let ownUpstreams: Promise<readonly SimulatedUpstream[]> | undefined;

/** The publishers of each list of feeds. They cache their answers, so all simulators of a process share them. */
const publishersOf = new WeakMap<readonly NewsFeed[], SimulatedUpstream>();

function withPublishers(
  upstreams: readonly SimulatedUpstream[],
  feeds: readonly NewsFeed[],
): readonly SimulatedUpstream[] {
  if (feeds.length === 0) return upstreams;
  const publishers = publishersOf.get(feeds) ?? newsPublishers(feeds, routeTable(upstreams));
  publishersOf.set(feeds, publishers);
  return [...upstreams, publishers];
}

async function exchangeParts(
  { clock, seed, recordedDir }: SimulatorOptions,
  upstreams: readonly SimulatedUpstream[],
): Promise<ExchangeParts> {
  return {
    clock,
    seed,
    table: routeTable(upstreams),
    recorded: recordedDir === undefined ? undefined : await openRecordedFolder(recordedDir),
    faults: faultBook(),
    log: requestLog(),
  };
}

async function answer(parts: ExchangeParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.setHeader("X-Vigil-Simulated", "1");
  const target = request.url ?? "/";
  const now = parts.clock.now();
  if (/^\/_faults(\?|$)/.test(target)) return send(response, await answerFaultControl(request, parts.faults), now);
  const url = upstreamUrlOf(target);
  if (url === undefined) return send(response, textReply(404, "expected a request for /<upstream host>/<path>"), now);
  if (!methodsAt(parts, url).includes(request.method === "HEAD" ? "GET" : (request.method ?? ""))) {
    return send(response, textReply(405, `only ${methodsAt(parts, url).join(", ")}`), now);
  }
  await exchange(parts, url, request, response);
}

function methodsAt({ table }: ExchangeParts, url: URL): readonly string[] {
  return table.find(url)?.route.methods ?? ["GET"];
}

/** Fails only the request, not the process, if an upstream file throws an error. */
function fail(response: ServerResponse, error: unknown, clock: Clock): void {
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (response.headersSent) response.destroy();
  else send(response, textReply(500, `the simulator failed: ${reason}`), clock.now());
}

function listen(server: Server, host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    // Without `exclusive`, simulators in several workers would share a port.
    server.listen({ port, host, exclusive: true }, () => {
      server.off("error", reject);
      const address = server.address() as AddressInfo; // Safe: a listening TCP server has such an address.
      resolve(`http://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)));
    server.closeAllConnections();
  });
}
