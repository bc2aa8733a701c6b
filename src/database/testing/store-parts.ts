import { createHash } from "node:crypto";
import type { PlanKey } from "../../contract/access/plans.js";
import type { Principal } from "../../contract/access/principal.js";
import { settingReader } from "../../contract/setting.js";
import type { Clock } from "../../kit/clock.js";
import { tokenSigner } from "../../kit/signed-token.js";
import { migrateServices } from "../migrate.js";
import type { OpenDatabase } from "../open-database.js";
import type { RegisteredStore, StoreParts } from "../service-store.js";

export interface TestNode {
  readonly clock: Clock;
  /** Seed of the node's random bytes, so that its ids differ from those of other nodes. */
  readonly seed?: number;
  readonly settings?: Readonly<Record<string, string>>;
  readonly isSimulated?: boolean;
}

/**
 * Creates the tables of a service's store in the database, and returns the store's parts for one node. Random bytes are
 * derived from the seed.
 */
export async function testStoreParts(
  database: OpenDatabase,
  store: RegisteredStore,
  { clock, seed = 0, settings = {}, isSimulated = false }: TestNode,
): Promise<StoreParts> {
  await migrateServices(database, [store]);
  let calls = 0;
  return {
    database,
    clock,
    randomBytes(count) {
      calls += 1;
      return createHash("sha512").update(`${seed} ${calls}`).digest().subarray(0, count);
    },
    settingOf: settingReader(settings),
    isConfigured: () => false,
    vault: undefined,
    signer: tokenSigner(Buffer.alloc(32)),
    count: () => undefined,
    isSimulated,
  };
}

/** The holder of a key without scopes. */
export function principalOf(accountId: string, plan: PlanKey = "business"): Principal {
  return {
    kind: "key",
    actor: "key_1",
    accountId,
    scopes: new Set(),
    plan,
    planState: "active",
    isOperator: false,
  };
}
