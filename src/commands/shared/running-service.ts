import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../app/config.js";
import type { StoreKind } from "../../database/store-mark.js";
import type { ApiAddress } from "./service-client.js";
import { dataDirOf, type StoreChoice } from "./store-choice.js";

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Returns the address and key of the service to call, from `VIGIL_URL` and `VIGIL_KEY`. Default: the address of the
 * local service according to the settings, and the owner's key. If `VIGIL_URL` names another machine, the owner's key
 * is not the default, because it must not reach a service of somebody else.
 */
export function runningService(config: Config, choice: StoreChoice): ApiAddress {
  const own = config.publicUrl || `http://${config.host}:${config.port}`;
  const url = process.env["VIGIL_URL"] || own;
  const isOwn = url === own || isOnThisMachine(url) || originOf(url) === originOf(own);
  return { url, key: process.env["VIGIL_KEY"] || (isOwn ? ownerKeyIn(config, choice) : "") };
}

function isOnThisMachine(url: string): boolean {
  return URL.canParse(url) && LOOPBACK.test(new URL(url).hostname);
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}

/**
 * With `--demo`, returns the owner's key in the demo's data folder. Otherwise, returns the key in the real data folder
 * or, if that folder has no key, the key in the demo's data folder. Empty if there is no key.
 */
function ownerKeyIn(config: Config, { demo }: StoreChoice): string {
  const kinds: readonly StoreKind[] = demo ? ["demo"] : ["real", "demo"];
  const file = kinds.map((kind) => join(dataDirOf(config, kind), "owner.key")).find(existsSync);
  return file === undefined ? "" : readFileSync(file, "utf8").trim();
}
