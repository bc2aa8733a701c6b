import { existsSync, readFileSync } from "node:fs";
import { type Accounts, accountsOf } from "../access/accounts.js";
import { type Authenticator, authenticator, type HeaderOf, type VerifyBearer } from "../access/authenticator.js";
import { type CredentialStore, credentialStore } from "../access/credential-store.js";
import { type EnterpriseKey, enterprisePrincipal, parseEnterpriseKeys } from "../access/enterprise-keys.js";
import { ensureOwnerKey, type OwnerKey } from "../access/owner-key.js";
import { type Assurance, StoreContact } from "../access/store-contact.js";
import type { TokenKeys } from "../access/tokens/token-keys.js";
import type { Principal } from "../contract/access/principal.js";
import type { Scope } from "../contract/access/scopes.js";
import { Failure, failure } from "../contract/failures.js";
import type { KeyVault } from "../database/key-vault.js";
import type { OpenDatabase } from "../database/open-database.js";
import type { StoreKind } from "../database/store-mark.js";
import { type Clock, SECOND_MS } from "../kit/clock.js";
import type { UpstreamClient } from "../upstream/answer.js";
import { type Config, ConfigError, configured } from "./config.js";

/** The parts that identify callers: accounts, credentials and tokens. */
export interface Access {
  readonly ownerKey: OwnerKey;
  readonly accounts: Accounts;
  readonly credentials: CredentialStore;
  readonly authenticator: Authenticator;
  readonly tokens: AccessTokens;
  /** Identifies the caller by the key or session in the headers of a request; undefined if none is valid. */
  readonly callerOf: (header: HeaderOf) => Promise<Principal | undefined>;
  /** Creates the secret of a link that opens one session of the owner. */
  signInLink(): Promise<string>;
}

/** Access tokens: issued from keys, and verified if they were issued here or by the configured provider. */
interface AccessTokens {
  issue(key: string): Promise<IssuedToken | undefined>;
  jwks(): ReturnType<TokenKeys["jwks"]>;
  verify(token: string, assurance?: Assurance): Promise<Principal | undefined>;
  /** Ids of the stored token keys that were unreadable at the last read. */
  unreadableKeys(): readonly string[];
}

interface IssuedToken {
  readonly token: string;
  readonly expiresInSeconds: number;
  readonly scopes: readonly string[];
  readonly principal: Principal;
}

export interface AccessOptions {
  readonly config: Config;
  readonly dataDir: string;
  readonly kind: StoreKind;
  readonly clock: Clock;
  /** Fetches the keys of the token provider. */
  readonly client: UpstreamClient;
  /** Wraps the keys that sign tokens. */
  readonly vault: KeyVault;
  /** Called once for each stored token key that cannot be read. */
  readonly onUnreadableKey?: (error: Error) => void;
}

/** Opens accounts, keys, sessions and tokens of a store. Creates the owner's key if the store has no valid one. */
export async function openAccess(options: AccessOptions, database: OpenDatabase): Promise<Access> {
  const { config, dataDir, kind, clock } = options;
  const prefix = kind === "demo" ? "vgl_demo_" : "vgl_";
  const ownerKey = await ensureOwnerKey(database, dataDir, prefix, clock.now());
  const contact = new StoreContact({ clock, rememberedMs: config.lostStoreKeySeconds * SECOND_MS });
  const credentials = credentialStore(database, clock, contact);
  await credentials.refresh();
  const enterpriseKeys = enterpriseKeysOf(config);
  const tokens = lazyAccessTokens({
    options,
    database,
    credentials,
    contact,
    enterpriseKeys,
    callerOf: (header) => callerOf(header),
  });
  const verifyBearer: VerifyBearer = (token, assurance) => tokens.verify(token, assurance);
  const authenticated = authenticator({ enterpriseKeys, credentials, verifyBearer, clock });
  const callerOf = async (header: HeaderOf): Promise<Principal | undefined> => {
    const caller = await authenticated.authenticate(header, false);
    return caller instanceof Failure ? undefined : caller;
  };
  const accounts = accountsOf(database, prefix, clock.now);
  return {
    ownerKey,
    accounts,
    credentials,
    tokens,
    callerOf,
    authenticator: authenticated,
    signInLink: () => credentials.makeLink(ownerKey.id),
  };
}

/**
 * Reads the operator-issued keys from their setting, and from the file that a second setting names (one key per line).
 * Throws `ConfigError`.
 */
export function enterpriseKeysOf({ enterpriseKeys, enterpriseKeysFile }: Config): readonly EnterpriseKey[] {
  if (enterpriseKeysFile !== undefined && !existsSync(enterpriseKeysFile)) {
    throw new ConfigError(`VIGIL_ENTERPRISE_KEYS_FILE names ${enterpriseKeysFile}, which does not exist`);
  }
  const lines = enterpriseKeysFile === undefined ? [] : readFileSync(enterpriseKeysFile, "utf8").split("\n");
  const inFile = lines.map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("#"));
  return configured(() => parseEnterpriseKeys([...enterpriseKeys, ...inFile]));
}

interface AccessTokenParts {
  readonly options: AccessOptions;
  readonly database: OpenDatabase;
  readonly credentials: CredentialStore;
  readonly contact: StoreContact;
  readonly enterpriseKeys: readonly EnterpriseKey[];
  readonly callerOf: (header: HeaderOf) => Promise<Principal | undefined>;
}

/**
 * Loads the modules that issue and verify access tokens on first use, because loading them takes longer than starting
 * the rest of the service.
 */
function lazyAccessTokens(parts: AccessTokenParts): AccessTokens {
  let starting: Promise<AccessTokens> | undefined;
  let loaded: AccessTokens | undefined;
  const tokens = (): Promise<AccessTokens> => {
    starting ??= accessTokens(parts).then((ready) => {
      loaded = ready;
      return ready;
    });
    return starting;
  };
  return {
    issue: async (key) => (await tokens()).issue(key),
    jwks: async () => (await tokens()).jwks(),
    verify: async (token, assurance) => (await tokens()).verify(token, assurance),
    unreadableKeys: () => loaded?.unreadableKeys() ?? [],
  };
}

async function accessTokens({
  options,
  database,
  credentials,
  contact,
  enterpriseKeys,
  callerOf,
}: AccessTokenParts): Promise<AccessTokens> {
  const { config, clock, vault, client } = options;
  const [{ rememberedKeys, tokenKeyStore }, { tokenKeys }, { tokenIssuer }] = await Promise.all([
    import("../access/tokens/token-key-store.js"),
    import("../access/tokens/token-keys.js"),
    import("../access/tokens/token-issuer.js"),
  ]);
  const { onUnreadableKey: onUnreadable } = options;
  const keys = tokenKeys(rememberedKeys(tokenKeyStore(database, vault), contact), clock, {
    ...(onUnreadable && { onUnreadable }),
  });
  const issuer = config.publicUrl ?? `http://${config.host}:${config.port}`;
  const own = tokenIssuer({ keys, clock, issuer, audience: issuer });
  const provider = await openIdProvider(config, clock, client);

  /**
   * Returns the principal of the key from which a token was issued, limited to the scopes that the key and the token
   * share.
   */
  async function holderOf(
    keyId: string,
    scopes: readonly string[],
    assurance: Assurance,
  ): Promise<Principal | undefined> {
    const enterprise = enterpriseKeys.map(enterprisePrincipal).find(({ actor }) => actor === keyId);
    const credential = await credentials.keyById(keyId, assurance);
    const principal = enterprise ?? (credential && credential.endsAt > clock.now() ? credential.principal : undefined);
    if (!principal) return undefined;
    const carried = new Set<Scope>([...principal.scopes].filter((scope) => scopes.includes(scope)));
    return { ...principal, kind: "bearer", scopes: carried, isOperator: false };
  }

  async function ofProvider(token: string, assurance: Assurance): Promise<Principal | undefined> {
    const verified = await provider?.verify(token);
    if (verified?.kind === "unavailable") throw failure("entitlementUnavailable", null, verified.cause);
    if (verified?.kind !== "verified") return undefined;
    const { account, plan } = verified;
    // The plan stored for the account takes precedence over the plan in the account rule that matched.
    const stored = await credentials.account(account, assurance);
    return {
      kind: "bearer",
      actor: `openid ${account}`,
      accountId: account,
      scopes: new Set(["read"]),
      plan: stored?.plan ?? plan,
      planState: stored?.planState ?? "active",
      isOperator: false,
    };
  }

  return {
    async issue(key) {
      const principal = await callerOf((name) => (name === "x-service-key" ? key : undefined));
      if (!principal || (principal.kind !== "key" && principal.kind !== "enterprise")) return undefined;
      const scopes = [...principal.scopes];
      const grant = { subject: principal.accountId ?? "", keyId: principal.actor, scopes };
      return { ...(await own.issue(grant)), scopes, principal };
    },
    jwks: () => keys.jwks(),
    unreadableKeys: keys.unreadable,
    async verify(token, assurance = "confirmed") {
      const claims = await own.verify(token);
      return claims ? holderOf(claims.keyId, claims.scopes, assurance) : ofProvider(token, assurance);
    },
  };
}

async function openIdProvider(config: Config, clock: Clock, client: UpstreamClient) {
  const {
    oidcIssuer: issuer,
    oidcAudience: audience,
    oidcJwksUrl: jwksUrl,
    oidcAccounts,
    oidcClockSkewSeconds,
  } = config;
  if (issuer === undefined) return undefined;
  if (audience === undefined || oidcAccounts === undefined) {
    throw new ConfigError("VIGIL_OIDC_ISSUER also needs VIGIL_OIDC_AUDIENCE and VIGIL_OIDC_ACCOUNTS");
  }
  const [{ openIdVerifier }, { parseAccountRules }] = await Promise.all([
    import("../access/tokens/openid-verifier.js"),
    import("../access/tokens/account-rules.js"),
  ]);
  const accountClaims = configured(() => parseAccountRules(oidcAccounts));
  const clockSkewMs = oidcClockSkewSeconds * SECOND_MS;
  return openIdVerifier({
    issuer,
    audience,
    jwksUrl,
    clockSkewMs,
    accountClaims,
    clock,
    fetchJson: jsonFetcher(client),
  });
}

const JSON_BYTES_MAX = 1_048_576;
const FETCH_MS_MAX = 5_000;

/** Fetches small JSON documents from the operator's token provider, which may be in a private network. */
function jsonFetcher(client: UpstreamClient): (url: string) => Promise<unknown> {
  return async (url) => {
    const { bytes } = await client.fetch({
      key: "provider",
      url,
      isOperatorsOwn: true,
      timeoutMs: FETCH_MS_MAX,
      bytesMax: JSON_BYTES_MAX,
    });
    return JSON.parse(bytes.toString("utf8"));
  };
}
