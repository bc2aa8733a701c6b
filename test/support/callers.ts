import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { Type } from "typebox";
import type { CreatedKey } from "../../src/access/accounts.js";
import type { PlanKey, PlanState } from "../../src/contract/access/plans.js";
import type { Scope } from "../../src/contract/access/scopes.js";
import { operation, type RegisteredOperation } from "../../src/contract/operation.js";
import { SECOND_MS } from "../../src/kit/clock.js";
import { call, json, type Stack } from "./stack.js";

export type Headers = Readonly<Record<string, string>>;

const by = { actor: "test" };

/** An operation without data, at `/api/probe/v1/<rpc>`. */
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

/** Needs a plan, as the Pro operations of the contract do. */
export const proProbe = probe("get-pro", { tier: 1 });

/** Open to nobody without a key, as `list-alpha-events` is. */
export const keyedProbe = probe("get-keyed", { keyAlways: true });

/** An account of a plan that is paid for; its id. */
export async function makeAccount({ service }: Stack, plan: PlanKey, id?: string): Promise<string> {
  const made = await service.access.accounts.create({ name: "Test", plan, ...(id !== undefined && { id }) }, by);
  if (!made) throw new Error(`the account ${id} is taken`);
  return made.id;
}

/** Changes an account's plan; holds for the next call. */
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
  const wanted = { accountId, name: "test", scopes: new Set(scopes), expiresAt };
  const made = await service.access.accounts.createKey(wanted, by);
  if (typeof made === "string") throw new Error(made);
  return made;
}

/** A key of a new account on this plan. */
export async function keyOn(stack: Stack, plan: PlanKey, scopes?: readonly Scope[]): Promise<string> {
  return (await makeKey(stack, await makeAccount(stack, plan), scopes)).key;
}

export async function revokeKey({ service }: Stack, { card }: CreatedKey): Promise<void> {
  await service.access.accounts.revokeKey(card.accountId, card.id, by);
  await service.access.credentials.refresh();
}

/** The token of a browser session that was opened with this key. */
export async function openSession({ service }: Stack, { card }: CreatedKey): Promise<string> {
  const opened = await service.access.credentials.signIn(card.id, "127.0.0.1");
  if (!opened) throw new Error("the key opens no session");
  return opened.token;
}

/** An access token of the service, from its token endpoint. Each key asks from an address of its own. */
export async function issueToken({ answer }: Stack, { key, card }: CreatedKey): Promise<string> {
  const headers = { "content-type": "application/x-www-form-urlencoded", "x-service-key": key };
  const body = "grant_type=client_credentials";
  const issued = await call(answer, "POST", "/oauth/token", headers, { body, from: `host of ${card.id}` });
  const { access_token: token } = json(issued) as { readonly access_token?: string };
  if (token === undefined) throw new Error(`no token: ${issued.status} ${String(issued.body)}`);
  return token;
}

/** An OpenID provider on this machine, whose keys are served over HTTP. */
export interface OpenIdProvider {
  /** The settings with which the service takes its tokens: the account is `oidc:<subject>`, on the Starter plan. */
  readonly env: Readonly<Record<string, string>>;
  /** A token of this subject that ends at `endsAt`, epoch ms. `isForged` signs it with a key that is not published. */
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
