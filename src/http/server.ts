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

/** Carries the pipeline over HTTP, and the reference page beside it. */
export async function httpServer(answer: Pipeline): Promise<HttpServer> {
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
  await referencePage(app);
  return {
    listen: (host, port) => app.listen({ host, port }),
    close: () => app.close(),
  };
}

async function respond(answer: Pipeline, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { status, headers, body } = await answer(callOf(request));
  reply.code(status).headers(headers);
  return reply.send(body);
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

/** The reference page ships its own script, so that it works without any network. */
async function referencePage(app: FastifyInstance): Promise<void> {
  const { default: reference } = await import("@scalar/fastify-api-reference");
  await app.register(reference, {
    routePrefix: "/docs",
    configuration: { url: "/openapi.json", withDefaultFonts: false, telemetry: false, hideClientButton: true },
  });
}
