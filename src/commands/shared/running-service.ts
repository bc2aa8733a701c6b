import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../app/config.js";
import type { StoreKind } from "../../database/store-mark.js";
import type { ApiAddress } from "./service-client.js";
import { dataDirOf, type StoreChoice } from "./store-choice.js";

/**
 * Returns the address and key of the service to call, from `VIGIL_URL` and `VIGIL_KEY`. Default: the address of the
 * local service according to the settings, and the owner's key.
 */
export function runningService(config: Config, choice: StoreChoice): ApiAddress {
  const url = process.env["VIGIL_URL"] || config.publicUrl || `http://${config.host}:${config.port}`;
  return { url, key: process.env["VIGIL_KEY"] || ownerKeyIn(config, choice) };
}

/**
 * The owner's key of the demo's data folder with `--demo`; otherwise that of the real data folder or, if it has none,
 * of the demo's. Empty if there is none.
 */
function ownerKeyIn(config: Config, { demo }: StoreChoice): string {
  const kinds: readonly StoreKind[] = demo ? ["demo"] : ["real", "demo"];
  const file = kinds.map((kind) => join(dataDirOf(config, kind), "owner.key")).find(existsSync);
  return file === undefined ? "" : readFileSync(file, "utf8").trim();
}
