import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Call } from "./exchange.js";
import type { Pipeline } from "./pipeline.js";

export interface HttpServer {
  /** Listens, and returns the address that callers use. */
  listen(host: string, port: number): Promise<string>;
  /** Stops taking connections, lets calls under way finish, and resolves when all are closed. */
  close(): Promise<void>;
}

const CONNECTIONS_MAX = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

/** Carries the pipeline over HTTP. */
export function httpServer(answer: Pipeline): HttpServer {
  const handle = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    respond(answer, request, reply);
  const app = Fastify({
    exposeHeadRoutes: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: "idle",
    return503OnClosing: false,
    // A path that the router cannot decode still gets the contract's answer.
    frameworkErrors: (_error, request, reply) => void handle(request, reply),
  });
  app.server.maxConnections = CONNECTIONS_MAX;
  ignoreBodies(app);
  app.route({ method: [...METHODS], url: "/*", handler: handle });
  app.setNotFoundHandler(handle);
  return {
    listen: (host, port) => app.listen({ host, port }),
    close: () => app.close(),
  };
}

/**
 * Written straight to the connection: the headers of a ready answer are one shared object, turned into the list that
 * Node writes only once.
 */
async function respond(answer: Pipeline, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { status, headers, body, requestId } = await answer(callOf(request));
  reply.hijack();
  const length =
    body === undefined || "Content-Length" in headers ? [] : ["Content-Length", String(Buffer.byteLength(body))];
  reply.raw.writeHead(status, [...listOf(headers), "X-Request-Id", requestId, ...length]);
  reply.raw.end(request.method === "HEAD" ? undefined : body);
  return reply;
}

const lists = new WeakMap<object, readonly string[]>();

function listOf(headers: Readonly<Record<string, string>>): readonly string[] {
  let list = lists.get(headers);
  if (!list) {
    list = Object.entries(headers).flat();
    lists.set(headers, list);
  }
  return list;
}

function callOf(request: FastifyRequest): Call {
  const { headers } = request.raw;
  return {
    method: request.method,
    target: request.raw.url ?? "/",
    remoteAddress: request.ip,
    header(name) {
      const value = headers[name];
      return (Array.isArray(value) ? value[0] : value) || undefined;
    },
  };
}

/** No operation takes a body yet: what is sent is read past, and the method decides the answer. */
function ignoreBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, payload, done) => {
    payload.resume();
    payload.on("end", () => done(null));
    payload.on("error", (error) => done(error));
  });
}
