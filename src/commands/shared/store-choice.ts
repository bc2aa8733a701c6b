import type { Config } from "../../app/config.js";
import { checkStore, storeName } from "../../app/open-store.js";
import { storeLocation } from "../../app/store-location.js";
import type { StoreKind } from "../../database/store-mark.js";
import { note } from "./output.js";

/** The options that select the store of a command. */
export interface StoreChoice {
  readonly demo?: boolean;
  /** Creates the store if it is missing. Undefined if the command has no option `--create`. */
  readonly create?: boolean;
}

export const DEMO = ["--demo", "use the demo's store"] as const;
export const CREATE = ["--create", "create the store if it does not exist"] as const;

export function kindOf({ demo }: StoreChoice): StoreKind {
  return demo ? "demo" : "real";
}

/** The data folder from the settings, or the default for this kind of store. */
export function dataDirOf({ dataDir }: Config, kind: StoreKind): string {
  return dataDir || (kind === "demo" ? "./data-demo" : "./data");
}

/** Prints the name of the store before a command uses it. */
export function noteStore(name: string): void {
  note(`Store: ${name}`);
}

/** Prints the name of the store that a command works on. Refuses a missing store unless `create` is set. */
export async function nameStore(config: Config, dataDir: string, choice: StoreChoice): Promise<void> {
  const location = storeLocation(config, dataDir);
  await checkStore(location, kindOf(choice), choice.create);
  noteStore(storeName(location));
}
