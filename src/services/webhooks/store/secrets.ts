import { isWrapped } from "../../../database/key-vault.js";
import type { StoreParts } from "../../../database/service-store.js";
import { SECRET_BYTES, webhookSecret } from "../../../kit/standard-webhook.js";
import { OLD_SECRET_MS } from "../rules/limits.js";
import type { WebhookDatabase } from "./tables.js";

type SecretParts = Pick<StoreParts, "randomBytes" | "vault">;

const ID_BYTES = 8;
const aboutOf = (endpointId: string): string => `webhook secret ${endpointId}`;

/** Stores a new secret of an endpoint. The previous secret still signs for one day. Older secrets are removed. */
export async function newSecret(
  db: WebhookDatabase,
  { randomBytes, vault }: SecretParts,
  endpointId: string,
  now: number,
): Promise<string> {
  const secret = webhookSecret(randomBytes(SECRET_BYTES));
  await db
    .deleteFrom("webhook_secret")
    .where("endpoint_id", "=", endpointId)
    .where("ends_at", "is not", null)
    .execute();
  await db
    .updateTable("webhook_secret")
    .set({ ends_at: now + OLD_SECRET_MS })
    .where("endpoint_id", "=", endpointId)
    .execute();
  await db
    .insertInto("webhook_secret")
    .values({
      endpoint_id: endpointId,
      secret_id: randomBytes(ID_BYTES).toString("hex"),
      secret: vault?.wrap(secret, aboutOf(endpointId)) ?? secret,
      created_at: now,
      ends_at: null,
    })
    .execute();
  return secret;
}

/**
 * Encrypts at most `rowsMax` secrets that were stored as plain text while the nodes shared no key vault, and returns
 * their number.
 */
export async function wrapSecrets(
  db: WebhookDatabase,
  { vault }: Pick<SecretParts, "vault">,
  rowsMax: number,
): Promise<number> {
  if (!vault) return 0;
  const rows = await db
    .selectFrom("webhook_secret")
    .select(["endpoint_id", "secret_id", "secret"])
    .where("secret", "like", "whsec%")
    .limit(rowsMax)
    .execute();
  for (const { endpoint_id, secret_id, secret } of rows) {
    await db
      .updateTable("webhook_secret")
      .set({ secret: vault.wrap(secret, aboutOf(endpoint_id)) })
      .where("endpoint_id", "=", endpoint_id)
      .where("secret_id", "=", secret_id)
      .execute();
  }
  return rows.length;
}

/** Reads the secrets that sign now, newest first. Encrypted secrets that this node cannot decrypt are omitted. */
export async function liveSecrets(
  db: WebhookDatabase,
  { vault }: Pick<SecretParts, "vault">,
  endpointId: string,
  now: number,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("webhook_secret")
    .select(["secret", "ends_at"])
    .where("endpoint_id", "=", endpointId)
    .where((is) => is.or([is("ends_at", "is", null), is("ends_at", ">", now)]))
    .execute();
  const newestFirst = rows.toSorted((a, b) => Number(a.ends_at !== null) - Number(b.ends_at !== null));
  return newestFirst.flatMap(({ secret }) => {
    const text = isWrapped(secret) ? vault?.unwrap(secret, aboutOf(endpointId)) : secret;
    return text === undefined ? [] : [text];
  });
}
