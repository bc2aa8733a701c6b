import { expect, test } from "vitest";
import { disposedAfterEach, openSqliteStore } from "../../../../test/support/stores.js";
import type { KeyVault } from "../../../database/key-vault.js";
import { DAY_MS } from "../../../kit/clock.js";
import { liveSecrets, newSecret } from "./secrets.js";
import { webhooksIn } from "./tables.js";
import { ACCOUNT, memoryLog, NOW, webhookNode } from "./testing/webhook-node.js";
import { thinWebhooks } from "./upkeep.js";

const open = disposedAfterEach(openSqliteStore);

/** Creates a vault that writes the name of its owner into every wrapped secret. */
function vaultOf(owner: string): KeyVault {
  const prefix = `wrapped:1:${owner}:`;
  return {
    wrap: (secret, about) => `${prefix}${about}:${secret}`,
    unwrap: (stored, about) =>
      stored.startsWith(`${prefix}${about}:`) ? stored.slice(`${prefix}${about}:`.length) : undefined,
  };
}

async function prepared() {
  const node = await webhookNode((await open()).database);
  const db = webhooksIn(node.parts.database.db);
  const stored = async () =>
    (await db.selectFrom("webhook_secret").select("secret").execute()).map((row) => row.secret);
  return { node, db, stored };
}

test("a secret is stored wrapped for its endpoint, and another vault cannot read it", async () => {
  const { node, db, stored } = await prepared();
  const vault = vaultOf("a");
  const secret = await newSecret(db, { ...node.parts, vault }, "whe_1", NOW);
  expect(await stored()).toEqual([`wrapped:1:a:webhook secret whe_1:${secret}`]);
  expect(await liveSecrets(db, { vault }, "whe_1", NOW)).toEqual([secret]);
  expect(await liveSecrets(db, { vault: vaultOf("b") }, "whe_1", NOW)).toEqual([]);
  expect(await liveSecrets(db, { vault: undefined }, "whe_1", NOW)).toEqual([]);
});

test("at most two secrets sign, the newest first, and the older one only for a day", async () => {
  const { node, db } = await prepared();
  const secrets = [];
  for (let count = 0; count < 3; count += 1) secrets.push(await newSecret(db, node.parts, "whe_1", NOW + count));
  const [, second, third] = secrets;
  expect(await liveSecrets(db, node.parts, "whe_1", NOW + 2)).toEqual([third, second]);
  expect(await liveSecrets(db, node.parts, "whe_1", NOW + 2 + DAY_MS)).toEqual([third]);
});

test("when a vault becomes available, the next upkeep wraps secrets that were stored without one", async () => {
  const { node, db, stored } = await prepared();
  const secret = await newSecret(db, node.parts, "whe_1", NOW);
  const vault = vaultOf("a");
  await thinWebhooks({ ...node.parts, vault });
  expect(await stored()).toEqual([`wrapped:1:a:webhook secret whe_1:${secret}`]);
});

test("a delivery whose secret cannot be read fails with an error that states this reason", async () => {
  const { node, db } = await prepared();
  const log = memoryLog();
  await node.create();
  log.add("a");
  await node.fanOut(log);
  await db.updateTable("webhook_secret").set({ secret: "wrapped:1:other" }).execute();
  await node.send(() => 200);
  const [endpoint] = await node.inCall(({ endpoints }) => endpoints.list(), ACCOUNT);
  expect(endpoint?.lastError).toBe("the secret cannot be read on this node; rotate it");
});
