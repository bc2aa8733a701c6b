import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { Type } from "typebox";
import { loadConfig } from "../../src/app/config.js";
import { servicePipeline } from "../../src/app/service-pipeline.js";
import type { KeyCard } from "../../src/contract/access/accounts.js";
import type { PlanKey } from "../../src/contract/access/plans.js";
import type { Scope } from "../../src/contract/access/scopes.js";
import { operation } from "../../src/contract/operation.js";
import { Pagination, pageFields } from "../../src/contract/paging.js";
import { text } from "../../src/contract/query-field.js";
import type { IdentifiedAnswer } from "../../src/http/exchange.js";
import type { Pipeline } from "../../src/http/pipeline.js";
import { call, json, type Stack } from "./stack.js";

export type CallHeaders = Readonly<Record<string, string>>;

export const ACCOUNT = "/api/account/v1";

/** A key as create-key returns it. */
export interface TestKey {
  readonly key: string;
  readonly card: KeyCard;
}

/** An account with every kind of credential. */
export interface TestAccount {
  readonly id: string;
  readonly name: string;
  readonly plan: PlanKey;
  /** Has the scopes `read` and `account:write`. */
  readonly manager: TestKey;
  /** Has only the scope `read`. */
  readonly reader: TestKey;
  /** A session token of the manager key. */
  readonly session: string;
  /** An access token of the manager key. */
  readonly token: string;
}

/** Sends a POST with a JSON body to the pipeline, without a network. */
export function post(
  answer: Pipeline,
  path: string,
  body: unknown,
  headers: CallHeaders = {},
  from?: string,
): Promise<IdentifiedAnswer> {
  const sent = { "content-type": "application/json", ...headers };
  return call(answer, "POST", path, sent, { body: JSON.stringify(body), ...(from !== undefined && { from }) });
}

export function byKey({ key }: TestKey): CallHeaders {
  return { "x-service-key": key };
}

export function byOwner({ service }: Stack): CallHeaders {
  return { "x-service-key": service.access.ownerKey.key ?? "" };
}

/** Headers of a browser's request with a session cookie. The request comes from a page of the service itself. */
export function byCookie(session: string): CallHeaders {
  return { cookie: `vigil_session=${session}`, "sec-fetch-site": "same-origin" };
}

/** Creates an account with its keys, session and token over the API, as an operator would. */
export async function makeAccount(stack: Stack, name: string, plan: PlanKey): Promise<TestAccount> {
  const { id } = await emptyAccount(stack, name, plan);
  const manager = await makeKey(stack, id, `${name} manager`, ["read", "account:write"]);
  const reader = await makeKey(stack, id, `${name} reader`, ["read"]);
  const session = await openSession(stack, { key: manager.key });
  return { id, name, plan, manager, reader, session, token: await issueToken(stack, manager.key) };
}

/** Creates an account without keys. */
export async function emptyAccount(stack: Stack, name: string, plan: PlanKey): Promise<{ readonly id: string }> {
  const answer = await post(stack.answer, `${ACCOUNT}/create-account`, { name, plan }, byOwner(stack));
  return (bodyOf(answer, 201) as { account: { id: string } }).account;
}

/** Creates a key of any account as the owner. */
export async function makeKey(
  stack: Stack,
  accountId: string,
  name: string,
  scopes: readonly Scope[],
  expiresAt?: number,
): Promise<TestKey> {
  const keyRequest = { accountId, name, scopes, ...(expiresAt !== undefined && { expiresAt }) };
  return bodyOf(await post(stack.answer, `${ACCOUNT}/create-key`, keyRequest, byOwner(stack)), 201) as TestKey;
}

/** Opens a session and returns its token. Signs in from a new address, so that no other test's limit is affected. */
export async function openSession(stack: Stack, secret: { key: string } | { link: string }): Promise<string> {
  const answer = await post(stack.answer, `${ACCOUNT}/sign-in`, secret, {}, freshAddress());
  bodyOf(answer, 200);
  const [, token] = /^vigil_session=([^;]+);/.exec(answer.headers["Set-Cookie"] ?? "") ?? [];
  if (token === undefined) throw new Error("signing in set no cookie");
  return token;
}

export async function issueToken(stack: Stack, key: string): Promise<string> {
  return (bodyOf(await askToken(stack, { client_secret: key }), 200) as { access_token: string }).access_token;
}

/** Sends POST /oauth/token with these additional form members, from a new address. */
export function askToken(stack: Stack, form: Readonly<Record<string, string>>): Promise<IdentifiedAnswer> {
  const body = new URLSearchParams({ grant_type: "client_credentials", ...form }).toString();
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return call(stack.answer, "POST", "/oauth/token", headers, { body, from: freshAddress() });
}

export function revoke(stack: Stack, { card }: TestKey): Promise<IdentifiedAnswer> {
  const revocation = { keyId: card.id, accountId: card.accountId };
  return post(stack.answer, `${ACCOUNT}/revoke-key`, revocation, byOwner(stack));
}

function bodyOf(answer: IdentifiedAnswer, status: number): unknown {
  if (answer.status !== status) throw new Error(`${answer.status} ${String(answer.body)}`);
  return json(answer);
}

/** Returns a random address with the documentation prefix (RFC 3849). No other call in a test uses this address. */
export function freshAddress(): string {
  const pieces = randomBytes(8).toString("hex").match(/.{4}/g) ?? [];
  return `2001:db8:0:0:${pieces.join(":")}`;
}

const probe = operation({
  rpc: "get-pro-probe",
  summary: "Answers callers with a Pro plan",
  description: "Represents the Pro operations in tests that apply to all of them.",
  cache: "no-store",
  tier: 1,
  reads: {},
  query: {},
  response: Type.Object({ isOpen: Type.Boolean() }, { title: "GetProProbeResponse" }),
  examples: [{}],
  run: () => ({ isOpen: true }),
});

const listProbe = operation({
  rpc: "list-probe",
  summary: "A list with a filter",
  description: "Represents the filtered lists in tests that apply to all of them.",
  cache: "no-store",
  reads: {},
  query: { ...pageFields(10), kind: text("Only rows of this kind") },
  response: Type.Object({ rows: Type.Array(Type.String()), pagination: Pagination }, { title: "ListProbeResponse" }),
  examples: [{}],
  run: ({ kind }, _snapshots, { paginate }) => paginate([1, 2, 3].map((row) => `${kind} ${row}`)),
});

export const PRO_PROBE = "/api/probe/v1/get-pro-probe";
export const LIST_PROBE = "/api/probe/v1/list-probe";

/**
 * Returns a second pipeline of the same service with two additional operations. The operation at `PRO_PROBE` is a Pro
 * operation, because only Pro operations accept bearer tokens. The operation at `LIST_PROBE` is a list with the filter
 * `kind`.
 */
export function withProbes({ service, services, clock }: Stack): Pipeline {
  const operations = [
    ...services.operations,
    { service: "probe", path: PRO_PROBE, operation: probe },
    { service: "probe", path: LIST_PROBE, operation: listProbe },
  ];
  const config = loadConfig({}, []);
  const log = pino({ level: "silent" });
  const options = { config, service, services: { ...services, operations }, clock, log, simulated: true };
  return servicePipeline(options, () => true);
}
