import { expect, test } from "vitest";
import { disposedAfterEach, openSqliteStore } from "../../test/support/stores.js";
import type { SourceRequest } from "../contract/source.js";
import { keyVault } from "../database/key-vault.js";
import { manualClock } from "../kit/manual-clock.js";
import { openAccess } from "./access.js";
import { loadConfig } from "./config.js";

const open = disposedAfterEach(openSqliteStore);

test("the token provider is called at the operator's configured address, through the shared client and with limits on time and size", async () => {
  const { database, dataDir } = await open();
  const requests: SourceRequest[] = [];
  const env = {
    VIGIL_OIDC_ISSUER: "https://id.example.org",
    VIGIL_OIDC_AUDIENCE: "vigil",
    VIGIL_OIDC_ACCOUNTS: '[{"claim":"sub","equals":"a","account":"acc_a","plan":"pro"}]',
  };
  const access = await openAccess(
    {
      config: loadConfig(env, []),
      dataDir,
      kind: "real",
      clock: manualClock(Date.UTC(2026, 10, 18)),
      vault: keyVault({ secret: "s".repeat(32), dataDir }),
      client: {
        async fetch(request) {
          requests.push(request);
          throw new Error("connection refused");
        },
        close: async () => undefined,
      },
    },
    database,
  );
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const token = `${part({ alg: "RS256", kid: "k" })}.${part({ iss: env.VIGIL_OIDC_ISSUER, sub: "a", aud: "vigil" })}.c2ln`;
  await expect(access.tokens.verify(token)).rejects.toMatchObject({ failure: "entitlementUnavailable" });
  expect(requests).toMatchObject([
    {
      url: "https://id.example.org/.well-known/openid-configuration",
      isOperatorsOwn: true,
      timeoutMs: 5_000,
      bytesMax: 1_048_576,
    },
  ]);
});
