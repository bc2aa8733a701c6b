import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { Type } from "typebox";
import type { CreatedKey } from "../../src/contract/access/accounts.js";
import type { PlanKey, PlanState } from "../../src/contract/access/plans.js";
import type { Scope } from "../../src/contract/access/scopes.js";
import { operation, type RegisteredOperation } from "../../src/contract/operation.js";
import { SECOND_MS } from "../../src/kit/clock.js";
import { call, json, type Stack } from "./stack.js";

export type Headers = Readonly<Record<string, string>>;

const by = { actor: "test" };

/** Declares an operation without data, at `/api/probe/v1/<rpc>`. */
export function probe(
  rpc: string,
  more: { readonly tier?: 1; readonly keyAlways?: true } = {},
  run: () => { readonly isAnswered: boolean } = () => ({ isAnswered: true }),
): RegisteredOperation {
  const definition = {
    rpc,
    summary: "A probe",
    description: "Answers, or fails, for a test.",
    cache: "slow" as const,
    ...more,
    reads: {},
    query: {},
    response: Type.Object({ isAnswered: Type.Boolean() }),
    examples: [{}],
    run,
  };
  return { service: "probe", path: `/api/probe/v1/${rpc}`, operation: operation(definition) };
}

/** A probe that needs a plan of tier 1, like the Pro operations of the contract. */
export const proProbe = probe("get-pro", { tier: 1 });

/** Like `list-alpha-events`, this probe needs a key even if reads are public. */
export const keyedProbe = probe("get-keyed", { keyAlways: true });

/** Creates an account on a plan and returns its id. */
export async function makeAccount({ service }: Stack, plan: PlanKey, id?: string): Promise<string> {
  const account = await service.access.accounts.create({ name: "Test", plan, ...(id !== undefined && { id }) }, by);
  if (!account) throw new Error(`the account ${id} is taken`);
  return account.id;
}

/** Changes an account's plan, effective from the next call. */
export async function setPlan({ service }: Stack, account: string, plan: PlanKey, state: PlanState): Promise<void> {
  if (!(await service.access.accounts.setPlan(account, plan, state, by))) throw new Error(`no account ${account}`);
  await service.access.credentials.refresh();
}

export async function makeKey(
  { service }: Stack,
  accountId: string,
  scopes: readonly Scope[] = ["read"],
  expiresAt: number | null = null,
): Promise<CreatedKey> {
  const keyOptions = { accountId, name: "test", scopes: new Set(scopes), expiresAt };
  const createdKey = await service.access.accounts.createKey(keyOptions, by);
  if (typeof createdKey === "string") throw new Error(createdKey);
  return createdKey;
}

/** Creates an account on this plan with one key, and returns the key. */
export async function keyOn(stack: Stack, plan: PlanKey, scopes?: readonly Scope[]): Promise<string> {
  return (await makeKey(stack, await makeAccount(stack, plan), scopes)).key;
}

export async function revokeKey({ service }: Stack, { card }: CreatedKey): Promise<void> {
  await service.access.accounts.revokeKey(card.accountId, card.id, by);
  await service.access.credentials.refresh();
}

/** Opens a browser session with this key, and returns the token of the session. */
export async function openSession({ service }: Stack, { card }: CreatedKey): Promise<string> {
  const session = await service.access.credentials.signIn(card.id, "127.0.0.1");
  if (!session) throw new Error("the key opens no session");
  return session.token;
}

/** Requests an access token from the service's token endpoint. Each key calls from its own client address. */
export async function issueToken({ answer }: Stack, { key, card }: CreatedKey): Promise<string> {
  const headers = { "content-type": "application/x-www-form-urlencoded", "x-service-key": key };
  const body = "grant_type=client_credentials";
  const issued = await call(answer, "POST", "/oauth/token", headers, { body, from: `host of ${card.id}` });
  const { access_token: token } = json(issued) as { readonly access_token?: string };
  if (token === undefined) throw new Error(`no token: ${issued.status} ${String(issued.body)}`);
  return token;
}

/** An OpenID provider on this machine that serves its keys over HTTP. */
export interface OpenIdProvider {
  /**
   * Settings with which the service accepts the provider's tokens. The account of a token is `oidc:<subject>`, on the
   * Starter plan.
   */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Issues a token for this subject. The token expires at `endsAt`, epoch ms. If `isForged`, the token is signed with
   * an unpublished key.
   */
  token(subject: string, times: { readonly at: number; readonly endsAt: number }, isForged?: boolean): Promise<string>;
  close(): Promise<void>;
}

const ALGORITHM = "ES256";
const AUDIENCE = "vigil";

export function providerAccount(subject: string): string {
  return `oidc:${subject}`;
}

export async function startProvider(): Promise<OpenIdProvider> {
  const [published, hidden] = await Promise.all([generateKeyPair(ALGORITHM), generateKeyPair(ALGORITHM)]);
  const jwk = { ...(await exportJWK(published.publicKey)), kid: "one", alg: ALGORITHM, use: "sig" };
  const server = createServer((_request, response) => response.end(JSON.stringify({ keys: [jwk] })));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A TCP server that listens has an address with a port.
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const rule = { claim: "sub", equals: "*", account: providerAccount("{sub}"), plan: "starter" };
  return {
    env: {
      VIGIL_OIDC_ISSUER: issuer,
      VIGIL_OIDC_AUDIENCE: AUDIENCE,
      VIGIL_OIDC_JWKS_URL: `${issuer}/keys`,
      VIGIL_OIDC_ACCOUNTS: JSON.stringify([rule]),
    },
    token: (subject, { at, endsAt }, isForged = false) =>
      new SignJWT({})
        .setProtectedHeader({ alg: ALGORITHM, kid: "one" })
        .setIssuer(issuer)
        .setAudience(AUDIENCE)
        .setSubject(subject)
        .setIssuedAt(Math.floor(at / SECOND_MS))
        .setExpirationTime(Math.floor(endsAt / SECOND_MS))
        .sign((isForged ? hidden : published).privateKey),
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}
