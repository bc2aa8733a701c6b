import { randomBytes as secureBytes } from "node:crypto";
import { type ServiceCounts, serviceCounts } from "../contract/service-counter.js";
import { settingReader } from "../contract/setting.js";
import { type KeyVault, keyVault } from "../database/key-vault.js";
import { migrateServices } from "../database/migrate.js";
import type { OpenDatabase } from "../database/open-database.js";
import type { StoreParts } from "../database/service-store.js";
import { signingKey } from "../database/signing-key.js";
import { isConfigured } from "../ingest/read-on-demand.js";
import { tokenSigner } from "../kit/signed-token.js";
import { configured } from "./config.js";
import type { ServiceOptions } from "./service-options.js";
import { sourceSettings } from "./source-settings.js";

/** The parts that the stores of services use, with the key vault of this node and the counters. */
interface OpenStoreParts {
  readonly storeParts: StoreParts;
  /** Wraps keys that belong to this node. */
  readonly vault: KeyVault;
  readonly counts: ServiceCounts;
}

/** Migrates the stores of services and opens the parts they share. */
export async function openStoreParts(options: ServiceOptions, database: OpenDatabase): Promise<OpenStoreParts> {
  const { config, dataDir, kind, clock, services, randomBytes = secureBytes } = options;
  const vault = configured(() => keyVault({ secret: config.keySecret, dataDir }));
  // Without `VIGIL_KEY_SECRET`, the vault's key is a file that only this node has. With PostgreSQL, secrets that nodes
  // share are therefore wrapped only if `VIGIL_KEY_SECRET` is set, because it is then the same on all nodes.
  const sharedVault = database.dialect === "sqlite" || config.keySecret !== undefined ? vault : undefined;
  await migrateServices(database, services.stores);
  const counts = serviceCounts(services.counters);
  const settingsOfSources = sourceSettings(services.sources, config);
  const storeParts: StoreParts = {
    database,
    clock,
    randomBytes,
    settingOf: settingReader(config.texts),
    isConfigured: (read) => isConfigured(read, settingsOfSources),
    vault: sharedVault,
    signer: tokenSigner(await signingKey(database, sharedVault)),
    count: counts.count,
    isSimulated: kind === "demo",
  };
  return { storeParts, vault, counts };
}
