import { once } from "node:events";
import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { Type } from "typebox";
import { hashOfSession, sessionIdOf } from "../../src/access/session-token.js";
import type { CreatedKey } from "../../src/contract/access/accounts.js";
import { everyScope } from "../../src/contract/access/scopes.js";
import { operation, type RegisteredOperation } from "../../src/contract/operation.js";
import { type HttpServer, httpServer } from "../../src/http/server.js";
import { MINUTE_MS } from "../../src/kit/clock.js";
import { makeAccount, makeKey, openSession } from "../support/callers.js";
import { type Stack, startStack } from "../support/stack.js";

export type Headers = Readonly<Record<string, string>>;

/** An answer from the socket. Header names are in lower case. */
export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A request; `body` is sent as JSON unless it is a string or bytes. */
export interface Sent {
  readonly method?: string;
  readonly headers?: Headers;
  readonly body?: unknown;
}

/** An account on the business plan with one object of each kind. */
export interface Party {
  readonly accountId: string;
  readonly key: CreatedKey;
  /** The headers of the account's key, which has every scope. */
  readonly by: Headers;
  readonly ids: {
    readonly companyId: string;
    readonly watchId: string;
    readonly endpointId: string;
    readonly keyId: string;
    readonly sessionId: string;
  };
}

/** A running service, called only over HTTP, with the account under attack and the attacker's own account. */
export interface House {
  readonly stack: Stack;
  readonly base: string;
  readonly victim: Party;
  readonly attacker: Party;
  /** The headers of the owner's key. */
  readonly owner: Headers;
  /** Sends exactly this target, without normalising its path. */
  send(target: string, sent?: Sent): Promise<Reply>;
  /** Sends these bytes on a new connection, and returns all bytes of the answer. */
  sendRaw(bytes: string): Promise<string>;
  close(): Promise<void>;
}

export const CPI = "/api/economic/v1/get-us-cpi-monthly";
/** An operation whose list has pages. */
export const DISASTERS = "/api/climate/v1/list-climate-disasters";
/** An operation that needs a plan of tier 1 and accepts access tokens. */
export const PRO = "/api/security/v1/get-pro-probe";
/** An operation that fails with an error whose message contains `FAULT`. */
export const FAILING = "/api/security/v1/get-failing-probe";
export const FAULT = "password hunter2 at /srv/vigil/secret.db";
export const BATCH = "/api/batch/v1/execute";
export const ACCOUNT = "/api/account/v1";
export const COMPANIES = "/api/company-monitoring/v1";
export const WATCHES = "/api/watches/v1";
export const WEBHOOKS = "/api/webhooks/v1";

/** Maximum number of watches for an account on the business plan. Only the attack on this limit creates that many. */
export const WATCHES_MAX = 12;
/** The caller's address as a trusted proxy reports it. */
export const ELSEWHERE = { "x-forwarded-for": "203.0.113.9" };

export const company = { name: "Walked Ltd", domicileCountry: "DOMICILE_COUNTRY_GB" };
export const watch = {
  name: "Large earthquakes",
  call: "/api/seismology/v1/list-earthquakes?min_magnitude=6",
  on: "WATCH_ON_NEW_ROWS",
};
export const endpoint = { url: "https://receiver.example/changes", events: ["company_event.changed"] };

function probe(rpc: string, tier: 1 | undefined, run: () => { readonly isOpen: boolean }): RegisteredOperation {
  const declared = operation({
    rpc,
    summary: "A probe",
    description: "An operation of a test.",
    cache: "no-store",
    ...(tier !== undefined && { tier }),
    reads: {},
    query: {},
    response: Type.Object({ isOpen: Type.Boolean() }),
    examples: [{}],
    run,
  });
  return { service: "security", path: `/api/security/v1/${rpc}`, operation: declared };
}

const probes = [
  probe("get-pro-probe", 1, () => ({ isOpen: true })),
  probe("get-failing-probe", undefined, () => {
    throw new Error(FAULT);
  }),
];

export async function openHouse(): Promise<House> {
  const stack = await startStack({
    filled: ["us-cpi", "climate-disasters"],
    operations: probes,
    env: {
      VIGIL_TRUSTED_PROXIES: "127.0.0.1",
      VIGIL_WATCHES_MAX: `business=${WATCHES_MAX}`,
      VIGIL_STREAMS_PER_ACCOUNT: "3",
      VIGIL_PLAN_EVENTS_SECRET: "a secret that no attacker has",
      VIGIL_LIMITS: "refused-credentials=100",
      // A quarter of the default, so that an attack exhausts it with fewer costly projections.
      VIGIL_PROJECTION_FUEL_PER_MINUTE: "15000000",
    },
  });
  const server: HttpServer = httpServer(stack.answer);
  const base = await server.listen("127.0.0.1", 0);
  const agent = new Agent({ keepAlive: true });
  const send: House["send"] = (target, sent) => sendOver(base, agent, target, sent);
  const open = { stack, base, send, owner: { "x-service-key": stack.service.access.ownerKey.key ?? "" } };
  return {
    ...open,
    victim: await settle(open),
    attacker: await settle(open),
    sendRaw: (bytes) => sendRawOver(base, bytes),
    async close() {
      agent.destroy();
      await server.close();
      await stack.close();
    },
  };
}

/** Advances the clock so that all per-minute limits reset, and attacks do not affect each other. */
export function newMinute({ stack }: House): void {
  stack.clock.advance(MINUTE_MS + 1);
}

/** Creates an account on the business plan, with a company, a watch, a webhook endpoint, a second key and a session. */
async function settle({ stack, send }: Pick<House, "stack" | "send">): Promise<Party> {
  const accountId = await makeAccount(stack, "business");
  const key = await makeKey(stack, accountId, [...everyScope]);
  const by = { "x-service-key": key.key };
  const created = async (path: string, body: object): Promise<Readonly<Record<string, never>>> => {
    const reply = await send(path, { headers: by, body });
    if (reply.status >= 300) throw new Error(`${path} answered ${reply.status}: ${reply.body}`);
    return JSON.parse(reply.body);
  };
  const { company: madeCompany } = await created(`${COMPANIES}/create-monitored-company`, { company });
  const { watch: madeWatch } = await created(`${WATCHES}/create-watch`, watch);
  const { endpoint: madeEndpoint } = await created(`${WEBHOOKS}/create-webhook-endpoint`, endpoint);
  const { card } = await created(`${ACCOUNT}/create-key`, { name: "second" });
  const sessionId = sessionIdOf(hashOfSession(await openSession(stack, key)));
  const { companyId } = madeCompany ?? { companyId: "" };
  const { watchId } = madeWatch ?? { watchId: "" };
  const { endpointId } = madeEndpoint ?? { endpointId: "" };
  const { id: keyId } = card ?? { id: "" };
  return { accountId, key, by, ids: { companyId, watchId, endpointId, keyId, sessionId } };
}

async function sendOver(base: string, agent: Agent, target: string, sent: Sent = {}): Promise<Reply> {
  const { body } = sent;
  const bytes =
    body === undefined || Buffer.isBuffer(body) ? body : typeof body === "string" ? body : JSON.stringify(body);
  const method = sent.method ?? (bytes === undefined ? "GET" : "POST");
  const headers = { ...(bytes !== undefined && { "content-type": "application/json" }), ...sent.headers };
  const { hostname, port } = new URL(base);
  // The target is given as a path, because a URL would be normalised.
  const outgoing = request({ hostname, port, path: target, method, headers, agent });
  const answered = once(outgoing, "response");
  outgoing.end(bytes);
  const [response] = await answered;
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

function sendRawOver(base: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.end(bytes));
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.once("error", reject);
    socket.once("close", () => resolve(Buffer.concat(chunks).toString("latin1")));
  });
}
