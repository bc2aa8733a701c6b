import type { Config } from "../../app/config.js";
import { checkStore, openStore, storeName } from "../../app/open-store.js";
import { storeLocation } from "../../app/store-location.js";
import type { OpenDatabase } from "../../database/open-database.js";
import type { StoreKind } from "../../database/store-mark.js";
import { dataDirOf, kindOf, noteStore, type StoreChoice } from "./store-choice.js";

/** The chosen store. */
export interface ChosenStore {
  readonly database: OpenDatabase;
  readonly kind: StoreKind;
  readonly dataDir: string;
}

/**
 * Opens the chosen store for one command, whether or not a service runs on it, and closes it afterwards. Refuses a
 * missing store unless `create` is set.
 */
export async function onStore<T>(
  config: Config,
  choice: StoreChoice,
  work: (store: ChosenStore) => Promise<T>,
): Promise<T> {
  const kind = kindOf(choice);
  const dataDir = dataDirOf(config, kind);
  const location = storeLocation(config, dataDir);
  await checkStore(location, kind, choice.create);
  const database = await openStore(location, kind);
  noteStore(storeName(location));
  try {
    return await work({ database, kind, dataDir });
  } finally {
    await database.close();
  }
}
